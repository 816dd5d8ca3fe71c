# SPDX-License-Identifier: MIT
#
# UNIT_TESTS: CUnit suites, each a separate program. An entry is the path of the C file, optionally
# with a colon and the number of seconds that the suite may take (default 60). SCRIPT_TESTS:
# executables that exit with 0 (passed), 77 (skipped; the last line gives the reason) or anything
# else (failed). WAITING_TESTS: the same, for tests that mostly wait; several of them run at once,
# while others run. See README.md.
include $(addprefix tests/,$(addsuffix /module.mk,fixtures unit ci emit integration recipes proof soak fuzz bench sanitizers places))
