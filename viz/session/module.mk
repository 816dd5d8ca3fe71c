# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/session/any.c \
	viz/session/ctl.c \
	viz/session/ctl_ops.c \
	viz/session/daemon.c \
	viz/session/duel.c \
	viz/session/elf_file.c \
	viz/session/files.c \
	viz/session/free_space.c \
	viz/session/keep.c \
	viz/session/outcome.c \
	viz/session/preload.c \
	viz/session/program.c \
	viz/session/session.c \
	viz/session/setup.c \
	viz/session/signals.c \
	viz/session/supervisor.c \
	viz/session/teardown.c
