# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/predict/forecast.c \
	viz/predict/recorder.c \
	viz/predict/recorder_jobs.c \
	viz/predict/sim_sleep.c \
	viz/predict/simulate.c \
	viz/predict/spill.c \
	viz/predict/whatif.c \
	viz/predict/whatif_posts.c
