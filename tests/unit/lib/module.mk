# SPDX-License-Identifier: MIT
# Suites of the library's modules; each links help.c. sink.c replaces the tracer.
LIB_SUITES := counters deque injector latch config pool join spawn
UNIT_TESTS += $(LIB_SUITES:%=tests/unit/lib/%_test.c:180)

$(LIB_SUITES:%=$(BUILD)/tests/unit/lib/%_test): $(call objs,tests/unit/lib/help.c)
