/*
 * SPDX-License-Identifier: MIT
 *
 * page.h - writes the report as one self-contained HTML file with style, script and data.
 */
#ifndef DOZE_REPORT_PAGE_H
#define DOZE_REPORT_PAGE_H

#include "collect.h"

/** Writes the page; `trace` is the displayed name. Returns 0, or -1 if memory ran out. Write errors
 * are left in the stream. */
int report_page(const struct report *, const char *trace, FILE *out);

struct doze_view;
extern const struct doze_view doze_report_view;

#endif
