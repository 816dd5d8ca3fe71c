# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/check/checker.c \
	viz/check/checker_notes.c \
	viz/check/rules_carry.c \
	viz/check/rules_job.c \
	viz/check/rules_latch.c \
	viz/check/rules_range.c \
	viz/check/rules_wake.c \
	viz/check/rules_word.c
