/*
 * SPDX-License-Identifier: MIT
 *
 * trace_load.c - see trace_load.h. Left out by TRACE=0.
 *
 * Why a thread. Loading the provider loads liblttng-ust, whose constructor talks to the session
 * daemon. When that daemon hangs, the constructor waits for LTTNG_UST_REGISTER_TIMEOUT, 3 s by
 * default, and the program's main thread would wait with it. In a thread of its own it would still
 * hold glibc's loader lock, and exit(), dlopen() and C++ exceptions need that lock. So both: the
 * thread, and a timeout of 0 in the environment before LTTng reads it (it does that once, when the
 * first of its libraries is loaded: hence the constructor with a priority). In a process that has
 * threads already, into which this code comes with a plug-in, the environment is left alone:
 * another thread may be reading it.
 *
 * Why two threads. A plug-in that contains this code may be unloaded, and no thread may run in it
 * then. The loader thread cannot be waited for, because the unloading thread holds the loader lock:
 * so while it loads, we hold a reference to our own shared object (`pin`). It is given back by the
 * next call that creates or frees a pool: such a call comes from somebody who has a reference, too,
 * so nothing is unloaded under our feet. The snapshot thread needs no loader lock; our destructor
 * stops it and waits for it.
 *
 * Why not fork-safe by itself. A child has only the thread that forked. LTTng's own threads are
 * gone there, its sockets and buffers are shared with the parent, and the session daemon would wait
 * seconds for answers on them. LTTng has functions for that, to be called around fork(); normally
 * the user must preload liblttng-ust-fork.so to have them called. We call them ourselves, so the
 * child is a process of its own for LTTng. A child that execs at once pays about a millisecond.
 */
#include "lib/trace_load.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/single_threaded.h>
#include <time.h>

#include "lib/trace.h"
#include "trace_find.h"

/** While the snapshot event is enabled every worker is reported this often. */
#define SNAPSHOT_MS 500
/** A fork waits so long for a dlopen that is under way, which takes some milliseconds. */
#define FORK_WAIT_MS 500

static struct {
	pthread_mutex_t lock;   /* held while snapshots are emitted, and across a fork */
	pthread_cond_t changed; /* loaded or quit was set; waits by the monotonic clock */
	/* By the lock: */
	bool started;              /* the loader thread was asked for, in this process */
	bool loading;              /* it is inside dlopen */
	bool loaded;               /* it has tried, with or without success */
	bool quit;                 /* the process exits, or we are unloaded: no more snapshots */
	bool snapshots;            /* the snapshot thread runs */
	pthread_t snapshot_thread; /* if so */
	void *pin;  /* a reference to the shared object that we are in, or null; then also: */
	bool joins; /* the loader thread was started, */
	pthread_t loader_thread; /* to be joined before the pin is given back */
	void *provider;
	void (*before_fork)(sigset_t *);
	void (*after_fork_parent)(sigset_t *);
	void (*after_fork_child)(sigset_t *);
	bool forking;      /* before_fork was called by the prepare handler */
	sigset_t fork_set; /* belongs to these three */
} loader = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t loader_once = PTHREAD_ONCE_INIT;
static _Thread_local bool is_loader_thread;

/* ---- before main ---- */

/* 101: before the constructors of LTTng's header in tp_define.c, which have no priority. */
__attribute__((constructor(101))) static void set_register_timeout(void)
{
	if (doze_trace_env_off() || getenv("LTTNG_UST_REGISTER_TIMEOUT"))
		return;
	if (!__libc_single_threaded)
		return;
	/* A program that uses LTTng itself decides about its own start; too late for us anyway. */
	if (dlopen("liblttng-ust.so.1", RTLD_LAZY | RTLD_NOLOAD))
		return;
	(void)setenv("LTTNG_UST_REGISTER_TIMEOUT", doze_trace_env_wait_text(), 0);
}

/* At exit LTTng takes itself apart; a snapshot in that moment would be a risk for nothing. And when
 * a plug-in is unloaded nobody may be left in it. */
__attribute__((destructor)) static void stop_snapshots(void)
{
	if (is_loader_thread) /* a crash handler that calls exit */
		return;
	(void)pthread_mutex_lock(&loader.lock);
	bool joins = loader.snapshots;
	loader.quit = true;
	loader.snapshots = false;
	(void)pthread_cond_broadcast(&loader.changed);
	(void)pthread_mutex_unlock(&loader.lock);
	if (joins)
		(void)pthread_join(loader.snapshot_thread, 0);
}

/* ---- the threads ---- */

static struct timespec after_ms(unsigned ms)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += (time_t)(ms / 1000);
	t.tv_nsec += (long)(ms % 1000) * 1000000L;
	if (t.tv_nsec >= 1000000000L) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000L;
	}
	return t;
}

static void emit_snapshot(void *ctx, uint32_t pool, int32_t worker,
			  const struct doze_trace_snapshot_info *info)
{
	(void)ctx;
	doze_trace_snapshot(pool, worker, info);
}

static void *send_snapshots(void *arg)
{
	(void)arg;
	is_loader_thread = true;
	(void)pthread_setname_np(pthread_self(), "doze-trace");
	(void)pthread_mutex_lock(&loader.lock);
	while (!loader.quit) {
		struct timespec next = after_ms(SNAPSHOT_MS);

		if (doze_trace_snapshot_on())
			doze_trace_for_each_worker(emit_snapshot, 0);
		while (!loader.quit &&
		       pthread_cond_timedwait(&loader.changed, &loader.lock, &next) == 0)
			continue;
	}
	(void)pthread_mutex_unlock(&loader.lock);
	return 0;
}

/* dlsym gives a data pointer; POSIX says that it may be stored as a function pointer, like this. */
static void find_fork_hook(void *provider, const char *name, void (**hook)(sigset_t *))
{
	*(void **)(void *)hook = provider ? dlsym(provider, name) : 0;
}

/* Caller holds the lock. With liblttng-ust-fork.so preloaded the hooks are called anyway. */
static void take_fork_hooks(void)
{
	void *ours =
	    dlopen("liblttng-ust-fork.so.1", RTLD_LAZY | RTLD_NOLOAD) ? 0 : loader.provider;

	find_fork_hook(ours, "lttng_ust_before_fork", &loader.before_fork);
	find_fork_hook(ours, "lttng_ust_after_fork_parent", &loader.after_fork_parent);
	find_fork_hook(ours, "lttng_ust_after_fork_child", &loader.after_fork_child);
	if (!loader.after_fork_parent || !loader.after_fork_child)
		loader.before_fork = 0;
}

/* The program's signals are not our threads' business, but a crash of theirs is its crash
 * handler's.
 */
static void block_signals(sigset_t *before)
{
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
	sigset_t blocked;

	(void)sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		(void)sigdelset(&blocked, crashes[i]);
	(void)pthread_sigmask(SIG_BLOCK, &blocked, before);
}

/* Caller holds the lock. The mask is inherited from the loader thread. */
static void start_snapshots(void)
{
	if (loader.provider && !loader.quit)
		loader.snapshots =
		    pthread_create(&loader.snapshot_thread, 0, send_snapshots, 0) == 0;
}

static void *loader_thread(void *arg)
{
	void *provider = loader.provider; /* a forked child inherits it */

	(void)arg;
	is_loader_thread = true;
	(void)pthread_setname_np(pthread_self(), "doze-load");
	if (!provider)
		provider = doze_trace_find_provider();
	(void)pthread_mutex_lock(&loader.lock);
	loader.provider = provider;
	take_fork_hooks();
	start_snapshots();
	loader.loading = false;
	loader.loaded = true;
	(void)pthread_cond_broadcast(&loader.changed);
	(void)pthread_mutex_unlock(&loader.lock);
	return 0;
}

/* Caller holds the lock. Without a thread there is no trace, and the program goes on. */
static void start_thread(void)
{
	pthread_attr_t attr;
	sigset_t before;

	__atomic_store_n(&loader.started, true, __ATOMIC_RELAXED);
	loader.loading = true;
	block_signals(&before);
	(void)pthread_attr_init(&attr);
	if (!loader.pin)
		(void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	bool made = pthread_create(&loader.loader_thread, &attr, loader_thread, 0) == 0;
	(void)pthread_attr_destroy(&attr);
	(void)pthread_sigmask(SIG_SETMASK, &before, 0);
	loader.loading = loader.joins = made;
	loader.loaded = !made;
}

/* ---- plug-ins ---- */

/* The first object is the program itself. */
static int is_ours(struct dl_phdr_info *program, size_t size, void *found)
{
	uintptr_t here = (uintptr_t)&loader;

	(void)size;
	for (unsigned i = 0; i < program->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &program->dlpi_phdr[i];
		if (part->p_type == PT_LOAD &&
		    here - program->dlpi_addr - part->p_vaddr < part->p_memsz)
			*(bool *)found = true;
	}
	return 1;
}

/* A reference to the shared object that this code is in; null if it is the program, which stays, or
 * nothing can be done. Caller holds no lock: whoever loads an object may wait for ours. */
static void *pin_self(void)
{
	bool program = false;
	Dl_info here;

	(void)dl_iterate_phdr(is_ours, &program);
	if (program || !dladdr(&loader, &here) || !here.dli_fname)
		return 0;
	return dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

static void init_changed(void)
{
	pthread_condattr_t attr;

	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&loader.changed, &attr);
	(void)pthread_condattr_destroy(&attr);
}

/* ---- fork ---- */

/* Our lock, then LTTng's: the order in which a snapshot takes them, too. A child of a fork in the
 * middle of dlopen inherits LTTng's locks as they are, and its exit() waits for them for ever: so
 * the dlopen is waited for. It cannot be waiting for the session daemon (set_register_timeout). It
 * may fork itself, though: LTTng's constructor lets a child make the shared memory it waits in. */
static void fork_prepare(void)
{
	struct timespec deadline = after_ms(FORK_WAIT_MS);

	(void)pthread_mutex_lock(&loader.lock);
	while (loader.loading && !is_loader_thread &&
	       pthread_cond_timedwait(&loader.changed, &loader.lock, &deadline) == 0)
		continue;
	loader.forking = loader.before_fork != 0;
	if (loader.forking)
		loader.before_fork(&loader.fork_set);
}

static void fork_parent(void)
{
	if (loader.forking)
		loader.after_fork_parent(&loader.fork_set);
	(void)pthread_mutex_unlock(&loader.lock);
}

/* The child starts a thread of its own when it creates a pool. If the wait above was in vain, LTTng
 * is half made in it: that child is never traced. */
static void fork_child(void)
{
	init_changed(); /* the parent's thread may have been waiting in it */
	loader.started = loader.loading;
	loader.snapshots = loader.joins = false;
	loader.loaded = true;
	if (loader.forking)
		loader.after_fork_child(&loader.fork_set);
	(void)pthread_mutex_unlock(&loader.lock);
}

/* ---- the interface ---- */

static void init_once(void)
{
	init_changed();
	(void)pthread_atfork(fork_prepare, fork_parent, fork_child);
}

/* Who asked for a wait wants the beginning, too. Once: a later pool waits again, and often in vain.
 */
static void say_late(unsigned waited_ms)
{
	static bool said;

	if (waited_ms && !__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		fprintf(
		    stderr,
		    "doze: LTTng's session daemon did not register this program within %u ms "
		    "(DOZE_TRACE_WAIT_MS): what the pool does is traced only from when it has\n",
		    waited_ms);
}

void doze_trace_settle(void)
{
	void *pin = 0;
	bool joins;

	(void)pthread_mutex_lock(&loader.lock);
	joins = loader.joins;
	if (loader.loaded && !loader.quit) {
		pin = loader.pin;
		loader.pin = 0;
	}
	(void)pthread_mutex_unlock(&loader.lock);
	if (!pin)
		return;
	if (joins) /* it needs no lock any more */
		(void)pthread_join(loader.loader_thread, 0);
	(void)dlclose(pin);
}

void doze_trace_boot(void)
{
	struct timespec deadline;
	unsigned wait_ms;
	void *pin;
	bool late;

	if (doze_trace_env_off())
		return;
	(void)pthread_once(&loader_once, init_once);
	wait_ms = doze_trace_env_wait_ms();
	deadline = after_ms(wait_ms);
	pin = __atomic_load_n(&loader.started, __ATOMIC_RELAXED) ? 0 : pin_self();
	(void)pthread_mutex_lock(&loader.lock);
	if (!loader.started) {
		loader.pin = pin;
		pin = 0;
		start_thread();
	}
	while (!loader.loaded &&
	       pthread_cond_timedwait(&loader.changed, &loader.lock, &deadline) == 0)
		continue;
	late = !loader.loaded;
	(void)pthread_mutex_unlock(&loader.lock);
	if (pin) /* another thread was faster */
		(void)dlclose(pin);
	doze_trace_settle();
	if (late)
		say_late(wait_ms);
}
