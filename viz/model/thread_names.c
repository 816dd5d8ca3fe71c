/*
 * SPDX-License-Identifier: MIT
 *
 * thread_names.c - identifies the threads that act in a trace: keeps the names of outside threads
 * (from the context procname), and which threads are workers of another pool.
 */
#include "model_fn.h"

#include <stdlib.h>
#include <string.h>

#include "../trace/utf8.h"
#include "notes.h"

/* Returns the row of a thread; null if there is none. */
static struct doze_thread_view *find(struct thread_names *n, uint32_t host, int32_t vtid)
{
	if (n->last < n->count && n->row[n->last].vtid == vtid && n->row[n->last].host == host)
		return &n->row[n->last];
	for (uint32_t i = 0; i < n->count; i++)
		if (n->row[i].vtid == vtid && n->row[i].host == host) {
			n->last = i;
			return &n->row[i];
		}
	return NULL;
}

static struct doze_thread_view *row_of(struct doze_model *m, uint32_t host, int32_t vtid)
{
	struct thread_names *n = &m->threads;
	struct doze_thread_view *row = find(n, host, vtid), *more;

	if (row || n->count == THREAD_NAMES_MAX)
		return row;
	more = doze_grow(n->row, &n->capacity, n->count, sizeof *more);
	if (!more)
		return NULL;
	n->row = more;
	n->last = n->count++;
	n->row[n->last] = (struct doze_thread_view){.host = host, .vtid = vtid};
	return &n->row[n->last];
}

void model_thread_outside(struct doze_model *m, const struct doze_event *e)
{
	struct doze_thread_view *row = e->vtid > 0 ? row_of(m, e->host, e->vtid) : NULL;

	if (row && !*row->name && e->procname)
		doze_text_clean(row->name, sizeof row->name, e->procname);
}

void model_thread_worker(struct doze_model *m, const struct doze_event *e, const struct worker *w)
{
	struct doze_thread_view *row = e->vtid > 0 ? row_of(m, e->host, e->vtid) : NULL;

	if (row)
		row->worker = &w->v;
}

const struct doze_thread_view *doze_model_thread(const struct doze_model *m, uint32_t pool_row,
						 int32_t vtid)
{
	const struct doze_pool_view *p = doze_model_pool(m, pool_row);
	const struct thread_names *n = &m->threads;

	for (uint32_t i = 0; p && i < n->count; i++)
		if (n->row[i].vtid == vtid && n->row[i].host == p->host)
			return &n->row[i];
	return NULL;
}
