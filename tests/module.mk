# SPDX-License-Identifier: MIT
#
# UNIT_TESTS: CUnit suites, one program each: the path of the C file, and after a colon the number
# of seconds that the suite may take (default 60). SCRIPT_TESTS: executables that exit with 0
# (passed), 77 (skipped; the last line gives the reason) or anything else (failed). WAITING_TESTS:
# likewise, but they mostly wait, so several run at once, at the same time as the others. See
# README.md.
include $(addprefix tests/,$(addsuffix /module.mk,fixtures unit integration recipes proof soak fuzz bench sanitizers))
