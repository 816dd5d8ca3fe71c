/*
 * SPDX-License-Identifier: MIT
 *
 * ops.c - the steps: how explored code requests them, and which of them need a choice point; and
 * the memory that explored code allocates.
 *
 * The operations (ex_load … ex_thread_join) run on the coroutines: each writes its step into the
 * world and suspends. perform.c executes the step. A step that no other thread can notice is taken
 * at once, without a choice point; see ex_is_silent.
 */
#include "world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* After this many silent steps in a row, a thread is assumed to be looping on a plain variable. */
#define EX_LOCAL_MAX 20000

struct ex_op *ex_op_new(enum ex_kind kind, uintptr_t addr, struct ex_site at)
{
	struct ex_op *op = &W->t[E->cur].op;
	memset(op, 0, sizeof(*op));
	op->kind = (uint8_t)kind;
	op->addr = addr;
	op->at = at;
	return op;
}

/** Returns whether the step empties the buffer first under TSO, as locked instructions and fences
 * do. */
bool ex_drains(const struct ex_op *op)
{
	switch ((enum ex_kind)op->kind) {
	case EX_OP_RMW:
	case EX_OP_CAS:
	case EX_OP_LOCK:
	case EX_OP_TRYLOCK:
	case EX_OP_UNLOCK:
	case EX_OP_WAIT:
	case EX_OP_CREATE:
	case EX_OP_FENCE_ALL:
		return true;
	case EX_OP_STORE:
	case EX_OP_FENCE:
		return op->order == SC;
	default:
		return false;
	}
}

/** Returns whether the step commutes with all steps of other threads. Also records that the thread
 * touches the object. */
static bool commutes(const struct ex_op *op, int thread)
{
	bool tso = E->opt.memory == EX_MEM_TSO;

	switch ((enum ex_kind)op->kind) {
	case EX_OP_LOAD:
		return !ex_is_visible(op->addr, thread, false);
	case EX_OP_RMW:
	case EX_OP_CAS:
		return !ex_is_visible(op->addr, thread, true);
	case EX_OP_LOCK:
		return !ex_is_shared(op->addr, thread);
	case EX_OP_TRYLOCK: /* counts as a write, because its result depends on other threads'
			       unlocks */
		return !ex_is_visible(op->addr, thread, true);
	case EX_OP_STORE: /* a buffered store is invisible to other threads until it is flushed */
		return !ex_is_visible(op->addr, thread, true) ||
		       (tso && op->order != SC && W->t[thread].nbuf < EX_MAX_BUF &&
			!ex_heavy_fences());
	case EX_OP_FENCE:
		return E->opt.memory != EX_MEM_WEAK;
	case EX_OP_FENCE_ALL:
		ex_share_heavy();
		return E->opt.memory == EX_MEM_SC;
	case EX_OP_UNLOCK:
		/* The unlock commutes with earlier steps of other threads, which cannot change a
		 * held mutex, except for a trylock, which can fail. */
		return !ex_is_visible(op->addr, thread, false);
	case EX_OP_CREATE:
		return true;
	case EX_OP_YIELD: /* matters only in a bounded search: the switch after a yield is free */
		return E->opt.bound < 0 && E->local_run < EX_LOCAL_MAX / 2;
	default:
		return false;
	}
}

/** Returns whether no other thread can notice the thread's next step. */
bool ex_is_silent(int thread)
{
	const struct ex_op *op = &W->t[thread].op;
	/* Always call this: even a step that must drain the buffer first touches its object. */
	bool local = commutes(op, thread);
	bool drains = E->opt.memory == EX_MEM_TSO && ex_drains(op) && W->t[thread].nbuf > 0;

	return local && !drains;
}

/** Takes a step without a choice point, and records for plain.c what it touches and orders. */
static void perform_local(int me)
{
	const struct ex_op *op = &W->t[me].op;
	enum ex_kind kind = op->kind;
	uintptr_t addr = op->addr;
	size_t size = op->size ? op->size : sizeof(doze_mutex);
	unsigned buffered = W->t[me].nbuf;

	if (kind == EX_OP_CREATE)
		ex_plain_close(me);
	ex_perform(me, 0);
	if (kind == EX_OP_UNLOCK)
		ex_plain_local(me, addr, size, EX_TOUCH_UNLOCK);
	else if (W->t[me].nbuf > buffered)
		ex_plain_local(me, addr, 0, EX_TOUCH_STORE);
	else if (addr)
		ex_plain_local(me, addr, size, EX_TOUCH_ATOMIC);
}

/** Called on a coroutine. Takes the step in world.t[cur].op, at once or when the search chooses it.
 */
void ex_step(void)
{
	int me = E->cur;
	if (ex_is_silent(me) && !E->every_step) {
		if (++E->local_run > EX_LOCAL_MAX)
			ex_fail("%s loops forever in %s without a step that another thread can see",
				ex_thread_name(me), W->t[me].op.at.func);
		perform_local(me);
		return;
	}
	ex_coro_suspend();
}

static void check_live(const struct ex_op *op, const char *how)
{
	ex_place_note_step(E->cur, op->addr);
	ex_touch(E->cur, op->addr, op->size ? op->size : 4, how);
}

/** Returns the step's result, and clears the step so that equal states are equal memory. */
static uint64_t finish(void)
{
	struct ex_op *op = &W->t[E->cur].op;
	/* Not through a local copy: what is left on this stack is hashed as part of the state. */
	E->done.kind = op->kind;
	E->done.what = op->at.what;
	E->done.result = op->result;
	E->done.changes = op->kind == EX_OP_RMW &&
			  ex_rmw_value(op->sub, op->result, op->value, op->size) != op->result;
	if (E->reports_checked)
		ex_reports_step(op);
	memset(op, 0, sizeof(*op));
	return E->done.result;
}

uint64_t ex_load(const volatile void *p, size_t size, enum ex_order mo, struct ex_site at)
{
	struct ex_op *op = ex_op_new(EX_OP_LOAD, (uintptr_t)p, at);
	op->size = (uint8_t)size;
	op->order = (uint8_t)mo;
	ex_step();
	return finish();
}

void ex_store(volatile void *p, size_t size, uint64_t v, enum ex_order mo, struct ex_site at)
{
	struct ex_op *op = ex_op_new(EX_OP_STORE, (uintptr_t)p, at);
	op->size = (uint8_t)size;
	op->order = (uint8_t)mo;
	op->value = v;
	E->fences += mo == SC;
	ex_step();
	(void)finish();
}

uint64_t ex_rmw(volatile void *p, size_t size, enum ex_rmw what, uint64_t v, enum ex_order mo,
		struct ex_site at)
{
	struct ex_op *op = ex_op_new(EX_OP_RMW, (uintptr_t)p, at);
	op->size = (uint8_t)size;
	op->order = (uint8_t)mo;
	op->sub = (uint8_t)what;
	op->value = v;
	E->rmws++;
	ex_step();
	return finish();
}

bool ex_cas(volatile void *p, size_t size, uint64_t *expected, uint64_t desired, enum ex_order ok,
	    enum ex_order fail, struct ex_site at)
{
	struct ex_op *op = ex_op_new(EX_OP_CAS, (uintptr_t)p, at);
	op->size = (uint8_t)size;
	op->order = (uint8_t)ok;
	op->order_fail = (uint8_t)fail;
	op->value = desired;
	E->rmws++;
	memcpy(&op->expected, expected, sizeof(*expected));
	if (size < 8)
		op->expected &= (UINT64_C(1) << (8 * size)) - 1;
	ex_step();
	bool done = W->t[E->cur].op.ok;
	*expected = finish();
	return done;
}

void ex_fence(enum ex_order mo, struct ex_site at)
{
	ex_op_new(EX_OP_FENCE, 0, at)->order = (uint8_t)mo;
	E->fences += mo == SC;
	ex_step();
	(void)finish();
}

void ex_fence_all(struct ex_site at)
{
	ex_op_new(EX_OP_FENCE_ALL, 0, at)->order = SC;
	ex_step();
	(void)finish();
}

void ex_init(volatile void *p, size_t size)
{
	ex_stores_forget((uintptr_t)p, size);
	ex_views_forget((uintptr_t)p, size);
}

static void mutex_step(enum ex_kind kind, doze_mutex *m, struct ex_site at)
{
	struct ex_op *op = ex_op_new(kind, (uintptr_t)m, at);
	check_live(op, "lock");
	if (m->magic != EX_MUTEX_MAGIC)
		ex_fail("%s: mutex %p used before init or after destroy", at.func, (void *)m);
	ex_step();
}

void ex_mutex_init(doze_mutex *m)
{
	ex_order_access(E->cur, (uintptr_t)m, sizeof(*m), EX_WRITES);
	*m = (doze_mutex){.owner = 0, .magic = EX_MUTEX_MAGIC};
	ex_views_forget((uintptr_t)m, sizeof(*m));
}

void ex_mutex_destroy(doze_mutex *m)
{
	ex_touch(E->cur, (uintptr_t)m, sizeof(*m), "destroy");
	if (m->owner)
		ex_fail("mutex %p destroyed while %s holds it", (void *)m,
			ex_thread_name((int)m->owner - 1));
	ex_plain_freed((uintptr_t)m, sizeof(*m));
	m->magic = 0;
	ex_views_forget((uintptr_t)m, sizeof(*m));
}

void ex_mutex_lock(doze_mutex *m, struct ex_site at)
{
	if (m->owner == (uint32_t)E->cur + 1)
		ex_fail("%s: %s locks a mutex that it already holds", at.func,
			ex_thread_name(E->cur));
	ex_lock_wanted(m, at.func);
	mutex_step(EX_OP_LOCK, m, at);
	(void)finish();
}

int ex_mutex_trylock(doze_mutex *m, struct ex_site at)
{
	mutex_step(EX_OP_TRYLOCK, m, at);
	int ok = W->t[E->cur].op.ok;
	(void)finish();
	return ok;
}

void ex_mutex_unlock(doze_mutex *m, struct ex_site at)
{
	if (m->owner != (uint32_t)E->cur + 1)
		ex_fail("%s: %s unlocks a mutex that it does not hold", at.func,
			ex_thread_name(E->cur));
	mutex_step(EX_OP_UNLOCK, m, at);
	(void)finish();
}

void ex_cond_init(doze_cond *c)
{
	ex_order_access(E->cur, (uintptr_t)c, sizeof(*c), EX_WRITES);
	*c = (doze_cond){.magic = EX_MUTEX_MAGIC};
}

void ex_cond_destroy(doze_cond *c)
{
	ex_touch(E->cur, (uintptr_t)c, sizeof(*c), "destroy");
	for (unsigned i = 0; i < W->nthreads; i++)
		if (W->t[i].status == EX_WAITING && W->t[i].cond == (uintptr_t)c)
			ex_fail("condition %p destroyed while %s waits for it", (void *)c,
				ex_thread_name((int)i));
	ex_plain_freed((uintptr_t)c, sizeof(*c));
	c->magic = 0;
}

void ex_cond_wait(doze_cond *c, doze_mutex *m, struct ex_site at)
{
	if (m->owner != (uint32_t)E->cur + 1)
		ex_fail("%s: waits without holding the mutex", at.func);
	if (c->magic != EX_MUTEX_MAGIC)
		ex_fail("%s: condition %p used before init or after destroy", at.func, (void *)c);
	struct ex_op *op = ex_op_new(EX_OP_WAIT, (uintptr_t)c, at);
	op->mutex = (uintptr_t)m;
	(void)ex_is_shared((uintptr_t)m, E->cur);
	ex_step();
	(void)finish();
}

void ex_cond_notify(doze_cond *c, int all, struct ex_site at)
{
	struct ex_op *op = ex_op_new(EX_OP_NOTIFY, (uintptr_t)c, at);
	check_live(op, "notify");
	if (c->magic != EX_MUTEX_MAGIC)
		ex_fail("%s: condition %p used before init or after destroy", at.func, (void *)c);
	op->sub = (uint8_t)all;
	ex_step();
	(void)finish();
}

void ex_yield(struct ex_site at)
{
	E->yields++;
	ex_op_new(EX_OP_YIELD, 0, at);
	ex_step();
	(void)finish();
}

int ex_thread_create(doze_thread *t, void *(*fn)(void *), void *arg, struct ex_site at)
{
	if (W->nthreads == EX_MAX_THREADS)
		ex_give_up("gave up: the scenario needs more than %d threads", EX_MAX_THREADS);
	/* Write *t first: the new thread may start at the create step. */
	int child = (int)W->nthreads;
	*t = (doze_thread)child;
	struct ex_op *op = ex_op_new(EX_OP_CREATE, 0, at);
	op->n = (uint32_t)child;
	op->value = (uintptr_t)fn;
	op->expected = (uintptr_t)arg;
	ex_step();
	(void)finish();
	return 0;
}

void ex_thread_join(doze_thread t, struct ex_site at)
{
	ex_op_new(EX_OP_JOIN, 0, at)->n = t;
	ex_step();
	(void)finish();
}

void ex_wait_quiet(void)
{
	ex_op_new(EX_OP_QUIET, 0, (struct ex_site){"quiet", "scenario", NULL, 0});
	ex_step();
	(void)finish();
}

unsigned ex_choose(unsigned n)
{
	ex_op_new(EX_OP_CHOOSE, 0, (struct ex_site){"choose", "scenario", NULL, 0})->n = n;
	ex_step();
	return (unsigned)finish();
}

void ex_expect(const char *what)
{
	W->t[E->cur].expects = what;
}

void ex_name_thread(const char *name)
{
	W->t[E->cur].name = name;
}

static void ignore(const volatile void *p, unsigned size, bool zero_counts)
{
	if (W->nignored == EX_MAX_IGNORED)
		ex_give_up("gave up: more than %d ignored ranges", EX_MAX_IGNORED);
	if (size > EX_MAX_IGNORED_SIZE)
		ex_give_up("gave up: more than %d bytes to ignore at once", EX_MAX_IGNORED_SIZE);
	W->ignored[W->nignored++] = (struct ex_range){(uintptr_t)p, size, zero_counts};
}

void ex_ignore(const volatile void *p, unsigned size)
{
	ignore(p, size, false);
}

void ex_ignore_number(const volatile void *p, unsigned size)
{
	ignore(p, size, true);
}

/* ---- memory ----
 *
 * The library's files are compiled with malloc=ex_malloc and so on. */

void *ex_malloc(size_t size);
void *ex_calloc(size_t n, size_t size);
void *ex_aligned_alloc(size_t align, size_t size);
int ex_posix_memalign(void **out, size_t align, size_t size);
void *ex_realloc(void *p, size_t size);
char *ex_strdup(const char *s);
void ex_free(void *p);

/* The program's allocations fail. Part of every state. */
static bool refuses;

void ex_refuse_memory(bool refuse)
{
	refuses = refuse;
}

void *ex_aligned_alloc(size_t align, size_t size)
{
	return refuses ? NULL : ex_heap_alloc(align, size);
}

void *ex_malloc(size_t size)
{
	return ex_aligned_alloc(1, size);
}

void *ex_calloc(size_t n, size_t size)
{
	return ex_aligned_alloc(1, n * size); /* ex_aligned_alloc returns zeroed memory */
}

int ex_posix_memalign(void **out, size_t align, size_t size)
{
	*out = ex_aligned_alloc(align, size);
	return *out ? 0 : ENOMEM;
}

void *ex_realloc(void *p, size_t size)
{
	void *q = ex_malloc(size);
	if (p && q) {
		size_t old = ex_heap_size((uintptr_t)p);
		memcpy(q, p, old < size ? old : size);
		ex_free(p);
	}
	return q;
}

char *ex_strdup(const char *s)
{
	size_t n = strlen(s) + 1;
	char *copy = ex_malloc(n);
	return copy ? memcpy(copy, s, n) : NULL;
}

void ex_free(void *p)
{
	if (!p)
		return;
	size_t size = ex_heap_mark_freed(p);
	uintptr_t a = (uintptr_t)p;
	ex_plain_freed(a, size);
	ex_stores_forget(a, size);
	memset(p, 0xdd, size);
	ex_views_forget(a, size);
}

/* ---- thread-local variables ----
 *
 * Each coroutine has its own copy of a thread-local variable. With -femulated-tls each access to
 * such a variable calls __emutls_get_address with the variable's control block. The copies are
 * stored in the threads' heaps. So each copy has its own address (which a thread may pass to
 * others), belongs to the state, and is freed when its thread ends. */

/** A thread-local variable, as the compiler describes it to __emutls_get_address. */
struct emutls_control {
	size_t size, align;
	void *object;
	const void *initial; /* initial value; null if all bytes are zero */
};

void *__emutls_get_address(struct emutls_control *control);
void *__emutls_get_address(struct emutls_control *control)
{
	unsigned k = 0;
	while (k < EX_MAX_TLS && E->tls_key[k] && E->tls_key[k] != control)
		k++;
	if (k == EX_MAX_TLS)
		ex_give_up("gave up: the explored code has more than %d thread-local variables",
			   EX_MAX_TLS);
	E->tls_key[k] = control;
	void **copy = &W->t[E->cur].tls[k];
	if (!*copy) {
		*copy = ex_heap_alloc(control->align, control->size);
		if (control->initial)
			memcpy(*copy, control->initial, control->size);
	}
	return *copy;
}

/** Frees the running thread's copies. Called on its coroutine after its function has returned. */
void ex_tls_end(int thread)
{
	for (unsigned k = 0; k < EX_MAX_TLS; k++)
		if (W->t[thread].tls[k])
			ex_free(W->t[thread].tls[k]);
}
