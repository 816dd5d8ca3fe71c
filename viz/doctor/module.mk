# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/doctor/checks.c \
	viz/doctor/daemons.c \
	viz/doctor/test_recording.c
