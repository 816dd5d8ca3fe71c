# SPDX-License-Identifier: MIT
TWO_POOLS_SRC := tests/integration/commands/two_pools.c
TWO_POOLS     := $(BUILD)/tests/integration/commands/two_pools
LINT_SRC      += $(TWO_POOLS_SRC)
TEST_NEEDS    += $(TWO_POOLS)
WAITING_TESTS += tests/integration/commands/names_test.py:120
SCRIPT_TESTS  += tests/integration/commands/completion_test.py

$(TWO_POOLS): $(call objs,$(TWO_POOLS_SRC)) $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -ldl
