/*
 * SPDX-License-Identifier: MIT
 *
 * doze.h - a work-stealing thread pool whose every sleep and wake decision can be seen.
 *
 * Public interface of libdoze. Every function says who may call it from where. "Worker" is a thread
 * of the pool at hand; "outside" is any other thread, a worker of another pool included.
 *
 * A worker that waits in one of these calls runs other jobs of its pool meanwhile, on its own stack
 * or, where that could close a cycle of waits, on the stack of a spare thread ("Waiting" below). So
 * hold no lock across them that such a job may want, and do not count on finding the thread-local
 * values that an earlier job of the same worker has set.
 *
 * A pool must not be freed while a call that names it is in progress in another thread, except that
 * a job which an outside thread queues may let it be freed before that call has returned. After
 * fork() the child has none of its parent's workers: it must leave the parent's pools alone, also
 * unfreed, and may make its own.
 *
 * A job, task, body, turn or handler must return. One that throws a C++ exception to the library,
 * or ends its thread by pthread_exit or cancellation, gets a message and std::terminate, or abort,
 * with its stack still there for a debugger; catch in the job what it may throw. (Built without
 * unwind tables the library cannot be unwound, so the C++ runtime itself calls std::terminate.)
 * longjmp out of a job is not noticed, and leaves what it had queued in frames that are gone. No
 * signal handler may call a function of this header. The library installs none; workers have the
 * signal mask of the thread that creates the pool.
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

/** A thread that a spawn handler (doze_config) is to make: for worker `worker` of the pool, with a
 * stack of stack_size bytes (0: the system's default). The thread calls run(run_arg) once, which
 * names the thread, works, and returns null when the pool ends; run fits pthread_create. The
 * handler copies what it needs: the struct and the name are gone when it returns. */
typedef struct doze_new_thread {
	unsigned worker;
	const char *name;
	size_t stack_size;
	void *(*run)(void *run_arg);
	void *run_arg;
} doze_new_thread;

/** Configuration; start from DOZE_CONFIG_DEFAULT. A zero or null field means "default": then the
 * environment variable named beside it is asked, if it is set and not empty. A bad value in a field
 * or a variable is an error that names it and what is allowed. Strings are copied; handlers and
 * their arguments must live as long as the pool. Handlers may be null. */
typedef struct doze_config {
	/* Workers, 1 to 4096. DOZE_NUM_THREADS; else as many as its affinity mask and
	 * the CPU quota of its control groups (cgroup v1 and v2, rounded down) allow, at least 1.
	 */
	unsigned num_threads;
	/* Sleep policy or preset by name (jec, rfc, local, block, spare, chain, go, tickle,
	 * forkjoin, spin, condvar). DOZE_POLICY; else jec. */
	const char *policy;
	/* Fruitless searches until a worker gets sleepy, and until it sleeps (more than until
	 * sleepy). DOZE_ROUNDS_UNTIL_SLEEPY, DOZE_ROUNDS_UNTIL_SLEEPING; else the policy's own. One
	 * given alone moves the other along. */
	unsigned rounds_until_sleepy;
	unsigned rounds_until_sleeping;
	/* How many jobs a worker runs at most, one after the other, while a job waits in the
	 * injector or a broadcast's turn in its queue, 2 to 1000000. A worker takes its own jobs
	 * first; so jobs that spawn one like themselves would keep it from both for ever, and
	 * after so many it looks there. DOZE_FAIR_EVERY; else 61. DOZE_FAIR_NEVER ("never" in
	 * the variable): it does not, as in Rayon. */
	unsigned fair_every;
	/* Bytes of each worker's stack, at least 65536. DOZE_STACK_SIZE; else the system's. */
	size_t stack_size;
	/* Waits that may be suspended at once ("Waiting", above doze_future_get), each with a
	 * thread of its own; 1 to 1000000. DOZE_MAX_SUSPENDED; else 4096. */
	unsigned max_suspended;
	/* Prefix of the threads' names, 10 bytes count; else "doze". */
	const char *name;
	/* Called by each worker once, before its first job and after its last; by none if a thread
	 * cannot be created. The start handler may use its pool as a job may,
	 * also before doze_pool_create has returned it. The exit handler must
	 * not queue work. */
	void (*start_handler)(unsigned worker, void *arg);
	void (*exit_handler)(unsigned worker, void *arg);
	void *handler_arg;
	/* Deadlock detection (doze_mark_blocked): called when no worker runs and one is blocked. */
	void (*deadlock_handler)(void *arg);
	/* Called by a worker before it goes to sleep and after it woke. */
	void (*release_handler)(void *arg);
	void (*acquire_handler)(void *arg);
	/* The argument of these three. They run on a worker's thread, which counts as an outside
	 * thread meanwhile (doze_worker_index gives -1), with no lock of the library held. They may
	 * call everything that does not wait for their own pool: spawn and submit into it, mark
	 * workers unblocked, read figures. A call that would wait for it (doze_install, doze_for,
	 * the end of a scope, doze_broadcast, doze_future_get, doze_pool_free) aborts with a
	 * message that names the call. Keep them short: a post may wake just this worker. */
	void *deadlock_arg;
	/* Makes the workers' threads instead of the library, one in each call, before
	 * doze_pool_create returns; with handler_arg. 0, or an errno value: then the creation fails
	 * with it. doze_pool_free waits until each of them has left run, and also for one that has
	 * not come to it yet; then they are the user's to join. Spare threads (max_suspended) are
	 * made by the library all the same. */
	int (*spawn_handler)(const doze_new_thread *thread, void *arg);
	/* The thread that creates the pool is worker 0, from then on until it frees the pool, which
	 * only it may do, and not from a job. The handlers above are not called for it. It works
	 * only while it waits in a call of doze, or yields. Until then broadcasts wait for it, jobs
	 * that were suspended on it (max_suspended) do not go on, and a pool of this one worker
	 * does nothing. What it spawns or submits is queued as from outside, since it may never
	 * come back to it. A worker cannot be it: EBUSY. */
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
 * pool in *out, or an errno value (EINVAL a bad value, EAGAIN a thread could not be created, EBUSY
 * use_current_thread on a worker, ENOMEM, or what the spawn handler returned) with one line of
 * explanation in doze_last_error(); nothing is left behind then. Any thread. Costs a thread and
 * some 3.5 KiB a worker. */
static inline int doze_pool_create(doze_pool **out, const doze_config *config);
/** Waits until all spawned work has run, also what that work spawns, stops the workers and frees
 * the pool. Null is allowed. Once, by any thread but the pool's own workers, or with
 * use_current_thread by that thread: any other that calls it aborts with a message. A worker of
 * another pool that calls it does nothing else meanwhile. Costs a wake and a join of each thread.
 */
void doze_pool_free(doze_pool *pool);

/** Flags of doze_pool_free_timed. */
enum {
	/* Throw away what has not begun and nobody waits for: jobs of doze_spawn and
	 * doze_spawn_many, turns of doze_spawn_broadcast. */
	DOZE_FREE_DISCARD = 1
};

/** doze_pool_free with a deadline, for a pool whose jobs may go on for ever. Returns 0 and the pool
 * is gone, or ETIMEDOUT when its work has not ended timeout_ns nanoseconds later, and the pool is
 * as usable as before; or EINVAL for an unknown flag or with use_current_thread. With
 * DOZE_FREE_DISCARD workers throw away what they take out of their queues from the call on, until
 * it returns; *discarded (null: not wanted) is how many jobs that were, also after ETIMEDOUT.
 * Tasks, and what belongs to a scope, a join, an install or a waited broadcast, run all the same,
 * because somebody may rely on them. A trace shows a discarded job as one that took no time. The
 * deadline does not bound the exit handlers. Callers and costs as doze_pool_free. */
int doze_pool_free_timed(doze_pool *pool, uint64_t timeout_ns, unsigned flags, size_t *discarded);

/** The pool that calls without one use from outside: doze_default_pool makes it at first use, from
 * the environment, and aborts with a message if that fails; any thread. doze_default_pool_init
 * makes it with a configuration; EBUSY if it is there already. doze_default_pool_free ends it,
 * once, when nobody uses it any more (for tools that look for memory never freed). Costs: the first
 * use makes a pool, later ones read a pointer. */
doze_pool *doze_default_pool(void);
static inline int doze_default_pool_init(const doze_config *config);
void doze_default_pool_free(void);

/** One line that explains the calling thread's last error: what, where, what is allowed. Never
 * null, empty before the first; the text is the thread's own, until its next error. Any thread.
 * Costs nothing. */
const char *doze_last_error(void);

/** Runs fn(arg) on a worker of the pool (null: the caller's, else the default pool) and returns
 * when it has. Any thread. On a worker of the pool: a plain call. On a worker of another pool: that
 * worker goes on with its own pool's jobs until fn has returned. On any other thread: it blocks.
 * Costs no allocation, and a wake if the pool sleeps. */
void doze_install(doze_pool *pool, doze_fn fn, void *arg);

/** Runs a(arg_a) and b(arg_b), perhaps in parallel, and returns when both have returned. On a
 * worker of any pool: b is offered to the other workers while a runs here, and if nobody took it,
 * it runs here, too; costs no allocation, no lock, and some 20 ns when nothing is stolen.
 * Elsewhere: the same inside the default pool, as doze_install does it. */
void doze_join(doze_fn a, void *arg_a, doze_fn b, void *arg_b);

/** Queues fn(arg) in the pool (null: the caller's, else the default pool) and returns at once;
 * nobody waits for it but doze_pool_free. Any thread. Of what a worker spawned in its own pool it
 * runs the newest first (doze_spawn) or the oldest first (doze_spawn_fifo); what comes from
 * elsewhere is queued in the order in which it came. 0, or ENOMEM and nothing is queued. Costs one
 * malloc. */
int doze_spawn(doze_pool *pool, doze_fn fn, void *arg);
int doze_spawn_fifo(doze_pool *pool, doze_fn fn, void *arg);

/** Queues fn(args), fn(args + size), … in the pool (null: the caller's, else the default pool):
 * `count` jobs, as many calls of doze_spawn in this order would, but published together, so that
 * the sleep policy decides once how many workers to wake for all of them. With size 0 each job gets
 * args itself. What args points to must stay until the jobs have run. Any thread. 0, or ENOMEM and
 * nothing is queued, not one of them (also for more than 2^31 - 1 jobs). Costs one malloc of about
 * 32 bytes a job, freed when the last one begins, and one push. */
int doze_spawn_many(doze_pool *pool, doze_fn fn, void *args, size_t count, size_t size);

/* ---- scopes: everything spawned in one is done when the call returns ---- */

typedef void (*doze_scope_fn)(doze_scope *scope, void *arg);

/** Runs body(scope, arg) on a worker of the pool (null: the caller's, else the default pool) and
 * returns when it and all that was spawned in the scope have run. The newest spawned job of a
 * worker is run first by that worker (…_fifo: the oldest). Any thread. 0, or ENOMEM (…_fifo only),
 * and then body was not called. Costs no allocation (…_fifo: one, of a queue a worker), and from
 * elsewhere what doze_install costs. */
int doze_scope_run(doze_pool *pool, doze_scope_fn body, void *arg);
int doze_scope_run_fifo(doze_pool *pool, doze_scope_fn body, void *arg);
/** The same, at the same cost, but body runs on the calling thread; only what it spawns runs in the
 * pool. */
int doze_scope_in_place(doze_pool *pool, doze_scope_fn body, void *arg);
int doze_scope_in_place_fifo(doze_pool *pool, doze_scope_fn body, void *arg);
/** From the body, or from a function spawned in the scope: queues fn(scope, arg); any thread that
 * one of them lets. Returns 0, or ENOMEM and nothing is queued. Costs one malloc. */
int doze_scope_spawn(doze_scope *scope, doze_scope_fn fn, void *arg);
/** From the body, or from a function spawned in the scope: queues fn(scope, args), fn(scope, args +
 * size), …: `count` jobs, as many calls of doze_scope_spawn in this order would, but published
 * together (doze_spawn_many). Any thread that one of them lets. 0, or ENOMEM and nothing is queued,
 * not one of them. Costs what doze_spawn_many costs. */
int doze_scope_spawn_many(doze_scope *scope, doze_scope_fn fn, void *args, size_t count,
			  size_t size);

/* ---- broadcast: once on every worker ---- */

typedef void (*doze_broadcast_fn)(unsigned worker, unsigned workers, void *arg);

/** Runs fn on every worker of the pool and returns when all have. Any thread; a worker of the pool
 * runs its own turn while it waits, a worker of another pool its own pool's jobs. Two broadcasts
 * reach all workers in the same order. A worker takes its turn when it next looks for work and has
 * no jobs of its own, or has run fair_every of them (doze_config). 0 or ENOMEM. Costs one malloc, a
 * lock, and a lock and perhaps a wake for each worker. */
int doze_broadcast(doze_pool *pool, doze_broadcast_fn fn, void *arg);
/** The same, at the same cost, without waiting: doze_pool_free waits for it, or the scope's end. */
int doze_spawn_broadcast(doze_pool *pool, doze_broadcast_fn fn, void *arg);
int doze_scope_spawn_broadcast(doze_scope *scope, doze_broadcast_fn fn, void *arg);

/* ---- futures ---- */

typedef void *(*doze_task_fn)(void *arg);

/** Queues fn(arg), whose result is wanted later. Any thread. 0 and an owned future in *out, or
 * ENOMEM and null. doze_pool_free waits for it. Costs one malloc and a push. */
int doze_submit(doze_future **out, doze_pool *pool, doze_task_fn fn, void *arg);
/** Queues fn(args), fn(args + size), …: `count` tasks, as many calls of doze_submit in this order
 * would, but published together, so that the sleep policy decides once how many workers to wake
 * (doze_spawn_many). With size 0 each task gets args itself. Any thread. 0 and as many owned
 * futures in out[0], out[1], …; or ENOMEM, and then no task is queued, out[0] is null and the rest
 * of out is undefined. Costs one malloc a task and one push. */
int doze_submit_many(doze_future **out, doze_pool *pool, doze_task_fn fn, void *args, size_t count,
		     size_t size);
/* Waiting. A call waits for the end of what it names: doze_future_get for a task, doze_join for its
 * other half, the end of a scope for the scope's jobs, doze_broadcast for its turns, doze_install
 * for its function. Nobody waits for a job of doze_spawn. If these waits form no cycle, all of them
 * end, under every policy, with any number of workers, whoever submits, in whatever order.
 *
 * To keep this promise a worker may have to suspend a wait: the wait keeps its thread and its
 * stack, and a spare thread of the pool goes on as that worker, under the same index, until the
 * wait is over. Spare threads are made on demand, used again, and end with the pool; the start and
 * exit handlers run on the worker's first thread only. A wait also suspends instead of nesting
 * further jobs when half of its stack is used. At most doze_config.max_suspended waits of a pool
 * are suspended at once; one more aborts the program with a message that names the chain of waits,
 * and so does a spare thread that cannot be made.
 *
 * A cycle of doze_future_get aborts the program with a message that names its members, in the call
 * that closes it. The promise does not cover waits that the library does not see: the program's own
 * locks and conditions, doze_pool_free, and jobs that doze_yield_now or doze_yield_local runs on
 * the caller's stack and that wait for the caller. */

/** Waits for the result and returns it; any thread, any number of times, several threads at once. A
 * worker of the future's pool runs the task itself if nobody has begun it; a worker that has to
 * wait does its pool's other jobs meanwhile, see above. The future must not have been freed. Costs
 * one atomic step when the result is there or the task is run here, else a wait, perhaps asleep; in
 * a task that waits for a task on another worker often two switches of threads. */
void *doze_future_get(doze_future *future);
/** The same with a deadline: 0 and the result in *result (null: not wanted), or ETIMEDOUT when the
 * task is not done timeout_ns nanoseconds later (0: only look). It never runs the task on the
 * caller's stack, and it is none of the waits above: it closes no cycle, because it ends by itself.
 * A worker suspends the wait, whatever there is to do. So in a pool of one worker the spare thread
 * runs the awaited task meanwhile, after what is queued before it. The call returns when the spare
 * thread next looks for work, which may be later than the deadline: when it has finished its job,
 * or when that job waits. With max_suspended waits suspended already the worker blocks instead
 * until the deadline, and a pool of one worker then runs nothing. Any thread. Costs a lock; on a
 * worker also two switches of threads. */
int doze_future_get_timed(doze_future *future, uint64_t timeout_ns, void **result);
/** Whether doze_future_get would return at once. Any thread. Costs one load. */
bool doze_future_ready(const doze_future *future);
/** Gives the future up: its owner, once, also before the task has run (it runs all the same; its
 * result is lost). Nobody may be waiting. Null is allowed. Any thread. Costs one atomic step. */
void doze_future_free(doze_future *future);

/* ---- loops ---- */

typedef void (*doze_range_fn)(size_t begin, size_t end, void *arg);

/** Calls fn for pieces that cover [begin, end) once, in parallel, and returns when all are done.
 * How finely it splits adapts to how much is stolen; a piece is split only if both halves keep at
 * least `grain` indices (0 = 1). Any thread. Costs no allocation, a doze_join for each split. */
void doze_for(doze_pool *pool, size_t begin, size_t end, size_t grain, doze_range_fn fn, void *arg);

/** What a reduction does. Accumulators are `size` bytes, at least 1, and aligned for any type of
 * that size. The workers keep them on their stacks, larger ones on the heap; without memory for
 * them a range is not split further. combine(left, right) folds right into left; left always has
 * the lower indices, so it need not commute, only associate. */
typedef struct doze_reducer {
	size_t size;
	void (*identity)(void *acc, void *arg);
	void (*range)(size_t begin, size_t end, void *acc, void *arg);
	void (*combine)(void *left, const void *right, void *arg);
} doze_reducer;

/** Folds [begin, end) into *out, which it initialises with identity. Splitting as in doze_for. Any
 * thread. 0, or EINVAL if size is 0. Costs as doze_for, and an accumulator for each
 * split. */
int doze_reduce(doze_pool *pool, size_t begin, size_t end, size_t grain,
		const doze_reducer *reducer, void *out, void *arg);

/* ---- yields, figures, the calling thread ---- */

/** Runs one waiting job, if there is one: of any kind (…_now), or from the worker's own queues only
 * (…_local). The job must not wait for its caller. 1 a job was run, 0 there was none, -1 the caller
 * is no worker. Any thread. Costs one search: of the own queues, or (…_now) of every worker's. */
int doze_yield_now(void);
int doze_yield_local(void);

/** What the workers are doing and what the pool has done since it was made. */
typedef struct doze_stats {
	unsigned workers, active, idle, sleepy, sleeping, blocked;
	uint64_t jobs_run, jobs_published, jobs_stolen, sleeps, wakes;
} doze_stats;

/** Any thread. A picture of about one moment: the figures are read one after the other. Costs a few
 * loads for each worker, and disturbs none. */
static inline void doze_pool_stats(doze_pool *pool, doze_stats *out);

/** The index of the calling worker in its pool, from 0, or -1 on any other thread; the pool of the
 * calling worker, or null; how many workers a pool has, as long as it lives. Any thread. Cost a
 * load each. */
int doze_worker_index(void);
doze_pool *doze_current_pool(void);
unsigned doze_num_threads(const doze_pool *pool);

/** Deadlock detection, for pools with a deadlock_handler. A worker calls doze_mark_blocked just
 * before it blocks in user code; whoever is about to unblock it calls doze_mark_unblocked first,
 * with its pool and index, from any thread. When no worker runs and at least one is blocked, the
 * handler is called, once for each time that this comes to be, on the thread of the worker that
 * completed the deadlock. See doze_config.deadlock_arg for what it may call. Another thread may
 * queue work or unblock a worker at any moment, so the deadlock may be over when the handler looks.
 * Two calls never overlap. A worker that waits for another pool counts as running, because that
 * pool will wake it: a cycle through two pools is not detected. Under policy `spin`, where nobody
 * sleeps, a worker counts as running until it has searched in vain as often as other policies do
 * before they sleep; the release and acquire handlers are not called. Mark all that you unblock
 * before you unblock any. Costs an uncontended lock each. */
void doze_mark_blocked(void);
void doze_mark_unblocked(doze_pool *pool, int worker);

/** Puts text into the trace (at most 63 bytes are kept). Any thread. Costs a load and a branch when
 * nobody records, else some 100 ns. */
void doze_mark(const char *text);

/* ---- structs that grow ---- */

/** As the inline functions without _sized, which call these with the size of the struct in their
 * caller's doze.h. So a program built with an older header runs with a newer library: fields that
 * it does not know are defaults, or not written; fields are only ever added at the end. EINVAL from
 * the first two if a program with a newer header sets a field that this library does not know.
 * Bindings of other languages call these. Threads and costs as there. */
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
