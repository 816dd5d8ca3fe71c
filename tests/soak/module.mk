# SPDX-License-Identifier: MIT
#
# The soak test, for STRESS_SECONDS (for an hour: make stress STRESS_SECONDS=3600). Half of the
# time it runs with seeded delays at the hooks (DOZE_CHAOS). STRESS_SEED repeats a run's choices.
STRESS_SECONDS ?= 60
STRESS_SEED    ?=
STRESS_SRC := tests/soak/stress.c tests/soak/chaos.c tests/unit/contract/constructs.c \
	tests/unit/contract/constructs_spawn.c tests/unit/contract/constructs_threads.c \
	tests/unit/contract/constructs_futures.c
STRESS := $(BUILD)/tests/soak/stress
LINT_SRC += $(STRESS_SRC)

$(STRESS): $(patsubst %.c,$(BUILD)/obj-sink/%.o,$(LIB_SRC) $(STRESS_SRC))
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -lm -ldl

SCRIPT_TESTS += tests/soak/chaos_test.sh
TEST_NEEDS += $(STRESS)

.PHONY: stress
stress: $(STRESS) ## a soak of STRESS_SECONDS (60), the second half with seeded delays
	$(Q)$(STRESS) --seconds $$(($(STRESS_SECONDS) / 2 + 1)) $(if $(STRESS_SEED),--seed $(STRESS_SEED))
	$(Q)DOZE_CHAOS=$(or $(STRESS_SEED),$(shell date +%s)) $(STRESS) \
		--seconds $$(($(STRESS_SECONDS) / 2 + 1)) $(if $(STRESS_SEED),--seed $(STRESS_SEED))

# Random graphs of futures; in `make test`, tests/unit/lib/future_graph_test.c runs a few.
GRAPHS       ?= 1000
CYCLES       ?= 100
GRAPHS_SRC   := tests/soak/future_graphs.c $(FUTURE_GRAPH_SRC)
FUTURE_GRAPHS := $(BUILD)/tests/soak/future_graphs
LINT_SRC += $(GRAPHS_SRC)

$(FUTURE_GRAPHS): $(call objs,$(GRAPHS_SRC)) $(BUILD)/libdoze.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -ldl

# Random keys in the viewer; `make test` presses them for 12 seconds.
VIEWER_SECONDS ?= 600
LARGE ?= 35000 118000
SCRIPT_TESTS += tests/soak/viewer_keys.py:120

.PHONY: soak-graphs soak-corners soak-viewer soak-recordings soak
soak-graphs: $(FUTURE_GRAPHS) ## GRAPHS (1000) graphs of futures under all policies; CYCLES (100) with a cycle
	$(Q)$(FUTURE_GRAPHS) --graphs $(GRAPHS)
	$(Q)$(FUTURE_GRAPHS) --graphs $(CYCLES) --cycles
soak-corners: all $(PRINT_POLICIES) ## the corner cases of doze.h, 100 times or 3 times in a row under all policies
	$(Q)BUILD=$(BUILD) CC="$(CC)" tests/integration/corner_cases/corner_cases_test.py --soak
soak-viewer: all $(BUILD)/tests/fixtures/alone ## VIEWER_SECONDS (600) of random keys, sizes and ends, also live
	$(Q)BUILD=$(BUILD) $(BUILD)/tests/fixtures/alone tests/soak/viewer_keys.py --live --seconds $(VIEWER_SECONDS)
soak-recordings: all $(TEST_NEEDS) ## recordings of LARGE (35000 118000) jobs, with seconds and memory per command, and 100 damaged ones
	$(Q)BUILD=$(BUILD) tests/soak/large_recordings.py $(LARGE)
	$(Q)BUILD=$(BUILD) DAMAGED=100 tests/integration/commands/summary_test.py
soak: soak-graphs soak-corners soak-viewer soak-recordings mutate-suites independent-count ## what takes too long for `make test`: over an hour

# Takes minutes, so it is not part of `make test`.
.PHONY: healthy
healthy: all ## 100 healthy recordings of all policies: none may have a finding; HEALTHY=
	$(Q)BUILD=$(BUILD) tests/soak/no_findings.py $(HEALTHY)

.PHONY: independent-count
independent-count: all $(BUILD)/tests/fixtures/print-policies ## 20 recordings counted by doze and by a script: no value may differ; COUNTED=
	$(Q)BUILD=$(BUILD) tests/soak/independent_count.py --number $(or $(COUNTED),20)
