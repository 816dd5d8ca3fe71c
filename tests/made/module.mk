# SPDX-License-Identifier: MIT
#
# Made traces (made.h) and scratch folders, for the suites that want them: list the suite below.
MADE_OBJS := $(call objs,tests/made/made.c tests/made/made_classes.c tests/made/scratch.c \
	tests/made/seen.c)

UNIT_TESTS += tests/unit/reader_test.c tests/unit/reader_bad_test.c tests/unit/quote_test.c
$(BUILD)/tests/unit/reader_test $(BUILD)/tests/unit/reader_bad_test: $(MADE_OBJS)

# make-trace DIR EVENTS [WORKERS [WOKEN [USEFUL]]]: made traces for scripts and benchmarks.
MAKE_TRACE := $(BUILD)/tests/made/make-trace
$(MAKE_TRACE): $(call objs,tests/made/make_trace.c tests/made/herd.c tests/made/made.c \
		tests/made/made_classes.c) $(BUILD)/libdoze-viz.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(VIZ_LIBS) -lm

TEST_NEEDS += $(MAKE_TRACE)
SCRIPT_TESTS += tests/plugin/plugin_test.py:180 tests/export/export_test.py:180 \
	tests/export/output_test.py:180 tests/badinput/bad_traces_test.py:120 \
	tests/plugin/scripts_test.py:120
UNIT_TESTS += tests/unit/reader_live_test.c
