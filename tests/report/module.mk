# SPDX-License-Identifier: MIT
#
# The page of doze report in a headless browser.
ifneq (0,$(TRACE))
SCRIPT_TESTS += tests/report/report_test.py:240 tests/report/every_trace_test.py:240
.PHONY: bench-report
bench-report: all $(TEST_NEEDS) ## frames of doze report's page on a million events
	$(Q)BUILD=$(BUILD) tests/report/report_test.py --bench
endif
