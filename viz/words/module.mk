# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/words/complain.c \
	viz/words/event_text.c \
	viz/words/quote.c \
	viz/words/option_values.c \
	viz/words/palette.c \
	viz/words/pool_words.c \
	viz/words/rule_text.c \
	viz/words/temp.c \
	viz/words/units.c \
	viz/words/wrap.c
