# SPDX-License-Identifier: MIT
VIZ_MAIN := viz/cli/main.c
VIZ_SRC += \
	viz/cli/attach.c \
	viz/cli/black_box.c \
	viz/cli/cmd.c \
	viz/cli/cmd_compare.c \
	viz/cli/cmd_demo.c \
	viz/cli/cmd_doctor.c \
	viz/cli/cmd_help.c \
	viz/cli/cmd_live.c \
	viz/cli/cmd_lesson.c \
	viz/cli/cmd_record.c \
	viz/cli/cmd_replay.c \
	viz/cli/incident_page.c \
	viz/cli/last_recording.c \
	viz/cli/live_attach.c \
	viz/cli/live_options.c \
	viz/cli/live_viewer.c \
	viz/cli/options.c \
	viz/cli/options_policy.c \
	viz/cli/outfile.c \
	viz/cli/peek.c \
	viz/cli/suggest.c \
	viz/cli/tui_options.c \
	viz/cli/view_cmd.c
