# SPDX-License-Identifier: MIT
#
# Made traces (made.h) and scratch folders, for the suites that want them: list the suite below.
MADE_OBJS := $(call objs,tests/made/made.c tests/made/made_classes.c tests/made/scratch.c)

UNIT_TESTS += tests/unit/reader_test.c
$(BUILD)/tests/unit/reader_test: $(MADE_OBJS)
