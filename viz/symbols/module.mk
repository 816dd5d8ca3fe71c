# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/symbols/demangle.c viz/symbols/resolve.c \
	viz/symbols/symbols.c
