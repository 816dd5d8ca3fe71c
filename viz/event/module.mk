# SPDX-License-Identifier: MIT
# Files in policies/ are found automatically and need not be listed here.
VIZ_SRC += \
	viz/event/clean_text.c \
	viz/event/event.c \
	viz/event/grow.c \
	viz/event/policies.c \
	viz/event/selection.c \
	viz/event/utf8.c \
	viz/event/vocab.c \
	$(sort $(wildcard viz/event/policies/*.c))
