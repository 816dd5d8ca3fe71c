# SPDX-License-Identifier: MIT
# A file in policies/ is found without being listed here.
VIZ_SRC += \
	viz/event/clean_text.c \
	viz/event/event.c \
	viz/event/policies.c \
	viz/event/selection.c \
	viz/event/vocab.c \
	$(sort $(wildcard viz/event/policies/*.c))
