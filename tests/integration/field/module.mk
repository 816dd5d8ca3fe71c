# SPDX-License-Identifier: MIT
# Kinds of faults from bug reports about other programs.
FIELD_SRC    := tests/integration/field/cases.c
FIELD_CASES  := $(BUILD)/tests/integration/field/cases
LINT_SRC     += $(FIELD_SRC)
TEST_NEEDS   += $(FIELD_CASES)
SCRIPT_TESTS += tests/integration/field/field_test.py:180

$(FIELD_CASES): $(call objs,$(FIELD_SRC)) $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -ldl
