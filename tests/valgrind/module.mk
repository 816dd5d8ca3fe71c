# SPDX-License-Identifier: MIT
#
# `make valgrind`: the library's suites and the contract under memcheck.
VALGRIND_SUITES := $(patsubst %,$(BUILD)/tests/unit/lib/%_test,$(LIB_SUITES) $(SINK_SUITES)) \
	$(BUILD)/tests/contract/contract_test

.PHONY: valgrind
valgrind: $(VALGRIND_SUITES) ## the library's suites under memcheck: no byte lost
	$(Q)BUILD=$(BUILD) tests/valgrind/run $(VALGRIND_SUITES)
