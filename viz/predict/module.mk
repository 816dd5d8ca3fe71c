# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/predict/chain.c \
	viz/predict/recorder.c \
	viz/predict/recorder_costs.c \
	viz/predict/recorder_jobs.c \
	viz/predict/recorder_outside.c \
	viz/predict/recorder_run.c \
	viz/predict/recorder_waits.c \
	viz/predict/sim_sleep.c \
	viz/predict/sim_work.c \
	viz/predict/simulate.c

VIZ_SRC += \
	viz/predict/forecast.c \
	viz/predict/forecast_json.c \
	viz/predict/forecast_print.c \
	viz/predict/forecast_words.c \
	viz/predict/posts.c \
	viz/predict/posts_json.c \
	viz/predict/posts_print.c \
	viz/predict/verify.c \
	viz/predict/whatif_view.c
