/*
 * SPDX-License-Identifier: MIT
 *
 * page.h - the report as one HTML file that needs nothing else: style, program and data are in it.
 */
#ifndef DOZE_REPORT_PAGE_H
#define DOZE_REPORT_PAGE_H

#include "collect.h"

/** Writes the page. `trace` is the name to show. Returns 0, or -1 when memory ran out; write errors
 * are the stream's. */
int report_page(const struct report *, const char *trace, FILE *out);

struct doze_view;
extern const struct doze_view doze_report_view;

#endif
