# SPDX-License-Identifier: MIT
# `make bench-live` measures the delay between a worker's state change and its appearance in `doze
# live`, and what two tests promise in wall time but do not assert on a busy machine: the time until
# a late viewer knows all sleepers, and until a reader stops although the relay hangs (goal of both:
# 1 s). `make bench-viewer` measures the cost of the viewer.
BENCH_LIVE := $(BUILD)/tests/bench/live_latency
BENCH_LIVE_OBJS := $(call objs,tests/bench/live_latency.c tests/bench/vt.c)
LINT_SRC += tests/bench/live_latency.c tests/bench/vt.c
TEST_NEEDS += $(BENCH_LIVE)

$(BENCH_LIVE): $(BENCH_LIVE_OBJS) $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -lutil -lm -ldl

.PHONY: bench-live
bench-live: all $(BENCH_LIVE) $(addprefix $(BUILD)/tests/integration/trace/,late_test live_test) ## delay from a state change to the screen of the live viewer
	BUILD=$(BUILD) $(BENCH_LIVE)
	@for test in 'late_test eight' 'live_test detach'; do BUILD=$(BUILD) $(BUILD)/tests/integration/trace/$$test | \
		grep -E 'Test:| ms'; done

.PHONY: bench-viewer
bench-viewer: all ## CPU time, output, memory and response time of the live viewer, with goals
	BUILD=$(BUILD) tests/bench/viewer.py

# `make bench-pid` measures what a recording by pid costs a server under load.
BENCH_SERVER := $(BUILD)/tests/bench/server
LINT_SRC += tests/bench/server.c
TEST_NEEDS += $(BENCH_SERVER)

$(BENCH_SERVER): $(call objs,tests/bench/server.c) $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -ldl

.PHONY: bench-pid
bench-pid: all $(BENCH_SERVER) ## what `doze record --pid` costs a server under load; BY_PID="--detail all"
	$(Q)BUILD=$(BUILD) tests/bench/by_pid.py $(BY_PID)

# `make bench-rewind` measures the time to show any minute of an hour's session at 5,000 events/s.
# REWIND_EVENTS=1000000 selects a shorter session.
REWIND := $(BUILD)/tests/bench/rewind_bench
REWIND_OBJS := $(call objs,tests/bench/rewind_bench.c)
REWIND_EVENTS := 18000000
LINT_SRC += tests/bench/rewind_bench.c
TEST_NEEDS += $(REWIND)

$(REWIND): $(REWIND_OBJS) $(BUILD)/libdoze-viz.a $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(VIZ_LIBS) -lm -ldl

.PHONY: bench-rewind
bench-rewind: $(REWIND) $(MAKE_TRACE) ## time to show any minute of an hour's recording
	$(Q)d=$$(mktemp -d) && trap 'rm -r "$$d"' EXIT && \
		$(MAKE_TRACE) "$$d/hour" $(REWIND_EVENTS) 8 3 1 hour && $(REWIND) "$$d/hour"

-include $(BENCH_LIVE_OBJS:.o=.d) $(BUILD)/obj/tests/bench/server.d $(REWIND_OBJS:.o=.d)
