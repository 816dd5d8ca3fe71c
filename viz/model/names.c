/*
 * SPDX-License-Identifier: MIT
 *
 * names.c - the names of threads, and short names of latches: L1, L2, ... per pool, in the order in
 * which the trace first mentions them.
 *
 * Because each join and scope creates a latch, the table is bounded: it keeps the newest NAMES_MAX
 * names per pool. An older latch loses its name and is shown by its id. Latch number n is stored in
 * slot n % room. The chain of slots for an id starts at head[hash of the id].
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../trace/utf8.h"
#include "model_int.h"

enum { NAMES_MIN = 1 << 6, NAMES_MAX = 1 << 18, MANY_NAMES = 4096 };

static uint32_t bucket(const struct latch_names *n, uint64_t id)
{
	return (uint32_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (n->room - 1);
}

static struct latch_name *find_latch(const struct latch_names *n, uint64_t id)
{
	if (!n->room)
		return NULL;
	for (uint32_t i = n->head[bucket(n, id)]; i; i = n->slot[i - 1].next)
		if (n->slot[i - 1].id == id)
			return &n->slot[i - 1];
	return NULL;
}

static void link_slot(struct latch_names *n, uint32_t number)
{
	uint32_t i = number % n->room;
	uint32_t *head = &n->head[bucket(n, n->slot[i].id)];

	n->slot[i].next = *head;
	*head = i + 1;
}

/* Removes the slot's old latch from its chain. */
static void unlink_slot(struct latch_names *n, uint32_t i)
{
	uint32_t *link = &n->head[bucket(n, n->slot[i].id)];

	while (*link != i + 1)
		link = &n->slot[*link - 1].next;
	*link = n->slot[i].next;
}

/* Doubles the table. No slot has been overwritten yet, so each latch moves to slot number % new
 * room. */
static bool grow_names(struct latch_names *n)
{
	struct latch_names bigger = {.room = n->room ? 2 * n->room : NAMES_MIN, .count = n->count};

	bigger.slot = calloc(bigger.room, sizeof(*bigger.slot));
	bigger.head = calloc(bigger.room, sizeof(*bigger.head));
	if (!bigger.slot || !bigger.head) {
		model_latch_names_free(&bigger);
		return false;
	}
	for (uint32_t i = 0; i < n->room; i++) {
		bigger.slot[n->slot[i].number % bigger.room] = n->slot[i];
		link_slot(&bigger, n->slot[i].number);
	}
	model_latch_names_free(n);
	*n = bigger;
	return true;
}

void model_latch_names_free(struct latch_names *n)
{
	free(n->slot);
	free(n->head);
	*n = (struct latch_names){0};
}

void model_latch_names_copy(struct latch_names *to, const struct latch_names *from)
{
	model_latch_names_free(to);
	if (!from->room)
		return;
	*to = *from;
	to->slot = calloc(from->room, sizeof *from->slot);
	to->head = calloc(from->room, sizeof *from->head);
	if (!to->slot || !to->head) {
		model_latch_names_free(to);
		return;
	}
	memcpy(to->slot, from->slot, from->room * sizeof *from->slot);
	memcpy(to->head, from->head, from->room * sizeof *from->head);
}

void model_latch_names_saved(struct latch_names *n, struct doze_saved *s)
{
	size_t slots = n->room, heads = n->room;

	(void)doze_saved_value(s, n->count);
	(void)doze_saved_array(s, n->slot, slots);
	(void)doze_saved_array(s, n->head, heads);
	if (slots != heads)
		(void)doze_saved_fail(s);
	n->room = s->failed ? n->room : (uint32_t)slots;
}

bool model_latch_names_are_many(const struct pool *p)
{
	return p->latches.room > MANY_NAMES;
}

void model_latch_seen(struct pool *p, uint64_t id)
{
	struct latch_names *n = &p->latches;
	uint32_t number = n->count + 1;

	if (find_latch(n, id))
		return;
	if (number > n->room && n->room < NAMES_MAX && !grow_names(n))
		return;
	if (number > n->room)
		unlink_slot(n, number % n->room);
	n->slot[number % n->room] = (struct latch_name){.id = id, .number = number};
	link_slot(n, number);
	n->count = number;
}

char *doze_model_latch_name(const struct doze_model *m, const struct doze_pool_view *pool,
			    uint64_t id, char *out)
{
	const struct pool *p = (const struct pool *)pool;
	const struct latch_name *name = p && !m->opt.raw_ids ? find_latch(&p->latches, id) : NULL;

	if (name)
		snprintf(out, DOZE_LATCH_NAME, "L%" PRIu32, name->number);
	else
		snprintf(out, DOZE_LATCH_NAME, "%#" PRIx64, id);
	return out;
}

/*
 * ---- Identifies the threads that act in a trace: keeps the names of outside threads
 * (from the context procname), and which threads are workers of another pool.
 */

/* Returns the index of a thread's row, or `count` if there is none. */
static uint32_t find_thread(const struct thread_names *n, uint32_t host, int32_t vtid)
{
	uint32_t i = 0;

	if (n->last < n->count && n->row[n->last].vtid == vtid && n->row[n->last].host == host)
		return n->last;
	while (i < n->count && (n->row[i].vtid != vtid || n->row[i].host != host))
		i++;
	return i;
}

static struct doze_thread_view *row_of(struct doze_model *m, uint32_t host, int32_t vtid)
{
	struct thread_names *n = &m->threads;
	uint32_t i = find_thread(n, host, vtid);

	if (i == n->count) {
		void *more = i < THREAD_NAMES_MAX
				 ? doze_grow(n->row, &n->capacity, i, sizeof *n->row)
				 : NULL;

		if (!more)
			return NULL;
		n->row = more;
		n->row[n->count++] = (struct doze_thread_view){.host = host, .vtid = vtid};
	}
	n->last = i;
	return &n->row[i];
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
	uint32_t i = p ? find_thread(&m->threads, p->host, vtid) : m->threads.count;

	return i < m->threads.count ? &m->threads.row[i] : NULL;
}

void model_thread_names_saved(struct doze_model *m, struct doze_saved *s)
{
	struct thread_names *n = &m->threads;
	size_t count = n->count;

	(void)doze_saved_array(s, n->row, count);
	for (size_t i = 0; i < count && !s->failed; i++) {
		const struct doze_worker_view **w = &n->row[i].worker;
		size_t row = *w && !s->loads ? (*w)->key.row : doze_model_workers(m);

		/* A row that does not exist stands for no worker. */
		*w = doze_saved_value(s, row) ? doze_model_worker(m, row) : NULL;
	}
	n->count = (uint32_t)count;
	n->capacity = s->loads ? count : n->capacity;
}

void model_thread_names_free(struct doze_model *m)
{
	free(m->threads.row);
	m->threads = (struct thread_names){0};
}
