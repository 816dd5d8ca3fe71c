# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/cmd_whatif.c \
	viz/whatif/json.c \
	viz/whatif/print.c \
	viz/whatif/replay.c \
	viz/whatif/rules.c
