# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/path/account.c \
	viz/path/path.c \
	viz/path/path_notes.c \
	viz/path/path_observer.c \
	viz/path/path_outside.c \
	viz/path/path_phase.c
