# SPDX-License-Identifier: MIT
# The text views: unit suites on stories, and the commands on made and damaged traces.
VIEWS_TESTS := tests/views/timeline_test.c tests/views/views_test.c
UNIT_TESTS += $(VIEWS_TESTS)
$(VIEWS_TESTS:%.c=$(BUILD)/%): $(BUILD)/obj/tests/unit/story.o

# make-story DIR < story: a story as a trace, for scripts.
MAKE_STORY := $(BUILD)/tests/views/make-story
$(MAKE_STORY): $(call objs,tests/views/make_story.c tests/unit/story.c tests/made/made.c \
		tests/made/made_classes.c) $(BUILD)/libdoze-viz.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(VIZ_LIBS) -lm

TEST_NEEDS += $(MAKE_STORY)
SCRIPT_TESTS += tests/views/commands_test.py:120 tests/views/answer_test.py:60 \
	tests/views/missing_test.py:120 tests/views/compare_test.py:60
