# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/views/cells.c \
	viz/views/check_view.c \
	viz/views/compare.c \
	viz/views/compare_json.c \
	viz/views/compare_print.c \
	viz/views/compare_verdict.c \
	viz/views/confidence.c \
	viz/views/diagnose_view.c \
	viz/views/inconclusive.c \
	viz/views/fail_if.c \
	viz/views/finding_log.c \
	viz/views/finding_log_print.c \
	viz/views/kind_conditions.c \
	viz/views/lanes.c \
	viz/views/load.c \
	viz/views/phase_samples.c \
	viz/views/sample.c \
	viz/views/selected.c \
	viz/views/selection_text.c \
	viz/views/shared_options.c \
	viz/views/storm_log.c \
	viz/views/storms_answer.c \
	viz/views/storms_json.c \
	viz/views/storms_list.c \
	viz/views/storms_paths.c \
	viz/views/storms_tables.c \
	viz/views/storms_view.c \
	viz/views/storms_workers.c \
	viz/views/timeline.c \
	viz/views/timeline_frame.c \
	viz/views/timeline_json.c \
	viz/views/timeline_print.c \
	viz/views/timeline_view.c \
	viz/views/view.c \
	viz/views/why_view.c
