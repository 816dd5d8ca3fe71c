# SPDX-License-Identifier: MIT
# Programs for which the effect of different settings is known.
SHAPES_SRC  := tests/integration/whatif/shapes.c
SHAPES      := $(BUILD)/tests/integration/whatif/shapes
LINT_SRC    += $(SHAPES_SRC)
TEST_NEEDS  += $(SHAPES)
SCRIPT_TESTS += tests/integration/whatif/recorded_test.py:180 tests/integration/whatif/forecast_test.py:180

$(SHAPES): $(call objs,$(SHAPES_SRC)) $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -ldl
