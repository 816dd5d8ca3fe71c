# SPDX-License-Identifier: MIT
#
# UNIT_TESTS: one CUnit suite, one program each: path of the C file, and after a colon the seconds
# that the suite may take (60 if left out). SCRIPT_TESTS: executables that exit 0 (passed), 77
# (skipped, the last line says why) or anything else (failed). WAITING_TESTS: the same, run beside the
# others. See README.md.
UNIT_TESTS += \
	tests/unit/suite_test.c

SCRIPT_TESTS += \
	tests/install/install_test.sh:180 \
	tests/docs/man_test.sh \
	tests/readme/check.py:300

include tests/made/module.mk
include tests/fuzz/module.mk
include tests/explore/module.mk
include tests/model/module.mk
include tests/unit/model.mk
include tests/trace/module.mk
include tests/bench/module.mk
include tests/unit/lib/module.mk
include tests/contract/module.mk
include tests/policies/module.mk
include tests/valgrind/module.mk
include tests/report/module.mk
include tests/stress/module.mk
include tests/tui/module.mk
include tests/bench/live.mk
include tests/session/module.mk
include tests/views/module.mk
include tests/healthy/module.mk
include tests/whatif/module.mk
include tests/sanitizers/module.mk
