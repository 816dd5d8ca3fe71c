/*
 * SPDX-License-Identifier: MIT
 *
 * doze.h - a work-stealing thread pool whose every sleep and wake decision can be traced.
 *
 * Public interface of libdoze. The comment of each function states which threads may call it.
 * "Worker" means a thread of the pool in question; "outside thread" means any other thread,
 * including a worker of another pool.
 *
 * While a worker waits in one of these calls, it runs other jobs of its pool, on its own stack or,
 * where that could close a cycle of waits, on the stack of a spare thread ("Waiting" below). So do
 * not hold a lock across a call if such a job may need it, and do not rely on thread-local values
 * that an earlier job of the same worker set.
 *
 * Do not free a pool while another thread is in a call that names it. Exceptions: an outside thread
 * may queue a job that causes the pool to be freed before the call returns; and doze_pool_free
 * waits for calls of doze_install, doze_for, doze_broadcast and scopes that other threads have
 * already made. Do not cancel a thread that is in a call. After fork() the child has none of its
 * parent's workers: it must neither use nor free the parent's pools, nor wait for their futures,
 * and aborts with a message if it does. It may create its own pools.
 *
 * A job, task, body, turn or handler must return. If one lets a C++ exception escape, or ends its
 * thread by pthread_exit or cancellation, the library prints a message and calls std::terminate, or
 * abort, with the job's stack still intact for a debugger. (Without unwind tables the C++ runtime
 * itself calls std::terminate.) longjmp out of a job is not detected; jobs that the abandoned
 * frames have queued are then dangling. longjmp inside a job does no harm, unless it leaves a call
 * of this library. A signal handler must not call any function of this header. The library installs
 * no signal handlers; workers have the signal mask of the pool's creator.
 */
#ifndef DOZE_H
#define DOZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library is built with hidden symbols; these are the visible ones. */
#pragma GCC visibility push(default)

typedef struct doze_pool doze_pool;
typedef struct doze_scope doze_scope;
typedef struct doze_future doze_future;

/** A piece of work. */
typedef void (*doze_fn)(void *arg);

/** The thread that a spawn handler (doze_config) must create, for worker `worker` of the pool, with
 * a stack of stack_size bytes (0: the system's default). The thread calls run(run_arg) once, which
 * names the thread, works, and returns null when the pool ends; run fits pthread_create. The
 * handler copies what it needs: the struct and the name are invalid once it returns. */
typedef struct doze_new_thread {
	unsigned worker;
	const char *name;
	size_t stack_size;
	void *(*run)(void *run_arg);
	void *run_arg;
} doze_new_thread;

/** Configuration; start from DOZE_CONFIG_DEFAULT. A zero or null field means "default": the value
 * of the environment variable named beside it, if that is set and not empty. doze_pool_create
 * names the field or variable that has a bad value, and its valid values. Strings are copied;
 * handlers and their arguments must live as long as the pool. Handlers may be null. */
typedef struct doze_config {
	/* Number of workers, 1 to 4096. DOZE_NUM_THREADS; else as many as the affinity mask and the
	 * cgroup CPU quota (v1 and v2, rounded down) allow, at least 1. */
	unsigned num_threads;
	/* Sleep policy or preset by name (jec, rfc, local, block, spare, chain, go, demand,
	 * tickle, forkjoin, spin, condvar). DOZE_POLICY; else jec. */
	const char *policy;
	/* Fruitless searches before a worker gets sleepy, and before it sleeps (more than until
	 * sleepy). DOZE_ROUNDS_UNTIL_SLEEPY, DOZE_ROUNDS_UNTIL_SLEEPING; else the policy's own.
	 * Setting only one of them adapts the other. */
	unsigned rounds_until_sleepy;
	unsigned rounds_until_sleeping;
	/* Maximum number of jobs, 2 to 1000000, that a worker runs in succession while a job waits
	 * in the injector or a broadcast's turn in its queue. A worker takes its own jobs first, so
	 * without a limit jobs that keep spawning jobs would starve both. DOZE_FAIR_EVERY; else 61.
	 * DOZE_FAIR_NEVER ("never" in the variable): no limit, as in Rayon. */
	unsigned fair_every;
	/* Bytes of each worker's stack, at least 65536. DOZE_STACK_SIZE; else the system's. */
	size_t stack_size;
	/* Maximum number of waits that are suspended at once ("Waiting", above doze_future_get),
	 * each with its own thread; 1 to 1000000. DOZE_MAX_SUSPENDED; else 4096. */
	unsigned max_suspended;
	/* Prefix of the threads' names, at most 10 bytes of which are used; else "doze". */
	const char *name;
	/* Called by each worker once, before its first job and after its last one; not called at
	 * all if a thread cannot be created. The start handler may use the pool as a job may, even
	 * before doze_pool_create returns. The exit handler must not queue work. */
	void (*start_handler)(unsigned worker, void *arg);
	void (*exit_handler)(unsigned worker, void *arg);
	void *handler_arg;
	/* Deadlock detection (doze_mark_blocked): called when no worker runs and one is blocked. */
	void (*deadlock_handler)(void *arg);
	/* Called by a worker before it goes to sleep and after it has woken. */
	void (*release_handler)(void *arg);
	void (*acquire_handler)(void *arg);
	/* The argument of these three handlers. They run on a worker's thread, which counts as an
	 * outside thread during the call (doze_worker_index returns -1), with no lock of the
	 * library held. They may call everything that does not wait for their own pool: spawn and
	 * submit into it, mark workers unblocked, read statistics. A call that would wait for the
	 * pool (doze_install, doze_for, the end of a scope, doze_broadcast, doze_future_get,
	 * doze_pool_free) aborts with a message that names the call. Keep the handlers short: a
	 * post may wake this very worker. */
	void *deadlock_arg;
	/* Creates the workers' threads in place of the library, one per call, before
	 * doze_pool_create returns; called with handler_arg. Returns 0, or an errno value that
	 * makes the creation fail. doze_pool_free waits until each thread has returned from run,
	 * even one that has not entered it yet; the user may join the threads then. Spare threads
	 * (max_suspended) are always created by the library. */
	int (*spawn_handler)(const doze_new_thread *thread, void *arg);
	/* The creator's thread becomes worker 0 until it frees the pool, which no other thread and
	 * no job may do. The handlers above are not called for this worker. It works only while it
	 * waits in a doze call, or yields. Until then broadcasts wait for it, waits that it
	 * suspended (max_suspended) do not continue, and a pool with no other worker runs nothing.
	 * Jobs that it spawns or submits are queued like an outside thread's: it may never return
	 * to its queue. A worker cannot be the creator: EBUSY. */
	bool use_current_thread;
} doze_config;

#define DOZE_FAIR_NEVER 0xffffffffu

#ifdef __cplusplus
#define DOZE_CONFIG_DEFAULT                                                                        \
	{                                                                                          \
	}
#else
#define DOZE_CONFIG_DEFAULT                                                                        \
	{                                                                                          \
		0                                                                                  \
	}
#endif

/** Creates a pool and starts its threads; a null config means the defaults. Returns 0 and an owned
 * pool in *out, or an errno value: EINVAL for a bad value, EAGAIN if a thread could not be created,
 * EBUSY for use_current_thread on a worker, ENOMEM, or the error of the spawn handler. After an
 * error no resources remain allocated, and doze_last_error() explains it in one line. Any thread.
 * Costs a thread and about 3.5 KiB per worker. */
static inline int doze_pool_create(doze_pool **out, const doze_config *config);
/** Waits until all spawned work has run, including what that work spawns, stops the workers and
 * frees the pool. Null is allowed. Called once, by any thread but the pool's own workers; with
 * use_current_thread, by the creator. Any other caller aborts with a message. A worker of another
 * pool runs no jobs during the call. Costs a wake and a join per thread. */
void doze_pool_free(doze_pool *pool);

/** Flags of doze_pool_free_timed. */
enum {
	/* Discard jobs that have not begun and that no call waits for: those of doze_spawn and
	 * doze_spawn_many, and the turns of doze_spawn_broadcast. */
	DOZE_FREE_DISCARD = 1
};

/** Like doze_pool_free, with a deadline, for a pool whose jobs may never end. Returns 0 when the
 * pool is freed; ETIMEDOUT if its work, or an install, loop, broadcast or scope of another thread,
 * has not ended after timeout_ns nanoseconds (the pool stays usable); or EINVAL for an unknown flag
 * or with use_current_thread. With DOZE_FREE_DISCARD workers discard the jobs that they take from
 * their queues during the call; *discarded (may be null) is their number, even after ETIMEDOUT.
 * Tasks, and jobs that belong to a scope, a join, an install or a waited broadcast, still run,
 * since callers may rely on them. In a trace a discarded job has zero duration. The deadline does
 * not bound the exit handlers. Callers and costs as for doze_pool_free. */
int doze_pool_free_timed(doze_pool *pool, uint64_t timeout_ns, unsigned flags, size_t *discarded);

/** The default pool, used by calls that name no pool, on threads that are not workers.
 * doze_default_pool creates it at first use, from the environment, and aborts with a message if
 * that fails; any thread. doze_default_pool_init creates it with a configuration; EBUSY if it
 * already exists. doze_default_pool_free frees it, once, when no thread uses it any longer (for
 * leak checkers). Costs: the first use creates a pool, later ones read a pointer. */
doze_pool *doze_default_pool(void);
static inline int doze_default_pool_init(const doze_config *config);
void doze_default_pool_free(void);

/** Returns one line that explains the calling thread's last error: what failed, where, and what is
 * allowed. Never null; empty before the first error. The text belongs to the thread and is valid
 * until its next error. Any thread. Costs nothing. */
const char *doze_last_error(void);

/** Runs fn(arg) on a worker of the pool (null: the caller's, else the default pool) and returns
 * when fn has returned. Any thread. On a worker of the pool: a plain call. A worker of another pool
 * runs its own pool's jobs while it waits. Any other thread blocks. Costs no allocation, and a wake
 * if the pool sleeps. */
void doze_install(doze_pool *pool, doze_fn fn, void *arg);

/** Runs a(arg_a) and b(arg_b), possibly in parallel, and returns when both have returned. On a
 * worker of any pool: b is offered to the other workers while a runs here, and b runs here as well
 * if it was not stolen; costs no allocation, no lock, and less than 10 ns when nothing is stolen
 * (less in a file that includes doze_inline.h). On any other thread: does the same inside the
 * default pool, as with doze_install. */
void doze_join(doze_fn a, void *arg_a, doze_fn b, void *arg_b);

/** Queues fn(arg) in the pool (null: the caller's, else the default pool) and returns at once; only
 * doze_pool_free waits for the job. Any thread. A worker runs the jobs that it spawned in its own
 * pool newest first (doze_spawn) or oldest first (doze_spawn_fifo); jobs of outside threads are
 * queued in order of arrival. Returns 0, or ENOMEM with nothing queued. Costs one malloc. */
int doze_spawn(doze_pool *pool, doze_fn fn, void *arg);
int doze_spawn_fifo(doze_pool *pool, doze_fn fn, void *arg);

/** Queues fn(args), fn(args + size), … in the pool (null: the caller's, else the default pool):
 * `count` jobs, as `count` calls of doze_spawn in this order would, but published together, so that
 * the sleep policy decides once how many workers to wake for all of them. With size 0 each job gets
 * args itself. The data at args must stay valid until the jobs have run. Any thread. Returns 0, or
 * ENOMEM with no job queued (also for more than 2^31 - 1 jobs). Costs one push, and one malloc of
 * about 32 bytes per job, freed when the last one begins. */
int doze_spawn_many(doze_pool *pool, doze_fn fn, void *args, size_t count, size_t size);

/* ---- scopes: when the call returns, everything spawned in the scope has run ---- */

typedef void (*doze_scope_fn)(doze_scope *scope, void *arg);

/** Runs body(scope, arg) on a worker of the pool (null: the caller's, else the default pool) and
 * returns when body and everything spawned in the scope have run. Each worker runs its newest
 * spawned job first (…_fifo: the oldest). Any thread. Returns 0, or ENOMEM (…_fifo only) without
 * calling body. Costs no allocation (…_fifo: one, for a queue per worker), and for a caller that is
 * not a worker of the pool also what doze_install costs. */
int doze_scope_run(doze_pool *pool, doze_scope_fn body, void *arg);
int doze_scope_run_fifo(doze_pool *pool, doze_scope_fn body, void *arg);
/** Like doze_scope_run and doze_scope_run_fifo, but body itself runs on the calling thread; only
 * its spawned jobs run in the pool. */
int doze_scope_in_place(doze_pool *pool, doze_scope_fn body, void *arg);
int doze_scope_in_place_fifo(doze_pool *pool, doze_scope_fn body, void *arg);
/** Queues fn(scope, arg). Callers: the body, functions spawned in the scope, and threads that act
 * on behalf of one of them. Returns 0, or ENOMEM with nothing queued. Costs one malloc. */
int doze_scope_spawn(doze_scope *scope, doze_scope_fn fn, void *arg);
/** Queues fn(scope, args), fn(scope, args + size), …: `count` jobs, as `count` calls of
 * doze_scope_spawn in this order would, but published together (doze_spawn_many). Callers as for
 * doze_scope_spawn. Returns 0, or ENOMEM with no job queued. Costs what doze_spawn_many costs. */
int doze_scope_spawn_many(doze_scope *scope, doze_scope_fn fn, void *args, size_t count,
			  size_t size);

/* ---- broadcast: once on every worker ---- */

typedef void (*doze_broadcast_fn)(unsigned worker, unsigned workers, void *arg);

/** Runs fn on every worker of the pool and returns when all have run it. Any thread; while it
 * waits, a worker of the pool runs its own turn, and a worker of another pool runs its own pool's
 * jobs. Two broadcasts reach all workers in the same order. A worker takes its turn when it next
 * looks for work and has no jobs of its own, or has run fair_every of them (doze_config). Returns 0
 * or ENOMEM. Costs one malloc, a lock, and a lock and possibly a wake per worker. */
int doze_broadcast(doze_pool *pool, doze_broadcast_fn fn, void *arg);
/** Like doze_broadcast without waiting; doze_pool_free or the scope's end waits for the turns. */
int doze_spawn_broadcast(doze_pool *pool, doze_broadcast_fn fn, void *arg);
int doze_scope_spawn_broadcast(doze_scope *scope, doze_broadcast_fn fn, void *arg);

/* ---- futures ---- */

typedef void *(*doze_task_fn)(void *arg);

/** Queues fn(arg), whose result doze_future_get returns. Any thread. Returns 0 and an owned future
 * in *out, or ENOMEM and null. doze_pool_free waits for the task. Costs one malloc and a push. */
int doze_submit(doze_future **out, doze_pool *pool, doze_task_fn fn, void *arg);
/** Queues fn(args), fn(args + size), …: `count` tasks, as `count` calls of doze_submit in this
 * order would, but published together, so that the sleep policy decides once how many workers to
 * wake (doze_spawn_many). With size 0 each task gets args itself. Any thread. Returns 0 and `count`
 * owned futures in out[0], out[1], …; or ENOMEM, in which case no task is queued, out[0] is null
 * and the rest of out is undefined. Costs one malloc per task and one push. */
int doze_submit_many(doze_future **out, doze_pool *pool, doze_task_fn fn, void *args, size_t count,
		     size_t size);
/* Waiting. Each call waits for specific work: doze_future_get for a task, doze_join for its other
 * half, the end of a scope for the scope's jobs, doze_broadcast for its turns, doze_install for its
 * function. No call waits for a job of doze_spawn. If these waits form no cycle, all of them end,
 * under every policy, with any number of workers, in whatever order tasks are submitted.
 *
 * To keep this promise a worker may have to suspend a wait: the wait keeps its thread and its
 * stack, and a spare thread of the pool takes over as that worker, under the same index, until the
 * wait is over. Spare threads are created on demand, reused, and end with the pool; the start and
 * exit handlers run on the worker's first thread only. A wait also suspends instead of nesting
 * further jobs when half of its stack is used. At most doze_config.max_suspended waits of a pool
 * are suspended at once. A further one, or a spare thread that cannot be created, aborts the
 * program with a message that names the chain of waits.
 *
 * A cycle of doze_future_get aborts the program with a message that names its members, in the call
 * that closes it. The promise does not cover waits that the library does not see: the program's own
 * locks and conditions, doze_pool_free, and jobs that doze_yield_now or doze_yield_local runs on
 * the caller's stack and that wait for the caller. */

/** Waits for the result and returns it. Any thread, any number of times, also from several threads
 * at once. A worker of the future's pool runs the task itself if no thread has begun it; a worker
 * that has to wait runs other jobs of its pool (see above). The future must not have been freed.
 * Costs one atomic step if the result is ready or the task runs here, else a wait, possibly asleep;
 * often two thread switches if a task waits for a task on another worker. */
void *doze_future_get(doze_future *future);
/** Like doze_future_get, but with a deadline. Returns 0 and the result in *result (may be null), or
 * ETIMEDOUT if the task is not done after timeout_ns nanoseconds (0: only check). It never runs the
 * task on the caller's stack. The wait cannot complete a cycle, because it ends at the deadline. A
 * worker always suspends this wait, even if there are jobs that it could run. So in a pool of one
 * worker the spare thread runs the awaited task, after the jobs that are queued before it. The call
 * returns when the spare thread next looks for work, which may be later than the deadline: when it
 * has finished its job, or when that job waits. If max_suspended waits are already suspended, the
 * worker blocks until the deadline instead, and a pool of one worker then runs nothing. Any thread.
 * Costs a lock; on a worker also two thread switches. */
int doze_future_get_timed(doze_future *future, uint64_t timeout_ns, void **result);
/** Returns whether doze_future_get would return at once. Any thread. Costs one load. */
bool doze_future_ready(const doze_future *future);
/** Frees the future. Its owner calls this once, even before the task has run (the task still runs).
 * No thread may be waiting. Null is allowed. Any thread. Costs one atomic step. */
void doze_future_free(doze_future *future);

/* ---- loops ---- */

typedef void (*doze_range_fn)(size_t begin, size_t end, void *arg);

/** Calls fn for pieces that together cover [begin, end) exactly once, in parallel, and returns when
 * all are done. The splitting adapts to the number of thefts; a piece is split only if both halves
 * keep at least `grain` indices (0 means 1). Any thread. Costs a doze_join per split, no
 * allocation. */
void doze_for(doze_pool *pool, size_t begin, size_t end, size_t grain, doze_range_fn fn, void *arg);

/** The operations of a reduction. Accumulators are `size` bytes, at least 1, and aligned for any
 * type of that size. The workers keep small ones on their stacks, large ones on the heap; if memory
 * for one runs out, its range is not split further. combine(left, right) folds right into left.
 * left always has the lower indices, so combine must be associative but need not commute. */
typedef struct doze_reducer {
	size_t size;
	void (*identity)(void *acc, void *arg);
	void (*range)(size_t begin, size_t end, void *acc, void *arg);
	void (*combine)(void *left, const void *right, void *arg);
} doze_reducer;

/** Folds [begin, end) into *out, which it initialises with identity. Splits like doze_for. Any
 * thread. Returns 0, or EINVAL if size is 0. Costs what doze_for costs, and an accumulator per
 * split. */
int doze_reduce(doze_pool *pool, size_t begin, size_t end, size_t grain,
		const doze_reducer *reducer, void *out, void *arg);

/* ---- yields, figures, the calling thread ---- */

/** Runs one waiting job, if there is one: any job (…_now), or only one from the worker's own queues
 * (…_local). The job must not wait for its caller. Returns 1 if it ran a job, 0 if there was none,
 * -1 if the caller is not a worker. Any thread. Costs a search of the worker's own queues or
 * (…_now) of every worker's. */
int doze_yield_now(void);
int doze_yield_local(void);

/** The current states of the workers, counts since the pool was created, and how many waits are
 * suspended now ("Waiting", above; a worker's state does not show its suspended waits). */
typedef struct doze_stats {
	unsigned workers, active, idle, sleepy, sleeping, blocked;
	uint64_t jobs_run, jobs_published, jobs_stolen, sleeps, wakes, suspended;
} doze_stats;

/** Fills in the statistics of a pool. Any thread. Reads one number after the other, so they are not
 * an exact snapshot. Costs a few loads per worker, and does not disturb the workers. */
static inline void doze_pool_stats(doze_pool *pool, doze_stats *out);

/** Query the calling thread and a pool: doze_worker_index returns the calling worker's index in its
 * pool, from 0, or -1 on any other thread; doze_current_pool its pool, or null; doze_num_threads
 * the number of workers of a live pool. Any thread. Each costs a load. */
int doze_worker_index(void);
doze_pool *doze_current_pool(void);
unsigned doze_num_threads(const doze_pool *pool);

/** Deadlock detection, for pools with a deadlock_handler. A worker calls doze_mark_blocked just
 * before it blocks in user code; any thread that is about to unblock it first calls
 * doze_mark_unblocked with its pool and index. When no worker runs and at least one is blocked, the
 * handler is called, once per deadlock, on the thread of the worker that completed the deadlock.
 * See doze_config.deadlock_arg for what it may call. Another thread may queue work or unblock a
 * worker at any moment, so the deadlock may already be over when the handler runs. Calls of the
 * handler never overlap. A worker that waits for another pool counts as running, because that pool
 * will wake it: a cycle through two pools is not detected. Under policy `spin`, where no worker
 * sleeps, a worker counts as running until it has searched without success as often as workers do
 * under other policies before they sleep; the release and acquire handlers are not called. Mark all
 * workers that you unblock before you unblock any. Costs an uncontended lock each. */
void doze_mark_blocked(void);
void doze_mark_unblocked(doze_pool *pool, int worker);

/** Writes text to the trace (at most 63 bytes are kept). Any thread. Costs a load and a branch if
 * no trace is being recorded, else about 100 ns. */
void doze_mark(const char *text);

/* ---- the _sized functions, for compatibility between library versions ---- */

/** Called by the inline functions of the same names without _sized, with the size of the caller's
 * struct. So a program built with an older header runs with a newer library: fields that the
 * program does not know get defaults, or are not written; fields are only ever added at the end.
 * The first two return EINVAL if a program with a newer header sets a field that this library does
 * not know. Callers and costs are the same. Bindings of other languages call these, since inline
 * functions are not symbols of the library, and pass the size of their own struct. */
int doze_pool_create_sized(doze_pool **out, const doze_config *config, size_t size);
int doze_default_pool_init_sized(const doze_config *config, size_t size);
void doze_pool_stats_sized(doze_pool *pool, doze_stats *out, size_t size);

static inline int doze_pool_create(doze_pool **out, const doze_config *config)
{
	return doze_pool_create_sized(out, config, sizeof *config);
}
static inline int doze_default_pool_init(const doze_config *config)
{
	return doze_default_pool_init_sized(config, sizeof *config);
}
static inline void doze_pool_stats(doze_pool *pool, doze_stats *out)
{
	doze_pool_stats_sized(pool, out, sizeof *out);
}

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
