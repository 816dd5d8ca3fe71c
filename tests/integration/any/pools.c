/*
 * SPDX-License-Identifier: MIT
 *
 * pools.c - pools without libdoze that count their own waits: what the preload must report.
 *
 *	pools textbook|c11|old WORKERS JOBS [signal|broadcast]
 *	pools chaos ROUNDS
 *	pools storm SECONDS
 *
 * Prints one line of NAME=NUMBER to stderr. A textbook pool has one queue, one mutex and one
 * condition variable; `c11` has those of C11, `old` the functions that programs linked before glibc
 * 2.3.2 call. In `chaos`, 16 threads wait on and wake a few condition variables, semaphores and
 * futexes at random. In `storm`, four pairs of threads wake each other as fast as they can.
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static atomic_long waits, woken, again, left, kernel;

static void work(void)
{
	for (volatile int i = 0; i < 20000; i = i + 1)
		continue;
}

/* ---- a textbook pool, over the functions of one kind ---- */

struct kind {
	void (*lock)(void), (*unlock)(void), (*wait)(bool done), (*wake)(bool done, bool all);
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;

static void lock(void)
{
	pthread_mutex_lock(&mutex);
}
static void unlock(void)
{
	pthread_mutex_unlock(&mutex);
}
static void wait_posix(bool d)
{
	pthread_cond_wait(d ? &done : &more, &mutex);
}
static void wake_posix(bool d, bool all)
{
	if (all)
		pthread_cond_broadcast(d ? &done : &more);
	else
		pthread_cond_signal(d ? &done : &more);
}

static mtx_t mutex11;
static cnd_t more11, done11;

static void lock11(void)
{
	mtx_lock(&mutex11);
}
static void unlock11(void)
{
	mtx_unlock(&mutex11);
}
static void wait11(bool d)
{
	cnd_wait(d ? &done11 : &more11, &mutex11);
}
static void wake11(bool d, bool all)
{
	if (all)
		cnd_broadcast(d ? &done11 : &more11);
	else
		cnd_signal(d ? &done11 : &more11);
}

#if defined __x86_64__
int old_wait(pthread_cond_t *, pthread_mutex_t *);
int old_signal(pthread_cond_t *);
int old_broadcast(pthread_cond_t *);
__asm__(".symver old_wait, pthread_cond_wait@GLIBC_2.2.5");
__asm__(".symver old_signal, pthread_cond_signal@GLIBC_2.2.5");
__asm__(".symver old_broadcast, pthread_cond_broadcast@GLIBC_2.2.5");

static void wait_old(bool d)
{
	old_wait(d ? &done : &more, &mutex);
}
static void wake_old(bool d, bool all)
{
	if (all)
		old_broadcast(d ? &done : &more);
	else
		old_signal(d ? &done : &more);
}
#else
#define wait_old wait_posix
#define wake_old wake_posix
#endif

static const struct kind posix = {lock, unlock, wait_posix, wake_posix};
static const struct kind c11 = {lock11, unlock11, wait11, wake11};
static const struct kind old = {lock, unlock, wait_old, wake_old};

static const struct kind *k;
static int queued, unfinished;
static bool stop;

static void *worker(void *none)
{
	(void)none;
	k->lock();
	for (;;) {
		bool slept = false;

		while (!queued && !stop) {
			again += slept;
			waits++;
			k->wait(false);
			slept = true;
			woken++;
		}
		if (!queued)
			break;
		queued--;
		k->unlock();
		work();
		k->lock();
		if (!--unfinished)
			k->wake(true, false);
	}
	k->unlock();
	return NULL;
}

static void run_pool(int workers, int jobs, bool all)
{
	pthread_t t[64];

	unfinished = jobs;
	for (int i = 0; i < workers; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < jobs; i++) {
		k->lock();
		queued++;
		k->wake(false, all);
		k->unlock();
		nanosleep(&(struct timespec){0, 500000}, NULL);
	}
	k->lock();
	for (bool slept = false; unfinished; slept = true) {
		again += slept;
		waits++;
		k->wait(true);
		woken++;
	}
	stop = true;
	k->wake(false, true);
	k->unlock();
	for (int i = 0; i < workers; i++)
		pthread_join(t[i], NULL);
}

/* ---- chaos ---- */

enum { OBJECTS = 6, THREADS = 16, STEPS = 400 };
static struct {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	long ticket;
} conds[OBJECTS];
static sem_t sems[OBJECTS];
static atomic_int words[OBJECTS];

static struct timespec after_us(long us)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += us * 1000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void count(int error)
{
	waits++;
	woken += !error;
	left += error == ETIMEDOUT;
}

static void wait_cond(int i, long tickets, long us)
{
	struct timespec until = after_us(us);
	int error = 0;

	pthread_mutex_lock(&conds[i].mutex);
	long want = conds[i].ticket + tickets;
	for (bool slept = false; !error && conds[i].ticket < want; slept = true) {
		again += slept;
		error = pthread_cond_timedwait(&conds[i].cond, &conds[i].mutex, &until);
		count(error);
	}
	pthread_mutex_unlock(&conds[i].mutex);
}

static void wake_cond(int i, bool all)
{
	pthread_mutex_lock(&conds[i].mutex);
	conds[i].ticket++;
	if (all)
		pthread_cond_broadcast(&conds[i].cond);
	else
		pthread_cond_signal(&conds[i].cond);
	pthread_mutex_unlock(&conds[i].mutex);
}

static void wait_word(int i, long us)
{
	struct timespec t = {0, us * 1000};

	count(syscall(SYS_futex, &words[i], FUTEX_WAIT_PRIVATE, words[i], &t, 0, 0) ? errno : 0);
}

static void wake_word(int i, int n)
{
	words[i]++;
	kernel += syscall(SYS_futex, &words[i], FUTEX_WAKE_PRIVATE, n, 0, 0, 0);
}

/* Whether sem_timedwait sleeps cannot be seen from outside, so these waits are not counted. */
static void use_sem(int i, bool post, long us)
{
	struct timespec until = after_us(us);

	if (post)
		sem_post(&sems[i]);
	else
		sem_timedwait(&sems[i], &until);
}

static void step(unsigned *seed)
{
	int i = rand_r(seed) % OBJECTS, what = rand_r(seed) % 9;
	long us = 200 + rand_r(seed) % 2000;

	if (what < 2)
		wait_cond(i, rand_r(seed) % 3, us);
	else if (what < 4)
		wake_cond(i, us & 1);
	else if (what < 6)
		use_sem(i, what == 5, us);
	else if (what == 6)
		wait_word(i, us);
	else if (what == 7)
		wake_word(i, us & 1 ? 1 : 2);
	else
		work();
}

static void *shake(void *number)
{
	unsigned seed = (unsigned)(uintptr_t)number;
	char name[16];

	snprintf(name, sizeof name, "w%u-%u", seed % 3, seed);
	if (seed & 1)
		pthread_setname_np(pthread_self(), name);
	for (int n = 0; n < STEPS; n++)
		step(&seed);
	return NULL;
}

static void run_chaos(int rounds)
{
	pthread_t t[THREADS];

	for (int i = 0; i < OBJECTS; i++) {
		pthread_mutex_init(&conds[i].mutex, NULL);
		pthread_cond_init(&conds[i].cond, NULL);
		sem_init(&sems[i], 0, 0);
	}
	for (int r = 0; r < rounds; r++) {
		for (int i = 0; i < THREADS; i++)
			pthread_create(&t[i], NULL, shake,
				       (void *)(uintptr_t)(r * THREADS + i + 1));
		for (int i = 0; i < THREADS; i++)
			pthread_join(t[i], NULL);
	}
}

/* ---- a storm ---- */

static struct pair {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	int turn;
} pairs[4];
static atomic_bool over;

static void *play(void *number)
{
	int me = (int)(uintptr_t)number % 2;
	struct pair *p = &pairs[(uintptr_t)number / 2];

	while (!over) {
		pthread_mutex_lock(&p->mutex);
		for (bool slept = false; p->turn != me && !over; slept = true) {
			again += slept;
			waits++;
			pthread_cond_wait(&p->cond, &p->mutex);
			woken++;
		}
		p->turn = 1 - me;
		pthread_cond_signal(&p->cond);
		pthread_mutex_unlock(&p->mutex);
	}
	return NULL;
}

static void run_storm(int seconds)
{
	enum { PLAYERS = 2 * (int)(sizeof pairs / sizeof pairs[0]) };
	pthread_t t[PLAYERS];

	for (int i = 0; i < PLAYERS; i++) {
		if (i % 2 == 0) {
			pthread_mutex_init(&pairs[i / 2].mutex, NULL);
			pthread_cond_init(&pairs[i / 2].cond, NULL);
		}
		pthread_create(&t[i], NULL, play, (void *)(uintptr_t)i);
	}
	sleep((unsigned)seconds);
	over = true;
	for (int i = 0; i < PLAYERS; i += 2) {
		pthread_mutex_lock(&pairs[i / 2].mutex);
		pthread_cond_broadcast(&pairs[i / 2].cond);
		pthread_mutex_unlock(&pairs[i / 2].mutex);
	}
	for (int i = 0; i < PLAYERS; i++)
		pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 1;

	mtx_init(&mutex11, mtx_plain);
	cnd_init(&more11);
	cnd_init(&done11);
	k = strcmp(what, "c11") == 0 ? &c11 : strcmp(what, "old") == 0 ? &old : &posix;
	if (strcmp(what, "chaos") == 0)
		run_chaos(n);
	else if (strcmp(what, "storm") == 0)
		run_storm(n);
	else
		run_pool(n, argc > 3 ? atoi(argv[3]) : 100, argc > 4 && argv[4][0] == 'b');
	fprintf(stderr, "waits=%ld woken=%ld again=%ld left=%ld kernel=%ld\n", waits, woken, again,
		left, kernel);
	return 0;
}
