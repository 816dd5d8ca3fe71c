# SPDX-License-Identifier: MIT
#
# The tests of doze's use of LTTng sessions, always with real daemons (fixtures/doze_program.h). If
# the tests run as root, each suite runs twice: as root, and as another user. Entries are
# name:seconds:parts (see tests/run).
SESSION_SUITES := record:240:3 faults:300:6 ends:120:3 live:240:3 running:240:3 doctor:100:2
SESSION := $(BUILD)/tests/integration/session

session_name = $(firstword $(subst :, ,$(1)))
session_bins = $(foreach s,$(SESSION_SUITES),$(SESSION)/$(call session_name,$(s))$(1))

$(call session_bins,_test) $(SESSION)/ctl_test: $(BUILD)/%: $(BUILD)/obj/%.o $(FIXTURES) \
		$(BUILD)/libdoze-viz.a $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(CUNIT_LIBS) $(VIZ_LIBS) -lm -ldl

$(call session_bins,_as_user): $(BUILD)/%_as_user: $(BUILD)/%_test
	@ln -f $< $@

session_run = $(SESSION)/$(session_name)_$(2):$(word 2,$(subst :, ,$(1))):$(word 3,$(subst :, ,$(1)))
WAITING_TESTS += $(SESSION)/ctl_test:400:2
WAITING_TESTS += $(foreach s,$(SESSION_SUITES),$(foreach w,test as_user,$(call session_run,$(s),$(w))))
TEST_NEEDS += $(SESSION)/ctl_test $(call session_bins,_test) $(call session_bins,_as_user)
