/*
 * SPDX-License-Identifier: MIT
 *
 * crews.c - the threads of the program, and the crews to which they belong.
 *
 * A crew stands for a pool: threads with one start routine and one stem of their names, which is
 * the name without the number at its end. A thread gets its crew when it first waits, wakes or
 * names itself, because threads take their names just after they begin; if it does none of these,
 * the snapshot thread announces it. The main thread is a crew of its own. The index of a thread
 * that has ended is used again, so that a program with many short threads does not fill the screen.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "any.h"
#include "lib/config.h"
#include "lib/trace_load.h"

enum { CREWS = 256, INDICES = 4096, NAME = 16 };

struct any_crew {
	uint32_t id;
	const void *start;
	char stem[NAME];
	/* Protected by the list's lock: indices in use, one bit each, and the number of indices
	 * above them, which are not used again. */
	uint64_t used[INDICES / 64];
	uint32_t above, most;
};

static struct {
	any_lock lock;
	struct any_thread *first; /* the threads of the program, newest first */
	struct any_crew crew[CREWS];
	uint32_t crews;
} all;

static uint32_t base;
static pthread_key_t key;
static bool has_key;
static _Atomic uint64_t ids;
static _Atomic uint32_t names; /* number of names given by other threads */

__thread struct any_thread any_me __attribute__((tls_model("initial-exec")));

uint64_t any_ids(uint32_t count)
{
	return atomic_fetch_add_explicit(&ids, count, memory_order_relaxed) + 1;
}

uint32_t any_crew_id(const struct any_crew *c)
{
	return c->id;
}

void any_name_changed(void)
{
	atomic_fetch_add_explicit(&names, 1, memory_order_relaxed);
}

static void state_of(struct any_thread *t, enum doze_state to, enum doze_reason why)
{
	struct doze_trace_state_info info = {
	    .from = (enum doze_state)atomic_load_explicit(&t->state, memory_order_relaxed),
	    .to = to,
	    .reason = why};

	doze_trace_worker_state(t->crew->id, t->index, &info);
	/* The snapshot thread reads the state alone, so nothing is ordered. */
	atomic_store_explicit(&t->state, (int)to, memory_order_relaxed);
}

void any_state(enum doze_state to, enum doze_reason why)
{
	state_of(&any_me, to, why);
}

/* ---- crews; with the list's lock ---- */

/* Inline, because a sanitizer would see a call of libc's functions. */
static bool same_text(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static void emit_crew(const struct any_crew *c)
{
	struct doze_trace_pool_info info = {.policy = "foreign",
					    .version = DOZE_VERSION,
					    .name = c->stem,
					    .schema_major = DOZE_SCHEMA_MAJOR,
					    .schema_minor = DOZE_SCHEMA_MINOR,
					    .level = doze_trace_level()};

	doze_trace_pool_start(c->id, &info);
	doze_trace_crew(c->id, c->start);
}

/* The last crew takes all threads for which there is no other. */
static struct any_crew *crew_of(const void *start, const char *stem)
{
	uint32_t i = 0;

	while (i < all.crews && !(all.crew[i].start == start && same_text(all.crew[i].stem, stem)))
		i++;
	if (i == CREWS)
		return &all.crew[CREWS - 1];
	if (i == all.crews) {
		struct any_crew *c = &all.crew[all.crews++];

		c->id = base + all.crews;
		c->start = i == CREWS - 1 ? NULL : start;
		stem = i == CREWS - 1 ? "others" : stem;
		for (unsigned k = 0; k < NAME - 1 && (c->stem[k] = stem[k]); k++)
			continue;
		emit_crew(c);
	}
	return &all.crew[i];
}

static int32_t take_index(struct any_crew *c)
{
	int32_t index = 0;

	for (unsigned k = 0; k < INDICES / 64; k++, index += 64)
		if (~c->used[k]) {
			int bit = __builtin_ctzll(~c->used[k]);

			c->used[k] |= UINT64_C(1) << bit;
			index += bit;
			c->most = c->most > (uint32_t)index ? c->most : (uint32_t)index + 1;
			return index;
		}
	return (int32_t)(INDICES + c->above++);
}

static void drop_index(struct any_crew *c, int32_t index)
{
	if (index < INDICES)
		c->used[index / 64] &= ~(UINT64_C(1) << index % 64);
}

/* ---- names ---- */

static bool joins(char c)
{
	return c == '-' || c == '_' || c == ' ' || c == '#' || c == ':' || c == '.' || c == '/';
}

/* Writes the stem of a name: without the number at its end, and what joins the two. */
static void stem_of(const char *name, char stem[NAME])
{
	size_t n = 0, length;

	while (n < NAME - 1 && name[n])
		n++;
	for (length = n; length && name[length - 1] >= '0' && name[length - 1] <= '9';)
		length--;
	while (length && length < n && joins(name[length - 1]))
		length--;
	if (!length) /* the name is a number */
		length = n;
	for (size_t i = 0; i < NAME; i++)
		stem[i] = i < length ? name[i] : 0;
}

/* LTTng's own threads in a program that has tracepoints itself are called PROGRAM-ust. Those of
 * libdoze that load and feed it have these names (trace_load.c). */
static bool is_tracers(const char *name)
{
	size_t n = 0;

	while (n < NAME && name[n])
		n++;
	return (n > 4 && same_text(name + n - 4, "-ust")) || same_text(name, "doze-load") ||
	       same_text(name, "doze-trace");
}

static bool is_main(const struct any_thread *t)
{
	return t->tid == (uint32_t)any_kernel(SYS_getpid, 0, 0, 0, 0);
}

/* ---- threads ---- */

static struct doze_trace_wait_totals_info totals_of(const struct any_thread *t)
{
	return (struct doze_trace_wait_totals_info){
	    .waits = atomic_load_explicit(&t->waits, memory_order_relaxed),
	    .woken = atomic_load_explicit(&t->woken, memory_order_relaxed),
	    .again = atomic_load_explicit(&t->again, memory_order_relaxed),
	    .timed_out = atomic_load_explicit(&t->timed_out, memory_order_relaxed),
	    .paused = atomic_load_explicit(&t->paused, memory_order_relaxed)};
}

static void emit_totals(const struct any_thread *t)
{
	const struct doze_trace_wait_totals_info totals = totals_of(t);

	doze_trace_wait_totals(t->crew->id, t->index, &totals);
}

void any_totals(void)
{
	emit_totals(&any_me);
}

static void clear_totals(struct any_thread *t)
{
	atomic_store_explicit(&t->waits, 0, memory_order_relaxed);
	atomic_store_explicit(&t->woken, 0, memory_order_relaxed);
	atomic_store_explicit(&t->again, 0, memory_order_relaxed);
	atomic_store_explicit(&t->timed_out, 0, memory_order_relaxed);
}

/* With the list's lock. The thread leaves its crew, for another one or because it ends. */
static void leave_crew(struct any_thread *t)
{
	if (!t->crew)
		return;
	atomic_store_explicit(&t->paused, false, memory_order_relaxed);
	emit_totals(t);
	state_of(t, DOZE_STATE_stopped, DOZE_REASON_terminate);
	doze_trace_worker_stop(t->crew->id, t->index);
	drop_index(t->crew, t->index);
	t->crew = NULL;
	t->held_cond = t->held_mutex = NULL;
	clear_totals(t);
}

/* With the list's lock: in the thread itself, or in the snapshot thread for a thread that has not
 * been announced. */
static void join_crew(struct any_thread *t, const char *name)
{
	char stem[NAME] = "main";
	struct any_crew *c;

	if (!is_main(t))
		stem_of(name, stem);
	c = crew_of(t->start, stem);
	if (c == t->crew)
		return;
	leave_crew(t);
	t->crew = c;
	t->index = take_index(c);
	atomic_store_explicit(&t->state, DOZE_STATE_none, memory_order_relaxed);
	doze_trace_worker_start(c->id, t->index, t->tid, name);
	state_of(t, DOZE_STATE_active, DOZE_REASON_start);
	/* Release: a thread that reads the flag as true reads the crew written above. */
	atomic_store_explicit(&t->announced, true, memory_order_release);
}

static void enlist(struct any_thread *t)
{
	t->next = all.first;
	t->prev = NULL;
	if (all.first)
		all.first->prev = t;
	all.first = t;
	t->listed = true;
}

static void delist(struct any_thread *t)
{
	if (!t->listed)
		return;
	if (t->prev)
		t->prev->next = t->next;
	else
		all.first = t->next;
	if (t->next)
		t->next->prev = t->prev;
	t->listed = false;
}

static bool lock_list(void)
{
	if (any_lock_take(&all.lock))
		return true;
	any_give_up();
	return false;
}

bool any_in_crew(void)
{
	struct any_thread *t = &any_me;
	uint32_t now = atomic_load_explicit(&names, memory_order_relaxed);
	char name[NAME] = "";

	if (atomic_load_explicit(&t->announced, memory_order_acquire) &&
	    !atomic_load_explicit(&t->renamed, memory_order_relaxed) && t->names == now)
		return true;
	t->names = now;
	atomic_store_explicit(&t->renamed, false, memory_order_relaxed);
	(void)any_kernel(SYS_prctl, PR_GET_NAME, (long)name, 0, 0);
	if (!t->listed)
		any_thread_begins(t->start, false);
	t->ignored |= is_tracers(name);
	if (t->ignored || !lock_list())
		return false;
	join_crew(t, name);
	any_lock_drop(&all.lock);
	return true;
}

/* A signal handler may have run in this thread before, and woken somebody: then the thread is in
 * the list already, and in a crew without its start routine, which it leaves at its next call. */
void any_thread_begins(const void *start, bool ignored)
{
	struct any_thread *t = &any_me;
	int error = any_enter();

	t->start = start;
	atomic_store_explicit(&t->renamed, true, memory_order_relaxed);
	t->ignored = ignored || !has_key || pthread_setspecific(key, t);
	if (!t->ignored && atomic_load_explicit(&any_recording.on, memory_order_relaxed)) {
		if (any_recording.init_thread)
			any_recording.init_thread();
		t->tid = (uint32_t)any_kernel(SYS_gettid, 0, 0, 0, 0);
		t->names = atomic_load_explicit(&names, memory_order_relaxed);
		if (!t->listed && lock_list()) {
			enlist(t);
			any_lock_drop(&all.lock);
		}
	}
	any_leave(error);
}

/* The destructor of the thread's data. Others may run after it and wait or wake, so it asks once to
 * be called again. Not more often: an event makes LTTng's own destructor run again, and
 * ThreadSanitizer ends the thread in the last of four rounds. */
static void thread_ends(void *thread)
{
	struct any_thread *t = thread;

	if (++t->endings < 2) {
		(void)pthread_setspecific(key, t);
		return;
	}
	t->busy = 0; /* a thread that jumped out of the preload has left it raised */
	int error = any_enter();
	any_wait_drop();
	if (t->listed && lock_list()) {
		if (atomic_load_explicit(&any_recording.on, memory_order_relaxed)) {
			char name[NAME] = "";

			(void)any_kernel(SYS_prctl, PR_GET_NAME, (long)name, 0, 0);
			if (!t->crew)
				join_crew(t, name);
			leave_crew(t);
		}
		delist(t);
		any_lock_drop(&all.lock);
	}
	t->ignored = true;
	any_leave(error);
}

/* ---- the process ---- */

bool any_crews_start(uint32_t first)
{
	base = first;
	has_key = pthread_key_create(&key, thread_ends) == 0;
	return has_key;
}

void any_crews_stop(void)
{
	if (!lock_list())
		return;
	for (struct any_thread *t = all.first; t; t = t->next)
		if (t->crew)
			emit_totals(t);
	any_sites_emit();
	for (uint32_t i = 0; i < all.crews; i++)
		doze_trace_pool_stop(all.crew[i].id);
	any_lock_drop(&all.lock);
}

void any_crews_go_on(void)
{
	if (!lock_list())
		return;
	for (uint32_t i = 0; i < all.crews; i++)
		emit_crew(&all.crew[i]);
	for (struct any_thread *t = all.first; t; t = t->next) {
		enum doze_state now =
		    (enum doze_state)atomic_load_explicit(&t->state, memory_order_relaxed);

		if (!t->crew)
			continue;
		atomic_store_explicit(&t->state, DOZE_STATE_none, memory_order_relaxed);
		doze_trace_worker_start(t->crew->id, t->index, t->tid, t->crew->stem);
		state_of(t, DOZE_STATE_active, DOZE_REASON_start);
		if (now == DOZE_STATE_sleeping)
			state_of(t, now, DOZE_REASON_waits);
	}
	any_lock_drop(&all.lock);
}

void any_crews_reset(void)
{
	struct any_thread *t = &any_me;

	memset(&all, 0, sizeof all);
	atomic_store_explicit(&ids, 0, memory_order_relaxed);
	t->crew = NULL;
	t->listed = false;
	atomic_store_explicit(&t->announced, false, memory_order_relaxed);
	clear_totals(t);
}

/* ---- snapshots ---- */

/* Reads the name of another thread. */
static void name_of(uint32_t tid, char name[NAME])
{
	char path[48] = "/proc/self/task/";
	size_t n = sizeof "/proc/self/task/" - 1, digits = 1;

	for (uint32_t k = tid; k >= 10; k /= 10)
		digits++;
	for (size_t i = digits; i--; tid /= 10)
		path[n + i] = (char)('0' + tid % 10);
	memcpy(path + n + digits, "/comm", sizeof "/comm");
	long file =
	    any_kernel(SYS_openat, -100 /* AT_FDCWD */, (long)path, O_RDONLY | O_CLOEXEC, 0);
	if (file < 0)
		return;
	long size = any_kernel(SYS_read, file, (long)name, NAME - 1, 0);
	(void)any_kernel(SYS_close, file, 0, 0, 0);
	name[size > 0 ? size - 1 : 0] = 0; /* without the line's end */
}

static void announce(struct any_thread *t)
{
	char name[NAME] = "";

	name_of(t->tid, name);
	join_crew(t, name);
}

/* What the snapshot thread copies of each thread while it holds the lock of the list. It emits the
 * copies without it, because a snapshot reads files of the kernel, and no thread must wait for that
 * to begin or to end. */
static struct copy {
	uint32_t crew, members, tid;
	int32_t index;
	enum doze_state state;
	struct doze_trace_wait_totals_info totals;
} copies[INDICES];

/* Returns the number of copies. */
static unsigned copy_threads(void)
{
	unsigned n = 0;

	if (!lock_list())
		return 0;
	for (struct any_thread *t = all.first; t && n < INDICES; t = t->next) {
		if (!t->crew)
			announce(t);
		if (!t->crew)
			continue;
		copies[n++] = (struct copy){
		    .crew = t->crew->id,
		    .members = t->crew->most + t->crew->above,
		    .tid = t->tid,
		    .index = t->index,
		    .state = (enum doze_state)atomic_load_explicit(&t->state, memory_order_relaxed),
		    .totals = totals_of(t)};
	}
	any_lock_drop(&all.lock);
	return n;
}

/** For trace_load.c, whose thread calls this every 500 ms while snapshots are recorded. */
void doze_trace_for_each_worker(void (*fn)(void *ctx, uint32_t pool, int32_t worker,
					   const struct doze_trace_snapshot_info *info),
				void *ctx)
{
	if (!atomic_load_explicit(&any_recording.on, memory_order_relaxed))
		return;
	any_provider_read_limits();
	unsigned n = copy_threads();

	for (unsigned i = 0; i < n; i++) {
		const struct copy *c = &copies[i];
		const struct doze_trace_snapshot_info info = {.policy = "foreign",
							      .workers = c->members,
							      .state = c->state,
							      .level = doze_trace_level(),
							      .tid = c->tid};

		if (!c->totals.paused) /* its state is not known here */
			fn(ctx, c->crew, c->index, &info);
		doze_trace_wait_totals(c->crew, c->index, &c->totals);
	}
	any_sites_emit();
}
