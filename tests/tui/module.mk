# SPDX-License-Identifier: MIT
# The viewer: pictures without a terminal, and the program itself driven by keys in tmux.
UNIT_TESTS += tests/tui/picture_test.c tests/tui/queue_test.c
$(BUILD)/tests/tui/picture_test: $(BUILD)/obj/tests/unit/story.o
SCRIPT_TESTS += tests/tui/screens:120
ifneq (0,$(TRACE))
SCRIPT_TESTS += tests/tui/live:200
endif
