/*
 * SPDX-License-Identifier: MIT
 *
 * shared_options.c - see shared_options.h.
 */
#include "shared_options.h"

#include <stddef.h>
#include <string.h>

/* A command takes every shared option, except those for which its row gives a reason to refuse
 * it. */
static const struct {
	const char *command;
	const char *why_not[DOZE_SHARED_COUNT];
} rows[] = {
    {"diagnose",
     {[DOZE_SHARED_worker] =
	  "diagnose judges all workers together: omit the option, or use 'doze why DIR WORKER'"}},
    {"why", {[DOZE_SHARED_worker] = "name the worker as the question, e.g. 'doze why DIR w3'"}},
    {"report",
     {[DOZE_SHARED_json] = ("the page contains its data: 'doze storms --json' and 'doze diagnose "
			    "--json' print it"),
      [DOZE_SHARED_color] =
	  "the page is always in colour; press d on the page to switch between light and dark",
      [DOZE_SHARED_ascii] = "the page draws pictures, not characters: omit the option"}},
    {"export",
     {[DOZE_SHARED_json] = "give --format=json, or --format=perfetto",
      [DOZE_SHARED_color] = "the exported file has no colours to choose: omit the option",
      [DOZE_SHARED_ascii] = "the exported file is always UTF-8: omit the option"}},
    {"replay",
     {[DOZE_SHARED_json] = ("the viewer draws a screen: 'doze timeline --json' prints the "
			    "lanes")}},
};

/* Returns DOZE_SHARED_COUNT if no option has this name. */
static enum doze_shared_option option_named(const char *name)
{
	int i = 0;

	while (i < DOZE_SHARED_COUNT &&
	       strcmp(doze_shared_name((enum doze_shared_option)i), name) != 0)
		i++;
	return (enum doze_shared_option)i;
}

const char *doze_shared_name(enum doze_shared_option o)
{
#define NAME(name) #name,
	static const char *const names[] = {DOZE_SHARED_OPTIONS(NAME)};
#undef NAME

	return (unsigned)o < DOZE_SHARED_COUNT ? names[o] : "?";
}

const char *doze_shared_refusal(const char *command, const char *option)
{
	enum doze_shared_option o = option_named(option);

	for (size_t i = 0; i < sizeof rows / sizeof rows[0] && o < DOZE_SHARED_COUNT; i++)
		if (!strcmp(rows[i].command, command))
			return rows[i].why_not[o];
	return NULL;
}

const char *doze_shared_sink_refusal(const char *option)
{
	return option_named(option) == DOZE_SHARED_phase
		   ? "a sink reads the trace only once: give from and to instead"
		   : NULL;
}
