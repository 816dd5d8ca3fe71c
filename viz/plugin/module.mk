# SPDX-License-Identifier: MIT
PLUGIN_SRC += \
	viz/plugin/plugin.c \
	viz/plugin/view_params.c \
	viz/plugin/view_sink.c \
	viz/plugin/wakes/verdict.c \
	viz/plugin/wakes/wakes.c

# Babeltrace finds the descriptors through functions that its macros define; these must be visible.
CFLAGS_viz/plugin/plugin.c := -fvisibility=default
