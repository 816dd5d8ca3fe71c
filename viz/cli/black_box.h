/*
 * SPDX-License-Identifier: MIT
 *
 * black_box.h - copies the data that the relay of a live session has on disk into a recording.
 */
#ifndef DOZE_VIZ_BLACK_BOX_H
#define DOZE_VIZ_BLACK_BOX_H

#include <stddef.h>
#include <stdint.h>

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

#endif
