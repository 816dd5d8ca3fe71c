# SPDX-License-Identifier: MIT
# `make bench-live`: the time from a worker's change of state to the screen of `doze live`.
# `make bench-viewer`: the cost of the viewer.
BENCH_LIVE := $(BUILD)/tests/bench/live_latency
BENCH_LIVE_OBJS := $(call objs,tests/bench/live_latency.c tests/bench/vt.c)
LINT_SRC += tests/bench/live_latency.c tests/bench/vt.c
TEST_NEEDS += $(BENCH_LIVE)

$(BENCH_LIVE): $(BENCH_LIVE_OBJS) $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -lutil -lm -ldl

.PHONY: bench-live
bench-live: all $(BENCH_LIVE) ## latency of the live viewer, state change to screen
	BUILD=$(BUILD) $(BENCH_LIVE)

.PHONY: bench-viewer
bench-viewer: all ## CPU, bytes, memory and answers of the live viewer, beside their goals
	BUILD=$(BUILD) tests/bench/viewer.py

-include $(BENCH_LIVE_OBJS:.o=.d)
