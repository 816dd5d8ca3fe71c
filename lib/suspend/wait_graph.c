/*
 * SPDX-License-Identifier: MIT
 *
 * wait_graph.c - see wait_graph.h.
 *
 * The search follows edges backwards from `from`, through the futures that wait for it, and has
 * found a cycle if it reaches `to`. It goes backwards because an inline task records the task that
 * it runs in, whereas a task has no list of the tasks that it runs inline.
 *
 * Lock: `lock` protects all edges and the futures' fields `in`, `visit` and `via`. It is a leaf
 * lock.
 */
#include "wait_graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../future.h"
#include "../pool.h"
#include "suspend.h"

#define LISTED 16 /* maximum number of waits that a message lists */

static doze_mutex lock = DOZE_MUTEX_INIT;
static struct doze_edge *edges; /* protected by lock */
static uint64_t visits;         /* protected by lock; number of searches so far */

doze_mutex *doze_graph_lock(void)
{
	return &lock;
}

void doze_graph_fork_prepare(void)
{
	doze_mutex_lock(&lock);
}

void doze_graph_fork_parent(void)
{
	doze_mutex_unlock(&lock);
}

void doze_graph_fork_child(void)
{
	edges = NULL; /* the child does not have the threads of these edges */
	doze_mutex_unlock(&lock);
}

static void print_future(const char *before, const struct doze_future *f)
{
	/* Only the function's address is known here; `addr2line -f` or a debugger translates it to
	 * a name. */
	void *task;
	memcpy(&task, &f->fn, sizeof task);
	fprintf(stderr, "%sfuture %#" PRIx64 " of pool %u (task %p)", before, f->job.id, f->pool_id,
		task);
}

/* Called with the lock held. Adds f, which waits for `via` or is the start of the search, to the
 * futures to visit. Returns false if f is null or the search has already seen it. */
static bool visit(struct doze_future *f, struct doze_future *via, struct doze_future **todo)
{
	if (f == NULL || f->visit == visits)
		return false;
	f->visit = visits;
	f->via = via;
	f->todo = *todo;
	*todo = f;
	return true;
}

/* Called with the lock held. Returns whether `to` waits for `from`, directly or not; if so, the
 * `via` fields lead from `to` to `from`. */
static bool waits_for(struct doze_future *to, struct doze_future *from)
{
	struct doze_future *todo = NULL;

	visits++;
	(void)visit(from, NULL, &todo);
	while (todo != NULL) {
		struct doze_future *f = todo;
		todo = f->todo;
		if (f == to)
			return true;
		/* Relaxed: an inline task's edge is stored before its task publishes any edge, and
		 * those are published under the lock. */
		(void)visit(da_load(&f->inline_in, RLX), f, &todo);
		for (struct doze_edge *e = f->in; e != NULL; e = e->next_in)
			(void)visit(e->from, f, &todo);
	}
	return false;
}

/* Called with the lock held, when `via` leads from `to` to `from`. */
_Noreturn static void report_cycle(const struct doze_future *from, const struct doze_future *to)
{
	fprintf(stderr, "doze: doze_future_get: these futures wait for each other forever:\n");
	for (const struct doze_future *f = to; f != from; f = f->via) {
		print_future("doze:   ", f);
		print_future(" waits for ", f->via);
		fputc('\n', stderr);
	}
	print_future("doze:   ", from);
	print_future(" waits for ", to);
	fprintf(stderr, ", which closes the cycle\n");
	abort();
}

void doze_edge_publish(struct doze_edge *edge, struct doze_future *from, struct doze_future *to)
{
	*edge = (struct doze_edge){.from = from, .to = to};
	doze_mutex_lock(&lock);
	edge->next_in = to->in;
	edge->link_in = &to->in;
	if (edge->next_in != NULL)
		edge->next_in->link_in = &edge->next_in;
	to->in = edge;
	edge->next = edges;
	edge->link = &edges;
	if (edge->next != NULL)
		edge->next->link = &edge->next;
	edges = edge;
	if (waits_for(to, from))
		report_cycle(from, to);
	doze_mutex_unlock(&lock);
}

void doze_edge_withdraw(struct doze_edge *edge)
{
	doze_mutex_lock(&lock);
	*edge->link_in = edge->next_in;
	if (edge->next_in != NULL)
		edge->next_in->link_in = edge->link_in;
	*edge->link = edge->next;
	if (edge->next != NULL)
		edge->next->link = edge->link;
	doze_mutex_unlock(&lock);
}

static const char *awaited(enum doze_latch_kind kind)
{
	switch (kind) {
	case DOZE_LATCH_KIND_count:
		return "the end of a scope or a broadcast";
	case DOZE_LATCH_KIND_spin:
		return "the other half of a join, or a doze_install";
	default:
		return "a future";
	}
}

static void print_wait(const struct doze_suspended *s)
{
	fprintf(stderr, "doze:   worker %d", (int)s->worker->index);
	if (s->root != NULL)
		print_future(", in ", s->root);
	if (s->target != NULL)
		print_future(", waits for ", s->target);
	else
		fprintf(stderr, " waits for %s", awaited(s->kind));
	fputc('\n', stderr);
}

/* Called with the lock held. Prints and returns a future that f waits for, or returns null if there
 * is none. */
static const struct doze_future *print_next(const struct doze_future *f)
{
	for (const struct doze_edge *e = edges; e != NULL; e = e->next) {
		if (e->from != f)
			continue;
		print_future("doze:   ", f);
		print_future(" waits for ", e->to);
		fputc('\n', stderr);
		return e->to;
	}
	return NULL;
}

_Noreturn static void report_chain(const struct doze_suspended *s)
{
	const struct doze_future *f = s->target;
	unsigned n = 0;

	print_wait(s);
	doze_mutex_lock(&lock);
	while (f != NULL && ++n < LISTED)
		f = print_next(f);
	doze_mutex_unlock(&lock);
	fprintf(stderr, "doze: suspended waits of pool %u, newest first:\n", s->worker->pool->id);
	doze_mutex_lock(&s->worker->pool->suspend.lock);
	n = 0;
	for (struct doze_suspended *w = s->worker->pool->suspend.waits; w != NULL && n < LISTED;
	     w = w->next, n++)
		print_wait(w);
	/* Relaxed: the lock provides the ordering. */
	uint32_t count = da_load(&s->worker->pool->suspend.count, RLX);
	if (count > n)
		fprintf(stderr, "doze:   and %u more\n", count - n);
	abort();
}

void doze_too_many_waits(const struct doze_suspended *s)
{
	fprintf(stderr,
		"doze: pool %u has %u suspended waits, the maximum (doze_config.max_suspended, "
		"DOZE_MAX_SUSPENDED), so it cannot suspend this one:\n",
		s->worker->pool->id, s->worker->pool->suspend.max);
	report_chain(s);
}

void doze_no_spare(const struct doze_suspended *s, int error)
{
	fprintf(stderr,
		"doze: cannot create a thread to replace that of worker %d in pool %u (%s) "
		"during this wait:\n",
		(int)s->worker->index, s->worker->pool->id, strerror(error));
	report_chain(s);
}
