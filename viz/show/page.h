/*
 * SPDX-License-Identifier: MIT
 *
 * page.h - writes the report as one self-contained HTML file with style, script and data.
 */
#ifndef DOZE_REPORT_PAGE_H
#define DOZE_REPORT_PAGE_H

#include "collect.h"

/** Writes the page. trace: the name to display. Returns 0, or -1 if memory ran out. The caller
 * checks the stream for write errors. */
int report_page(const struct report *, const char *trace, FILE *out);

struct doze_view;
extern const struct doze_view doze_report_view;

#endif
