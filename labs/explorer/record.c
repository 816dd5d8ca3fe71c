/*
 * SPDX-License-Identifier: MIT
 *
 * record.c - the library's trace hooks under the explorer.
 *
 * The hooks check the policies' counts. In a replay each hook also writes a line, which
 * explore-trace converts into an event of a CTF trace:
 *
 *   CLOCK EVENT POOL WORKER field=value …
 *
 * The clock counts steps. Enums are written as numbers, and words in hexadecimal.
 */
#define DOZE_TRACE_SINK
#include "../../lib/trace.h"

#include "world.h"

#include "../../lib/sleep/counters.h"
#include "../../viz/trace/policies.h"

#include <inttypes.h>
#include <string.h>

#define RECORD(name, ...)                                                                          \
	do {                                                                                       \
		if (!E->record)                                                                    \
			return;                                                                    \
		fprintf(E->record, "%" PRIu64 " " name " %u %d", E->clock, pool, worker);          \
		fprintf(E->record, __VA_ARGS__);                                                   \
		fputc('\n', E->record);                                                            \
	} while (0)
#define WORKERS 3 /* maximum number of workers per pool in any scenario */
#define WORDS   "old=%#" PRIx64 " new=%#" PRIx64

/* Invariants of the JEC of policies that have one, checked by the hooks that report steps on the
 * JEC. The JEC keeps workers from sleeping while jobs of other workers wait. Scenarios cannot check
 * that, because such a sleep is permitted, so the hooks check the JEC itself. */
static uint64_t remembered[2][WORKERS];

bool ex_policy_has_jec(void)
{
	return doze_policy_descriptor(ex_policy())->word == DOZE_WORD_RULE_JEC;
}

/* Invariants of the counts, checked at every step: each sleeping worker is also inactive, and no
 * worker is counted twice. The first post after a quiet period also checks how many workers the
 * policy counts as asleep. */
static struct {
	uint32_t workers; /* number of workers; 0 if the policy has no counts */
	int32_t asleep;   /* number of sleepers expected at the next post; -1 if unknown */
	uint32_t rounds;  /* rounds until a worker sleeps */
} counted[2];

static void check_counts(uint32_t pool, uint64_t word)
{
	uint32_t workers = pool <= 2 ? counted[pool - 1].workers : 0;
	if (workers == 0)
		return;
	if (doze_counters_sleeping(word) > doze_counters_inactive(word))
		ex_breach("more workers are counted as sleeping than as inactive: %#lx",
			  (unsigned long)word);
	if (doze_counters_inactive(word) > workers)
		ex_breach("more workers are counted as inactive than there are: %#lx",
			  (unsigned long)word);
}

/* A post may step the JEC, but changes no count. */
static void check_post(uint32_t pool, uint64_t old_word, uint64_t new_word)
{
	if (pool > 2 || counted[pool - 1].workers == 0)
		return;
	if (doze_counters_sleeping(old_word) != doze_counters_sleeping(new_word) ||
	    doze_counters_inactive(old_word) != doze_counters_inactive(new_word))
		ex_breach("a post reports that it changed the counts: %#lx before and %#lx after",
			  (unsigned long)old_word, (unsigned long)new_word);
}

void ex_expect_asleep(uint32_t pool, int32_t n)
{
	counted[pool - 1].asleep = n;
}

static void check_asleep(uint32_t pool, int32_t sleeping)
{
	if (pool > 2 || counted[pool - 1].asleep < 0)
		return;
	if (sleeping != counted[pool - 1].asleep)
		ex_breach("%d workers were asleep in the quiet pool, but a post counts %d",
			  counted[pool - 1].asleep, sleeping);
	counted[pool - 1].asleep = -1;
}

/* Each worker's last reported state. The target of a wake, if known, must be sleeping. */
static enum doze_state state_of[2][WORKERS];

bool ex_worker_sleeps(uint32_t pool, int32_t worker)
{
	return state_of[pool - 1][worker] == DOZE_STATE_sleeping;
}

bool ex_thread_waits(unsigned thread)
{
	const struct ex_thread *t = &W->t[thread];
	return t->status == EX_WAITING || (t->status == EX_READY && t->op.kind == EX_OP_JOIN);
}

static void check_target(uint32_t pool, int32_t target)
{
	if (pool > 2 || target < 0 || target >= WORKERS)
		return;
	if (state_of[pool - 1][target] != DOZE_STATE_sleeping)
		ex_breach("worker %d was woken, but it was not asleep", target);
}

static void check_jec(uint32_t pool, int32_t worker, enum doze_state to, uint64_t old_word,
		      uint64_t new_word)
{
	if (!ex_policy_has_jec() || pool > 2 || worker >= WORKERS)
		return;
	if (to == DOZE_STATE_sleepy) {
		if (doze_counters_jec_active(new_word))
			ex_breach("a worker became sleepy with an odd JEC");
		remembered[pool - 1][worker] = doze_counters_jec(new_word);
	} else if (to == DOZE_STATE_sleeping && state_of[pool - 1][worker] != DOZE_STATE_sleepy) {
		ex_breach("a worker sleeps without having been sleepy");
	} else if (to == DOZE_STATE_sleeping &&
		   remembered[pool - 1][worker] != doze_counters_jec(old_word)) {
		ex_breach("a worker sleeps with a JEC other than the one it became sleepy with");
	}
}

void doze_sink_pool_start(uint32_t pool, const struct doze_trace_pool_info *i)
{
	int worker = -1;
	if (pool <= 2) {
		counted[pool - 1].workers = i->word_kind == DOZE_WORD_counters ? i->workers : 0;
		counted[pool - 1].asleep = -1;
		counted[pool - 1].rounds = i->rounds_until_sleeping;
	}
	ex_wakes_pool(pool, i->workers);
	RECORD("pool_start",
	       " policy=%s version=%s workers=%u schema_major=%u schema_minor=%u"
	       " rounds_until_sleepy=%u rounds_until_sleeping=%u word=%d bits_sleeping=%u"
	       " bits_inactive=%u bits_jec=%u level=%d",
	       i->policy, i->version, i->workers, i->schema_major, i->schema_minor,
	       i->rounds_until_sleepy, i->rounds_until_sleeping, i->word_kind, i->bits_sleeping,
	       i->bits_inactive, i->bits_jec, i->level);
}
void doze_sink_pool_stop(uint32_t pool)
{
	int worker = -1;
	RECORD("pool_stop", "%s", "");
}
void doze_sink_worker_start(uint32_t pool, int32_t worker, uint32_t tid, const char *name)
{
	static const char *const names[2][3] = {
	    {"worker 0", "worker 1", "worker 2"},
	    {"worker 0 of pool 2", "worker 1 of pool 2", "worker 2 of pool 2"}};
	if (pool <= 2 && worker < 3)
		ex_name_thread(names[pool - 1][worker]);
	RECORD("worker_start", " tid=%u name=%s", tid, name);
}
void doze_sink_worker_stop(uint32_t pool, int32_t worker)
{
	RECORD("worker_stop", "%s", "");
}
/* The cause of the wake of each worker that was woken and has neither run a job nor slept since.
 * Only games with a goal keep this record, because it would multiply the states of a proof. */
static enum doze_cause pending[2][WORKERS];

static bool is_post(enum doze_cause cause)
{
	return cause == DOZE_CAUSE_inject || cause == DOZE_CAUSE_push;
}

/* Whether a worker has slept. As with `pending`, only games keep this record. */
static bool has_slept;

static void note_outcome(uint32_t pool, int32_t worker, bool futile)
{
	if (pool > 2 || worker < 0 || worker >= WORKERS || !pending[pool - 1][worker])
		return;
	enum doze_cause cause = pending[pool - 1][worker];
	pending[pool - 1][worker] = DOZE_CAUSE_none;
	if (futile)
		ex_event(is_post(cause) ? "a futile wake by a post" : "a futile wake");
}

void doze_sink_worker_state(uint32_t pool, int32_t worker, const struct doze_trace_state_info *i)
{
	uint64_t old_word = i->old_word, new_word = i->new_word;

	ex_wakes_state(pool, i->from, i->to, i->reason, old_word);
	if (E->reports_checked)
		ex_reports_state(pool, worker, i);
	check_jec(pool, worker, i->to, old_word, new_word);
	check_counts(pool, new_word);
	if (pool <= 2 && worker < WORKERS)
		state_of[pool - 1][worker] = i->to;
	if (i->to == DOZE_STATE_sleeping) {
		has_slept = E->goal != NULL;
		note_outcome(pool, worker, true);
	}
	RECORD("worker_state",
	       " from=%d to=%d reason=%d " WORDS " jobs_run=%" PRIu64 " jobs_published=%" PRIu64,
	       i->from, i->to, i->reason, old_word, new_word, i->jobs_run, i->jobs_published);
}
void doze_sink_job_taken(uint32_t pool, int32_t worker, const struct doze_trace_taken_info *i)
{
	/* Never called, because doze_trace_delays_wanted() is false. */
	(void)pool, (void)worker, (void)i;
}
/* Reports whether other workers are sleepy or sleeping when a job is posted. */
static void note_states_at_post(uint32_t pool, int32_t by, enum doze_queue queue)
{
	static const char *const sleepy[] = {
	    [DOZE_QUEUE_local] = "a job was pushed while a worker was sleepy",
	    [DOZE_QUEUE_injector] = "a job was injected while a worker was sleepy",
	    [DOZE_QUEUE_broadcast] = "a broadcast was posted while a worker was sleepy"};
	static const char *const asleep[] = {
	    [DOZE_QUEUE_local] = "a job was pushed while a worker was asleep",
	    [DOZE_QUEUE_injector] = "a job was injected while a worker was asleep",
	    [DOZE_QUEUE_broadcast] = "a broadcast was posted while a worker was asleep"};
	bool all_awake = true;
	for (int32_t w = 0; pool <= 2 && w < WORKERS; w++) {
		all_awake &= state_of[pool - 1][w] != DOZE_STATE_sleepy &&
			     state_of[pool - 1][w] != DOZE_STATE_sleeping;
		if (w != by && state_of[pool - 1][w] == DOZE_STATE_sleepy)
			ex_note(sleepy[queue]);
		if (w != by && state_of[pool - 1][w] == DOZE_STATE_sleeping)
			ex_note(asleep[queue]);
	}
	if (all_awake)
		ex_event("a job was posted while all workers were awake");
}
/* Reports a step that returns the JEC to a value that a sleepy worker remembers. */
static void note_coming_round(uint32_t pool, uint64_t old_word, uint64_t new_word)
{
	if (!ex_policy_has_jec() || pool > 2 ||
	    doze_counters_jec(old_word) == doze_counters_jec(new_word))
		return;
	for (int32_t w = 0; w < WORKERS; w++)
		if (state_of[pool - 1][w] == DOZE_STATE_sleepy &&
		    remembered[pool - 1][w] == doze_counters_jec(new_word))
			ex_note("the JEC wrapped around while a worker was sleepy");
}
static void look_for_rollover(uint64_t old_word, uint64_t new_word)
{
	if (ex_policy_has_jec() && doze_counters_jec(new_word) < doze_counters_jec(old_word))
		ex_event(has_slept ? "the JEC wraps around"
				   : "the JEC wraps around before any worker has slept");
}
void doze_sink_jec(uint32_t pool, int32_t worker, enum doze_jec_cause cause, uint64_t old_word,
		   uint64_t new_word)
{
	look_for_rollover(old_word, new_word);
	note_coming_round(pool, old_word, new_word);
	if (E->reports_checked && cause == DOZE_JEC_CAUSE_sleepy)
		ex_reports_jec(worker, old_word, new_word);
	RECORD("jec", " cause=%d " WORDS, cause, old_word, new_word);
}
void doze_sink_latch(uint32_t pool, int32_t worker, uint64_t id, enum doze_latch_kind kind,
		     int32_t owner, enum doze_latch_state from, enum doze_latch_state to)
{
	static const char *const met[] = {"set from unset", "set from sleepy", "set from sleeping"};
	if (to == DOZE_LATCH_set && from < DOZE_LATCH_set && kind == DOZE_LATCH_KIND_spin)
		ex_note(met[from]);
	if (ex_latch_reports)
		*ex_latch_reports = (struct ex_latch_reports){ex_latch_reports->number + 1,
							      id,
							      pool,
							      worker,
							      owner,
							      (int)kind,
							      (int)from,
							      (int)to};
	if (E->reports_checked)
		ex_reports_latch(from, to);
	RECORD("latch", " id=%" PRIu64 " kind=%d owner=%d from=%d to=%d", id, kind, owner, from,
	       to);
}
void doze_sink_post(uint32_t pool, int32_t worker, const struct doze_trace_post_info *i)
{
	check_counts(pool, i->new_word);
	check_post(pool, i->old_word, i->new_word);
	ex_wakes_post(pool, i);
	note_states_at_post(pool, worker, i->queue);
	look_for_rollover(i->old_word, i->new_word);
	note_coming_round(pool, i->old_word, i->new_word);
	if (i->queue == DOZE_QUEUE_injector)
		check_asleep(pool, i->sleeping);
	if (ex_policy_has_jec() && i->queue != DOZE_QUEUE_broadcast &&
	    !doze_counters_jec_active(i->new_word))
		ex_breach("a post leaves the JEC even");
	RECORD("post",
	       " queue=%d jobs=%u was_empty=%d " WORDS
	       " idle=%d sleeping=%d wakes=%u decision_id=%" PRIu64,
	       i->queue, i->jobs, i->was_empty, i->old_word, i->new_word, i->idle, i->sleeping,
	       i->wakes, i->decision_id);
}
void doze_sink_wake(uint32_t pool, int32_t worker, const struct doze_trace_wake_info *i)
{
	check_counts(pool, i->new_word);
	check_target(pool, i->target);
	if (E->goal && pool <= 2 && i->target >= 0 && i->target < WORKERS)
		pending[pool - 1][i->target] = i->cause;
	ex_wakes_wake(pool, i->cause);
	RECORD("wake",
	       " target=%d wake_id=%" PRIu64 " decision_id=%" PRIu64 " cause=%d scope=%d " WORDS,
	       i->target, i->wake_id, i->decision_id, i->cause, i->scope, i->old_word, i->new_word);
}
void doze_sink_woken(uint32_t pool, int32_t worker, uint64_t wake_id)
{
	ex_note("woken");
	if (E->reports_checked)
		ex_reports_woken(pool, worker);
	RECORD("woken", " wake_id=%" PRIu64, wake_id);
}
void doze_sink_sleep_abort(uint32_t pool, int32_t worker, enum doze_abort by, uint64_t old_word,
			   uint64_t new_word)
{
	if (by == DOZE_ABORT_injector || by == DOZE_ABORT_recheck)
		ex_note("averted by the last look");
	if (by == DOZE_ABORT_broadcast)
		ex_note("averted by the broadcast queue");
	if (by == DOZE_ABORT_latch)
		ex_note("averted by its latch");
	ex_event("an averted sleep");
	check_counts(pool, new_word);
	if (E->reports_checked && pool <= 2 && worker >= 0 && worker < WORKERS)
		ex_reports_abort(pool, worker, by, state_of[pool - 1][worker], old_word, new_word);
	RECORD("sleep_abort", " by=%d " WORDS, by, old_word, new_word);
}
void doze_sink_blocked(uint32_t pool, int32_t worker, uint32_t active, uint32_t blocked_now)
{
	RECORD("blocked", " active=%u blocked=%u", active, blocked_now);
}
void doze_sink_unblocked(uint32_t pool, int32_t worker, uint32_t active, uint32_t blocked_now)
{
	RECORD("unblocked", " active=%u blocked=%u", active, blocked_now);
}
void doze_sink_deadlock(uint32_t pool, int32_t worker, uint32_t active, uint32_t blocked_now)
{
	ex_event("the deadlock handler is called");
	RECORD("deadlock", " active=%u blocked=%u", active, blocked_now);
}
void doze_sink_mark(uint32_t pool, int32_t worker, const char *text)
{
	RECORD("mark", " text=%s", text);
}
void doze_sink_snapshot(uint32_t pool, int32_t worker, const struct doze_trace_snapshot_info *i)
{
	(void)i; /* only the real trace loader's thread calls this */
	RECORD("snapshot", "%s", "");
}
void doze_sink_job_start(uint32_t pool, int32_t worker, uint64_t job, enum doze_source source)
{
	ex_wakes_end();
	note_outcome(pool, worker, false);
	RECORD("job_start", " job=%" PRIu64 " source=%d", job, source);
}
void doze_sink_job_end(uint32_t pool, int32_t worker, uint64_t job)
{
	ex_wakes_end();
	RECORD("job_end", " job=%" PRIu64, job);
}
void doze_sink_steal(uint32_t pool, int32_t worker, int32_t victim, enum doze_steal result,
		     uint64_t job)
{
	RECORD("steal", " victim=%d result=%d job=%" PRIu64, victim, result, job);
}
void doze_sink_lock(uint32_t pool, int32_t worker, enum doze_lock_kind kind, int32_t owner,
		    bool contended)
{
	if (ex_lock_reports)
		*ex_lock_reports =
		    (struct ex_lock_reports){ex_lock_reports->number + 1, worker, owner, (int)kind};
	RECORD("lock", " kind=%d owner=%d contended=%d", kind, owner, contended);
}
void doze_sink_search(uint32_t pool, int32_t worker, uint32_t rounds)
{
	/* Limit the number of rounds: a worker that counted its rounds endlessly would never return
	 * to a known state. */
	if (ex_policy_has_jec() && pool <= 2 && rounds > counted[pool - 1].rounds)
		ex_breach(
		    "a worker searches in round %u, but should have fallen asleep in round %u",
		    rounds, counted[pool - 1].rounds);
	RECORD("search", " rounds=%u", rounds);
}
