/*
 * SPDX-License-Identifier: MIT
 *
 * policy.c - lab 10: your policy. For now its workers never sleep, and it wakes none.
 *
 * lib/sleep/sleep.h describes the hooks and what a policy must guarantee. You may use the building
 * blocks of the library's policies: steps.h, wake.h, report.h, event_counter.h, idle_step.h and
 * targets.h.
 */
#include "lib/config.h"
#include "lib/sleep/report.h"
#include "lib/sleep/steps.h"
#include "lib/sleep/wake.h"

static void start_looking(struct doze_worker *worker, struct doze_idle *idle)
{
	doze_step_look(worker, idle, SC);
}

/* TODO: when does a worker that finds nothing sleep, and what does it check first? */
static void no_work_found(struct doze_worker *worker, struct doze_idle *idle,
			  struct doze_core_latch *latch)
{
	(void)worker;
	(void)idle;
	(void)latch;
	doze_thread_yield();
}

/* TODO: there is one searching worker fewer now. Is another one needed? */
static void work_found(struct doze_worker *worker, struct doze_idle *idle, enum doze_reason reason)
{
	(void)idle;
	(void)doze_step_found(worker, reason, SC);
}

/* TODO: how many sleepers does a post wake, and which? */
static void new_jobs(struct doze_pool *pool, int32_t by, const struct doze_publish *jobs)
{
	uint64_t word = da_load(&pool->sleep.word, SC);
	struct doze_trace_post_info post = doze_post_seen(
	    jobs, word, (int32_t)doze_counters_idle(word), (int32_t)doze_counters_sleeping(word));
	post.wakes = 0;
	(void)doze_post_decided(pool, by, &post, DOZE_SCOPE_one);
}

/* TODO: when does the owner of the latch have to be woken? */
static void latch_set(struct doze_pool *pool, int32_t by, int32_t owner, enum doze_latch_state from,
		      enum doze_cause cause)
{
	(void)pool;
	(void)by;
	(void)owner;
	(void)from;
	(void)cause;
}

/* TODO: no worker may sleep while its turn is queued. */
static void broadcast(struct doze_pool *pool, int32_t by)
{
	(void)pool;
	(void)by;
}

/* Keep this variable's name, which the library's registry refers to. */
const struct doze_sleep_policy doze_policy_jec = {
    .name = "contest", /* choose a name that no policy of the library has */
    .summary = "my own policy",
    .word_kind = DOZE_WORD_counters,
    .rounds_until_sleepy = DOZE_ROUNDS_UNTIL_SLEEPY_DEFAULT,
    .rounds_until_sleeping = DOZE_ROUNDS_UNTIL_SLEEPING_DEFAULT,
    .start_looking = start_looking,
    .no_work_found = no_work_found,
    .work_found = work_found,
    .new_jobs = new_jobs,
    .latch_set = latch_set,
    .broadcast = broadcast,
};
