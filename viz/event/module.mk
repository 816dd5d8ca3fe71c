# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/event/event.c \
	viz/event/selection.c \
	viz/event/vocab.c
