/*
 * SPDX-License-Identifier: MIT
 *
 * session.h - LTTng sessions for doze: start and stop a recording or a live session around a
 * program, and leave nothing behind, however it ends.
 */
#ifndef DOZE_VIZ_SESSION_H
#define DOZE_VIZ_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum doze_detail { DOZE_DETAIL_STATES, DOZE_DETAIL_JOBS, DOZE_DETAIL_ALL };

struct doze_session_options {
	enum doze_detail detail;
	const char *output;	/* record: folder for the trace; live: null */
	unsigned live_timer_us; /* 0 = record only; else at most 100,000 */
	char *const *argv;	/* the traced program, null-terminated; null = none (attach) */
	const char *program_log; /* file for its standard output and error */
	unsigned deadline_ms;	/* bound for each call to the session daemon */
};

struct doze_session;

/** Brings up what is needed, in this order: supervisor, session daemon (a running one is used),
 * relay on 127.0.0.1 (live), session, channel, events, tracker. The program is forked but waits at a
 * gate until doze_session_go. On failure null and one line in err; nothing is left behind. */
struct doze_session *doze_session_start(const struct doze_session_options *, char *err,
					size_t err_size);
/** The relay URL of a live session (net://127.0.0.1:PORT/host/NAME/SESSION); borrowed. */
const char *doze_session_url(const struct doze_session *);
/** Opens the gate: the program runs. Call it when the viewer is attached. */
int doze_session_go(struct doze_session *);
pid_t doze_session_pid(const struct doze_session *);
/** True once the program has ended; *status is waitpid's. Does not block. */
bool doze_session_ended(struct doze_session *, int *status);
/** Ends the program if it runs (SIGTERM, then SIGKILL), destroys the session, stops what was
 * started, removes what was made. Returns 0, or -1 and one line in err. */
int doze_session_stop(struct doze_session *, char *err, size_t err_size);

#endif
