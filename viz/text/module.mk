# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/text/complain.c \
	viz/text/event_text.c \
	viz/text/event_why.c \
	viz/text/foreign_text.c \
	viz/text/json_writer.c \
	viz/text/option_values.c \
	viz/text/paint.c \
	viz/text/palette.c \
	viz/text/pool_words.c \
	viz/text/quote.c \
	viz/text/rule_text.c \
	viz/text/temp.c \
	viz/text/units.c \
	viz/text/waker_words.c \
	viz/text/wrap.c
