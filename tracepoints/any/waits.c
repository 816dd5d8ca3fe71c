/*
 * SPDX-License-Identifier: MIT
 *
 * waits.c - who waits on what, and which wake is meant for whom.
 *
 * A wake call names an object, not a thread. So each thread that waits is in the list of its
 * object's bucket, in order of arrival, and a wake call gives the number of its wake to the waits
 * of longest standing that have none. A thread that is woken reports that number. Where the kernel
 * or the C library wakes another thread than that, the woken thread takes the number from the wait
 * that had it (take_wake), and a thread whose wait ends without a wake leaves its number to another
 * one (give_wake). So the numbers of wakes and of woken threads agree, although a single wake may
 * be attributed to a neighbour's call that came at the same time.
 *
 * An address means something only while a thread waits on it: with the last wait, nothing is left
 * of the object, and another one may get its address.
 */
#include <string.h>

#include "any.h"

#define BUCKETS 1024 /* a power of two */

struct bucket {
	any_lock lock;
	/* The list; protected by the lock, but wake calls look at `first` without it. */
	_Atomic(struct any_wait *) first;
	struct any_wait *last;
	uint64_t arrivals;
	/* The latest call for all waits on an object. glibc's broadcast also wakes threads that
	 * begin to wait while it runs, among them some that it has just woken. */
	struct {
		const void *object;
		struct any_waker by;
		uint64_t to; /* the last wait that arrived before it ended; UINT64_MAX: it runs */
		/* Wakes that later calls gave to waits which this call had woken already, so each
		 * woke another wait; and the latest such call. */
		uint32_t spare;
		struct any_waker spare_by;
	} all;
} __attribute__((aligned(64)));

static struct bucket buckets[BUCKETS];

static struct bucket *bucket_of(const void *object)
{
	uint64_t hash = ((uint64_t)(uintptr_t)object >> 2) * UINT64_C(0x9e3779b97f4a7c15);

	return &buckets[hash >> 54];
}

static struct any_wait *first_of(struct bucket *b)
{
	return atomic_load_explicit(&b->first, memory_order_relaxed);
}

/* ---- lists; with the bucket's lock ---- */

static void append(struct bucket *b, struct any_wait *w)
{
	w->arrival = ++b->arrivals;
	w->next = NULL;
	w->prev = b->last;
	if (b->last)
		b->last->next = w;
	else
		/* Release, so that a wake call that sees the wait may take the lock and read it. */
		atomic_store_explicit(&b->first, w, memory_order_release);
	b->last = w;
}

static void take_out(struct bucket *b, struct any_wait *w)
{
	if (w->prev)
		w->prev->next = w->next;
	else
		atomic_store_explicit(&b->first, w->next, memory_order_release);
	if (w->next)
		w->next->prev = w->prev;
	else
		b->last = w->prev;
	w->object = NULL;
}

/* Emits a wake in the name of the thread whose call has woken this one, which was not in the plan
 * of that call. The decision tells who that was. */
static void late_wake(const struct any_waker *by, enum doze_scope_kind scope, struct any_wait *w)
{
	struct doze_trace_wake_info info = {
	    .target = -1, .decision_id = by->decision, .cause = DOZE_CAUSE_call, .scope = scope};

	w->wake.id = w->quiet ? ANY_QUIET : any_ids(1);
	info.wake_id = w->wake.id;
	if (w->quiet)
		return;
	doze_trace_wake(any_crew_id(w->crew), by->crew == w->crew ? by->index : -1, &info);
}

/* Whether the wait arrived before the latest call for all waits ended. */
static bool in_time_for_all(const struct bucket *b, const struct any_wait *w)
{
	return b->all.object == w->object && w->arrival <= b->all.to;
}

/* A woken wait without a wake. If it arrived before the latest call for all waits ended, that call
 * woke it. Otherwise it takes the wake of another wait: the wake was given to the oldest one, but
 * the C library or the kernel chose this one. If there is none any more, the oldest one may have
 * ended with it although the call for all had woken it (note_spare). */
static void take_wake(struct bucket *b, struct any_wait *w)
{
	struct any_wait *o = first_of(b);

	if (in_time_for_all(b, w)) {
		late_wake(&b->all.by, DOZE_SCOPE_all, w);
		return;
	}
	while (o && !(o->object == w->object && o->wake.id))
		o = o->next;
	if (o) {
		w->wake.id = o->wake.id;
		o->wake.id = 0;
	} else if (b->all.object == w->object && b->all.spare > 0) {
		b->all.spare--;
		late_wake(&b->all.spare_by, DOZE_SCOPE_one, w);
	}
}

/* A wait ends with its wake. If a later call than the latest one for all waits gave it this wake,
 * and the call for all may have woken it before that, the later call may have woken another wait,
 * for which nothing is left. */
static void note_spare(struct bucket *b, const struct any_wait *w)
{
	if (w->wake.id == ANY_QUIET || !in_time_for_all(b, w) ||
	    w->wake.by.decision <= b->all.by.decision)
		return;
	b->all.spare++;
	b->all.spare_by = w->wake.by;
}

/* A wait that ended by itself leaves its number to another one that was there when the wake was
 * called. If there is none, the wake had no effect. */
static void give_wake(struct bucket *b, struct any_wait *w)
{
	struct any_wait *o = first_of(b);

	while (o && !(o->object == w->object && !o->wake.id && o->arrival <= w->wake.reach))
		o = o->next;
	if (!o)
		return;
	o->wake = w->wake;
	w->wake.id = 0;
}

/* ---- waits ---- */

/* The kernel's frame of a signal is larger than this, on both architectures. */
#define SIGNAL_FRAME 512

/* Returns whether the thread has jumped out of the wait in which the list shows it. A signal
 * handler that interrupted the wait has its frames below the kernel's frame of the signal, which is
 * below that of the wait, or on another stack; code that runs after a jump has them above. */
static bool jumped_out(const char *frame)
{
	const char *limit = any_me.wait_frame - SIGNAL_FRAME;

	return frame > limit && frame - limit < (1 << 23);
}

/* The thread is about to wait, and the wait is recorded. `again`: woken, and waits again with the
 * mutex held throughout, so idle -> sleeping. */
static void begin_recorded(struct any_thread *t, enum doze_wait_kind kind, const void *object,
			   const void *caller, bool again)
{
	if (t->held_cond && !again)
		any_go_on();
	atomic_store_explicit(&t->paused, false, memory_order_relaxed);
	doze_trace_wait(any_crew_id(t->crew), t->index, kind, object, caller);
	any_state(DOZE_STATE_sleeping, DOZE_REASON_waits);
}

/* The thread is about to wait, and the wait is only counted. Its last recorded wake still gets its
 * verdict. */
static void begin_quiet(struct any_thread *t, bool again)
{
	if (atomic_load_explicit(&t->paused, memory_order_relaxed))
		return;
	if (again)
		any_state(DOZE_STATE_sleeping, DOZE_REASON_waits);
	else if (t->held_cond)
		any_go_on();
	atomic_store_explicit(&t->paused, true, memory_order_relaxed);
	atomic_store_explicit(&t->state, DOZE_STATE_active, memory_order_relaxed);
	any_totals();
}

bool any_wait_begin(const void *object, enum doze_wait_kind kind, const void *mutex,
		    const void *caller, const char *frame)
{
	struct any_thread *t = &any_me;
	struct any_wait *w = &t->wait;
	struct bucket *b = bucket_of(object);
	bool quiet = false;

	if (w->object && !jumped_out(frame))
		return false; /* a signal handler waits during a wait */
	int error = any_enter();
	any_wait_drop();
	bool known = any_in_crew();
	if (known) {
		bool again =
		    kind == DOZE_WAIT_cond && t->held_cond == object && t->held_mutex == mutex;

		quiet = !any_budget();
		any_count(&t->waits, 1);
		any_count(&t->again, again);
		if (quiet)
			begin_quiet(t, again);
		else
			begin_recorded(t, kind, object, caller, again);
		t->held_cond = t->held_mutex = NULL;
		t->wait_frame = frame;
		known = any_lock_take(&b->lock);
		if (!known)
			any_give_up();
	}
	if (known) {
		*w = (struct any_wait){.object = object,
				       .kind = kind,
				       .crew = t->crew,
				       .index = t->index,
				       .quiet = quiet};
		append(b, w);
		any_lock_drop(&b->lock);
	}
	any_leave(error);
	any_jitter();
	return known;
}

/* Takes the wait out of its list. Returns the number of the wake that ended it, or 0. */
static uint64_t end_of(struct any_wait *w, enum any_end end)
{
	struct bucket *b = bucket_of(w->object);
	uint64_t id = 0;

	if (!any_lock_take(&b->lock)) {
		any_give_up();
		return 0;
	}
	if (w->object) { /* unless the process has forgotten all waits */
		if (end != ANY_WOKEN && w->wake.id)
			give_wake(b, w);
		if (end == ANY_WOKEN && w->wake.id)
			note_spare(b, w);
		else if (end == ANY_WOKEN)
			take_wake(b, w);
		if (end == ANY_WOKEN)
			id = w->wake.id;
		take_out(b, w);
	}
	any_lock_drop(&b->lock);
	return id;
}

static enum doze_reason reason_of(enum any_end end, enum doze_wait_kind kind, uint64_t id)
{
	if (id)
		return DOZE_REASON_woken;
	if (end == ANY_LEFT)
		return DOZE_REASON_timed_out;
	/* sem_wait succeeds without a wake if the semaphore was posted after sem_trywait. */
	if (end == ANY_NOT_SLEPT || kind == DOZE_WAIT_sem)
		return DOZE_REASON_recheck;
	return DOZE_REASON_self_wake;
}

void any_wait_end(enum any_end end, const void *mutex)
{
	struct any_thread *t = &any_me;
	enum doze_wait_kind kind = t->wait.kind;
	const void *object = t->wait.object;
	int error = any_enter();
	uint64_t id = object ? end_of(&t->wait, end) : 0;
	enum doze_reason why = reason_of(end, kind, id);

	if (object && t->crew) {
		bool held = id && kind == DOZE_WAIT_cond;

		any_count(&t->woken, id != 0);
		any_count(&t->timed_out, why == DOZE_REASON_timed_out);
		if (id && id != ANY_QUIET)
			doze_trace_woken(any_crew_id(t->crew), t->index, id);
		if (!t->wait.quiet)
			any_state(held ? DOZE_STATE_idle : DOZE_STATE_active,
				  id == ANY_QUIET ? DOZE_REASON_self_wake : why);
		t->held_cond = held ? object : NULL;
		t->held_mutex = held ? mutex : NULL;
	}
	any_leave(error);
}

void any_go_on(void)
{
	int error = any_enter();

	any_me.held_cond = any_me.held_mutex = NULL;
	if (!atomic_load_explicit(&any_me.paused, memory_order_relaxed))
		any_state(DOZE_STATE_active, DOZE_REASON_went_on);
	any_leave(error);
}

void any_wait_drop(void)
{
	if (any_me.wait.object)
		any_wait_end(ANY_LEFT, NULL);
}

/* ---- wakes ---- */

/* One call that wakes. */
struct call {
	const void *object, *caller;
	enum doze_wait_kind kind;
	int asked;        /* n, or ANY_ALL */
	uint32_t waiting; /* threads that wait on the object */
	uint32_t given;   /* wakes that were given to waits */
	uint64_t first_id, last_id, decision;
};

/* Emits the decision of a call for the n waits of one crew. */
static void emit_post(struct call *c, const struct any_crew *crew, int32_t by, uint32_t n)
{
	struct doze_trace_post_info info = {.queue = DOZE_QUEUE_none,
					    .idle = -1,
					    .sleeping = (int32_t)c->waiting,
					    .wakes = n,
					    .caller = c->caller,
					    .decision_id = c->decision = any_ids(1)};

	doze_trace_post(any_crew_id(crew), by, &info);
}

/* Returns how many waits without a wake follow each other in one crew from w on, at most `most`. */
static uint32_t run_length(const struct any_wait *w, uint32_t most)
{
	const void *object = w->object;
	const struct any_crew *crew = w->crew;
	uint32_t n = 0;

	for (; w && n < most; w = w->next) {
		if (w->object != object || w->wake.id || w->quiet)
			continue;
		if (w->crew != crew)
			break;
		n++;
	}
	return n;
}

/* Gives n wakes to the waits of longest standing that have none, and emits them. */
static void give(struct bucket *b, struct call *c, uint32_t n)
{
	const struct any_crew *crew = NULL;
	struct doze_trace_wake_info info = {.target = -1,
					    .cause = DOZE_CAUSE_call,
					    .scope = c->asked == ANY_ALL ? DOZE_SCOPE_all
									 : DOZE_SCOPE_one};

	for (struct any_wait *w = first_of(b); w && n; w = w->next) {
		if (w->object != c->object || w->wake.id)
			continue;
		w->wake.reach = b->arrivals;
		c->given++;
		n--;
		if (w->quiet) {
			w->wake.id = ANY_QUIET;
			continue;
		}
		int32_t by = any_me.crew == w->crew ? any_me.index : -1;

		if (w->crew != crew) { /* one decision for each run of waits of one crew */
			crew = w->crew;
			emit_post(c, crew, by, run_length(w, n + 1));
		}
		info.decision_id = c->decision;
		info.wake_id = w->wake.id = any_ids(1);
		w->wake.by = (struct any_waker){c->decision, any_me.crew, any_me.index};
		if (!c->first_id)
			c->first_id = info.wake_id;
		c->last_id = info.wake_id;
		doze_trace_wake(any_crew_id(crew), by, &info);
	}
}

/* Before the real call: gives its wakes to waits. */
static void plan(struct bucket *b, struct call *c)
{
	if (!any_lock_take(&b->lock)) {
		any_give_up();
		return;
	}
	for (struct any_wait *w = first_of(b); w; w = w->next)
		c->waiting += w->object == c->object;
	give(b, c, c->asked == ANY_ALL ? c->waiting : (uint32_t)c->asked);
	if (c->kind == DOZE_WAIT_cond && c->asked == ANY_ALL && c->given) {
		b->all.object = c->object;
		b->all.by = (struct any_waker){c->decision, any_me.crew, any_me.index};
		b->all.to = UINT64_MAX;
		b->all.spare = 0;
	}
	any_lock_drop(&b->lock);
}

/* After the real call for all waits: waits that begin from now on cannot be woken by it. */
static void close_call(struct bucket *b, const struct call *c)
{
	if (!any_lock_take(&b->lock)) {
		any_give_up();
		return;
	}
	if (b->all.by.decision == c->decision)
		b->all.to = b->arrivals;
	any_lock_drop(&b->lock);
}

/* After a futex call, whose result says how many threads it woke. Waits that it did not wake lose
 * their numbers again: those wakes woke nobody. If it woke more, it woke waits that were given
 * numbers by other calls, or that began just before the call. */
static void correct(struct bucket *b, struct call *c, uint32_t woke)
{
	uint32_t too_many = c->given > woke ? c->given - woke : 0;

	if (c->given == woke)
		return;
	if (!any_lock_take(&b->lock)) {
		any_give_up();
		return;
	}
	for (struct any_wait *w = b->last; w && too_many; w = w->prev)
		if (w->object == c->object && w->wake.id &&
		    (w->wake.id == ANY_QUIET ||
		     (w->wake.id >= c->first_id && w->wake.id <= c->last_id))) {
			w->wake.id = 0;
			too_many--;
		}
	if (woke > c->given)
		give(b, c, woke - c->given);
	any_lock_drop(&b->lock);
}

/* A condition variable forgets a signal if each waiter has one already; a semaphore and a futex
 * count. */
static bool was_for_nobody(const struct call *c, long result)
{
	switch (c->kind) {
	case DOZE_WAIT_futex:
		return result <= 0;
	case DOZE_WAIT_sem:
		return c->waiting == 0;
	default:
		return c->given == 0;
	}
}

long any_wake(const void *object, enum doze_wait_kind kind, int n, const void *caller,
	      long (*real)(void *), void *ctx)
{
	struct call c = {.object = object, .caller = caller, .kind = kind, .asked = n};
	struct bucket *b = bucket_of(object);
	long result;

	if (!any_sees(caller))
		return real(ctx);
	any_jitter();
	int error = any_enter();
	/* A thread that wakes others has done something, and has not only looked. */
	if (any_me.held_cond)
		any_go_on();
	if (any_me.wait.object && jumped_out(__builtin_frame_address(0)))
		any_wait_drop();
	if (!any_me.wait.object) /* otherwise a signal handler wakes during a wait */
		(void)any_in_crew();
	/* Orders the program's change of the futex's word before the look at the list: a thread
	 * that is not seen there yet will see the change and not sleep. */
	atomic_thread_fence(memory_order_seq_cst);
	if (first_of(b))
		plan(b, &c);
	any_leave(error);
	result = real(ctx);
	error = any_enter();
	if (kind == DOZE_WAIT_futex)
		correct(b, &c, result > 0 ? (uint32_t)result : 0);
	else if (kind == DOZE_WAIT_cond && n == ANY_ALL && c.given)
		close_call(b, &c);
	any_site_count(kind, caller, was_for_nobody(&c, result));
	any_leave(error);
	return result;
}

void any_waits_reset(void)
{
	for (unsigned i = 0; i < BUCKETS; i++) {
		atomic_store_explicit(&buckets[i].first, NULL, memory_order_relaxed);
		atomic_store_explicit(&buckets[i].lock, 0, memory_order_relaxed);
		buckets[i].last = NULL;
		buckets[i].all.object = NULL;
	}
	any_me.wait.object = NULL;
	any_me.held_cond = any_me.held_mutex = NULL;
}
