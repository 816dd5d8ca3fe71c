/*
 * SPDX-License-Identifier: MIT
 *
 * trouble.c - programs that do what a preload may not survive. Each prints what it does to stdout;
 * with the preload, it must print the same.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static int n;

static void *wait_for_100(void *none)
{
	pthread_mutex_lock(&mutex);
	while (n < 100)
		pthread_cond_wait(&cond, &mutex);
	pthread_mutex_unlock(&mutex);
	return none;
}

/* Four threads wait, and are woken 100 times each. */
static void wake_four(void)
{
	pthread_t t[4];

	n = 0;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, wait_for_100, NULL);
	for (int i = 0; i < 100; i++) {
		usleep(200);
		pthread_mutex_lock(&mutex);
		n++;
		pthread_cond_broadcast(&cond);
		pthread_mutex_unlock(&mutex);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

/* ---- signals ---- */

static sigjmp_buf before;

static void jump(int number)
{
	(void)number;
	siglongjmp(before, 1);
}

static void scribble(void)
{
	volatile char frames[4096];

	memset((void *)(uintptr_t)frames, 0xff, sizeof frames);
}

/* A handler jumps out of sem_wait; then the thread uses the semaphore and the stack again. */
static void do_jump(void)
{
	static volatile int jumps;
	const struct itimerval soon = {{0, 0}, {0, 20000}};

	signal(SIGALRM, jump);
	if (sigsetjmp(before, 1))
		jumps++;
	scribble();
	sem_post(&sem);
	sem_trywait(&sem);
	if (jumps < 5) {
		setitimer(ITIMER_REAL, &soon, NULL);
		sem_wait(&sem);
	}
	printf("jumped %d\n", jumps);
}

/* Atomic, because two handlers can run at once: the timer signals the process, and while one thread
 * is in the handler, the next signal goes to another thread. */
static atomic_int posted;

static void post(int number)
{
	(void)number;
	posted++;
	sem_post(&sem);
}

static atomic_int taken;
static volatile bool stop;

static void *take(void *none)
{
	while (!stop) {
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec++;
		taken += sem_timedwait(&sem, &until) == 0;
	}
	return none;
}

/* A handler posts 5,000 times, also while its thread is inside the preload or malloc. */
static void do_handler(void)
{
	const struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
	pthread_t t[4];

	signal(SIGALRM, post);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, take, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (posted < 5000)
		for (int i = 0; i < 1000; i++) {
			free(malloc((size_t)i * 100));
			pthread_cond_signal(&cond);
		}
	setitimer(ITIMER_REAL, &never, NULL);
	stop = true;
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	while (sem_trywait(&sem) == 0)
		taken++;
	printf("%s\n", posted == taken ? "all were taken" : "some were lost");
}

/* ---- threads ---- */

static void unlock(void *m)
{
	pthread_mutex_unlock(m);
}

static void *wait_forever(void *none)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	for (;;)
		pthread_cond_wait(&cond, &mutex);
	pthread_cleanup_pop(1);
	return none;
}

static void do_cancel(void)
{
	int cancelled = 0;

	for (int round = 0; round < 50; round++) {
		pthread_t t[8];
		void *result;

		for (int i = 0; i < 8; i++)
			pthread_create(&t[i], NULL, wait_forever, NULL);
		usleep(1000);
		pthread_cond_broadcast(&cond);
		for (int i = 0; i < 8; i++)
			pthread_cancel(t[i]);
		for (int i = 0; i < 8; i++) {
			pthread_join(t[i], &result);
			cancelled += result == PTHREAD_CANCELED;
		}
	}
	printf("cancelled %d\n", cancelled);
}

static void *count_one(void *none)
{
	pthread_mutex_lock(&mutex);
	n++;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
	return none;
}

static void do_churn(void)
{
	for (int round = 1; round <= 625; round++) {
		pthread_t t[16];

		for (int i = 0; i < 16; i++)
			pthread_create(&t[i], NULL, count_one, NULL);
		pthread_mutex_lock(&mutex);
		while (n < round * 16)
			pthread_cond_wait(&cond, &mutex);
		pthread_mutex_unlock(&mutex);
		for (int i = 0; i < 16; i++)
			pthread_join(t[i], NULL);
	}
	printf("threads %d\n", n);
}

/* The smallest stack that a thread can have. */
static void do_small(void)
{
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	for (int i = 0; i < 100; i++) {
		pthread_create(&t, &attr, count_one, NULL);
		pthread_join(t, NULL);
	}
	printf("small %d\n", n);
}

/* ---- processes ---- */

static void do_fork(void)
{
	int status;

	wake_four();
	pid_t child = fork();
	if (child == 0) {
		wake_four();
		exit(7);
	}
	wake_four();
	waitpid(child, &status, 0);
	printf("the child exited with %d\n", WEXITSTATUS(status));
}

static void do_vfork(void)
{
	int status;

	for (volatile int i = 0; i < 100; i = i + 1) {
		pid_t child = vfork();

		if (child == 0) {
			execl("/bin/true", "true", (char *)NULL);
			_exit(127);
		}
		waitpid(child, &status, 0);
		if (status)
			break;
	}
	wake_four();
	printf("the last child exited with %d\n", WEXITSTATUS(status));
}

static void do_spawn(void)
{
	char sh[] = "sh", c[] = "-c", say[] = "echo \"child: LD_PRELOAD=$LD_PRELOAD\"";
	char *argv[] = {sh, c, say, NULL};
	int status;
	pid_t child;

	fflush(stdout);
	posix_spawnp(&child, "sh", NULL, NULL, argv, environ);
	waitpid(child, &status, 0);
	wake_four();
	printf("spawned\n");
}

static void do_exec(void)
{
	char name[] = "trouble", wake[] = "wake";
	char *argv[] = {name, wake, NULL};

	wake_four();
	execvp("/nonexistent/trouble", argv);
	execv("/proc/self/exe", argv);
	_exit(127);
}

static void do_close(void)
{
	for (int i = 3; i < 1024; i++)
		close(i);
	wake_four();
	printf("closed\n");
}

/* Starts a program that cannot take a preload. */
static void do_start(char *program)
{
	char *argv[] = {program, NULL};
	int status;
	pid_t child;

	fflush(stdout);
	posix_spawn(&child, program, NULL, NULL, argv, environ);
	waitpid(child, &status, 0);
	child = fork();
	if (child == 0) {
		execv(program, argv);
		_exit(127);
	}
	waitpid(child, &status, 0);
}

/* A library's thread waits; then the library is unloaded, and another one gets its addresses. */
static void do_unload(const char *library)
{
	for (int i = 0; i < 20; i++) {
		void *handle = dlopen(library, RTLD_NOW);
		void (*run)(void);

		*(void **)(void *)&run = handle ? dlsym(handle, "library_run") : NULL;
		if (!run)
			break;
		run();
		dlclose(handle);
		wake_four();
	}
	printf("unloaded\n");
}

static void do_wake(void)
{
	wake_four();
	printf("woken\n");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {{"jump", do_jump},   {"handler", do_handler}, {"cancel", do_cancel},
		   {"churn", do_churn}, {"small", do_small},     {"fork", do_fork},
		   {"vfork", do_vfork}, {"spawn", do_spawn},     {"exec", do_exec},
		   {"close", do_close}, {"wake", do_wake}};

	sem_init(&sem, 0, 0);
	if (argc > 2 && strcmp(argv[1], "unload") == 0)
		do_unload(argv[2]);
	if (argc > 2 && strcmp(argv[1], "start") == 0)
		do_start(argv[2]);
	for (size_t i = 0; argc > 1 && i < sizeof all / sizeof all[0]; i++)
		if (strcmp(argv[1], all[i].name) == 0)
			all[i].run();
	fflush(stdout);
	return 5;
}
