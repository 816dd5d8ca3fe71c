# SPDX-License-Identifier: MIT
# Unit suites. Each is in a folder named after the room of viz that it tests; lib and contract have
# their own module.mk.
UNIT_TESTS += tests/unit/suite_test.c
UNIT_TESTS += $(addprefix tests/unit/trace/,utf8_test.c selection_test.c policies_test.c read_ahead_test.c reader_test.c \
	reader_bad_test.c packets_test.c reader_live_test.c)
UNIT_TESTS += $(addprefix tests/unit/model/,states_test.c restart_test.c ledger_test.c latency_test.c word_chain_test.c \
	storms_test.c scope_test.c level_test.c foreign_test.c rules_test.c path_test.c)
$(BUILD)/tests/unit/model/rules_test: $(call objs,tests/unit/model/rules_recording.c)
UNIT_TESTS += $(addprefix tests/unit/explain/,diagnose_test.c bounds_test.c off_cpu_test.c gaps_test.c parts_test.c why_test.c)
UNIT_TESTS += $(addprefix tests/unit/words/,quote_test.c event_text_test.c units_test.c)
UNIT_TESTS += $(addprefix tests/unit/show/,lanes_test.c progress_test.c ranges_test.c summary_test.c timeline_test.c views_test.c)
UNIT_TESTS += $(addprefix tests/unit/viewer/,archive_test.c duel_test.c faults_test.c lesson_test.c overview_test.c picture_test.c moves_test.c \
	queue_test.c stops_test.c trigger_test.c last_second_test.c)
UNIT_TESTS += $(addprefix tests/unit/predict/,whatif_test.c simulate_test.c spill_test.c)
UNIT_TESTS += $(addprefix tests/unit/cli/,incident_test.c options_test.c)
# incident_test runs doze report. A build with a sanitizer has no doze unless a suite requires it.
$(BUILD)/tests/unit/cli/incident_test: | $(BUILD)/doze
UNIT_TESTS += tests/unit/session/signals_test.c
SCRIPT_TESTS += tests/unit/signals_test.py tests/unit/run_test.py tests/unit/patience_test.py tests/unit/names_test.py

include tests/unit/lib/module.mk
include tests/unit/contract/module.mk
