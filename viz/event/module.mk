# SPDX-License-Identifier: MIT
# The makefile finds each descriptor in policies/ by its file.
VIZ_SRC += \
	viz/event/clean_text.c \
	viz/event/event.c \
	viz/event/policies.c \
	viz/event/selection.c \
	viz/event/vocab.c \
	$(sort $(wildcard viz/event/policies/*.c))
