# SPDX-License-Identifier: MIT
#
# `make bench`: programs that measure and print a table; none of them is a test.
BENCHES := hooks_bench policies_bench

ifneq (0,$(TRACE))
BENCH_BINS := $(foreach b,$(BENCHES),$(BUILD)/tests/bench/$(b))

$(BENCH_BINS): $(BUILD)/%: $(BUILD)/obj/%.o $(BUILD)/obj/tests/trace/rig.o $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -ldl

.PHONY: bench
bench: all $(BENCH_BINS) $(TEST_NEEDS) ## what hooks cost, and other measurements
	$(Q)for b in $(BENCH_BINS); do echo "$$b:"; BUILD=$(BUILD) $$b || exit 1; done
endif

.PHONY: bench-analysis
bench-analysis: all $(MAKE_TRACE) ## speed and memory of the analyses against babeltrace2
	$(Q)BUILD=$(BUILD) tests/bench/analysis.py
