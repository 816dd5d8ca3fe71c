/*
 * SPDX-License-Identifier: MIT
 *
 * real.c - see real.h.
 */
#include "real.h"

#include <dlfcn.h>

struct any_real any_real;

static const void *object_of(const void *address)
{
	Dl_info found;

	return address && dladdr(address, &found) ? found.dli_fbase : NULL;
}

/* Takes the next object's function. If that is the C library's, takes the right version; it may
 * also be that of a sanitizer, which must not be passed over. */
static void find(void *into, const char *name, const char *version)
{
	void *next = dlsym(RTLD_NEXT, name);
	void *right = version ? dlvsym(RTLD_NEXT, name, version) : NULL;

	*(void **)into = right && object_of(next) == object_of(right) ? right : next;
}

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
