# SPDX-License-Identifier: MIT
# The text views: a unit suite on stories, and the commands on made and damaged traces.
UNIT_TESTS += tests/views/views_test.c
$(BUILD)/tests/views/views_test: $(BUILD)/obj/tests/unit/story.o
