/*
 * SPDX-License-Identifier: MIT
 *
 * protocol.h - the messages between doze and its supervisor over a SOCK_SEQPACKET pair: one struct
 * per packet, never a partial one.
 */
#ifndef DOZE_VIZ_SESSION_PROTO_H
#define DOZE_VIZ_SESSION_PROTO_H

#include <stdint.h>

/** Maximum length of the paths of the temporary folder and of the files in it, unless the caller
 * chose other places. */
#define SESSION_FOLDER_MAX 128
#define SESSION_LOG        "program.log"
#define SESSION_TRACE      "trace"

enum session_msg_kind {
	/* doze -> supervisor; closing the socket has the effect of MSG_STOP */
	MSG_GO = 1, /* open the gate */
	MSG_SIGNAL, /* value: signal for the program */
	MSG_FINISH, /* end the program and destroy the LTTng session */
	MSG_STOP,   /* the same as MSG_FINISH, then end everything else */
	/* supervisor -> doze */
	MSG_FOLDER,   /* text: the temporary folder */
	MSG_DAEMON,   /* value: pid of the session daemon that the supervisor started */
	MSG_READY,    /* value: pid; name: session; text: URL of the relay */
	MSG_FAILED,   /* text: the reason; the supervisor cleans up */
	MSG_ENDED,    /* value: wait status; error: errno of a failed exec; flags */
	MSG_LOST,     /* text: the daemon that exited during the run */
	MSG_FINISHED, /* text: "", or what went wrong; count: discarded events */
	/* text: "", or what remains; value: 1 = the supervisor keeps running for a while */
	MSG_STOPPED,
};

enum session_msg_flag {
	MSG_FORKED = 1,
	MSG_LEFT_CHILDREN = 2,
	MSG_NOTE = 4, /* text is a note rather than a problem */
};

struct session_msg {
	uint32_t kind; /* an enum session_msg_kind */
	int32_t value, error;
	uint32_t flags;
	uint64_t count;
	char name[64];
	char text[400];
};

#endif
