# SPDX-License-Identifier: MIT
#
# What doze does with LTTng sessions, real daemons throughout (kit.h). Each suite runs twice when
# the tests run as root: as root, and as another user.
SESSION_SUITES := record:240 faults:420 ends:120 live:240 doctor:100

ifneq (0,$(TRACE))
KIT := $(call objs,tests/session/kit.c tests/session/moment.c)
session_name = $(firstword $(subst :, ,$(1)))
session_bins = $(foreach s,$(SESSION_SUITES),$(BUILD)/tests/session/$(call session_name,$(s))$(1))

$(call session_bins,_test): $(BUILD)/%: $(BUILD)/obj/%.o $(KIT) \
		$(TRACE_FRAME)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(CUNIT_LIBS)

$(call session_bins,_as_user): $(BUILD)/%_as_user: $(BUILD)/%_test
	@ln -f $< $@

$(BUILD)/tests/session/ctl_test: $(BUILD)/obj/tests/session/ctl_test.o $(TRACE_FRAME) \
		$(BUILD)/libdoze-viz.a $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(CUNIT_LIBS) $(VIZ_LIBS) -lm -ldl

.SECONDARY: $(KIT)
WAITING_TESTS += $(BUILD)/tests/session/ctl_test:400
WAITING_TESTS += $(foreach s,$(SESSION_SUITES),$(foreach w,test as_user,\
	$(BUILD)/tests/session/$(subst :,_$(w):,$(s))))
TEST_NEEDS += $(BUILD)/tests/session/ctl_test $(call session_bins,_test) $(call session_bins,_as_user)
endif

UNIT_TESTS += tests/unit/options_test.c
