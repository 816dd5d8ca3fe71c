# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/doctor/checks.c \
	viz/doctor/daemons.c \
	viz/doctor/test_recording.c \
	viz/doctor/versions.c

CFLAGS_viz/doctor/versions.c := -I$(BUILD)/tested
$(BUILD)/obj/viz/doctor/versions.o: $(BUILD)/tested/tested.h
# The rows of places where no test failed.
$(BUILD)/tested/tested.h: viz/doctor/tested.tsv viz/doctor/module.mk
	@mkdir -p $(@D)
	$(Q)awk -F'\t' '!/^#/ { split($$11, root, " "); split($$12, user, " ") } \
		!/^#/ && root[3] + user[3] == 0 { printf "{\"%s\", \"%s\", \"%s\", \"%s\"},\n", $$1, $$2, $$3, $$4 }' \
		$< >$@
