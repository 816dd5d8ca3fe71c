/*
 * SPDX-License-Identifier: MIT
 *
 * calls.c - the functions of the C library that wait, wake, or release a mutex, interposed: each
 * records the call and makes the real one.
 *
 * x86-64 has two versions of the condition variables' functions: programs linked before glibc 2.3.2
 * use another layout of the object. Each version calls the real function of its own version; the
 * linker script any.map declares them.
 *
 * This file is compiled with -fexceptions, so that the clean-up of a cancelled wait costs nothing
 * unless the thread is cancelled.
 */
#include "real.h"

#include <errno.h>

#include "any.h"

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)
#define FRAME  ((const char *)__builtin_frame_address(0))

/* Another object's constructor may call before this one's has run. */
#define REAL(name)                                                                                 \
	__extension__({                                                                            \
		if (__builtin_expect(!any_real.name, 0))                                           \
			any_real_find();                                                           \
		any_real.name;                                                                     \
	})

/* ---- condition variables ---- */

static enum any_end ended(int result)
{
	return result == 0 ? ANY_WOKEN : result == ETIMEDOUT ? ANY_LEFT : ANY_NOT_SLEPT;
}

static enum any_end ended_c11(int result)
{
	return result == thrd_success    ? ANY_WOKEN
	       : result == thrd_timedout ? ANY_LEFT
					 : ANY_NOT_SLEPT;
}

/* The thread was cancelled in its wait. */
static void cancelled(void *none)
{
	(void)none;
	any_wait_end(ANY_LEFT, NULL);
}

/* The body of a function that waits: makes `call` with the wait recorded around it. */
#define WAIT(object, kind, mutex, call, end)                                                       \
	int result;                                                                                \
                                                                                                   \
	if (!any_sees(CALLER) || !any_wait_begin(object, kind, mutex, CALLER, FRAME))              \
		return call;                                                                       \
	pthread_cleanup_push(cancelled, NULL);                                                     \
	result = call;                                                                             \
	pthread_cleanup_pop(0);                                                                    \
	any_wait_end(end(result), mutex);                                                          \
	return result

#define COND_WAIT(call) WAIT(c, DOZE_WAIT_cond, m, call, ended)

/* The condition variables' functions of one version; `real` is a prefix of members of any_real. */
#define COND_FUNCTIONS(prefix, real)                                                               \
	int prefix##wait(pthread_cond_t *c, pthread_mutex_t *m);                                   \
	EXPORT int prefix##wait(pthread_cond_t *c, pthread_mutex_t *m)                             \
	{                                                                                          \
		COND_WAIT(REAL(real##wait)(c, m));                                                 \
	}                                                                                          \
	int prefix##timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t);    \
	EXPORT int prefix##timedwait(pthread_cond_t *c, pthread_mutex_t *m,                        \
				     const struct timespec *t)                                     \
	{                                                                                          \
		COND_WAIT(REAL(real##timedwait)(c, m, t));                                         \
	}                                                                                          \
	static long prefix##do_signal(void *c)                                                     \
	{                                                                                          \
		return REAL(real##signal)(c);                                                      \
	}                                                                                          \
	static long prefix##do_broadcast(void *c)                                                  \
	{                                                                                          \
		return REAL(real##broadcast)(c);                                                   \
	}                                                                                          \
	int prefix##signal(pthread_cond_t *c);                                                     \
	EXPORT int prefix##signal(pthread_cond_t *c)                                               \
	{                                                                                          \
		return (int)any_wake(c, DOZE_WAIT_cond, 1, CALLER, prefix##do_signal, c);          \
	}                                                                                          \
	int prefix##broadcast(pthread_cond_t *c);                                                  \
	EXPORT int prefix##broadcast(pthread_cond_t *c)                                            \
	{                                                                                          \
		return (int)any_wake(c, DOZE_WAIT_cond, ANY_ALL, CALLER, prefix##do_broadcast, c); \
	}

#if defined __x86_64__
COND_FUNCTIONS(any_new_, cond_)
COND_FUNCTIONS(any_old_, old_cond_)
#define VERSION(function, name, version) __asm__(".symver " #function "," name version)
VERSION(any_new_wait, "pthread_cond_wait", "@@" NEW);
VERSION(any_new_timedwait, "pthread_cond_timedwait", "@@" NEW);
VERSION(any_new_signal, "pthread_cond_signal", "@@" NEW);
VERSION(any_new_broadcast, "pthread_cond_broadcast", "@@" NEW);
VERSION(any_old_wait, "pthread_cond_wait", "@" OLD);
VERSION(any_old_timedwait, "pthread_cond_timedwait", "@" OLD);
VERSION(any_old_signal, "pthread_cond_signal", "@" OLD);
VERSION(any_old_broadcast, "pthread_cond_broadcast", "@" OLD);
#else
COND_FUNCTIONS(pthread_cond_, cond_)
#endif

EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
				  const struct timespec *t)
{
	if (!REAL(cond_clockwait))
		return ENOSYS; /* glibc before 2.30 */
	COND_WAIT(REAL(cond_clockwait)(c, m, clock, t));
}

/* ---- mutexes ---- */

/* A woken thread that releases its mutex has gone on. Every other call costs one comparison. */
static inline void released(const void *mutex)
{
	if (__builtin_expect(any_me.held_mutex == mutex && !any_me.busy, 0))
		any_go_on();
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *m)
{
	released(m);
	return REAL(mutex_unlock)(m);
}

/* ---- C11 ---- */

EXPORT int cnd_wait(cnd_t *c, mtx_t *m)
{
	WAIT(c, DOZE_WAIT_cond, m, REAL(cnd_wait)(c, m), ended_c11);
}

EXPORT int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict t)
{
	WAIT(c, DOZE_WAIT_cond, m, REAL(cnd_timedwait)(c, m, t), ended_c11);
}

static long do_cnd_signal(void *c)
{
	return REAL(cnd_signal)(c);
}

static long do_cnd_broadcast(void *c)
{
	return REAL(cnd_broadcast)(c);
}

EXPORT int cnd_signal(cnd_t *c)
{
	return (int)any_wake(c, DOZE_WAIT_cond, 1, CALLER, do_cnd_signal, c);
}

EXPORT int cnd_broadcast(cnd_t *c)
{
	return (int)any_wake(c, DOZE_WAIT_cond, ANY_ALL, CALLER, do_cnd_broadcast, c);
}

EXPORT int mtx_unlock(mtx_t *m)
{
	released(m);
	return REAL(mtx_unlock)(m);
}

/* ---- semaphores ---- */

static enum any_end ended_sem(int result)
{
	return result == 0 ? ANY_WOKEN : errno == EINVAL ? ANY_NOT_SLEPT : ANY_LEFT;
}

/* A semaphore that can be taken at once makes no event. */
#define SEM_WAIT(call)                                                                             \
	if (any_sees(CALLER) && sem_trywait(s) == 0)                                               \
		return 0;                                                                          \
	WAIT(s, DOZE_WAIT_sem, NULL, call, ended_sem)

EXPORT int sem_wait(sem_t *s)
{
	SEM_WAIT(REAL(sem_wait)(s));
}

EXPORT int sem_timedwait(sem_t *restrict s, const struct timespec *restrict t)
{
	SEM_WAIT(REAL(sem_timedwait)(s, t));
}

EXPORT int sem_clockwait(sem_t *restrict s, clockid_t clock, const struct timespec *restrict t)
{
	if (!REAL(sem_clockwait)) {
		errno = ENOSYS; /* glibc before 2.30 */
		return -1;
	}
	SEM_WAIT(REAL(sem_clockwait)(s, clock, t));
}

static long do_post(void *s)
{
	return REAL(sem_post)(s);
}

EXPORT int sem_post(sem_t *s)
{
	return (int)any_wake(s, DOZE_WAIT_sem, 1, CALLER, do_post, s);
}
