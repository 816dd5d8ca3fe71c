# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/simulate/chain.c \
	viz/simulate/recorder.c \
	viz/simulate/recorder_costs.c \
	viz/simulate/recorder_jobs.c \
	viz/simulate/recorder_outside.c \
	viz/simulate/recorder_run.c \
	viz/simulate/recorder_waits.c \
	viz/simulate/sim_sleep.c \
	viz/simulate/sim_work.c \
	viz/simulate/simulate.c
