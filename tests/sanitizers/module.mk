# SPDX-License-Identifier: MIT
#
# The settings that SAN=address and SAN=thread need in addition to the flags. Included last.
include tests/sanitizers/valgrind/module.mk

KEEP_LOADED := $(if $(filter address,$(SAN)),$(call objs,tests/sanitizers/keep_loaded.c))
LINT_SRC += tests/sanitizers/keep_loaded.c

# Omits tests that load this library into programs without a sanitizer (babeltrace2, Python, other
# programs), and tests of figures that a sanitizer changes.
ifneq (,$(filter address thread,$(SAN)))
SCRIPT_TESTS := $(filter-out tests/integration/plugin/% tests/integration/install/% tests/integration/readme/%,$(SCRIPT_TESTS))
endif

# The suites that CI has time for (QUICK=1). For races: the library's suites, each construct under
# each policy with few workers, and the two queues between threads of doze. For memory: all suites except hazard, which starts 1100
# threads and takes minutes.
QUICK_thread  := tests/unit/lib/% tests/unit/contract/% tests/unit/viewer/queue_test% tests/unit/trace/read_ahead_test%
QUICK_address := tests/%
ifneq (,$(QUICK))
UNIT_TESTS := $(filter-out tests/unit/lib/hazard_test.c:%,$(filter $(QUICK_$(SAN)),$(UNIT_TESTS)))
endif

# helgrind_atomic.h must define every atomic operation that the library uses.
.PHONY: san-check san-programs
san-programs: ## builds what san-check runs
	$(Q)$(MAKE) --no-print-directory SAN=thread QUICK=1 unit-programs
	$(Q)$(MAKE) --no-print-directory SAN=address QUICK=1 unit-programs
	$(Q)$(MAKE) --no-print-directory SAN=helgrind helgrind-programs
san-check: ## what CI runs under sanitizers: all suites but the longest; jec under helgrind
	$(Q)CONTRACT_WORKERS=3 $(MAKE) --no-print-directory SAN=thread QUICK=1 unit-test
	$(Q)CONTRACT_WORKERS=3 $(MAKE) --no-print-directory SAN=address QUICK=1 unit-test
	$(Q)ONLY=jec $(MAKE) --no-print-directory helgrind
