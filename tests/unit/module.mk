# SPDX-License-Identifier: MIT
# Unit suites. Each is in a folder named after the folder that it tests; lib and contract have
# their own module.mk.
UNIT_TESTS += tests/unit/suite_test.c
UNIT_TESTS += $(addprefix tests/unit/event/,clean_text_test.c selection_test.c)
UNIT_TESTS += $(addprefix tests/unit/model/,states_test.c restart_test.c ledger_test.c latency_test.c word_chain_test.c \
	storms_test.c scope_test.c level_test.c foreign_test.c)
UNIT_TESTS += tests/unit/event/policies_test.c
UNIT_TESTS += tests/unit/check/rules_test.c
$(BUILD)/tests/unit/check/rules_test: $(call objs,tests/unit/check/rules_recording.c)
UNIT_TESTS += tests/unit/path/path_test.c
UNIT_TESTS += $(addprefix tests/unit/diagnose/,diagnose_test.c bounds_test.c off_cpu_test.c gaps_test.c \
	parts_test.c)
UNIT_TESTS += tests/unit/why/why_test.c
UNIT_TESTS += $(addprefix tests/unit/reader/,read_ahead_test.c reader_test.c reader_bad_test.c packet_index_test.c reader_live_test.c)
UNIT_TESTS += $(addprefix tests/unit/text/,quote_test.c event_text_test.c)
UNIT_TESTS += $(addprefix tests/unit/views/,lanes_test.c timeline_test.c views_test.c)
UNIT_TESTS += $(addprefix tests/unit/tui/,archive_test.c duel_test.c faults_test.c lesson_test.c picture_test.c moves_test.c queue_test.c \
	stops_test.c trigger_test.c last_second_test.c)
UNIT_TESTS += tests/unit/whatif/whatif_test.c tests/unit/simulate/simulate_test.c
UNIT_TESTS += $(addprefix tests/unit/cli/,incident_page_test.c options_test.c)
# incident_page_test runs doze report. A build with a sanitizer has no doze unless a suite requires
# it.
$(BUILD)/tests/unit/cli/incident_page_test: | $(BUILD)/doze
UNIT_TESTS += tests/unit/session/signals_test.c
SCRIPT_TESTS += tests/unit/signals_test.py tests/unit/run_test.py tests/unit/patience_test.py tests/unit/names_test.py

include tests/unit/lib/module.mk
include tests/unit/contract/module.mk
