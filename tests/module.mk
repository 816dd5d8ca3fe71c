# SPDX-License-Identifier: MIT
#
# UNIT_TESTS: one CUnit suite, one program each: path of the C file, and after a colon the seconds
# that the suite may take (60 if left out). SCRIPT_TESTS: executables that exit with 0 (passed), 77
# (skipped; the last line gives the reason) or anything else (failed). WAITING_TESTS: likewise, but
# they mostly wait, and several run at once beside the others. See README.md.
include $(addprefix tests/,$(addsuffix /module.mk,fixtures unit integration recipes proof soak fuzz bench sanitizers))
