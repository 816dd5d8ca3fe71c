# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/tui/clock.c \
	viz/tui/draw.c \
	viz/tui/draw_counters.c \
	viz/tui/draw_header.c \
	viz/tui/draw_help.c \
	viz/tui/draw_lanes.c \
	viz/tui/feed.c \
	viz/tui/grid.c \
	viz/tui/history.c \
	viz/tui/jumps.c \
	viz/tui/keys.c \
	viz/tui/lesson.c \
	viz/tui/look.c \
	viz/tui/once.c \
	viz/tui/output.c \
	viz/tui/pane_events.c \
	viz/tui/pane_explain.c \
	viz/tui/pane_measures.c \
	viz/tui/pane_totals.c \
	viz/tui/queue.c \
	viz/tui/restore.c \
	viz/tui/ring.c \
	viz/tui/run.c \
	viz/tui/scene.c \
	viz/tui/term_signals.c \
	viz/tui/term.c \
	viz/tui/viewport.c
