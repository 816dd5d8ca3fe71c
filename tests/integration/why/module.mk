# SPDX-License-Identifier: MIT
WHY_SRC       := tests/integration/why/delayed.c
WHY_DELAYED   := $(BUILD)/tests/integration/why/delayed
LINT_SRC      += $(WHY_SRC)
TEST_NEEDS    += $(WHY_DELAYED) $(WORKLOAD)
WAITING_TESTS += tests/integration/why/why_test.py:120
SCRIPT_TESTS  += tests/integration/why/part_test.py:120

$(WHY_DELAYED): $(call objs,$(WHY_SRC)) $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -ldl
