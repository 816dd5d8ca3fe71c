# SPDX-License-Identifier: MIT
# The program. VIZ_SRC makes libdoze-viz.a, which the unit tests and the graders link, too.
VIZ_MAIN := viz/doze.c
VIZ_SRC += \
	viz/attach.c \
	viz/cmd.c \
	viz/cmd_doctor.c \
	viz/cmd_help.c \
	viz/cmd_live.c \
	viz/cmd_record.c \
	viz/cmd_replay.c \
	viz/complain.c \
	viz/doctor/checks.c \
	viz/doctor/daemons.c \
	viz/doctor/trial.c \
	viz/quote.c \
	viz/options.c \
	viz/options_check.c \
	viz/options_policy.c \
	viz/outfile.c

include viz/demo/module.mk
include viz/export/module.mk
include viz/model/module.mk
include viz/reader/module.mk
include viz/report/module.mk
include viz/session/module.mk
include viz/tui/module.mk
include viz/views/module.mk
include viz/whatif/module.mk
include viz/plugin/module.mk
