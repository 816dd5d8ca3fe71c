/*
 * SPDX-License-Identifier: MIT
 *
 * Policy `jec`, step by step. The pool has no threads: this one plays each worker in turn, so each
 * interleaving below is forced. The events tell what the policy did. The last tests run threads and
 * check that the events' words chain.
 */
#include "../suite.h"
#include "help.h"
#include "lib/config.h"
#include "lib/pool.h"
#include "lib/queues.h"
#include "sink.h"

#include <stdlib.h>

static struct doze_pool *pool;
static const struct doze_sleep_policy *jec;

static void stage(unsigned workers)
{
	struct doze_settings settings;
	doze_config config = {.num_threads = workers, .policy = "jec"};
	sink_reset();
	CU_ASSERT_EQUAL_FATAL(doze_settings_read(&settings, &config), 0);
	CU_ASSERT_EQUAL_FATAL(doze_pool_build(&pool, &settings), 0);
	jec = pool->sleep.policy;
}

static void strike(void)
{
	doze_pool_unref(pool);
}

static struct doze_worker *worker(int i)
{
	return &pool->workers[i];
}

static uint64_t word(void)
{
	return da_load(&pool->sleep.word, SC);
}

static enum doze_state state(int i)
{
	return da_load(&worker(i)->state, SC);
}

/* Worker i looks in vain until it is sleepy: one round short of sleep. */
static void make_sleepy(int i, struct doze_idle *idle)
{
	jec->start_looking(worker(i), idle);
	for (uint32_t r = 0; r <= pool->sleep.rounds_until_sleepy; r++)
		jec->no_work_found(worker(i), idle, &worker(i)->terminate);
}

/* Worker i is asleep, as far as the others can see: counted, blocked, waiting on its latch. */
static void pretend_asleep(int i)
{
	(void)doze_core_latch_get_sleepy(&worker(i)->terminate);
	(void)doze_core_latch_fall_asleep(&worker(i)->terminate);
	worker(i)->sleep.is_blocked = true;
	da_add(&pool->sleep.word, DOZE_ONE_SLEEPING + DOZE_ONE_INACTIVE, SC);
}

/* n workers of the pool are idle, as far as the counts tell. */
static void pretend_idle(unsigned n)
{
	da_add(&pool->sleep.word, n * DOZE_ONE_INACTIVE, SC);
}

static void do_nothing(struct doze_job *job, struct doze_worker *by, enum doze_source source)
{
	(void)job;
	(void)by;
	(void)source;
}

static void gets_sleepy_after_32(void)
{
	struct doze_idle idle;
	stage(2);
	jec->start_looking(worker(0), &idle);
	CU_ASSERT_EQUAL(word(), DOZE_ONE_INACTIVE);
	for (int r = 0; r < 32; r++)
		jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(state(0), DOZE_STATE_idle);
	jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(state(0), DOZE_STATE_sleepy);
	CU_ASSERT_EQUAL(idle.rounds, 33);
	jec->work_found(worker(0), &idle, DOZE_REASON_found_local);
	CU_ASSERT_EQUAL(state(0), DOZE_STATE_active);
	CU_ASSERT_EQUAL(doze_counters_inactive(word()), 0);
	strike();
}

static void sleepy_makes_the_jec_even(void)
{
	struct doze_idle idle;
	stage(2);
	da_store(&pool->sleep.word, DOZE_ONE_JEC, SC); /* odd */
	make_sleepy(0, &idle);
	CU_ASSERT_EQUAL(doze_counters_jec(word()), 2);
	CU_ASSERT_EQUAL(idle.jec, 2);
	CU_ASSERT_EQUAL(sink_count(SINK_JEC), 1);
	make_sleepy(1, &idle); /* even already: no step, no event */
	CU_ASSERT_EQUAL(idle.jec, 2);
	CU_ASSERT_EQUAL(sink_count(SINK_JEC), 1);
	strike();
}

static void post_toggles_only_even(void)
{
	stage(2);
	jec->new_jobs(pool, 0, 1, true, DOZE_QUEUE_local);
	CU_ASSERT_EQUAL(doze_counters_jec(word()), 1);
	uint64_t before = word();
	jec->new_jobs(pool, 0, 1, true, DOZE_QUEUE_local);
	jec->new_jobs(pool, -1, 1, true, DOZE_QUEUE_injector);
	CU_ASSERT_EQUAL(word(), before); /* odd: nothing to write */
	CU_ASSERT_EQUAL(sink_nth(SINK_POST, 0)->old_word, 0);
	CU_ASSERT_EQUAL(sink_nth(SINK_POST, 0)->new_word, before);
	strike();
}

/* How many a post of n wakes, with that many idle and asleep. */
static size_t woken_by_post(unsigned idle, unsigned asleep, unsigned n, bool was_empty)
{
	stage(idle + asleep + 1);
	for (unsigned i = 0; i < asleep; i++)
		pretend_asleep((int)i);
	pretend_idle(idle);
	jec->new_jobs(pool, (int)(idle + asleep), n, was_empty, DOZE_QUEUE_local);
	size_t wakes = sink_count(SINK_WAKE);
	const struct sink_event *post = sink_nth(SINK_POST, 0);
	CU_ASSERT_EQUAL(post->post.wakes, wakes);
	CU_ASSERT_EQUAL(post->post.idle, idle);
	CU_ASSERT_EQUAL(post->post.sleeping, asleep);
	CU_ASSERT_EQUAL(doze_counters_sleeping(word()), asleep - wakes);
	for (size_t i = 0; i < wakes; i++) {
		CU_ASSERT_EQUAL(sink_nth(SINK_WAKE, i)->decision_id, post->decision_id);
		CU_ASSERT_EQUAL(sink_nth(SINK_WAKE, i)->target, i); /* from index 0 on */
	}
	strike();
	return wakes;
}

static void post_wakes_what_it_should(void)
{
	CU_ASSERT_EQUAL(woken_by_post(0, 4, 1, true), 1);
	CU_ASSERT_EQUAL(woken_by_post(1, 4, 1, true), 0);  /* the idle one takes it */
	CU_ASSERT_EQUAL(woken_by_post(1, 4, 1, false), 1); /* it has not kept up */
	CU_ASSERT_EQUAL(woken_by_post(2, 4, 3, true), 1);
	CU_ASSERT_EQUAL(woken_by_post(2, 4, 3, false), 3);
	CU_ASSERT_EQUAL(woken_by_post(0, 2, 9, true), 2); /* all there are */
	CU_ASSERT_EQUAL(woken_by_post(3, 0, 9, false), 0);
}

static void work_found_wakes_two(void)
{
	struct doze_idle idle;
	stage(5);
	for (int i = 1; i < 5; i++)
		pretend_asleep(i);
	jec->start_looking(worker(0), &idle);
	jec->work_found(worker(0), &idle, DOZE_REASON_found_injected);
	CU_ASSERT_EQUAL(sink_count(SINK_WAKE), 2);
	jec->start_looking(worker(0), &idle);
	jec->work_found(worker(0), &idle, DOZE_REASON_latch_set); /* asked for by no job */
	CU_ASSERT_EQUAL(sink_count(SINK_WAKE), 4);
	jec->start_looking(worker(0), &idle);
	jec->work_found(worker(0), &idle, DOZE_REASON_found_injected);
	CU_ASSERT_EQUAL(sink_count(SINK_WAKE), 4);
	strike();
}

static void posted_since_sleepy_averts_sleep(void)
{
	struct doze_idle idle;
	stage(2);
	make_sleepy(0, &idle);
	jec->new_jobs(pool, 1, 1, true, DOZE_QUEUE_local);
	jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(state(0), DOZE_STATE_idle);
	CU_ASSERT_EQUAL(idle.rounds, 32); /* one more search, then sleepy again */
	CU_ASSERT_EQUAL(sink_nth(SINK_ABORT, 0)->reason, DOZE_ABORT_jec);
	CU_ASSERT_EQUAL(doze_counters_sleeping(word()), 0);
	CU_ASSERT_EQUAL(da_load(&worker(0)->terminate.state, SC), DOZE_LATCH_unset);
	jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(state(0), DOZE_STATE_sleepy);
	strike();
}

static void last_look_sees_injected(void)
{
	struct doze_idle idle;
	struct doze_job job = {.run = do_nothing};
	stage(2);
	make_sleepy(0, &idle);
	/* As if the JEC had rolled over to the remembered value: pushed, and the JEC as it was. */
	(void)doze_queue_inject(pool, -1, &job);
	jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(state(0), DOZE_STATE_idle);
	CU_ASSERT_EQUAL(idle.rounds, 0); /* fully awake */
	const struct sink_event *abort_event = sink_nth(SINK_ABORT, 0);
	CU_ASSERT_EQUAL(abort_event->reason, DOZE_ABORT_injector);
	CU_ASSERT_EQUAL(abort_event->old_word - abort_event->new_word, DOZE_ONE_SLEEPING);
	CU_ASSERT_EQUAL(doze_counters_sleeping(word()), 0);
	strike();
}

static void last_look_sees_broadcast(void)
{
	struct doze_idle idle;
	struct doze_job job = {.run = do_nothing};
	stage(2);
	make_sleepy(0, &idle);
	doze_injector_push(&worker(0)->broadcast, &job);
	jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(sink_nth(SINK_ABORT, 0)->reason, DOZE_ABORT_broadcast);
	CU_ASSERT_EQUAL(doze_counters_sleeping(word()), 0);
	strike();
}

static void set_latch_averts_sleep(void)
{
	struct doze_idle idle;
	stage(2);
	make_sleepy(0, &idle);
	(void)doze_core_latch_set(&worker(0)->terminate, -1);
	jec->no_work_found(worker(0), &idle, &worker(0)->terminate);
	CU_ASSERT_EQUAL(sink_nth(SINK_ABORT, 0)->reason, DOZE_ABORT_latch);
	CU_ASSERT_EQUAL(state(0),
			DOZE_STATE_sleepy); /* it has not slept: the loop sees the latch */
	CU_ASSERT_EQUAL(idle.rounds, 33);
	jec->work_found(worker(0), &idle, DOZE_REASON_latch_set);
	CU_ASSERT_EQUAL(word(), doze_counters_jec(word()) * DOZE_ONE_JEC);
	strike();
}

static void latch_wakes_its_owner_only_asleep(void)
{
	stage(3);
	pretend_asleep(1);
	pretend_asleep(2);
	jec->latch_set(pool, 0, 2, DOZE_LATCH_unset, DOZE_CAUSE_latch);
	jec->latch_set(pool, 0, 2, DOZE_LATCH_sleepy, DOZE_CAUSE_latch);
	CU_ASSERT_EQUAL(sink_count(SINK_WAKE), 0);
	jec->latch_set(pool, 0, 2, DOZE_LATCH_sleeping, DOZE_CAUSE_latch);
	CU_ASSERT_EQUAL(sink_count(SINK_WAKE), 1);
	CU_ASSERT_EQUAL(sink_nth(SINK_WAKE, 0)->target, 2);
	CU_ASSERT_EQUAL(sink_nth(SINK_WAKE, 0)->reason, DOZE_CAUSE_latch);
	strike();
}

static void broadcast_wakes_every_sleeper(void)
{
	stage(4);
	pretend_asleep(0);
	pretend_asleep(3);
	uint64_t jec_before = doze_counters_jec(word());
	jec->broadcast(pool, 1);
	CU_ASSERT_EQUAL(sink_count(SINK_WAKE), 2);
	CU_ASSERT_EQUAL(doze_counters_sleeping(word()), 0);
	CU_ASSERT_EQUAL(doze_counters_jec(word()), jec_before); /* no JEC step */
	strike();
}

/* ---- with threads: a short run, then the record is checked ---- */

enum { WORKERS = 4 };

static long jobs_done;

static void short_job(void *arg)
{
	(void)arg;
	help_sleep_us(100);
	help_count(&jobs_done);
}

static void join_two(void *arg)
{
	doze_join(short_job, arg, short_job, arg);
}

/* Bursts and pauses: workers fall asleep, are woken, wait for each other's jobs. */
static void run_bursts(void)
{
	sink_reset();
	doze_pool *p = help_pool(WORKERS, "jec");
	for (int burst = 0; burst < 15; burst++) {
		for (int i = 0; i < 20; i++)
			(void)doze_spawn(p, short_job, NULL);
		doze_install(p, join_two, NULL);
		help_sleep_us(burst % 3 == 0 ? 6000 : 300);
	}
	doze_pool_free(p);
}

static int compare_words(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Each step leaves the word where some other step, or the end, finds it: the words before all steps
 * and the last word are, as a collection, the words after all steps and the first word. */
static void steps_chain(void)
{
	size_t count, n = 0;
	run_bursts();
	const struct sink_event *e = sink_events(&count);
	uint64_t *olds = calloc(count + 1, sizeof *olds), *news = calloc(count + 1, sizeof *news);
	int differ = 0, balance = 0;
	for (size_t i = 0; i < count; i++) {
		if (e[i].old_word == e[i].new_word)
			continue;
		olds[n] = e[i].old_word;
		news[n++] = e[i].new_word;
	}
	CU_ASSERT_TRUE(n > 100);
	news[n] = 0; /* the first word */
	qsort(olds, n, sizeof *olds, compare_words);
	qsort(news, n + 1, sizeof *news, compare_words);
	for (size_t i = 0; i < n + 1 && balance < 2; i++) { /* news has one more: the last word */
		if (i - (size_t)balance < n && olds[i - (size_t)balance] == news[i])
			continue;
		balance++;
		differ =
		    doze_counters_inactive(news[i]) != 0 || doze_counters_sleeping(news[i]) != 0;
	}
	CU_ASSERT_EQUAL(balance, 1);
	CU_ASSERT_EQUAL(differ, 0); /* at the end nobody is inactive */
	free(olds);
	free(news);
}

static void states_follow_each_other(void)
{
	size_t count;
	int now[WORKERS] = {0}, wrong = 0;
	run_bursts();
	const struct sink_event *e = sink_events(&count);
	for (size_t i = 0; i < count; i++) {
		if (e[i].kind != SINK_STATE)
			continue;
		wrong += e[i].from != now[e[i].worker];
		now[e[i].worker] = e[i].to;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	for (int i = 0; i < WORKERS; i++)
		CU_ASSERT_EQUAL(now[i], DOZE_STATE_stopped);
}

static void each_wake_is_woken_once(void)
{
	size_t count, pending = 0, wakes = 0;
	uint64_t open[WORKERS] = {0};
	int wrong = 0;
	run_bursts();
	const struct sink_event *e = sink_events(&count);
	for (size_t i = 0; i < count; i++) {
		if (e[i].kind == SINK_WAKE) {
			wrong += open[e[i].target] != 0 || e[i].decision_id == 0;
			wrong += e[i].old_word - e[i].new_word != DOZE_ONE_SLEEPING;
			open[e[i].target] = e[i].id;
			wakes++;
		} else if (e[i].kind == SINK_WOKEN) {
			wrong += open[e[i].worker] != e[i].id;
			open[e[i].worker] = 0;
		}
	}
	for (int i = 0; i < WORKERS; i++)
		pending += open[i] != 0;
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(pending, 0);
	CU_ASSERT_TRUE(wakes > 10);
}

/* After SLEEPING -> SET the owner is woken, or somebody else's wake was under way already. */
static void set_latches_wake_their_owners(void)
{
	size_t count;
	int owed = 0;
	run_bursts();
	const struct sink_event *e = sink_events(&count);
	for (size_t i = 0; i < count; i++) {
		bool served = false;
		if (e[i].kind != SINK_LATCH || e[i].from != DOZE_LATCH_sleeping ||
		    e[i].to != DOZE_LATCH_set)
			continue;
		for (size_t k = i; k < count && !served; k++)
			served = (e[k].kind == SINK_STATE || e[k].kind == SINK_WOKEN) &&
				 e[k].worker == e[i].target;
		owed += !served;
	}
	CU_ASSERT_EQUAL(owed, 0);
}

/* ---- own jobs first ---- */

static void nothing(void *arg)
{
	(void)arg;
}

static void spawn_50(void *arg)
{
	for (int i = 0; i < 50; i++)
		(void)doze_spawn(NULL, nothing, arg);
}

/* One worker with 50 jobs of its own runs them all without ever being counted as idle. */
static void own_jobs_leave_the_counters_alone(void)
{
	size_t count, jobs = 0, between = 0;
	sink_reset();
	doze_pool *p = help_pool(1, "jec");
	doze_install(p, spawn_50, NULL);
	doze_pool_free(p);
	const struct sink_event *e = sink_events(&count);
	for (size_t i = 0; i < count; i++) {
		jobs += e[i].kind == SINK_JOB_START;
		between += e[i].kind == SINK_STATE && jobs > 0 && jobs < 51;
	}
	CU_ASSERT_EQUAL(jobs, 51); /* the installed one and its 50 */
	CU_ASSERT_EQUAL(between, 0);
}

static void the_end_comes_last(void)
{
	size_t count;
	run_bursts();
	const struct sink_event *e = sink_events(&count);
	CU_ASSERT_EQUAL(sink_count(SINK_WORKER_STOP), WORKERS);
	CU_ASSERT_EQUAL(sink_count(SINK_POOL_STOP), 1);
	CU_ASSERT_EQUAL(e[count - 1].kind, SINK_POOL_STOP);
	CU_ASSERT_EQUAL(sink_count(SINK_JOB_START), sink_count(SINK_JOB_END));
	CU_ASSERT_TRUE(sink_count(SINK_JOB_START) >= 15 * 21);
}

static const struct suite_test tests[] = {
    {"Does a worker get sleepy in the 33rd fruitless round, not before?", gets_sleepy_after_32},
    {"Does getting sleepy make the JEC even, once?", sleepy_makes_the_jec_even},
    {"Does a post write the word only when the JEC is even?", post_toggles_only_even},
    {"Does a post wake as many as jobs, idle workers and queue demand?", post_wakes_what_it_should},
    {"Does finding work wake up to two, also for a set latch?", work_found_wakes_two},
    {"Does a post since sleepy avert the sleep, partly?", posted_since_sleepy_averts_sleep},
    {"Does the last look see an injected job when the JEC lies?", last_look_sees_injected},
    {"Does the last look see a broadcast (rayon #992)?", last_look_sees_broadcast},
    {"Does a set latch avert the sleep?", set_latch_averts_sleep},
    {"Is the owner woken from SLEEPING only?", latch_wakes_its_owner_only_asleep},
    {"Does a broadcast wake every sleeper and no JEC?", broadcast_wakes_every_sleeper},
    {"Do the words of all steps chain from first to last?", steps_chain},
    {"Does each worker's state follow from the one before?", states_follow_each_other},
    {"Has each wake one woken, and each sleep one wake?", each_wake_is_woken_once},
    {"Is the owner of each latch set while it slept awake again?", set_latches_wake_their_owners},
    {"Are own jobs run without touching the counters (rayon #1058)?",
     own_jobs_leave_the_counters_alone},
    {"Does pool_stop come last, after every worker_stop?", the_end_comes_last},
};
SUITE_MAIN("jec", tests)
