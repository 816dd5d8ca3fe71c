# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/session/checks.c \
	viz/session/daemons.c \
	viz/session/test_recording.c \
	viz/session/versions.c

CFLAGS_viz/session/versions.c := -I$(BUILD)/tested
$(BUILD)/obj/viz/session/versions.o: $(BUILD)/tested/tested.h
# The rows of places where no test failed.
$(BUILD)/tested/tested.h: viz/session/tested.tsv viz/session/module.mk
	@mkdir -p $(@D)
	$(Q)awk -F'\t' '!/^#/ { split($$11, root, " "); split($$12, user, " ") } \
		!/^#/ && root[3] + user[3] == 0 { printf "{\"%s\", \"%s\", \"%s\", \"%s\"},\n", $$1, $$2, $$3, $$4 }' \
		$< >$@

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
