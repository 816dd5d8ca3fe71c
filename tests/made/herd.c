/*
 * SPDX-License-Identifier: MIT
 *
 * herd.c - see herd.h. Counters: sleeping in bits 0-15, inactive 16-31, JEC from 32, as `jec` packs
 * them.
 */
#include "herd.h"

#include "../../viz/reader/fields.h"

#define ONE_SLEEPING UINT64_C(1)
#define ONE_INACTIVE (UINT64_C(1) << 16)
#define ONE_JEC      (UINT64_C(1) << 32)

enum { BEGIN, ROUNDS, STOP, DONE };

static struct doze_event *add(struct herd *h, enum doze_event_kind kind, int32_t worker)
{
	struct doze_event *e = &h->queue[h->tail++];

	*e = doze_event_prototype(kind);
	h->now += 300 + (int64_t)(h->made % 7) * 100;
	e->ts = h->now;
	e->pool = 1;
	e->worker = worker;
	e->vpid = 100;
	e->vtid = 101 + worker;
	e->cpu = (int32_t)((unsigned)(worker + 1) % h->cpus);
	h->made++;
	return e;
}

/* An event that reports a step of the word. */
static struct doze_event *add_step(struct herd *h, enum doze_event_kind kind, int32_t worker,
				   uint64_t delta)
{
	struct doze_event *e = add(h, kind, worker);

	e->has_words = true;
	e->old_word = h->word;
	e->new_word = h->word += delta;
	return e;
}

static void state(struct herd *h, int32_t w, enum doze_state from, enum doze_state to,
		  enum doze_reason why, uint64_t delta)
{
	struct doze_event *e = add_step(h, DOZE_EV_worker_state, w, delta);

	e->u.state.from = from;
	e->u.state.to = to;
	e->u.state.reason = why;
	e->u.state.jobs_run = h->jobs_run[w];
}

/* idle to asleep, by way of sleepy. */
static void fall_asleep(struct herd *h, int32_t w)
{
	if ((h->word >> 32) % 2 != 0) {
		struct doze_event *e = add_step(h, DOZE_EV_jec, w, ONE_JEC);

		e->u.jec.cause = DOZE_JEC_CAUSE_sleepy;
	}
	state(h, w, DOZE_STATE_idle, DOZE_STATE_sleepy, DOZE_REASON_rounds, 0);
	state(h, w, DOZE_STATE_sleepy, DOZE_STATE_sleeping, DOZE_REASON_rounds, ONE_SLEEPING);
}

static void begin(struct herd *h)
{
	struct doze_event *e = add(h, DOZE_EV_pool_start, -1);

	e->u.pool_start.policy = "jec";
	e->u.pool_start.version = "made";
	e->u.pool_start.workers = h->workers;
	e->u.pool_start.schema_major = DOZE_SCHEMA_MAJOR;
	e->u.pool_start.schema_minor = DOZE_SCHEMA_MINOR;
	e->u.pool_start.word = (struct doze_word_layout){DOZE_WORD_counters, 16, 16, 32};
	for (int32_t w = 0; w < (int32_t)h->workers; w++) {
		add(h, DOZE_EV_worker_start, w)->u.worker_start.name = "made";
		state(h, w, DOZE_STATE_none, DOZE_STATE_active, DOZE_REASON_start, 0);
		state(h, w, DOZE_STATE_active, DOZE_STATE_idle, DOZE_REASON_no_work, ONE_INACTIVE);
		fall_asleep(h, w);
	}
}

static void wake_one(struct herd *h, int32_t w, enum doze_cause cause)
{
	struct doze_event *e = add_step(h, DOZE_EV_wake, -1, -ONE_SLEEPING);

	e->u.wake.target = w;
	e->u.wake.wake_id = ++h->wake_id;
	e->u.wake.decision_id = h->round;
	e->u.wake.cause = cause;
	e->u.wake.scope = DOZE_SCOPE_one;
	add(h, DOZE_EV_woken, w)->u.woken.wake_id = h->wake_id;
	state(h, w, DOZE_STATE_sleeping, DOZE_STATE_idle, DOZE_REASON_woken, 0);
}

static void run_job(struct herd *h, int32_t w)
{
	state(h, w, DOZE_STATE_idle, DOZE_STATE_active, DOZE_REASON_found_injected, -ONE_INACTIVE);
	h->now += 5000;
	h->jobs_run[w]++;
	state(h, w, DOZE_STATE_active, DOZE_STATE_idle, DOZE_REASON_no_work, ONE_INACTIVE);
}

static void one_round(struct herd *h)
{
	unsigned first = (unsigned)(h->round++ * h->woken % h->workers);
	struct doze_event *e =
	    add_step(h, DOZE_EV_post, -1, (h->word >> 32) % 2 == 0 ? ONE_JEC : 0);

	e->u.post.queue = DOZE_QUEUE_injector;
	e->u.post.jobs = h->useful;
	e->u.post.was_empty = true;
	e->u.post.idle = 0;
	e->u.post.sleeping = (int32_t)h->workers;
	e->u.post.wakes = h->woken;
	e->u.post.decision_id = h->round;
	for (unsigned i = 0; i < h->woken; i++)
		wake_one(h, (int32_t)((first + i) % h->workers), DOZE_CAUSE_inject);
	for (unsigned i = 0; i < h->woken; i++) {
		int32_t w = (int32_t)((first + i) % h->workers);

		if (i < h->useful)
			run_job(h, w);
		fall_asleep(h, w);
	}
	h->now += 2000000; /* far enough apart to be storms of their own */
}

static void stop(struct herd *h)
{
	h->round++;
	for (int32_t w = 0; w < (int32_t)h->workers; w++) {
		wake_one(h, w, DOZE_CAUSE_terminate);
		state(h, w, DOZE_STATE_idle, DOZE_STATE_active, DOZE_REASON_latch_set,
		      -ONE_INACTIVE);
		state(h, w, DOZE_STATE_active, DOZE_STATE_stopped, DOZE_REASON_terminate, 0);
		add(h, DOZE_EV_worker_stop, w);
	}
	add(h, DOZE_EV_pool_stop, -1);
}

static void more(struct herd *h)
{
	h->head = h->tail = 0;
	if (h->phase == BEGIN)
		begin(h);
	else if (h->phase == ROUNDS)
		one_round(h);
	else if (h->phase == STOP)
		stop(h);
	if (h->phase != ROUNDS || h->made >= h->events)
		h->phase++;
}

enum made_what herd_next(void *ctx, struct doze_event *event, uint64_t *lost)
{
	struct herd *h = ctx;

	(void)lost;
	if (h->now == 0)
		h->now = INT64_C(1700000000000000000);
	if (h->head == h->tail && h->phase != DONE)
		more(h);
	if (h->head == h->tail)
		return MADE_END;
	*event = h->queue[h->head++];
	return MADE_EVENT;
}
