/*
 * SPDX-License-Identifier: MIT
 *
 * black_box.h - copies what the relay of a live session has on disk into a recording.
 */
#ifndef DOZE_VIZ_BLACK_BOX_H
#define DOZE_VIZ_BLACK_BOX_H

#include <stddef.h>

/** Copies the folder `from` to a new recording named after `program`, whose path it writes into
 * `folder`. The relay may write meanwhile, so the last packet may be incomplete. Returns 0, or -1
 * with one line in err. */
int cmd_black_box_save(const char *from, const char *program, char *folder, size_t size, char *err,
		       size_t err_size);

#endif
