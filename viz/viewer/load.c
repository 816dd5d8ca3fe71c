/*
 * SPDX-License-Identifier: MIT
 *
 * load.c - see load.h.
 */
#include "load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../model/model.h"
#include "../words/temp.h"

enum { STOP_MS = 500 };
/* Without a checkpoint, a read begins this much earlier, because the workers' states are unknown
 * until the first snapshot; a trace has two snapshots per second. */
#define LATE_NS INT64_C(2000000000)

static bool make_folder(struct tui_load *l, char *err, size_t err_size)
{
	if (doze_temp_make(l->folder, sizeof l->folder) == 0)
		return true;
	snprintf(err, err_size, "%.100s: %s", doze_temp_base(), strerror(errno));
	l->folder[0] = '\0';
	return false;
}

static bool open_part(struct tui_load *l, const struct doze_packet_index *x, int64_t from,
		      int64_t to, char *err, size_t err_size)
{
	if (!make_folder(l, err, err_size) ||
	    doze_excerpt(x, from, to, l->folder, err, err_size) != 0)
		return false;
	l->reader = doze_reader_open_dir(l->folder, err, err_size);
	if (!l->reader)
		return false;
	l->feed = tui_feed_start(l->reader, NULL, &l->fd);
	if (!l->feed) {
		snprintf(err, err_size, "not enough memory or threads: close other programs");
		return false;
	}
	tui_feed_end_at(l->feed, to);
	return true;
}

bool tui_load_begin(struct tui_load *l, const struct doze_packet_index *x,
		    const struct tui_history *newest, int64_t from, int64_t to, char *err,
		    size_t err_size)
{
	const struct doze_checkpoint *c = tui_history_checkpoint(newest, from);
	int64_t begin = c ? doze_checkpoint_ts(c) + 1 : from - LATE_NS;

	*l = (struct tui_load){.from = from, .to = to, .fd = -1};
	l->into = tui_history_new_at(c);
	if (l->into)
		l->into->selection = newest->selection;
	if (!l->into)
		snprintf(err, err_size, "out of memory: close other programs");
	else if (open_part(l, x, begin, to, err, err_size))
		return true;
	tui_load_end(l);
	return false;
}

bool tui_load_drain(struct tui_load *l, int budget_ms)
{
	(void)tui_feed_drain(l->feed, l->into, budget_ms);
	if (!tui_feed_state(l->feed)->done)
		return false;
	tui_history_quiet(l->into, l->to);
	return true;
}

void tui_load_end(struct tui_load *l)
{
	/* If the feed does not stop, its thread still uses the reader, so do not free either of
	 * them. */
	if (!l->feed || tui_feed_stop(l->feed, STOP_MS))
		doze_reader_free(l->reader);
	tui_history_free(l->into);
	if (l->folder[0])
		doze_temp_remove(l->folder);
	*l = (struct tui_load){.fd = -1};
}
