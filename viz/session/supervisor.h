/*
 * SPDX-License-Identifier: MIT
 *
 * supervisor.h - the supervisor, the process that starts the program, the daemons and the LTTng
 * session, and cleans them up even if doze is killed. See README.md.
 */
#ifndef DOZE_VIZ_SESSION_SUPERVISOR_H
#define DOZE_VIZ_SESSION_SUPERVISOR_H

#include <stdbool.h>
#include <stdint.h>

#include "ctl.h"
#include "daemon.h"
#include "program.h"
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
	MSG_FINISH, /* terminate the program and destroy the LTTng session */
	MSG_STOP,   /* like MSG_FINISH, then undo everything else and exit */
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
	MSG_NOTE = 4, /* the text is a note, not a problem */
};

struct session_msg {
	uint32_t kind; /* an enum session_msg_kind */
	int32_t value, error;
	uint32_t flags;
	uint64_t count;
	char name[64];
	char text[400];
};

#define SUPERVISOR_DEADLINE_MS 5000
/** Time that a responsive daemon has to write its buffers. */
#define SUPERVISOR_FLUSH_MS 30000
/** Longest wait for another doze that is starting or stopping a session daemon. */
#define STARTUP_LOCK_MS 15000

struct supervisor {
	const struct doze_session_options *options; /* the caller's options, copied by the fork */
	unsigned deadline_ms;
	int sock;                     /* socket to doze, which the kernel closes when doze exits */
	int signals;                  /* signalfd for SIGCHLD and terminating signals */
	int daemon_fd;                /* pidfd of the session daemon in use; -1 = unknown */
	char dir[SESSION_FOLDER_MAX]; /* temporary folder; "" = not created yet */
	char log[4096];               /* file for the program's output */
	/* the trace's folder within `dir`; unused if the caller chose a folder */
	char trace[SESSION_FOLDER_MAX + 8];
	const char *output; /* folder for the trace; null = live */
	char name[64];      /* name of the LTTng session */

	struct program program;
	struct daemon sessiond; /* pid 0: another process started the daemon in use */
	struct relay relay;

	uint64_t subbuf_size;
	/* the creation of the session was requested, so the session must be destroyed */
	bool may_exist;
	bool mute;   /* the session daemon did not answer, so its shutdown gets less time */
	bool shared; /* at time heard_ms, other programs had sessions in the daemon */
	int64_t heard_ms;
	bool reported_exit, reported_loss;
	char problem[400]; /* one line: what the supervisor could not stop or remove */
	char note[400];    /* one line: a daemon that the supervisor keeps running on purpose */
};

/** Runs the supervisor in the forked process, with the caller's options; doze is at the other end
 * of `sock`. Does not return. */
_Noreturn void session_supervisor_run(const struct doze_session_options *, int sock);

#endif
