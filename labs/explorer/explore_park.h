/*
 * SPDX-License-Identifier: MIT
 *
 * explore_park.h - the operations of lib/park.h as calls into the explorer's scheduler.
 */
#ifndef DOZE_EXPLORE_PARK_H
#define DOZE_EXPLORE_PARK_H

#include <stdint.h>

#include "explore_atomic.h"

typedef struct ex_mutex {
	uint32_t owner; /* 1 + the thread that holds the mutex; 0 = free */
	uint32_t magic; /* EX_MUTEX_MAGIC between init and destroy */
} doze_mutex;
typedef struct ex_cond {
	uint32_t magic;
	uint32_t unused; /* padding */
} doze_cond;
typedef uint32_t doze_thread;

#define EX_MUTEX_MAGIC 0x6d757478u
#define DOZE_MUTEX_INIT                                                                            \
	{                                                                                          \
		0, EX_MUTEX_MAGIC                                                                  \
	}

/** With -femulated-tls, each access of explored code calls __emutls_get_address, which the
 * explorer defines (ops.c) to return the running coroutine's copy. */
#define DOZE_THREAD_LOCAL_HOT _Thread_local
#define DOZE_THREAD_LOCAL     _Thread_local

void ex_mutex_init(doze_mutex *m);
void ex_mutex_destroy(doze_mutex *m);
void ex_mutex_lock(doze_mutex *m, struct ex_site at);
int ex_mutex_trylock(doze_mutex *m, struct ex_site at);
void ex_mutex_unlock(doze_mutex *m, struct ex_site at);
void ex_cond_init(doze_cond *c);
void ex_cond_destroy(doze_cond *c);
void ex_cond_wait(doze_cond *c, doze_mutex *m, struct ex_site at);
void ex_cond_notify(doze_cond *c, int all, struct ex_site at);
void ex_yield(struct ex_site at);
int ex_thread_create(doze_thread *t, void *(*fn)(void *), void *arg, struct ex_site at);
void ex_thread_join(doze_thread t, struct ex_site at);

#define doze_mutex_init(m)     ex_mutex_init(m)
#define doze_mutex_destroy(m)  ex_mutex_destroy(m)
#define doze_mutex_lock(m)     ex_mutex_lock((m), EX_HERE(#m))
#define doze_mutex_trylock(m)  ex_mutex_trylock((m), EX_HERE(#m))
#define doze_mutex_unlock(m)   ex_mutex_unlock((m), EX_HERE(#m))
#define doze_cond_init(c)      ex_cond_init(c)
#define doze_cond_destroy(c)   ex_cond_destroy(c)
#define doze_cond_wait(c, m)   ex_cond_wait((c), (m), EX_HERE(#c))
#define doze_cond_signal(c)    ex_cond_notify((c), 0, EX_HERE(#c))
#define doze_cond_broadcast(c) ex_cond_notify((c), 1, EX_HERE(#c))
/* There is no clock: a wait with a deadline times out at once. */
#define doze_cond_wait_until(c, m, end)                                                            \
	((void)(c), (void)(end), ex_mutex_unlock(m, EX_HERE("mutex")), ex_yield(EX_HERE("yield")), \
	 ex_mutex_lock((m), EX_HERE("mutex")), 0)
#define doze_thread_yield()         ex_yield(EX_HERE("yield"))
#define doze_thread_create(t, f, a) ex_thread_create((t), (f), (a), EX_HERE("thread"))
#define doze_thread_create_sized(t, f, a, stack)                                                   \
	((void)(stack), ex_thread_create((t), (f), (a), EX_HERE("thread")))
#define doze_thread_join(t) ex_thread_join((t), EX_HERE("thread"))

#endif
