# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/words/complain.c \
	viz/words/event_text.c \
	viz/words/event_why.c \
	viz/words/foreign_text.c \
	viz/words/json_writer.c \
	viz/words/option_values.c \
	viz/words/paint.c \
	viz/words/palette.c \
	viz/words/pool_words.c \
	viz/words/quote.c \
	viz/words/rule_text.c \
	viz/words/temp.c \
	viz/words/units.c \
	viz/words/waker_words.c \
	viz/words/wrap.c
