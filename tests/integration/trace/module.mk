# SPDX-License-Identifier: MIT
#
# Recordings with the test's own LTTng daemons (fixtures/lttng.h). TRACE_PROGRAMS are the traced
# programs; TRACE_TOOLS read traces. Entries are name:seconds:parts (see tests/run). Suites that
# mostly wait for daemons run at the same time as the others.
TRACE_SUITES := policies_test:120
TRACE_WAITING := burst_test:400:3 catalogue_test:60 loader_test:120:2 late_test:90 live_test:90 viewers_test:240:3 faults_test:300:5
TRACE_PROGRAMS := emit pool scenes dies_at_notify callers jobs
TRACE_TOOLS := dump

trace_bins = $(foreach t,$(1),$(BUILD)/tests/integration/trace/$(firstword $(subst :, ,$(t))))

$(call trace_bins,$(TRACE_SUITES) $(TRACE_WAITING)): $(BUILD)/%: $(BUILD)/obj/%.o $(FIXTURES) \
		$(BUILD)/libdoze-viz.a $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(CUNIT_LIBS) $(VIZ_LIBS) -lm -ldl

$(call trace_bins,$(TRACE_PROGRAMS)): $(BUILD)/%: $(BUILD)/obj/%.o $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -ldl

$(call trace_bins,$(TRACE_TOOLS)): $(BUILD)/%: $(BUILD)/obj/%.o $(BUILD)/libdoze-viz.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(VIZ_LIBS) -lm -ldl

SCRIPT_TESTS += $(foreach t,$(TRACE_SUITES),$(BUILD)/tests/integration/trace/$(t))
WAITING_TESTS += $(foreach t,$(TRACE_WAITING),$(BUILD)/tests/integration/trace/$(t))
TEST_NEEDS += $(call trace_bins,$(TRACE_SUITES) $(TRACE_WAITING) $(TRACE_PROGRAMS) $(TRACE_TOOLS))
