/*
 * SPDX-License-Identifier: MIT
 *
 * scenarios.c - the explorer's scenarios of lab 4: a single latch, without a working pool.
 */
#include "labs/explorer/explore.h"

#include "lib/core_latch.h"
#include "lib/park.h"
#include "lib/pool.h"

#include "latch_names.h"
#include "owner_steps.h"
#include "reports.h"

extern void *malloc(size_t size);
extern void *calloc(size_t n, size_t size);
extern void free(void *p);

static struct doze_pool pool;
static struct doze_worker owner, other;

static void latch_of(struct doze_core_latch *latch, struct doze_worker *worker,
		     enum doze_latch_kind kind)
{
	pool.id = 7;
	worker->pool = &pool;
	worker->index = 2;
	doze_core_latch_init(latch, kind, worker);
	name_fields(latch, worker);
}
static void new_latch(struct doze_core_latch *latch)
{
	latch_of(latch, &owner, DOZE_LATCH_KIND_spin);
}
/* Requires that the call reported its step from -> to in one `latch` event or, if it made no step
 * (from == to), that it reported none. */
static void reported(const char *call, const struct doze_core_latch *latch, int32_t by,
		     enum doze_latch_state from, enum doze_latch_state to)
{
	struct ex_latch_reports r = ex_latches_reported();
	EX_REQUIRE(r.number == (from != to), "%s makes %s step, but reports %u", call,
		   from != to ? "one" : "no", (unsigned)r.number);
	if (from == to)
		return;
	EX_REQUIRE(r.from == (int)from && r.to == (int)to,
		   "%s makes the step from %s to %s, but reports one from %s to %s", call,
		   name_of(from), name_of(to), name_of((uint32_t)r.from), name_of((uint32_t)r.to));
	EX_REQUIRE(
	    r.by == by && r.owner == owner.index,
	    "%s: worker %d changes a latch of worker %d, but the event reports worker %d and a "
	    "latch of worker %d",
	    call, by, owner.index, r.by, r.owner);
	EX_REQUIRE(
	    r.pool == pool.id && r.id == latch->id && r.kind == latch->kind,
	    "%s: the latch has pool %u, id %u and kind %d, but the event reports pool %u, id "
	    "%u and kind %d",
	    call, pool.id, (unsigned)latch->id, latch->kind, r.pool, (unsigned)r.id, r.kind);
}

static void keeps(const char *call, struct doze_core_latch *a, struct doze_core_latch *b)
{
	bool flags = a->cross == b->cross && a->elsewhere == b->elsewhere;
	EX_REQUIRE(flags && a->kind == b->kind && a->owner == b->owner && a->id == b->id,
		   "after %s a constant field is wrong: kind, owner, id, cross or elsewhere", call);
}

/* Takes the step when the latch is in state `before`. */
static void take(const struct step *step, enum doze_latch_state before)
{
	struct doze_core_latch latch;
	latch_of(&latch, &owner, before % 2 ? DOZE_LATCH_KIND_count : DOZE_LATCH_KIND_spin);
	da_store(&latch.state, before, SC);
	bool should = (step->from & 1u << before) != 0;
	enum doze_latch_state after = should ? step->to : before;
	ex_count_latch_reports();
	struct doze_core_latch begun = latch;
	bool did = step->take(&latch);
	EX_REQUIRE(state(&latch) == after,
		   "%s, called when the latch is %s, leaves it %s instead of %s", step->name,
		   name_of(before), name_of(state(&latch)), name_of(after));
	EX_REQUIRE(did == should || step->take == wakes_up, "%s, when the latch is %s, returns %s",
		   step->name, name_of(before), did ? "true" : "false");
	reported(step->name, &latch, owner.index, before, after);
	keeps(step->name, &begun, &latch);
}

/* In one thread: takes each step of the owner in each state. SET is final, so there all must fail.
 */
static void steps_of_owner(void)
{
	static const enum doze_latch_state states[] = {DOZE_LATCH_unset, DOZE_LATCH_sleepy,
						       DOZE_LATCH_sleeping, DOZE_LATCH_suspended,
						       DOZE_LATCH_set};
	ex_check_reports();
	for (unsigned i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		for (unsigned s = 0; s < sizeof(states) / sizeof(*states); s++)
			take(&steps[i], states[s]);
}

/* In one thread: a latch begins UNSET, with the owner and the kind that were given, and with an id
 * that no other latch has. As in a pool, each worker has a range of ids for its latches. */
#define LATCHES 300 /* more than one byte can count */
static struct doze_core_latch made[LATCHES];
static void latches_begin(void)
{
	owner.latch_ids = 1000;
	other.latch_ids = 1000000;
	for (unsigned i = 0; i < LATCHES; i++) {
		struct doze_core_latch *latch = &made[i];
		struct doze_worker *worker = i % 3 ? &owner : &other;
		enum doze_latch_kind kind = i % 2 ? DOZE_LATCH_KIND_spin : DOZE_LATCH_KIND_count;
		struct doze_core_latch begun = {0};
		*latch = (struct doze_core_latch){
		    .state = DOZE_LATCH_set, .cross = true, .elsewhere = true};
		doze_core_latch_init(latch, kind, worker);
		EX_REQUIRE(latch->state == DOZE_LATCH_unset,
			   "a new latch is not UNSET: see doze_core_latch_init");
		begun.kind = (uint8_t)kind, begun.owner = worker, begun.id = latch->id;
		keeps("doze_core_latch_init", &begun, latch);
		for (unsigned k = 0; k < i; k++)
			EX_REQUIRE(made[k].id != latch->id,
				   "two latches have the same id, %u: see doze_core_latch_init",
				   (unsigned)latch->id);
	}
}

/* Whether each step of the owner and each set is reported only after it was made. */
static void step_reports(void)
{
	latch_of(&reported_latch, &owner, DOZE_LATCH_KIND_spin);
	report_of_step();
}
static void set_reports(void)
{
	latch_of(&reported_latch, &owner, DOZE_LATCH_KIND_count);
	report_of_set();
}

/* In one thread: sets the latch in each state. The result must show whether to wake the owner. */
static void set_in(enum doze_latch_state before, int32_t by)
{
	struct doze_core_latch latch;
	latch_of(&latch, &owner, before % 2 ? DOZE_LATCH_KIND_count : DOZE_LATCH_KIND_spin);
	da_store(&latch.state, before, SC);
	ex_count_latch_reports();
	ex_count_locks();
	struct doze_core_latch begun = latch;
	enum doze_latch_state from = doze_core_latch_set(&latch, by);
	uint64_t most;
	EX_REQUIRE(ex_locks_counted(&most) == 0, "doze_core_latch_set takes a lock");
	EX_REQUIRE(from == before, "doze_core_latch_set, when the latch is %s, returns %s",
		   name_of(before), name_of(from));
	EX_REQUIRE(state(&latch) == DOZE_LATCH_set, "after doze_core_latch_set, the latch is %s",
		   name_of(state(&latch)));
	reported("doze_core_latch_set", &latch, by, before, DOZE_LATCH_set);
	keeps("doze_core_latch_set", &begun, &latch);
}
static void set_returns(void)
{
	ex_check_reports();
	const int32_t by[] = {-1, 0, owner.index};
	for (unsigned i = 0; i < sizeof(by) / sizeof(*by); i++) {
		set_in(DOZE_LATCH_unset, by[i]);
		set_in(DOZE_LATCH_sleepy, by[i]);
		set_in(DOZE_LATCH_sleeping, by[i]);
		set_in(DOZE_LATCH_suspended, by[i]);
	}
}

/* The owner takes several steps while another thread sets the latch. The set must return the state
 * that it replaced, to which the owner's last successful step led. */
static DOZE_ATOMIC(uint32_t) replaced_latch_state;
static void *noting_setter(void *arg)
{
	ex_name_thread("setter");
	da_store(&replaced_latch_state, doze_core_latch_set(arg, -1), RLX);
	return NULL;
}
static void set_meets_steps(void)
{
	ex_check_reports();
	struct doze_core_latch latch;
	doze_thread t;
	new_latch(&latch);
	ex_name_thread("owner");
	EX_CHECK(doze_thread_create(&t, noting_setter, &latch) == 0);
	bool sleepy = doze_core_latch_get_sleepy(&latch);
	bool slept = sleepy && doze_core_latch_fall_asleep(&latch);
	doze_core_latch_wake_up(&latch);
	bool suspended = doze_core_latch_suspend(&latch, NULL);
	doze_thread_join(t);
	uint32_t from = da_add(&replaced_latch_state, 0, RLX);
	if (suspended)
		EX_REQUIRE(from == DOZE_LATCH_suspended,
			   "the owner has suspended its wait, but the set returns %s: nobody will "
			   "resume it",
			   name_of(from));
	else if (slept)
		EX_REQUIRE(from == DOZE_LATCH_sleeping || from == DOZE_LATCH_unset,
			   "the set replaced SLEEPING, or UNSET after it, but returns %s",
			   name_of(from));
	else
		EX_REQUIRE(from == (sleepy ? DOZE_LATCH_sleepy : DOZE_LATCH_unset),
			   "the set replaced %s, but returns %s", sleepy ? "SLEEPY" : "UNSET",
			   name_of(from));
}

/* A third thread that has seen the latch set sees it set forever. */
static void *observer(void *arg)
{
	struct doze_core_latch *latch = arg;
	/* Latches are independent: another one is made and set at the same time. */
	struct doze_core_latch another;
	ex_name_thread("observer");
	doze_core_latch_init(&another, DOZE_LATCH_KIND_spin, &other);
	(void)doze_core_latch_set(&another, -1);
	if (doze_core_latch_probe(latch, ACQ))
		EX_REQUIRE(doze_core_latch_probe(latch, ACQ),
			   "the latch was SET, and then it was not: SET must be final");
	return NULL;
}
static void set_is_final(void)
{
	other.pool = &pool;
	struct doze_core_latch latch;
	doze_thread t, o;
	new_latch(&latch);
	ex_name_thread("owner");
	EX_CHECK(doze_thread_create(&t, noting_setter, &latch) == 0);
	EX_CHECK(doze_thread_create(&o, observer, &latch) == 0);
	struct doze_core_latch third;
	doze_core_latch_init(&third, DOZE_LATCH_KIND_spin, &owner);
	(void)(doze_core_latch_get_sleepy(&latch) && doze_core_latch_fall_asleep(&latch));
	doze_core_latch_wake_up(&latch);
	doze_thread_join(t);
	doze_thread_join(o);
}

/* The parts of the sleep protocol that a setter and a sleeper need besides the latch. */
static struct {
	struct doze_core_latch *latch;
	doze_mutex lock;
	doze_cond cond;
	bool awake; /* protected by lock */
} g;

static void *setter(void *arg)
{
	ex_name_thread("setter");
	if (doze_core_latch_set(arg, -1) == DOZE_LATCH_sleeping) {
		doze_mutex_lock(&g.lock);
		ex_note("notified");
		g.awake = true;
		doze_cond_signal(&g.cond);
		doze_mutex_unlock(&g.lock);
	}
	return NULL;
}
static void sleep_once(struct doze_core_latch *latch)
{
	if (!doze_core_latch_get_sleepy(latch))
		return;
	doze_mutex_lock(&g.lock);
	if (doze_core_latch_fall_asleep(latch)) {
		while (!g.awake)
			doze_cond_wait(&g.cond, &g.lock);
		doze_core_latch_wake_up(latch);
	}
	doze_mutex_unlock(&g.lock);
}
static void start(struct doze_core_latch *latch, doze_thread *t)
{
	new_latch(latch);
	doze_mutex_init(&g.lock);
	doze_cond_init(&g.cond);
	ex_name_thread("owner");
	EX_CHECK(doze_thread_create(t, setter, latch) == 0);
	ex_expect("the latch to be set");
}
static void sleeper_wakes(void)
{
	struct doze_core_latch latch;
	doze_thread t;
	start(&latch, &t);
	ex_must_note("notified");
	while (!doze_core_latch_probe(&latch, ACQ)) {
		sleep_once(&latch);
		doze_thread_yield();
	}
	doze_thread_join(t);
}

/* A setter that finds the owner's wait suspended must see which holder the wait belongs to. */
static void *resumer(void *arg)
{
	struct doze_core_latch *latch = arg;
	ex_name_thread("setter");
	if (doze_core_latch_set(latch, -1) == DOZE_LATCH_suspended) {
		ex_note("resumed");
		EX_REQUIRE(latch->suspended == holder,
			   "a set finds a suspended wait, but not the holder of that wait");
	}
	return NULL;
}
static void set_resumes(void)
{
	struct doze_core_latch latch;
	doze_thread t;
	new_latch(&latch);
	EX_CHECK(doze_thread_create(&t, resumer, &latch) == 0);
	ex_must_note("resumed");
	(void)doze_core_latch_suspend(&latch, holder);
	doze_thread_join(t);
}

/* The owner sees SET and frees the latch at once, and also its worker, as when a pool ends. The set
 * finds the owner awake, sleepy, or asleep: somebody may just have woken it for another reason. */
static const char *const set_from[] = {"set from UNSET", "set from SLEEPY", "set from SLEEPING"};
static void *last_setter(void *arg)
{
	ex_name_thread("setter");
	enum doze_latch_state from = doze_core_latch_set(arg, -1);
	if (from <= DOZE_LATCH_sleeping)
		ex_note(set_from[from]);
	return NULL;
}
static void freed_after_set(void)
{
	struct doze_core_latch *latch = malloc(sizeof(*latch));
	struct doze_worker *worker = calloc(1, sizeof(*worker));
	doze_thread t;
	latch_of(latch, worker, DOZE_LATCH_KIND_spin);
	ex_name_thread("owner");
	for (unsigned i = 0; i < 3; i++)
		ex_must_note(set_from[i]);
	EX_CHECK(doze_thread_create(&t, last_setter, latch) == 0);
	ex_expect("the latch to be set");
	if (doze_core_latch_get_sleepy(latch) && doze_core_latch_fall_asleep(latch))
		doze_core_latch_wake_up(latch);
	while (!doze_core_latch_probe(latch, ACQ))
		doze_thread_yield();
	free(latch);
	free(worker);
	doze_thread_join(t);
}

/* The owner is woken for another reason; its step back to UNSET must not overwrite the set. */
static void woken_early(void)
{
	struct doze_core_latch latch;
	doze_thread t;
	start(&latch, &t);
	if (doze_core_latch_get_sleepy(&latch))
		doze_core_latch_wake_up(&latch);
	while (!doze_core_latch_probe(&latch, ACQ))
		doze_thread_yield();
	doze_thread_join(t);
}

const struct ex_scenario ex_scenarios[] = {
    {"steps", "each step of the owner", steps_of_owner, 1, NULL, NULL, 0},
    {"begins", "a new latch, and its id", latches_begin, 1, NULL, NULL, 0},
    {"step-reports", "a step of the owner, which a set may prevent, is reported", step_reports, 2,
     NULL, NULL, 0},
    {"set-reports", "a set is reported while the owner makes a step", set_reports, 3, NULL, NULL,
     0},
    {"returns", "the result of a set, and that SET is final", set_returns, 1, NULL, NULL, 0},
    {"meets", "the latch is set while its owner takes several steps", set_meets_steps, 2, NULL,
     NULL, 0},
    {"final", "a third thread looks at the latch twice", set_is_final, 3, NULL, NULL, 0},
    {"wakes", "the latch is set while its owner falls asleep", sleeper_wakes, 2, NULL, NULL, 0},
    {"resumes", "a latch is set while its owner's wait is suspended", set_resumes, 2, NULL, NULL,
     0},
    {"freed", "the owner frees the latch as soon as it is set", freed_after_set, 2, NULL, NULL, 0},
    {"early", "the owner wakes while the latch is set", woken_early, 2, NULL, NULL, 0},
    {.name = NULL},
};
