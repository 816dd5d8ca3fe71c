# SPDX-License-Identifier: MIT
# The viewer: pictures without a terminal, and the program itself driven by keys in tmux.
TUI_PICTURES := tests/tui/picture_test.c tests/tui/moves_test.c
UNIT_TESTS += $(TUI_PICTURES) tests/tui/queue_test.c
$(TUI_PICTURES:%.c=$(BUILD)/%): $(BUILD)/obj/tests/unit/story.o $(BUILD)/obj/tests/tui/frame.o
SCRIPT_TESTS += tests/tui/screens:120
ifneq (0,$(TRACE))
SCRIPT_TESTS += tests/tui/live:200
endif
