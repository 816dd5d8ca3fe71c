/*
 * SPDX-License-Identifier: MIT
 *
 * foreign_text.c - see foreign_text.h. One function per kind of event, in the table at the end.
 */
#include "foreign_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "units.h"

struct page {
	char *out;
	size_t size;
	const struct doze_wording *as;
};

/* Returns " by main (textbook.c:43)", or "" if the place is unknown. */
static const char *place(const struct page *g, const char *word, uint64_t address, char *out,
			 size_t size)
{
	const char *line =
	    address && g->as->place ? g->as->place(g->as->model, g->as->pool, address) : "";

	out[0] = 0;
	if (*line)
		(void)snprintf(out, size, " %s %s", word, line);
	return out;
}

static const char *object(enum doze_wait_kind k)
{
	static const char *const names[DOZE_WAIT_KIND_COUNT] = {"an object", "a condition variable",
								"a semaphore", "a futex"};

	return (unsigned)k < DOZE_WAIT_KIND_COUNT ? names[k] : names[0];
}

static void crew_start(const struct page *g, const struct doze_event *e)
{
	(void)e;
	(void)snprintf(g->out, g->size, "the first thread of crew '%s' is about to start",
		       g->as->pool->name);
}

static void crew(const struct page *g, const struct doze_event *e)
{
	char where[160];

	(void)snprintf(g->out, g->size, "the crew's threads run%s",
		       e->u.crew.start ? place(g, "", e->u.crew.start, where, sizeof where)
				       : " main");
}

static void state(const struct page *g, const struct doze_event *e)
{
	static const char *const left[DOZE_REASON_COUNT] = {
	    [DOZE_REASON_woken] = "woken",
	    [DOZE_REASON_timed_out] = "timed out",
	    [DOZE_REASON_recheck] = "did not sleep",
	    [DOZE_REASON_self_wake] = "by no call that doze saw",
	};
	enum doze_state from = e->u.state.from, to = e->u.state.to;
	const char *how =
	    (unsigned)e->u.state.reason < DOZE_REASON_COUNT ? left[e->u.state.reason] : NULL;
	const char *text = "leaves its wait";

	if (to == DOZE_STATE_stopped)
		text = "the thread ends";
	else if (from == DOZE_STATE_none)
		text = "the thread starts";
	else if (to == DOZE_STATE_sleeping)
		text = from == DOZE_STATE_idle
			   ? "waits again with its mutex held: the wake was in vain"
			   : "waits";
	else if (to == DOZE_STATE_idle)
		text = "returns from its wait with the mutex held";
	else if (from == DOZE_STATE_idle)
		text = "releases the mutex and goes on";
	(void)snprintf(g->out, g->size, "%s%s%s%s", text, how ? " (" : "", how ? how : "",
		       how ? ")" : "");
}

static void post(const struct page *g, const struct doze_event *e)
{
	char where[160];

	(void)snprintf(g->out, g->size, "calls for %s%s", doze_plural(e->u.post.wakes, "waiter"),
		       place(g, "in", e->u.post.caller, where, sizeof where));
}

static void wake(const struct page *g, const struct doze_event *e)
{
	(void)snprintf(g->out, g->size, "wakes a waiter, wake #%" PRIu64, e->u.wake.wake_id);
}

static void wait_begins(const struct page *g, const struct doze_event *e)
{
	char where[160];

	(void)snprintf(g->out, g->size, "is about to wait on %s %#" PRIx64 "%s",
		       object(e->u.wait.kind), e->u.wait.address,
		       place(g, "in", e->u.wait.caller, where, sizeof where));
}

static void totals(const struct page *g, const struct doze_event *e)
{
	(void)snprintf(g->out, g->size, "so far %s, woken %s, waited again %s, timed out %s",
		       doze_plural(e->u.wait_totals.waits, "wait"),
		       doze_count(e->u.wait_totals.woken), doze_count(e->u.wait_totals.again),
		       doze_count(e->u.wait_totals.timed_out));
}

const char *doze_state_words(bool crew, enum doze_state state)
{
	static const char *const words[DOZE_STATE_COUNT] = {
	    [DOZE_STATE_active] = "not in a wait that doze sees",
	    [DOZE_STATE_idle] = "woken, holds its mutex",
	    [DOZE_STATE_sleeping] = "waits",
	    [DOZE_STATE_stopped] = "ended",
	};

	return crew && (unsigned)state < DOZE_STATE_COUNT && words[state] ? words[state]
									  : doze_state_name(state);
}

bool doze_foreign_text(char *out, size_t size, const struct doze_event *e,
		       const struct doze_wording *as)
{
	static void (*const table[DOZE_EV_COUNT])(const struct page *,
						  const struct doze_event *) = {
	    [DOZE_EV_pool_start] = crew_start,
	    [DOZE_EV_crew] = crew,
	    [DOZE_EV_worker_state] = state,
	    [DOZE_EV_post] = post,
	    [DOZE_EV_wake] = wake,
	    [DOZE_EV_wait] = wait_begins,
	    [DOZE_EV_wait_totals] = totals,
	};
	const struct page g = {.out = out, .size = size, .as = as};

	if (!as->pool || !doze_pool_is_crew(as->pool) || (unsigned)e->kind >= DOZE_EV_COUNT ||
	    !table[e->kind])
		return false;
	table[e->kind](&g, e);
	return true;
}
