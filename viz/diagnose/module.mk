# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/diagnose/allowed.c \
	viz/diagnose/costs.c \
	viz/diagnose/foreign.c \
	viz/diagnose/foreign_print.c \
	viz/diagnose/hang.c \
	viz/diagnose/moments.c \
	viz/diagnose/diag_notes.c \
	viz/diagnose/diag_observer.c \
	viz/diagnose/diag_print.c \
	viz/diagnose/off_cpu.c \
	viz/diagnose/periods.c \
	viz/diagnose/queued.c \
	viz/diagnose/rank.c \
	viz/diagnose/standstill.c \
	viz/diagnose/stretches.c \
	viz/diagnose/verdict.c \
	viz/diagnose/words.c \
	viz/diagnose/words_cpu.c
