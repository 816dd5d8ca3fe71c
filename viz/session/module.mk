# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/session/doctor.c

CFLAGS_viz/session/files.c := -DDOZE_LIBDIR='"$(LIBDIR)"'
CFLAGS_viz/session/doctor.c := -I$(BUILD)/tested
$(BUILD)/obj/viz/session/doctor.o: $(BUILD)/tested/tested.h
# The rows of places where no test failed.
$(BUILD)/tested/tested.h: viz/session/tested.tsv viz/session/module.mk
	@mkdir -p $(@D)
	$(Q)awk -F'\t' '!/^#/ { split($$11, root, " "); split($$12, user, " ") } \
		!/^#/ && root[3] + user[3] == 0 { printf "{\"%s\", \"%s\", \"%s\", \"%s\"},\n", $$1, $$2, $$3, $$4 }' \
		$< >$@

VIZ_SRC += \
	viz/session/preload.c \
	viz/session/ctl.c \
	viz/session/daemon.c \
	viz/session/program.c \
	viz/session/running.c \
	viz/session/files.c \
	viz/session/free_space.c \
	viz/session/outcome.c \
	viz/session/session.c \
	viz/session/supervisor.c \
	viz/session/signals.c
