# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/show/cells.c \
	viz/show/check_view.c \
	viz/show/compare.c \
	viz/show/csv.c \
	viz/show/explain_views.c \
	viz/show/export.c \
	viz/show/fail_if.c \
	viz/show/json_lines.c \
	viz/show/load_trace.c \
	viz/show/perfetto.c \
	viz/show/progress.c \
	viz/show/ranges.c \
	viz/show/report.c \
	viz/show/report_data.c \
	viz/show/sample.c \
	viz/show/selected.c \
	viz/show/storms_foreign.c \
	viz/show/storms_json.c \
	viz/show/storms_tables.c \
	viz/show/storms_view.c \
	viz/show/summary.c \
	viz/show/svg.c \
	viz/show/timeline.c \
	viz/show/trace_compass.c \
	viz/show/view.c

# doze report: the program embeds the files of the page unchanged.
$(BUILD)/obj/viz/show/report.o: viz/show/body.html viz/show/page.css \
	$(addprefix viz/show/page/,data.js pyramids.js lanes.js counters.js picture.js explain.js \
		lists.js tables.js cards.js keys.js start.js jobs.js diagnosis.js foreign.js)

PLUGIN_SRC += \
	viz/show/plugin.c \
	viz/show/wakes_filter.c

# Babeltrace finds the descriptors through functions that its macros define; these must be visible.
CFLAGS_viz/show/plugin.c := -fvisibility=default
