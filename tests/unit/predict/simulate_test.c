/*
 * SPDX-License-Identifier: MIT
 *
 * simulate_test.c - viz/predict: runs of small synthetic workloads whose results were worked out
 * by hand.
 */
#include <string.h>

#include "tests/fixtures/suite.h"
#include "viz/predict/simulate.h"

enum { MAX = 64, MS = 1000000 };

static struct doze_work_job job[MAX];
static struct doze_op op[MAX * 4];
static uint32_t ref[MAX * 4];
static double round_ns = 100, latency_ns = 1000, up_to = 100;
static struct doze_work work;

static void reset(void)
{
	work = (struct doze_work){
	    .job = job,
	    .op = op,
	    .ref = ref,
	    .costs = {.round = &round_ns,
		      .rounds = 1,
		      .rounds_up_to = &up_to,
		      .latency = &latency_ns,
		      .latencies = 1},
	    .policy = "jec",
	    .workers = 1,
	    .rounds_until_sleepy = 32,
	    .rounds_until_sleeping = 33,
	    .asleep_at_first = true,
	    .on_cpu = 1,
	};
}

static uint32_t new_job(bool outside)
{
	job[work.jobs] = (struct doze_work_job){
	    .first_op = -1, .last_op = -1, .outside = outside, .posted = true};
	return work.jobs++;
}

static struct doze_op *add(uint32_t j, enum doze_op_kind kind)
{
	if (job[j].first_op < 0)
		job[j].first_op = (int32_t)work.ops;
	else
		op[job[j].last_op].next = (int32_t)work.ops;
	job[j].last_op = (int32_t)work.ops;
	op[work.ops] = (struct doze_op){.kind = kind, .next = -1, .first = work.refs};
	return &op[work.ops++];
}

static void refer(struct doze_op *o, uint32_t j)
{
	ref[work.refs++] = j;
	o->count++;
}

static uint32_t computes(double ns)
{
	uint32_t j = new_job(false);

	add(j, DOZE_OP_work)->ns = ns;
	return j;
}

static double makespan(const char *policy, uint32_t workers, double cpus, struct doze_sim_run *run)
{
	struct doze_sim_setting set = {doze_policy_descriptor(policy), workers, cpus, 1};

	CU_ASSERT_TRUE(doze_simulate(&work, &set, run));
	return run->makespan / MS;
}

/* Eight jobs of 1 ms, published by a single post. */
static void fan(void)
{
	uint32_t first, outside;
	struct doze_op *post;
	struct doze_sim_run r;

	reset();
	outside = new_job(true);
	first = work.jobs;
	for (int i = 0; i < 8; i++)
		(void)computes(MS);
	post = add(outside, DOZE_OP_post);
	post->queue = DOZE_QUEUE_injector;
	for (uint32_t i = 0; i < 8; i++)
		refer(post, first + i);
	CU_ASSERT_DOUBLE_EQUAL(makespan("jec", 1, 8, &r), 8, 0.1);
	CU_ASSERT_DOUBLE_EQUAL(makespan("jec", 4, 8, &r), 2, 0.1);
	CU_ASSERT_EQUAL(r.wakes, 4);
	CU_ASSERT_EQUAL(r.futile, 0);
	CU_ASSERT_DOUBLE_EQUAL(makespan("jec", 4, 2, &r), 4, 0.2);
	/* rfc wakes only one worker for the post. */
	CU_ASSERT_DOUBLE_EQUAL(makespan("rfc", 4, 8, &r), 8, 0.1);
	CU_ASSERT_EQUAL(r.wakes, 1);
	CU_ASSERT_DOUBLE_EQUAL(makespan("spin", 4, 8, &r), 2, 0.1);
	CU_ASSERT_EQUAL(r.wakes, 0);
	CU_ASSERT_DOUBLE_EQUAL(doze_sim_chain(&work, false) / MS, 1, 0.01);
	CU_ASSERT_DOUBLE_EQUAL(doze_sim_work(&work) / MS, 8, 0.01);
}

/* One job publishes another, computes, and then waits for it. */
static void waits(void)
{
	uint32_t outside, parent, child;
	struct doze_op *o;
	struct doze_sim_run r;

	reset();
	outside = new_job(true);
	child = computes(3 * MS);
	parent = new_job(false);
	o = add(outside, DOZE_OP_post);
	o->queue = DOZE_QUEUE_injector;
	refer(o, parent);
	o = add(parent, DOZE_OP_post);
	o->queue = DOZE_QUEUE_local;
	refer(o, child);
	add(parent, DOZE_OP_work)->ns = 1 * MS;
	refer(add(parent, DOZE_OP_wait), child);
	add(parent, DOZE_OP_work)->ns = 2 * MS;
	CU_ASSERT_DOUBLE_EQUAL(makespan("jec", 1, 2, &r), 6, 0.1);
	CU_ASSERT_DOUBLE_EQUAL(makespan("jec", 2, 2, &r), 5, 0.1);
	CU_ASSERT_DOUBLE_EQUAL(doze_sim_chain(&work, false) / MS, 5, 0.01);
}

/* Each post of a job wakes all four workers, but only one of them gets the job. */
static void futile(void)
{
	uint32_t outside;
	struct doze_sim_run r;

	reset();
	latency_ns = 50000;
	outside = new_job(true);
	for (int i = 0; i < 10; i++) {
		uint32_t j = computes(10);
		struct doze_op *o = add(outside, DOZE_OP_post);

		o->queue = DOZE_QUEUE_injector;
		refer(o, j);
		add(outside, DOZE_OP_pause)->ns = 5 * MS;
	}
	(void)makespan("tickle", 4, 4, &r);
	CU_ASSERT_EQUAL(r.wakes, 40);
	CU_ASSERT_EQUAL(r.useful, 10);
	CU_ASSERT_EQUAL(r.futile, 30);
	CU_ASSERT_DOUBLE_EQUAL(doze_sim_chain(&work, false) / MS, 45, 0.01);
	CU_ASSERT_DOUBLE_EQUAL(doze_sim_chain(&work, true) / MS, 0, 0.01);
	latency_ns = 1000;
}

static void endless(void)
{
	struct doze_sim_setting set = {doze_policy_descriptor("jec"), 2, 2, 1};
	uint32_t outside, a, b;
	struct doze_op *o;
	struct doze_sim_run r;

	reset();
	outside = new_job(true);
	a = new_job(false);
	b = new_job(false);
	o = add(outside, DOZE_OP_post);
	o->queue = DOZE_QUEUE_injector;
	refer(o, a);
	refer(o, b);
	refer(add(a, DOZE_OP_wait), b);
	refer(add(b, DOZE_OP_wait), a);
	CU_ASSERT_FALSE(doze_simulate(&work, &set, &r));
}

static const struct suite_test tests[] = {
    {"the time of independent jobs depends on workers, CPUs and wakes", fan},
    {"a job can wait for another job", waits},
    {"a wake that leads to no job is futile", futile},
    {"a trace with a cycle of waits is not replayed", endless},
};
SUITE_MAIN("simulate", tests)
