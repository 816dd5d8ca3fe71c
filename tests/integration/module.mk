# SPDX-License-Identifier: MIT
# Tests of whole programs, with real daemons, real traces and real terminals.
SCRIPT_TESTS += \
	tests/integration/install/install_test.sh:180 \
	tests/integration/install/binding_test.py \
	tests/integration/docs/man_test.sh \
	tests/integration/docs/features_test.py \
	tests/integration/docs/packages_test.py \
	tests/integration/docs/walls_test.py \
	tests/integration/readme/check.py:300 \
	tests/integration/badinput/bad_traces_test.py:120 \
	tests/integration/corner_cases/corner_cases_test.py:300 \
	tests/integration/export/export_test.py:180 \
	tests/integration/export/output_test.py:180 \
	tests/integration/labs/quiz_check.py \
	tests/integration/labs/handin_check.py \
	tests/integration/labs/model_check.py \
	tests/integration/lint/edges_test.py:120 \
	tests/integration/plugin/plugin_test.py:180 \
	tests/integration/plugin/scripts_test.py:120 \
	$(addprefix tests/integration/commands/,commands_test.py:120 options_test.py:120 answer_test.py:60 missing_test.py:120 \
		faults_test.py:120 line_test.py:120 progress_test.py:120 schema_test.py:60 summary_test.py:200 \
		compare_test.py:60)

WAITING_TESTS += \
	tests/integration/viewer/lessons:60 \
	tests/integration/viewer/panes:180 \
	tests/integration/viewer/screens:120

ifneq (0,$(TRACE))
SCRIPT_TESTS += \
	tests/integration/trace/fields_test.py:120 \
	tests/integration/trace/jobs_test.py:120 \
	tests/integration/report/report_test.py:240 \
	tests/integration/report/every_trace_test.py:240
WAITING_TESTS += \
	tests/integration/policies/recorded.py:120:5 \
	tests/integration/viewer/black_box:200 \
	tests/integration/viewer/live:200

.PHONY: bench-report
bench-report: all $(TEST_NEEDS) ## frame times of doze report's page with a million events
	$(Q)BUILD=$(BUILD) tests/integration/report/report_test.py --bench

include tests/integration/any/module.mk
include tests/integration/trace/module.mk
include tests/integration/session/module.mk
include tests/integration/catalogue/module.mk
include tests/integration/why/module.mk
include tests/integration/field/module.mk
include tests/integration/whatif/module.mk
include tests/integration/symbols/module.mk
include tests/integration/commands/module.mk
endif

include tests/integration/safety/module.mk

# The tests of labs/lab and of the games, which are no verdicts on hand-ins.
LABS_TESTS := $(addprefix tests/integration/labs/,lab_test.py:600 isolation_test.py:900 gradebook_test.py:300 reports_check.py:300 contest_check.py:600 storm_check.py:120 \
	play_goals.py:600 play_strategies.py:300)
LABS_WAITING := $(addprefix tests/integration/labs/,play:400 handouts:600 lectures_test.py:300)
labs-test: ## the tests of the labs' commands, games and handouts; ONLY=word
	@LABS_ARE_BUILT=1 LOGS=$(BUILD)/labs-log $(call run_tests,labs-test) $(LABS_TESTS) --waiting $(LABS_WAITING)
labs-check: ## each lab: the stub fails, the reference passes, each mutant fails exactly its tests; LABS=04-core-latch
	@BUILD=$(BUILD) tests/integration/labs/quiz_check.py $(QUIZ_LABS)
	@BUILD=$(BUILD) LABS_ARE_BUILT=1 tests/integration/labs/labs_check.py $(LABS)
	@BUILD=$(BUILD) LABS_ARE_BUILT=1 tests/integration/labs/seeds_check.py
# With all mutants, labs-check takes half an hour, for which CI has no time. LABS_DRAW=1 checks all.
LABS_DRAW ?= 5
labs-quick: ## labs-check with one mutant in LABS_DRAW (5), drawn by the commit, as in CI; LABS=04-core-latch
	@BUILD=$(BUILD) tests/integration/labs/quiz_check.py $(QUIZ_LABS)
	@BUILD=$(BUILD) LABS_ARE_BUILT=1 tests/integration/labs/labs_check.py --draw $(LABS_DRAW) $(LABS)
	@BUILD=$(BUILD) LABS_ARE_BUILT=1 tests/integration/labs/seeds_check.py
labs-soak: ## labs-check with 20 seeds, and with grading containers
	@BUILD=$(BUILD) LABS_ARE_BUILT=1 tests/integration/labs/labs_check.py --seeds 20
	@BUILD=$(BUILD) LABS_ARE_BUILT=1 tests/integration/labs/operators.py
	@BUILD=$(BUILD) LABS_ARE_BUILT=1 tests/integration/labs/platforms_check.py
.PHONY: labs-check labs-quick labs-soak labs-test
labs-check labs-quick labs-soak labs-test: $(QUIZ_BINS) labs-objects $(BUILD)/doze
labs-test: $(ALONE) $(PATIENCE)
