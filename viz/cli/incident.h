/*
 * SPDX-License-Identifier: MIT
 *
 * incident.h - writes the page of `doze report` for a saved part of a live session.
 *
 * Writing a page takes seconds, so a separate process, `doze report`, writes each page: the viewer
 * stays responsive, and errors in that process cannot harm the session. The process has the lowest
 * priority (SCHED_IDLE), because the traced program is still running, and dies with this process.
 * The file receives its name once it is complete. Main thread only.
 */
#ifndef DOZE_VIZ_INCIDENT_H
#define DOZE_VIZ_INCIDENT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- Copies the data that the relay of a live session has on disk into a recording ---- */

struct cmd_black_box {
	const char *from;    /* the folder to which the relay writes */
	const char *program; /* the program after which the recording is named */
	int64_t since; /* ns since the epoch; older packets are left out; INT64_MIN: keep all */
	/* set by the function: time at which the recording begins, ns since the epoch */
	int64_t begins;
};

/** Copies the complete packets to a new recording and writes its path into `folder`. The relay may
 * keep writing during the copy. Returns 0, or -1 with a one-line message in err. */
int cmd_black_box_save(struct cmd_black_box *, char *folder, size_t size, char *err,
		       size_t err_size);

#define CMD_INCIDENT_PAGE "report.html"
/** One page for each possible trigger, and one for the key `!`. */
enum { CMD_PAGES_MAX = 9 };

/** The pages being written. Initialise with zeros. */
struct cmd_pages {
	struct cmd_page {
		pid_t pid;             /* 0: this slot is free */
		int messages;          /* descriptor from which to read the standard error of the
					* process */
		char folder[PATH_MAX]; /* folder of the recording */
	} page[CMD_PAGES_MAX];
	const char *doze; /* path of the program to run; null: this program */
	char line[320];   /* why a page could not be written; "": no page failed */
	char said[320];   /* the text that cmd_page_poll returns */
};

/** Starts to write FOLDER/report.html about the recording in the folder, beginning at `from` (ns
 * after its first event; 0: all of it). Does not wait. */
void cmd_page_begin(struct cmd_pages *, const char *folder, int64_t from);
/** Checks which processes have exited. Returns one line about a page that could not be written,
 * borrowed until the next call, or null. Does not wait. */
const char *cmd_page_poll(struct cmd_pages *);
/** Terminates all processes. If `wait` is true, first waits until the pages are written or a signal
 * arrives on signals_fd (from doze_signals_catch). Prints a line for each page that could not be
 * written. */
void cmd_page_end(struct cmd_pages *, bool wait, int signals_fd);

#endif
