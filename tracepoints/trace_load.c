/*
 * SPDX-License-Identifier: MIT
 *
 * trace_load.c - see trace_load.h. Not compiled with TRACE=0.
 *
 * Why a thread: loading the provider loads liblttng-ust, whose constructor talks to the session
 * daemon. If that daemon hangs, the constructor waits for LTTNG_UST_REGISTER_TIMEOUT, 3 s by
 * default, and would delay the main thread. A separate thread is not enough, because it holds
 * glibc's loader lock, which exit(), dlopen() and C++ exceptions need. So this file also sets a
 * short timeout; trace_find.c explains its length. LTTng reads the variable once, when the first of
 * its libraries is loaded; therefore the constructor that sets it has a priority. If the process
 * already has threads, because this code is in a plug-in, the environment stays unchanged, because
 * another thread may be reading it.
 *
 * Why a probe: if the pool is created in a shared object's constructor, the creating thread itself
 * holds the loader lock, and the loader thread cannot load anything before the constructor returns.
 * So the loader thread first takes and releases that lock (`lock_free`), and doze_trace_boot gives
 * up if that thread sleeps instead, as a wait would be in vain. The kernel's state of the thread
 * tells it from one that a busy machine has not run yet.
 *
 * Why two threads: a plug-in that contains this code may be unloaded, and no thread may run its
 * code then. The destructor cannot join the loader thread, because the unloading thread holds the
 * loader lock. So while the loader thread runs, this file holds a reference to its own shared
 * object (`pin`). The next call that creates or frees a pool drops the reference; the caller has
 * another one, so this does not unload the object. The snapshot thread needs no loader lock, so the
 * destructor can stop and join it.
 *
 * Why fork handlers: a child has only the thread that forked. It lacks LTTng's threads and shares
 * LTTng's sockets and buffers with its parent, so the session daemon would wait several seconds for
 * it. LTTng has functions to be called around fork(), which normally requires the user to preload
 * liblttng-ust-fork.so. This file calls them, so LTTng treats the child as a separate process. For
 * a child that calls exec at once, this takes about a millisecond.
 */
#include "lib/trace_load.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <time.h>
#include <unistd.h>

#include "lib/trace.h"
#include "snapshots.h"
#include "trace_find.h"

/** Time between two snapshots, while the event `snapshot` is enabled. */
#define SNAPSHOT_MS 500
/** Maximum time that a fork waits for a dlopen in progress, which takes a few milliseconds. */
#define FORK_WAIT_MS 500
/** Maximum time that doze_trace_hold waits for the events of a snapshot. */
#define HOLD_MS 1000
/** The loader lock counts as held for good if the loader thread sleeps at LOOKS looks in a row,
 * which are LOOK_MS apart. Other threads' dlopen calls hold the lock for milliseconds. */
#define LOOK_MS 50
#define LOOKS   2

/* Absent from a program that has only pools of doze_emit.h. */
#pragma weak doze_trace_for_each_worker
static void (*for_each_other)(doze_trace_worker_fn *fn, void *ctx);

static struct {
	pthread_mutex_t lock;   /* held while snapshots are emitted, and across a fork */
	pthread_cond_t changed; /* signals that loaded or quit was set; uses the monotonic clock */
	/* Protected by the lock: */
	bool started;   /* this process has tried to start the loader thread */
	bool loading;   /* the loader thread is inside dlopen */
	pid_t tid;      /* the loader thread, once it tries to take the loader lock; 0 before */
	bool lock_free; /* the loader thread has had the loader lock; atomic, see sleeps_for_lock */
	bool loaded;    /* the loader thread has finished, whether or not it found the provider */
	struct timespec loaded_at; /* time at which the loader thread set `loaded` */
	bool quit;      /* no more snapshots: the process exits, or this code is being unloaded */
	bool snapshots; /* the snapshot thread is running */
	pthread_t snapshot_thread; /* valid if `snapshots` is true */
	void *pin;                 /* a reference to the shared object with this code, or null */
	bool joins;                /* the loader thread must be joined before the pin is dropped */
	pthread_t loader_thread;
	void *provider;
	void (*before_fork)(sigset_t *);
	void (*after_fork_parent)(sigset_t *);
	void (*after_fork_child)(sigset_t *);
	bool forking;      /* the prepare handler has called before_fork */
	sigset_t fork_set; /* the signal mask that before_fork saves and the after_fork functions
			    * restore */
} loader = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t loader_once = PTHREAD_ONCE_INIT;
static _Thread_local bool is_loader_thread;

/* ---- before main ---- */

/* With priority 101, this runs before the constructors of LTTng's header in tp_define.c, which have
 * no priority. */
__attribute__((constructor(101))) static void set_register_timeout(void)
{
	if (doze_trace_env_off() || getenv("LTTNG_UST_REGISTER_TIMEOUT"))
		return;
	if (!__libc_single_threaded)
		return;
	/* If the program itself uses LTTng, LTTng has already read the variable. */
	if (dlopen("liblttng-ust.so.1", RTLD_LAZY | RTLD_NOLOAD))
		return;
	(void)setenv("LTTNG_UST_REGISTER_TIMEOUT", doze_trace_env_wait_text(), 0);
}

/* At exit LTTng frees its data, which a snapshot might use; and when a plug-in is unloaded, no
 * thread may run its code. */
__attribute__((destructor)) static void stop_snapshots(void)
{
	if (is_loader_thread) /* a crash handler called exit on this thread */
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

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

static void emit_snapshot(void *ctx, uint32_t pool, int32_t worker,
			  const struct doze_trace_snapshot_info *info)
{
	(void)ctx;
	doze_trace_snapshot(pool, worker, info);
}

static void emit_snapshots(void)
{
	if (doze_trace_for_each_worker)
		doze_trace_for_each_worker(emit_snapshot, 0);
	if (for_each_other)
		for_each_other(emit_snapshot, 0);
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
			emit_snapshots();
		while (!loader.quit &&
		       pthread_cond_timedwait(&loader.changed, &loader.lock, &next) == 0)
			continue;
	}
	(void)pthread_mutex_unlock(&loader.lock);
	return 0;
}

/* dlsym returns a data pointer; POSIX permits storing it as a function pointer in this way. */
static void find_fork_hook(void *provider, const char *name, void (**hook)(sigset_t *))
{
	*(void **)(void *)hook = provider ? dlsym(provider, name) : 0;
}

/* Called with the lock held. If liblttng-ust-fork.so is preloaded, it calls the hooks itself. */
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

/* Blocks all signals except those of crashes: the threads of this file must not handle the
 * program's signals, but the program's crash handler must see their crashes.  */
static void block_signals(sigset_t *before)
{
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
	sigset_t blocked;

	(void)sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		(void)sigdelset(&blocked, crashes[i]);
	(void)pthread_sigmask(SIG_BLOCK, &blocked, before);
}

/* Called with the lock held. The new thread inherits the loader thread's signal mask. */
static void start_snapshots(void)
{
	if (loader.provider && !loader.quit)
		loader.snapshots =
		    pthread_create(&loader.snapshot_thread, 0, send_snapshots, 0) == 0;
}

/* Returns once this thread has had glibc's loader lock. */
static void try_loader_lock(void)
{
	void *program;

	(void)pthread_mutex_lock(&loader.lock);
	loader.tid = gettid();
	(void)pthread_mutex_unlock(&loader.lock);
	program = dlopen(0, RTLD_LAZY | RTLD_NOLOAD);
	if (program)
		(void)dlclose(program);
	/* Before this thread can sleep on its own lock. */
	__atomic_store_n(&loader.lock_free, true, __ATOMIC_RELEASE);
	(void)pthread_mutex_lock(&loader.lock);
	(void)pthread_cond_broadcast(&loader.changed);
	(void)pthread_mutex_unlock(&loader.lock);
}

static void *loader_thread(void *arg)
{
	void *provider = loader.provider; /* a forked child inherits the loaded provider */

	(void)arg;
	is_loader_thread = true;
	(void)pthread_setname_np(pthread_self(), "doze-load");
	if (!provider) {
		try_loader_lock();
		provider = doze_trace_find_provider();
	}
	(void)pthread_mutex_lock(&loader.lock);
	loader.provider = provider;
	take_fork_hooks();
	start_snapshots();
	loader.loading = false;
	loader.loaded = true;
	loader.loaded_at = after_ms(0);
	(void)pthread_cond_broadcast(&loader.changed);
	(void)pthread_mutex_unlock(&loader.lock);
	return 0;
}

/* Called with the lock held. If no thread can be created, the program runs without a trace. */
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

/* Called only for the first object, which is the program. Sets *found if the program contains this
 * code. */
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

/* Returns a reference to the shared object that contains this code; null on failure, or if that
 * object is the program, which is never unloaded. The caller must not hold the lock, because a
 * thread with the loader lock may be waiting for it. */
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

/* Takes the lock of this file, then LTTng's, in the same order as a snapshot. If a program forked
 * during the dlopen, the child would inherit LTTng's locks in a locked state, and its exit() would
 * hang. So this waits for the dlopen, which waits only briefly for the session daemon
 * (set_register_timeout). The loader thread itself must not wait here: LTTng's constructor forks a
 * child that creates shared memory. */
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

/* The child starts its own thread when it creates a pool. If the wait in fork_prepare timed out,
 * LTTng is only partly initialised in the child, which is then never traced. */
static void fork_child(void)
{
	init_changed(); /* in the parent, a thread may have been waiting on it */
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

/* Warns that the wait for the session daemon timed out or was in vain, so that the trace lacks the
 * first events. Warns only once, because the waits of later pools often time out, too. */
static void say_late(unsigned waited_ms, bool locked)
{
	static bool said;

	if (!waited_ms || __atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		return;
	if (locked)
		fprintf(stderr, "doze: a pool was created while a shared object is being loaded, "
				"probably in its "
				"constructor; LTTng can be loaded only after that, so the trace "
				"lacks the first "
				"events; create the pool later\n");
	else
		fprintf(
		    stderr,
		    "doze: LTTng's session daemon did not register this program within %u ms "
		    "(DOZE_TRACE_WAIT_MS): the trace lacks the events before the registration\n",
		    waited_ms);
}

void doze_trace_snapshot_also(void (*for_each)(doze_trace_worker_fn *fn, void *ctx))
{
	for_each_other = for_each; /* before the snapshot thread exists */
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
	if (joins) /* the loader thread has ended, or will end without needing the loader lock */
		(void)pthread_join(loader.loader_thread, 0);
	(void)dlclose(pin);
}

/* Not without a limit: a signal handler may have interrupted this thread while it held the lock. */
bool doze_trace_hold(void)
{
	struct timespec deadline;

	if (is_loader_thread) /* a crash handler executes a program on this thread */
		return false;
	(void)clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_sec += HOLD_MS / 1000;
	return pthread_mutex_timedlock(&loader.lock, &deadline) == 0;
}

void doze_trace_release(void)
{
	(void)pthread_mutex_unlock(&loader.lock);
}

/* Returns whether the kernel says that a thread of this process sleeps; true where it says nothing,
 * as without /proc. A thread that waits for a CPU or for a page does not sleep. */
static bool sleeps(pid_t tid)
{
	char path[48], text[128];
	const char *state;
	ssize_t size = 0;
	int file;

	(void)snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)tid);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file >= 0) {
		size = read(file, text, sizeof text - 1);
		(void)close(file);
	}
	text[size > 0 ? size : 0] = 0;
	state = strrchr(text, ')'); /* the end of the thread's name */
	return !state || strncmp(state, ") S", 3) == 0;
}

/* Called with the lock held. The order matters: the thread slept while it did not yet have the
 * loader lock only if `lock_free` is still unset after the look at its state. */
static bool sleeps_for_lock(void)
{
	return loader.tid && sleeps(loader.tid) &&
	       !__atomic_load_n(&loader.lock_free, __ATOMIC_ACQUIRE);
}

/* Called with the lock held. Waits until the loader thread has had glibc's loader lock, but not
 * after the deadline. Returns true early if that thread sleeps, because another one holds the lock.
 */
static bool is_lock_held(const struct timespec *deadline)
{
	int asleep = 0;

	while (!__atomic_load_n(&loader.lock_free, __ATOMIC_RELAXED) && !loader.loaded) {
		struct timespec look = after_ms(LOOK_MS);
		bool last = is_before(deadline, &look);

		if (pthread_cond_timedwait(&loader.changed, &loader.lock,
					   last ? deadline : &look) == 0)
			continue;
		asleep = sleeps_for_lock() ? asleep + 1 : 0;
		if (asleep == LOOKS || last)
			return asleep == LOOKS;
	}
	return false;
}

void doze_trace_boot(void)
{
	struct timespec deadline;
	unsigned wait_ms;
	void *pin;
	bool late, locked;

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
	locked = is_lock_held(&deadline);
	while (!loader.loaded && !locked &&
	       pthread_cond_timedwait(&loader.changed, &loader.lock, &deadline) == 0)
		continue;
	/* If LTTng's own time-out ended the load, there is no registration, although this thread
	 * may not have timed out yet. */
	late = !loader.loaded || !is_before(&loader.loaded_at, &deadline);
	(void)pthread_mutex_unlock(&loader.lock);
	if (pin) /* another thread has set loader.pin first */
		(void)dlclose(pin);
	doze_trace_settle();
	if (late)
		say_late(wait_ms, locked);
}
