# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/show/cells.c \
	viz/show/check_view.c \
	viz/show/compare.c \
	viz/show/compare_foreign.c \
	viz/show/compare_json.c \
	viz/show/compare_print.c \
	viz/show/compare_verdict.c \
	viz/show/confidence.c \
	viz/show/diagnose_view.c \
	viz/show/inconclusive.c \
	viz/show/fail_if.c \
	viz/show/finding_log.c \
	viz/show/finding_log_print.c \
	viz/show/kind_conditions.c \
	viz/show/lanes.c \
	viz/show/load.c \
	viz/show/phase_samples.c \
	viz/show/sample.c \
	viz/show/selected.c \
	viz/show/selection_text.c \
	viz/show/shared_options.c \
	viz/show/storm_log.c \
	viz/show/storms_answer.c \
	viz/show/storms_foreign.c \
	viz/show/storms_json.c \
	viz/show/storms_list.c \
	viz/show/storms_paths.c \
	viz/show/storms_tables.c \
	viz/show/storms_view.c \
	viz/show/storms_workers.c \
	viz/show/timeline.c \
	viz/show/timeline_frame.c \
	viz/show/timeline_json.c \
	viz/show/timeline_print.c \
	viz/show/timeline_view.c \
	viz/show/view.c \
	viz/show/why_view.c

# doze report: the program embeds the files of the page unchanged.
VIZ_SRC += \
	viz/show/bytes.c \
	viz/show/collect.c \
	viz/show/page.c \
	viz/show/report_view.c

$(BUILD)/obj/viz/show/page.o: viz/show/body.html viz/show/page.css \
	$(addprefix viz/show/page/,data.js pyramids.js lanes.js counters.js picture.js explain.js \
		lists.js tables.js cards.js keys.js start.js jobs.js diagnosis.js foreign.js)

VIZ_SRC += \
	viz/show/csv.c \
	viz/show/export_view.c \
	viz/show/formats.c \
	viz/show/json_lines.c \
	viz/show/perfetto.c \
	viz/show/svg.c \
	viz/show/trace_compass.c

PLUGIN_SRC += \
	viz/show/plugin.c \
	viz/show/view_params.c \
	viz/show/view_sink.c \
	viz/show/wakes/verdict.c \
	viz/show/wakes/wakes.c

# Babeltrace finds the descriptors through functions that its macros define; these must be visible.
CFLAGS_viz/show/plugin.c := -fvisibility=default
