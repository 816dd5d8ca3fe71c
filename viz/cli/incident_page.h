/*
 * SPDX-License-Identifier: MIT
 *
 * incident_page.h - writes the page of `doze report` for a saved part of a live session.
 *
 * Each page is written by a process of its own, `doze report`, because that takes seconds: the
 * viewer stays responsive, and what goes wrong there does not harm the session. The process has the
 * lowest priority (SCHED_IDLE), because the traced program still runs. It dies with this process.
 * The file gets its name when it is complete.
 *
 * Main thread only.
 */
#ifndef DOZE_VIZ_INCIDENT_PAGE_H
#define DOZE_VIZ_INCIDENT_PAGE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define CMD_INCIDENT_PAGE "report.html"
/** As many as there may be triggers, and one for the key `!`. */
enum { CMD_PAGES_MAX = 9 };

/** The pages that are being written. Zeroed memory is none. */
struct cmd_pages {
	struct cmd_page {
		pid_t pid;             /* 0: this place is free */
		int messages;          /* what the process writes to its standard error */
		char folder[PATH_MAX]; /* of the recording */
	} page[CMD_PAGES_MAX];
	const char *doze; /* the program; null: this one */
	char line[320];   /* about a page that could not be written; "": none */
	char said[320];   /* text that cmd_page_poll returns */
};

/** Begins to write FOLDER/report.html about the recording in the folder, from `from` on (ns after
 * its first event; 0: all of it). Does not wait. */
void cmd_page_begin(struct cmd_pages *, const char *folder, int64_t from);
/** Looks which processes have ended. Returns one line about a page that could not be written,
 * borrowed until the next call, or null. Does not wait. */
const char *cmd_page_poll(struct cmd_pages *);
/** Ends all of it. wait: for the pages that are being written, until signals_fd (of
 * doze_signals_catch) has a signal; otherwise, and then, their processes are ended. Prints a line
 * for each page that could not be written. */
void cmd_page_end(struct cmd_pages *, bool wait, int signals_fd);

#endif
