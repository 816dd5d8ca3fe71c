/*
 * SPDX-License-Identifier: MIT
 *
 * supervisor.h - the supervisor, the process that starts the program, the daemons and the LTTng
 * session, and cleans them up even if doze is killed. See README.md.
 */
#ifndef DOZE_VIZ_SESSION_SUPERVISOR_H
#define DOZE_VIZ_SESSION_SUPERVISOR_H

#include <stdint.h>

#include "session.h"

/*
 * ---- The messages between doze and its supervisor over a SOCK_SEQPACKET pair: one struct
 * per packet, never a partial one.
 */

/** Maximum length of the path of the temporary folder. Paths that the caller chooses, such as that
 * of the program's log, may be longer. */
#define SESSION_FOLDER_MAX 128
#define SESSION_LOG        "program.log"
#define SESSION_TRACE      "trace"

enum session_msg_kind {
	/* from doze to the supervisor; if doze closes the socket, the supervisor acts as on
	 * MSG_STOP */
	MSG_GO = 1, /* open the gate */
	MSG_SIGNAL, /* value: the signal to send to the program */
	/* terminate the program and destroy the LTTng session; value: 1 = in the reverse order */
	MSG_FINISH,
	MSG_STOP, /* like MSG_FINISH, then undo everything else and exit */
	/* from the supervisor to doze */
	MSG_FOLDER, /* text: the temporary folder */
	MSG_DAEMON, /* value: pid of the session daemon that the supervisor started */
	MSG_READY,  /* value: the program's pid; name: the LTTng session; text: the relay's URL */
	MSG_FAILED, /* text: why the start failed; the supervisor cleans up */
	/* the program has exited. value: wait status; error: errno of a failed exec; flags */
	MSG_ENDED,
	MSG_LOST,     /* text: which daemon exited during the run */
	MSG_FINISHED, /* text: what went wrong, or ""; count: discarded events */
	/* text: what could not be undone, or ""; value: 1 = the supervisor keeps running for a
	 * while */
	MSG_STOPPED,
};

enum session_msg_flag {
	MSG_FORKED = 1,
	MSG_LEFT_CHILDREN = 2,
	MSG_NOTE = 4,           /* the text is a note, not a problem */
	MSG_STATUS_UNKNOWN = 8, /* the program was adopted, so its wait status is unknown */
};

struct session_msg {
	uint32_t kind; /* an enum session_msg_kind */
	int32_t value, error;
	uint32_t flags;
	uint64_t count;
	char name[64];
	char text[400];
};

/** Runs the supervisor in the forked process, with the caller's options; doze is at the other end
 * of `sock`. Does not return. */
_Noreturn void session_supervisor_run(const struct doze_session_options *, int sock);

#endif
