/*
 * SPDX-License-Identifier: MIT
 *
 * library.c - a library whose threads wait, to be unloaded by trouble.c.
 */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int go;

static void *wait_for_go(void *none)
{
	pthread_mutex_lock(&mutex);
	while (!go)
		pthread_cond_wait(&cond, &mutex);
	pthread_mutex_unlock(&mutex);
	return none;
}

__attribute__((visibility("default"))) void library_run(void);
void library_run(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, wait_for_go, NULL);
	usleep(1000);
	pthread_mutex_lock(&mutex);
	go = 1;
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}
