/*
 * SPDX-License-Identifier: MIT
 *
 * formats.c - the table of formats.
 */
#include <string.h>

#include "export.h"

const struct doze_export_format *const doze_export_formats[] = {
    &doze_export_perfetto, &doze_export_csv,           &doze_export_json,
    &doze_export_svg,      &doze_export_trace_compass, NULL,
};

const struct doze_export_format *doze_export_find(const char *name)
{
	for (const struct doze_export_format *const *f = doze_export_formats; *f; f++)
		if (strcmp((*f)->name, name) == 0)
			return *f;
	return NULL;
}
