# SPDX-License-Identifier: MIT
#
# `make fuzz` feeds mutated traces and events to the reader, the model and the views, with
# AddressSanitizer and UBSan. FUZZ_INPUTS and FUZZ_SECONDS (0: no limit) apply per fuzzer; FUZZ_SEED
# selects the inputs. The corpus is synthetic, except for the recording of lab 01. See README.md.
FUZZ_INPUTS  ?= 1000000
FUZZ_SEED    ?= 1
FUZZ_SECONDS ?= 0

FUZZ_BINS := $(BUILD)/tests/fuzz/fuzz_trace $(BUILD)/tests/fuzz/fuzz_events
FUZZ_FRAME := $(call objs,tests/fuzz/driver.c tests/fuzz/mutate.c tests/fuzz/consume.c)

$(BUILD)/tests/fuzz/fuzz_events: $(call objs,tests/fixtures/synthetic_pool.c)
$(FUZZ_BINS): $(BUILD)/tests/fuzz/%: $(BUILD)/obj/tests/fuzz/%.o $(FUZZ_FRAME) $(BUILD)/libdoze-viz.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ -Wl,--start-group $^ -Wl,--end-group $(ALL_LDFLAGS) $(VIZ_LIBS) -lm

.PHONY: fuzz fuzz-run
fuzz: ## mutated traces and events, with sanitizers; FUZZ_INPUTS=, FUZZ_SECONDS=
	$(Q)$(MAKE) --no-print-directory SAN=address fuzz-run

fuzz-run: $(FUZZ_BINS) $(MAKE_TRACE)
	$(Q)BUILD=$(BUILD) tests/fuzz/run $(FUZZ_INPUTS) $(FUZZ_SEED) $(FUZZ_SECONDS)
