/*
 * SPDX-License-Identifier: MIT
 *
 * workload.c - the programs of the catalogue: workload SHAPE [NAME=VALUE]...
 *
 * Each shape is a small program with known behaviour. The shapes whose jobs wait are in waits.c.
 * catalogue.txt lists the pathology that each shape shows, and its values. Work is measured in CPU
 * time, so a busy machine makes a program slower but does not change its behaviour. `workload`
 * without arguments lists the shapes and their values.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "lib/doze.h"
#include "work.h"
#include "workload.h"

/* ---- values from the command line ---- */

static char **values;

long value(const char *name, long otherwise)
{
	size_t n = strlen(name);

	for (char **v = values; *v; v++)
		if (!strncmp(*v, name, n) && (*v)[n] == '=')
			return strtol(*v + n + 1, NULL, 10);
	return otherwise;
}

/* Job function. The argument points to the job's length in us. */
static void job(void *us)
{
	work_us(*(const long *)us);
}

doze_pool *pool;

/* ---- posts from outside ---- */

/* Posts one job of `job` us every `every` us. The outside thread sleeps in between. */
static void trickle(void)
{
	static long us;

	us = value("job", 0);
	for (long i = value("jobs", 200); i; i--) {
		doze_spawn(pool, job, &us);
		pause_us(value("every", 3000));
	}
}

struct outside {
	pthread_t thread;
	long us, left, every;
};

static void *posts(void *arg)
{
	struct outside *o = arg;

	for (; o->left; o->left--) {
		doze_spawn(pool, job, &o->us);
		pause_us(o->every);
	}
	return NULL;
}

/* Starts `posters` outside threads, each of which posts like trickle. */
static void posters(void)
{
	static struct outside all[16];
	long n = value("posters", 3);

	for (long i = 0; i < n; i++) {
		all[i] = (struct outside){.us = value("job", 0),
					  .left = value("jobs", 100),
					  .every = value("every", 3000)};
		pthread_create(&all[i].thread, NULL, posts, &all[i]);
	}
	for (long i = 0; i < n; i++)
		pthread_join(all[i].thread, NULL);
}

struct batch {
	long us, jobs;
};

static void spawned(doze_scope *s, void *arg)
{
	(void)s;
	job(arg);
}

static void spawns(doze_scope *s, void *arg)
{
	struct batch *b = arg;

	for (long i = 0; i < b->jobs; i++)
		doze_scope_spawn(s, spawned, &b->us);
}

/* The outside thread repeatedly works for `gap` us, pauses for `pause` us, and waits for `jobs`
 * jobs of `job` us. */
static void batches(void)
{
	struct batch b = {value("job", 1000), value("jobs", 16)};

	for (long i = value("rounds", 20); i; i--) {
		work_us(value("gap", 0));
		pause_us(value("pause", 0));
		doze_scope_in_place(pool, spawns, &b);
	}
}

/* ---- loops in the pool ---- */

struct pieces {
	size_t last;
	long us, longest;
};

static void pieces(size_t from, size_t to, void *arg)
{
	const struct pieces *p = arg;

	for (; from < to; from++)
		work_us(from == p->last ? p->longest : p->us);
}

/* A worker works alone for `serial` us and then runs a loop of `width` pieces of `job` us, of which
 * the last takes `longest` us. That piece runs on a worker other than the one that waits for the
 * loop. */
static void loops(void *arg)
{
	size_t width = (size_t)value("width", 16);
	struct pieces p = {width - 1, value("job", 500), value("longest", value("job", 500))};

	(void)arg;
	for (long i = value("rounds", 50); i; i--) {
		work_us(value("serial", 0));
		doze_for(pool, 0, width, 1, pieces, &p);
	}
}

static void loop(void)
{
	doze_install(pool, loops, NULL);
}

/* The same loop, but the serial part runs on the outside thread. */
static void filter(void)
{
	size_t width = (size_t)value("width", 16);
	struct pieces p = {width, value("job", 500), 0};

	for (long i = value("rounds", 50); i; i--) {
		work_us(value("serial", 500));
		doze_for(pool, 0, width, 1, pieces, &p);
	}
}

/* One worker spawns `jobs` jobs of `job` us one by one, and works for `between` us after each. With
 * `rest`, the worker then works for another `rest` us. */
static void feeds(doze_scope *s, void *arg)
{
	static long us;

	(void)arg;
	us = value("job", 1000);
	for (long i = value("jobs", 100); i; i--) {
		doze_scope_spawn(s, spawned, &us);
		work_us(value("between", 0));
	}
	work_us(value("rest", 0));
}

static void feed(void)
{
	for (long i = value("rounds", 1); i; i--) {
		doze_scope_run(pool, feeds, NULL);
		pause_us(value("pause", 0));
	}
}

/* One worker publishes `jobs` jobs of `job` us together. */
static void publishes(doze_scope *s, void *arg)
{
	static long us;

	(void)arg;
	us = value("job", 1000);
	doze_scope_spawn_many(s, spawned, &us, (size_t)value("jobs", 64), 0);
	work_us(value("rest", 0));
}

static void bulk(void)
{
	for (long i = value("rounds", 10); i; i--) {
		doze_scope_run(pool, publishes, NULL);
		pause_us(value("pause", 0));
	}
}

/* The outside thread publishes `jobs` jobs of `job` us together, and waits for them. */
static void floods(doze_scope *s, void *arg)
{
	doze_scope_spawn_many(s, spawned, arg, (size_t)value("jobs", 32), 0);
}

static void flood(void)
{
	static long us;

	us = value("job", 1000);
	for (long i = value("rounds", 10); i; i--) {
		doze_scope_in_place(pool, floods, &us);
		pause_us(value("pause", 0));
	}
}

/* ---- recursion ---- */

struct node {
	long depth, us;
};

static void tree_node(void *arg)
{
	struct node *n = arg, child = {n->depth - 1, n->us};

	if (n->depth == 0)
		work_us(n->us);
	else
		doze_join(tree_node, &child, tree_node, &child);
}

/* Runs a binary tree of joins with 2^depth leaves of `job` us, `rounds` times, with pauses of
 * `pause` us. */
static void tree(void)
{
	for (long i = value("rounds", 1); i; i--) {
		struct node root = {value("depth", 10), value("job", 0)};

		doze_install(pool, tree_node, &root);
		pause_us(value("pause", 0));
	}
}

/* ---- main ---- */

static const struct shape {
	const char *name;
	void (*run)(void);
	const char *takes;
} shapes[] = {
    {"trickle", trickle, "jobs every job"},
    {"posters", posters, "posters jobs every job"},
    {"batches", batches, "rounds gap pause jobs job"},
    {"loop", loop, "rounds serial width job longest"},
    {"filter", filter, "rounds serial width job"},
    {"feed", feed, "rounds pause jobs job between rest"},
    {"bulk", bulk, "rounds pause jobs job rest"},
    {"flood", flood, "rounds pause jobs job"},
    {"tree", tree, "rounds pause depth job"},
    {"locked", shape_locked, "rounds width job held"},
    {"sleeps", shape_sleeps, "rounds jobs job sleep"},
    {"reads", shape_reads, "jobs every job"},
    {"blocked", shape_blocked, "rounds job gap pause"},
    {"never", shape_never, "job"},
    {"nested", shape_nested, "job"},
    {"crossed", shape_crossed, ""},
    {"selfwait", shape_selfwait, ""},
    {"loader", shape_loader, "width"},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static const struct shape *shape_of(const char *name)
{
	for (int i = 0; i < SHAPES; i++)
		if (!strcmp(shapes[i].name, name))
			return &shapes[i];
	return NULL;
}

static int usage(void)
{
	fprintf(stderr,
		"usage: workload SHAPE [NAME=VALUE]...; killed after `dies` ms, if given; with "
		"`mask`, the workers may run only on the first `mask` CPUs\n");
	for (int i = 0; i < SHAPES; i++)
		fprintf(stderr, "  %-9s %s\n", shapes[i].name, shapes[i].takes);
	return 2;
}

static void on_deadlock(void *arg)
{
	(void)
	    arg; /* makes the library record the event `deadlock`; nothing can end this deadlock */
}

/* Lets the calling thread, and those that it creates, run only on the first n CPUs (0: on all). */
static void limit_cpus(long n)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (long i = 0; i < (n ? n : CPU_SETSIZE); i++)
		CPU_SET((size_t)i, &set);
	(void)sched_setaffinity(0, sizeof set, &set);
}

static void die_after(long ms)
{
	struct itimerval t = {.it_value = {ms / 1000, ms % 1000 * 1000}};

	setitimer(ITIMER_REAL, &t, NULL);
}

int main(int argc, char **argv)
{
	const struct shape *s = argc > 1 ? shape_of(argv[1]) : NULL;
	doze_config c = DOZE_CONFIG_DEFAULT;

	if (!s)
		return usage();
	values = argv + 2;
	die_after(value("dies", 0));
	c.deadlock_handler = on_deadlock;
	limit_cpus(value("mask", 0));
	if (doze_pool_create(&pool, &c)) {
		fprintf(stderr, "workload: %s\n", doze_last_error());
		return 1;
	}
	limit_cpus(0);
	for (long i = value("repeat", 1); i; i--)
		s->run();
	doze_pool_free(pool);
	return 0;
}
