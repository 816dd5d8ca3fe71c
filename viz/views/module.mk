# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/cmd_timeline.c \
	viz/views/cells.c \
	viz/views/load.c \
	viz/views/palette.c \
	viz/views/timeline.c \
	viz/views/timeline_print.c \
	viz/views/units.c
