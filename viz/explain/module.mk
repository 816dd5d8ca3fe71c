# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/explain/cause_words.c \
	viz/explain/diag_notes.c \
	viz/explain/diag_observer.c \
	viz/explain/diagnosis.c \
	viz/explain/foreign_program.c \
	viz/explain/hang.c \
	viz/explain/moments.c \
	viz/explain/off_cpu.c \
	viz/explain/rank.c \
	viz/explain/stretches.c \
	viz/explain/symbols.c \
	viz/explain/why.c \
	viz/explain/why_part.c \
	viz/explain/why_words.c
