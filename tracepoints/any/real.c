/*
 * SPDX-License-Identifier: MIT
 *
 * real.c - see real.h.
 */
#include "real.h"

#include <dlfcn.h>

struct any_real any_real;

static void find(void *into, const char *name, const char *version)
{
	void *found = version ? dlvsym(RTLD_NEXT, name, version) : NULL;

	*(void **)into = found ? found : dlsym(RTLD_NEXT, name);
}

/* The oldest version would be found for a name without one. */
void any_real_find(void)
{
	struct any_real *r = &any_real;

	find(&r->cond_wait, "pthread_cond_wait", NEW);
	find(&r->cond_timedwait, "pthread_cond_timedwait", NEW);
	find(&r->cond_clockwait, "pthread_cond_clockwait", NULL);
	find(&r->cond_signal, "pthread_cond_signal", NEW);
	find(&r->cond_broadcast, "pthread_cond_broadcast", NEW);
	find(&r->old_cond_wait, "pthread_cond_wait", OLD);
	find(&r->old_cond_timedwait, "pthread_cond_timedwait", OLD);
	find(&r->old_cond_signal, "pthread_cond_signal", OLD);
	find(&r->old_cond_broadcast, "pthread_cond_broadcast", OLD);
	find(&r->mutex_unlock, "pthread_mutex_unlock", NULL);
	find(&r->cnd_wait, "cnd_wait", NULL);
	find(&r->cnd_timedwait, "cnd_timedwait", NULL);
	find(&r->cnd_signal, "cnd_signal", NULL);
	find(&r->cnd_broadcast, "cnd_broadcast", NULL);
	find(&r->mtx_unlock, "mtx_unlock", NULL);
	find(&r->sem_wait, "sem_wait", NULL);
	find(&r->sem_timedwait, "sem_timedwait", NULL);
	find(&r->sem_clockwait, "sem_clockwait", NULL);
	find(&r->sem_post, "sem_post", NULL);
	find(&r->create, "pthread_create", NULL);
	find(&r->setname, "pthread_setname_np", NULL);
	find(&r->prctl, "prctl", NULL);
	find(&r->thrd_create, "thrd_create", NULL);
	find(&r->syscall, "syscall", NULL);
}
