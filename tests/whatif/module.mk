# SPDX-License-Identifier: MIT
# doze whatif: the rules on made posts, and recordings replayed under their own rule.
UNIT_TESTS += tests/whatif/whatif_test.c
$(BUILD)/tests/whatif/whatif_test: $(BUILD)/obj/tests/unit/story.o
ifneq (0,$(TRACE))
SCRIPT_TESTS += tests/whatif/recorded_test.py:180
endif
