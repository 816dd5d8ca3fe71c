# SPDX-License-Identifier: MIT
#
# `make valgrind` runs the library's suites and the contract under memcheck. `make helgrind` runs
# them under helgrind, built with atomics that helgrind understands (helgrind_atomic.h).
VALGRIND_SUITES := $(patsubst %,$(BUILD)/tests/unit/lib/%_test,$(LIB_SUITES) $(SINK_SUITES)) \
	$(BUILD)/tests/unit/contract/contract_test

# hazard measures CPU time and starts 1100 workers, which makes it meaninglessly slow under
# helgrind.
HELGRIND_SUITES := $(filter-out %/hazard_test,$(VALGRIND_SUITES))

.PHONY: valgrind helgrind helgrind-programs helgrind-run
valgrind: $(VALGRIND_SUITES) ## the library's suites under memcheck: no byte lost
	$(Q)BUILD=$(BUILD) TOOL=memcheck tests/sanitizers/valgrind/run $(VALGRIND_SUITES)
helgrind: ## the same under helgrind: no race on plain data, no wrong order of locks
	$(Q)$(MAKE) --no-print-directory SAN=helgrind helgrind-run
helgrind-programs: $(HELGRIND_SUITES)
helgrind-run: $(HELGRIND_SUITES)
	$(Q)BUILD=$(BUILD) TOOL=helgrind tests/sanitizers/valgrind/run $(HELGRIND_SUITES)
