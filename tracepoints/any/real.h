/*
 * SPDX-License-Identifier: MIT
 *
 * real.h - the real functions behind the interposed ones.
 */
#ifndef DOZE_ANY_REAL_H
#define DOZE_ANY_REAL_H

#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

/* The versions of the condition variables' functions on x86-64. For a name without a version, the
 * loader might find the old one. */
#define NEW "GLIBC_2.3.2"
#define OLD "GLIBC_2.2.5"

/* Null where the C library has no such function. */
struct any_real {
	int (*cond_wait)(pthread_cond_t *, pthread_mutex_t *);
	int (*cond_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
	int (*cond_clockwait)(pthread_cond_t *, pthread_mutex_t *, clockid_t,
			      const struct timespec *);
	int (*cond_signal)(pthread_cond_t *);
	int (*cond_broadcast)(pthread_cond_t *);
	/* of programs linked before glibc 2.3.2 */
	int (*old_cond_wait)(pthread_cond_t *, pthread_mutex_t *);
	int (*old_cond_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
	int (*old_cond_signal)(pthread_cond_t *);
	int (*old_cond_broadcast)(pthread_cond_t *);
	int (*mutex_unlock)(pthread_mutex_t *);
	int (*cnd_wait)(cnd_t *, mtx_t *);
	int (*cnd_timedwait)(cnd_t *, mtx_t *, const struct timespec *);
	int (*cnd_signal)(cnd_t *);
	int (*cnd_broadcast)(cnd_t *);
	int (*mtx_unlock)(mtx_t *);
	int (*sem_wait)(sem_t *);
	int (*sem_timedwait)(sem_t *, const struct timespec *);
	int (*sem_clockwait)(sem_t *, clockid_t, const struct timespec *);
	int (*sem_post)(sem_t *);
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	int (*setname)(pthread_t, const char *);
	int (*prctl)(int, unsigned long, unsigned long, unsigned long, unsigned long);
	int (*thrd_create)(thrd_t *, thrd_start_t, void *);
	long (*syscall)(long, ...);
};

/* Hidden: the assembler code of futex_calls.c reads it relative to the instruction pointer. */
extern struct any_real any_real __attribute__((visibility("hidden")));

/** Finds the real functions. Any number of times. */
void any_real_find(void);

#endif
