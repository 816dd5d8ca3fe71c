# SPDX-License-Identifier: MIT
# Suites of viz/model; their event sequences are written by hand (story.h).
MODEL_TESTS := \
	tests/unit/model_states_test.c \
	tests/unit/model_ledger_test.c \
	tests/unit/model_chain_test.c \
	tests/unit/model_rules_test.c \
	tests/unit/model_path_test.c \
	tests/unit/model_storms_test.c \
	tests/unit/model_scope_test.c
UNIT_TESTS += $(MODEL_TESTS)
$(MODEL_TESTS:%.c=$(BUILD)/%): $(BUILD)/obj/tests/unit/story.o
$(BUILD)/tests/unit/model_rules_test: $(BUILD)/obj/tests/unit/wake_stories.o
