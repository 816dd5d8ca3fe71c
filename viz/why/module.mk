# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/why/chain.c \
	viz/why/effects.c \
	viz/why/headline.c \
	viz/why/question.c \
	viz/why/step_words.c \
	viz/why/steps.c \
	viz/why/why_observer.c \
	viz/why/why_print.c
