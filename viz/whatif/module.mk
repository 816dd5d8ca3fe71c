# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/whatif/json.c \
	viz/whatif/print.c \
	viz/whatif/apply.c \
	viz/whatif/whatif_view.c
