# SPDX-License-Identifier: MIT
PLUGIN_SRC += \
	viz/plugin/plugin.c \
	viz/plugin/check/check.c \
	viz/plugin/common/params.c \
	viz/plugin/common/part.c \
	viz/plugin/common/sink.c \
	viz/plugin/storms/storms.c \
	viz/plugin/timeline/timeline.c \
	viz/plugin/wakes/wakes.c \
	viz/plugin/wakes/verdict.c

# Babeltrace finds the descriptors by functions that its macros define.
CFLAGS_viz/plugin/plugin.c := -fvisibility=default
