# SPDX-License-Identifier: MIT
#
# Benchmarks, which print tables; none of them is a test. `make bench` is in peers/module.mk.
BENCHES := hooks_bench policies_bench fair_bench scale_bench

ifneq (0,$(TRACE))
BENCH_BINS := $(foreach b,$(BENCHES),$(BUILD)/tests/bench/$(b))

$(BENCH_BINS): $(BUILD)/%: $(BUILD)/obj/%.o $(FIXTURES) $(BUILD)/libdoze-viz.a \
		$(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(CUNIT_LIBS) -ldl

$(BUILD)/tests/bench/floor_bench: tests/bench/floor_bench.c tests/bench/floor_tp.h tests/bench/floor.h tests/bench/burst_of.h
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -I. -o $@ $< -llttng-ust -ldl

# `make bench-tracing` measures the cost of tracing, first per level on whole workloads, then per
# event.
.PHONY: bench-tracing
bench-tracing: all $(BUILD)/tests/bench/hooks_bench $(BUILD)/tests/bench/floor_bench $(BUILD)/tests/bench/peers/doze $(TEST_NEEDS) ## the cost of each level of detail; TRACING="--only fib --rounds 3"
	$(Q)$(MAKE) --no-print-directory TRACE=0 $(BUILD)/notrace/tests/bench/peers/doze
	$(Q)BUILD=$(BUILD) tests/bench/tracing.py $(TRACING)
	$(Q)BUILD=$(BUILD) $(BUILD)/tests/bench/hooks_bench

.PHONY: bench-hooks
bench-hooks: all $(BENCH_BINS) $(BUILD)/tests/bench/floor_bench $(TEST_NEEDS) ## what hooks cost, and other measurements
	$(Q)for b in $(filter-out %/scale_bench,$(BENCH_BINS)); do echo "$$b:"; BUILD=$(BUILD) $$b || exit 1; done

.PHONY: bench-scale
bench-scale: $(BUILD)/tests/bench/scale_bench ## throughput and the cost of a wake with 1 to 64 workers
	$(Q)DOZE_TRACE=0 $<
endif

$(BUILD)/tests/bench/any/glib_pool: tests/bench/any/glib_pool.cc
	$(call say,CC,$@)
	@mkdir -p $(@D)
	-$(Q)$(CXX) -O2 -g $$(pkg-config --cflags glib-2.0) -o $@ $< $$(pkg-config --libs glib-2.0)

.PHONY: bench-any
bench-any: all bench-peers $(BUILD)/tests/bench/any/glib_pool $(TEST_NEEDS) ## what --any sees of other pools, and what it costs; ANY_BENCH="--only node"
	$(Q)BUILD=$(BUILD) tests/bench/any.py $(ANY_BENCH)

.PHONY: bench-analysis
bench-analysis: all $(MAKE_TRACE) ## speed and memory of the analyses compared with babeltrace2
	$(Q)BUILD=$(BUILD) tests/bench/analysis.py

# Compares Appendix A of RFC 5 with and without the latch state SLEEPY: two builds of the library,
# run alternately.
$(eval $(call variant,nosleepy,-DDOZE_NO_TRACE -DDOZE_RFC_SLEEPY=0))
$(eval $(call variant,sleepy,-DDOZE_NO_TRACE))
RFC_BENCH := $(BUILD)/tests/bench/rfc_sleepy $(BUILD)/tests/bench/rfc_nosleepy
define rfc_bench
$(BUILD)/tests/bench/rfc_$(1): $(patsubst %.c,$(BUILD)/obj-$(1)/%.o,$(LIB_SRC) tests/bench/policies_bench.c)
	$$(call say,LD,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) -o $$@ $$^ $$(ALL_LDFLAGS) -ldl
endef
$(foreach v,sleepy nosleepy,$(eval $(call rfc_bench,$(v))))
.PHONY: bench-policies
bench-policies: $(BUILD)/tests/bench/policies_bench $(BUILD)/tests/bench/fair_bench $(RFC_BENCH) ## compares the sleep policies, numbers of rounds, and RFC 5 with and without SLEEPY
	$(Q)DOZE_TRACE=0 $(BUILD)/tests/bench/policies_bench
	$(Q)DOZE_TRACE=0 $(BUILD)/tests/bench/policies_bench --rounds 32,1,4,8,16,64,128,256 jec
	$(Q)DOZE_TRACE=0 $(BUILD)/tests/bench/fair_bench
	$(Q)for i in 1 2 3; do for b in $(RFC_BENCH); do echo "$$b:"; $$b --times 3 rfc; done; done

# Compares futures before and after a change. OLD is the build folder of another checkout.
OLD ?=
FUTURES_BENCH := $(BUILD)/tests/bench/futures_bench
LINT_SRC += tests/bench/futures_bench.c
$(FUTURES_BENCH) $(FUTURES_BENCH)_old: $(call objs,tests/bench/futures_bench.c) $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $< $(if $(findstring _old,$@),$(OLD),$(BUILD))/libdoze.a $(ALL_LDFLAGS) -ldl
.PHONY: bench-futures
bench-futures: $(FUTURES_BENCH) $(if $(OLD),$(FUTURES_BENCH)_old) ## compares futures with those of the build in OLD=FOLDER
	$(Q)DOZE_TRACE=0 tests/bench/futures_compare.py $(FUTURES_BENCH)$(if $(OLD),_old) $(FUTURES_BENCH)
include tests/bench/live.mk
include tests/bench/peers/module.mk
