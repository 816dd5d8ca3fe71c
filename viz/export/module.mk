# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/export/csv.c \
	viz/export/export_view.c \
	viz/export/formats.c \
	viz/export/json_lines.c \
	viz/export/perfetto.c \
	viz/export/svg.c \
	viz/export/trace_compass.c
