/*
 * SPDX-License-Identifier: MIT
 *
 * black_box.c - see black_box.h.
 */
#include "black_box.h"

#include "../trace/packets.h"
#include "last_recording.h"

int cmd_black_box_save(struct cmd_black_box *box, char *folder, size_t size, char *err,
		       size_t err_size)
{
	struct doze_packet_index x = {0};
	int rc;

	rc = doze_packet_index_update(&x, box->from, err, err_size);
	if (rc == 0)
		rc = cmd_recording_make(folder, size, box->program, err, err_size);
	if (rc == 0)
		rc = doze_excerpt(&x, box->since, INT64_MAX, folder, err, err_size);
	box->begins = x.from;
	doze_packet_index_free(&x);
	if (rc == 0)
		cmd_recording_remember(folder);
	return rc;
}
