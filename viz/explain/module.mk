# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/explain/demangle.c viz/explain/resolve.c \
	viz/explain/symbols.c

VIZ_SRC += \
	viz/explain/allowed.c \
	viz/explain/costs.c \
	viz/explain/foreign.c \
	viz/explain/foreign_print.c \
	viz/explain/hang.c \
	viz/explain/moments.c \
	viz/explain/diag_notes.c \
	viz/explain/diag_observer.c \
	viz/explain/diag_print.c \
	viz/explain/off_cpu.c \
	viz/explain/periods.c \
	viz/explain/queued.c \
	viz/explain/rank.c \
	viz/explain/standstill.c \
	viz/explain/stretches.c \
	viz/explain/verdict.c \
	viz/explain/words.c \
	viz/explain/words_cpu.c

VIZ_SRC += \
	viz/explain/chain.c \
	viz/explain/effects.c \
	viz/explain/headline.c \
	viz/explain/question.c \
	viz/explain/step_words.c \
	viz/explain/steps.c \
	viz/explain/why_observer.c \
	viz/explain/why_print.c
