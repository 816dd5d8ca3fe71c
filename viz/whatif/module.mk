# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/whatif/json.c \
	viz/whatif/print.c \
	viz/whatif/replay.c \
	viz/whatif/whatif_view.c
