# SPDX-License-Identifier: MIT
# Cases of the kinds that public bug reports about other pools and tools describe.
FIELD        := $(BUILD)/tests/integration/field
FIELD_SRC    := $(addprefix tests/integration/field/,cases.c trials.c)
LINT_SRC     += $(FIELD_SRC) tests/integration/field/plugin.c
TEST_NEEDS   += $(addprefix $(FIELD)/,cases trials plugin constructor)
SCRIPT_TESTS += $(addprefix tests/integration/field/,field_test.py:180 pool_test.py:180)

$(FIELD_SRC:%.c=$(BUILD)/%): $(BUILD)/%: $(BUILD)/obj/%.o $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -ldl

$(FIELD)/plugin: $(call objs,tests/integration/field/plugin.c)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -ldl

$(FIELD)/constructor: tests/integration/field/plugin.c $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -DPLUGIN -fPIC -shared -o $@ $^ $(ALL_LDFLAGS) -ldl
