/*
 * SPDX-License-Identifier: MIT
 *
 * waits.c - the shapes of workload.c whose jobs wait for something other than the pool.
 */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "lib/doze.h"
#include "work.h"
#include "workload.h"

/* ---- the pool does not know that the job waits ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void locked_pieces(size_t from, size_t to, void *arg)
{
	(void)arg;
	for (; from < to; from++) {
		work_us(value("job", 50));
		pthread_mutex_lock(&mutex);
		work_us(value("held", 450));
		pthread_mutex_unlock(&mutex);
	}
}

/* A loop of `width` pieces. Each takes `job` us, and then `held` us while it holds a mutex that all
 * share. */
void shape_locked(void)
{
	for (long i = value("rounds", 1); i; i--)
		doze_for(pool, 0, (size_t)value("width", 1000), 1, locked_pieces, NULL);
}

static void sleeping_pieces(size_t from, size_t to, void *arg)
{
	(void)arg;
	for (; from < to; from++) {
		pause_us(value("sleep", 5000));
		work_us(value("job", 200));
	}
}

/* A loop of `jobs` pieces that sleep for `sleep` us and work for `job` us. */
void shape_sleeps(void)
{
	for (long i = value("rounds", 1); i; i--)
		doze_for(pool, 0, (size_t)value("jobs", 100), 1, sleeping_pieces, NULL);
}

static int ends[2]; /* the pipe's read end and write end */

static void *writes(void *arg)
{
	(void)arg;
	for (long i = value("jobs", 200); i; i--) {
		pause_us(value("every", 3000));
		if (write(ends[1], "x", 1) != 1)
			break;
	}
	return NULL;
}

static void reading_pieces(size_t from, size_t to, void *arg)
{
	char byte;

	(void)arg;
	for (; from < to; from++)
		if (read(ends[0], &byte, 1) == 1)
			work_us(value("job", 500));
}

/* A loop of `jobs` pieces. Each reads a byte from a pipe, to which an outside thread writes one
 * byte every `every` us, and then works for `job` us. */
void shape_reads(void)
{
	pthread_t thread;

	if (pipe(ends))
		return;
	pthread_create(&thread, NULL, writes, NULL);
	doze_for(pool, 0, (size_t)value("jobs", 200), 1, reading_pieces, NULL);
	pthread_join(thread, NULL);
}

/* ---- the pool knows that the job waits, because the job is marked as blocked ---- */

struct handover {
	sem_t ask, answer;
	int worker;
};

static void asks(void *arg)
{
	struct handover *h = arg;

	for (long i = value("rounds", 20); i; i--) {
		work_us(value("job", 1000));
		h->worker = doze_worker_index();
		doze_mark_blocked();
		sem_post(&h->ask);
		while (sem_wait(&h->answer))
			;
	}
}

static void *answers(void *arg)
{
	struct handover *h = arg;

	for (long i = value("rounds", 20); i; i--) {
		while (sem_wait(&h->ask))
			;
		work_us(value("gap", 20000));
		pause_us(value("pause", 0));
		doze_mark_unblocked(pool, h->worker);
		sem_post(&h->answer);
	}
	return NULL;
}

/* A job that is marked as blocked waits for an outside thread, which takes `gap` us for each
 * answer. */
void shape_blocked(void)
{
	static struct handover h;
	pthread_t thread;

	sem_init(&h.ask, 0, 0);
	sem_init(&h.answer, 0, 0);
	pthread_create(&thread, NULL, answers, &h);
	doze_install(pool, asks, &h);
	pthread_join(thread, NULL);
}

static void waits_for_ever(void *arg)
{
	work_us(value("job", 1000));
	doze_mark_blocked();
	while (sem_wait(arg))
		;
}

/* A job that is marked as blocked waits for an event that never occurs. */
void shape_never(void)
{
	static sem_t none;

	sem_init(&none, 0, 0);
	doze_install(pool, waits_for_ever, &none);
}
