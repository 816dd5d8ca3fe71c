# SPDX-License-Identifier: MIT
#
# UNIT_TESTS: one CUnit suite, one program each: path of the C file, and after a colon the seconds
# that the suite may take (60 if left out). SCRIPT_TESTS: executables that exit 0 (passed), 77
# (skipped, the last line says why) or anything else (failed). WAITING_TESTS: the same, run beside the
# others. See README.md.
include $(addprefix tests/,$(addsuffix /module.mk,fixtures unit integration proof soak fuzz bench sanitizers))
