# SPDX-License-Identifier: MIT
# The catalogue of pathologies (README.md).
CATALOGUE_SRC := $(addprefix tests/integration/catalogue/,workload.c waits.c stands.c)
WORKLOAD      := $(BUILD)/tests/integration/catalogue/workload
LINT_SRC      += $(CATALOGUE_SRC)
TEST_NEEDS    += $(WORKLOAD)
WAITING_TESTS += tests/integration/catalogue/cells_test.py:180

$(WORKLOAD): $(call objs,$(CATALOGUE_SRC)) $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -ldl

.PHONY: catalogue
catalogue: all $(WORKLOAD) ## records the catalogue of pathologies again and prints the table of hits; HEALTHY=
	$(Q)BUILD=$(BUILD) tests/integration/catalogue/run.py --healthy $(or $(HEALTHY),0)
