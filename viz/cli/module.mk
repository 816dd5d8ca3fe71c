# SPDX-License-Identifier: MIT
VIZ_MAIN := viz/cli/main.c
VIZ_SRC += \
	viz/cli/attach.c \
	viz/cli/incident.c \
	viz/cli/cmd.c \
	viz/cli/cmd_compare.c \
	viz/cli/cmd_completion.c \
	viz/cli/cmd_demo.c \
	viz/cli/cmd_doctor.c \
	viz/cli/cmd_live.c \
	viz/cli/cmd_lesson.c \
	viz/cli/cmd_record.c \
	viz/cli/cmd_replay.c \
	viz/cli/cmd_run.c \
	viz/cli/last_recording.c \
	viz/cli/options.c \
	viz/cli/view_cmd.c
