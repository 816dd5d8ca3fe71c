/*
 * SPDX-License-Identifier: MIT
 *
 * search.c - depth-first search over all schedules.
 *
 * A node is a state with more than one action. Its memory is saved, so backtracking is a copy
 * rather than a run from the beginning. A state that was visited before is not entered again
 * (visited.c), because everything that can follow it has been explored or will be. This keeps loops
 * finite (a spinning worker returns to the same state) without a fairness rule.
 *
 * An "execution", as counted in the tables, is one descent from the last choice with an untried
 * alternative to the end of the program, a failure, or a visited state.
 *
 * Reductions, all of which keep every deadlock and every failed check reachable:
 *   - steps on objects of one thread, unlocks and yields are not choice points (ops.c, share.c);
 *   - a thread's start and an enabled join commute with everything and are explored alone.
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../viz/trace/grow.h"

#define MAX_NODES 8192

struct node {
	size_t saved; /* offset of the node's state in search.memory */
	unsigned depth, n, next;
	uint32_t number; /* number of the node's state */
	struct ex_action action[EX_MAX_ACTIONS];
};

/* Allocated outside the program's data, which every restore overwrites. */
static struct search {
	struct node node[MAX_NODES];
	unsigned nodes;
	char *memory;
	size_t used, size;
	char *root;
	unsigned depth, max_depth;
	uint32_t state; /* number of the current state */
	bool graph;     /* whether to record edges (graph.c) */
	double began;
	bool stop;
	struct ex_action path[EX_MAX_PATH]; /* actions of the current execution */
	char message[512];                  /* message of the last failure */
} * S;

/* ---- finding shared objects: random schedules before a search ---- */

#define WALKS      400
#define WALK_STEPS 3000
/** Maximum number of steps of all walks together. WALK_STEPS counts only choice points, but this
 * limit also counts the steps between them. */
#define ALL_STEPS 20000000

/** Runs random schedules from a fixed seed to find shared objects before the search begins, because
 * each discovery in the middle of a search starts it over. Ignores failures, which the search will
 * find, but ends at an endless loop, which costs time.
 */
static void warm_up(const char *root)
{
	volatile unsigned walk = 0;
	volatile uint64_t random = 0x9e3779b97f4a7c15u;
	struct ex_action a[EX_MAX_ACTIONS];

	(void)sigsetjmp(E->fail, 0);
	E->cur = -1;
	E->clock = 0;
	if (E->res->loops) {
		E->res->loops = false;
		return;
	}
	while (walk++ < WALKS && E->clock < ALL_STEPS) {
		ex_state_restore(root);
		unsigned n = ex_enumerate(a, EX_MAX_ACTIONS);
		for (unsigned i = 0; i < WALK_STEPS && n; i++) {
			uint64_t x = random;
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			random = x;
			/* Mostly continue with the same thread, so that walks get far. */
			ex_apply(a[(x >> 32) % 4 ? 0 : (x >> 40) % n]);
			n = ex_enumerate(a, EX_MAX_ACTIONS);
		}
	}
}

/* ---- the search ---- */

static double now(void)
{
	struct timespec t;
	/* CPU time, so that a loaded machine does not change verdicts. */
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void save(struct node *n)
{
	size_t size = ex_state_size();
	S->memory = doze_grow(S->memory, &S->size, S->used + size - 1, 1);
	if (!S->memory)
		abort();
	ex_state_save(S->memory + S->used);
	n->saved = S->used;
	S->used += size;
}

static void limits(void)
{
	struct ex_result *r = E->res;
	if (E->progress && r->executions % 4096 == 0)
		E->progress(r->executions);
	if (r->verdict != EX_PASSED)
		return;
	bool late = (r->executions & 255) == 0 && now() - S->began > E->opt.max_seconds;
	if (late || ex_visited_count() > E->opt.max_states) {
		r->verdict = EX_GAVE_UP;
		snprintf(r->message, sizeof(r->message), "gave up after %lu states",
			 (unsigned long)ex_visited_count());
		S->stop = true;
	}
}

static void failed(void)
{
	struct ex_result *r = E->res;
	if (r->verdict == EX_GAVE_UP) {
		S->stop = true;
		return;
	}
	if (E->goal_only && !strstr(r->message, E->goal)) {
		strcpy(r->message, S->message);
		return;
	}
	strcpy(S->message, r->message);
	r->verdict = EX_FAILED;
	r->length = S->depth;
	memcpy(r->path, S->path, S->depth * sizeof(r->path[0]));
	r->preemptions = W->preemptions;
	if (!r->at_execution)
		r->at_execution = r->executions + 1;
	S->max_depth = S->depth - 1;
	S->stop = !E->opt.shortest || r->loops;
}

/** Returns whether the only actions are spurious wakes. Such a state is a hang, because spurious
 * wakes may never happen. */
static bool only_spurious(const struct node *n)
{
	for (unsigned i = 0; i < n->n; i++)
		if (n->action[i].kind != EX_SPURIOUS)
			return false;
	return true;
}

static void apply(struct ex_action a)
{
	S->path[S->depth++] = a;
	E->res->steps++;
	ex_apply(a);
	if (S->depth > E->res->depth)
		E->res->depth = S->depth;
	if (E->opt.memory == EX_MEM_WEAK) {
		ex_views_tidy();
		ex_order_tidy();
	}
}

/** Returns whether the execution ends in this node, which `a` led to. Fails if it hangs. */
static bool is_end(const struct node *n, struct ex_action a)
{
	char message[sizeof(E->res->message)];

	if (n->n != 0 && !only_spurious(n))
		return false;
	if (ex_is_hang(message, sizeof(message)))
		ex_fail("hang: %s", message);
	if (S->graph)
		ex_graph_end(S->state, a);
	return true;
}

/** Registers the state that `a` has led to. Returns whether the search need not enter it again. */
static bool enter_state(struct ex_action a)
{
	unsigned depth = E->opt.shortest ? S->depth : 0;
	unsigned cost = E->opt.bound < 0 ? 0 : W->preemptions;
	uint32_t number;
	bool seen = ex_visited(ex_state_hash(), cost, ex_last_that_can_go_on(), depth, &number);

	if (S->graph)
		ex_graph_edge(S->state, number, a);
	S->state = number;
	return seen;
}

/** Executes one action and continues while there is no choice. Returns true if it has filled in a
 * new node. */
static bool descend(struct ex_action a)
{
	for (;;) {
		if (S->depth == EX_MAX_PATH - 1)
			ex_give_up("gave up: an execution has more than %d steps", EX_MAX_PATH);
		if (S->depth >= S->max_depth)
			return false; /* cannot be shorter than the failure already found */
		apply(a);
		struct node *n = &S->node[S->nodes];
		n->n = ex_enumerate(n->action, EX_MAX_ACTIONS);
		if (n->n == EX_MAX_ACTIONS)
			ex_give_up("gave up: at least %d actions in one state", EX_MAX_ACTIONS);
		if (is_end(n, a) || enter_state(a))
			return false;
		if (n->n == 1) {
			a = n->action[0];
			continue;
		}
		n->depth = S->depth;
		n->number = S->state;
		n->next = 0;
		save(n);
		return true;
	}
}

/** Makes the root state the first node. */
static void begin(void)
{
	struct node *n = &S->node[0];
	ex_state_restore(S->root);
	S->used = 0;
	n->n = ex_enumerate(n->action, EX_MAX_ACTIONS);
	n->depth = 0;
	n->number = 1;
	n->next = 0;
	save(n);
	S->nodes = 1;
}

/** Goes back to the last node with an untried action and stores that action in *a. Returns false if
 * there is none.
 */
static bool backtrack(struct ex_action *a)
{
	while (S->nodes && S->node[S->nodes - 1].next == S->node[S->nodes - 1].n)
		S->used = S->node[--S->nodes].saved;
	if (!S->nodes)
		return false;
	struct node *n = &S->node[S->nodes - 1];
	ex_state_restore(S->memory + n->saved);
	S->depth = n->depth;
	S->state = n->number;
	*a = n->action[n->next++];
	return true;
}

/** Searches once with the shared objects known so far. Stops early if it finds another one. */
static void pass(void)
{
	struct ex_action a;

	ex_visited_reset();
	S->graph = E->opt.bound < 0 && !E->opt.shortest;
	ex_graph_reset();
	E->restart = false;
	begin();

	if (sigsetjmp(E->fail, 0)) {
		E->cur = -1;
		failed();
		E->res->executions++;
	}
	while (!S->stop && !E->restart && backtrack(&a)) {
		if (descend(a)) {
			if (++S->nodes == MAX_NODES)
				ex_give_up("gave up: more than %d choices in one execution",
					   MAX_NODES);
		} else {
			E->res->executions++;
			limits();
		}
	}
}

static void reset_counts(struct ex_result *r)
{
	memset(r, 0, sizeof(*r));
	r->verdict = EX_PASSED;
}

/** Restores the state that ex_search_prepare has set up. */
void ex_search_rewind(void)
{
	ex_state_restore(S->root);
}

/** Finds shared objects by random schedules from the start, as every search does first. */
void ex_search_learn(void)
{
	warm_up(S->root);
	ex_search_rewind();
}

/** Finds shared objects by random schedules from the current state, and returns to it. */
void ex_search_learn_here(void)
{
	char *here = malloc(1u << 20);
	if (!here)
		abort();
	ex_state_save(here);
	warm_up(here);
	ex_state_restore(here);
	free(here);
}

/** Prepares a search from the state before the first step or, with E->from_here, from the current
 * state. The program's data must have its initial values, as at the start of the process or after a
 * search, which restores them. */
void ex_search_prepare(const struct ex_options *opt, struct ex_result *res)
{
	if (!S)
		S = calloc(1, sizeof(*S));
	if (S && !S->root)
		S->root = malloc(1u << 20);
	if (!S || !S->root)
		abort();
	E->opt = *opt;
	E->res = res;
	reset_counts(res);
	ex_visited_reset();
	ex_hash_reset();
	ex_graph_reset();
	ex_order_reset();
	/* In a search from the current state, keep the record of touched objects: the threads' next
	 * steps have already been requested and will not be recorded again. */
	if (!E->from_here) {
		ex_share_reset();
		ex_world_reset();
	}
	if (ex_state_size() > 1u << 20)
		abort();
	ex_state_save(S->root);
}

static void look_for_livelock(void)
{
	struct ex_result *r = E->res;
	char who[400];

	if (!ex_graph_livelock(r->path, &r->length, &r->loop))
		return;
	(void)ex_replay(r->path, r->length, r);
	(void)ex_is_hang(who, sizeof(who));
	snprintf(r->message, sizeof(r->message), "livelock: no schedule terminates from here: %s",
		 who);
	r->verdict = EX_FAILED;
	r->livelock = true;
	r->at_execution = r->executions;
}

void ex_search(const struct ex_options *opt, struct ex_result *res)
{
	ex_search_prepare(opt, res);
	S->began = now();
	warm_up(S->root);
	do {
		reset_counts(res);
		S->stop = false;
		S->max_depth = EX_MAX_PATH - 1;
		pass();
		/* While shared objects are unknown, choice points are missing, so search again. */
	} while (E->restart && res->verdict != EX_GAVE_UP);
	if (res->verdict == EX_PASSED && S->graph && !E->goal_only)
		look_for_livelock();
	if (!E->goal_only)
		ex_judge_notes();
	ex_state_restore(S->root);
	res->states = ex_visited_count();
	res->shared = ex_share_count();
	res->seconds = now() - S->began;
}

/* Returns whether the schedule ends in a failure or a hang. */
static bool run_through(const struct ex_action *path, unsigned n, struct ex_result *res)
{
	ex_state_restore(S->root);
	E->res = res;
	E->clock = 0;
	E->restart = false;
	if (sigsetjmp(E->fail, 0)) {
		E->cur = -1;
		return true;
	}
	for (unsigned i = 0; i < n; i++) {
		if (E->listing && i > 0 && i == res->loop)
			fprintf(E->listing, "-- from here on, these steps repeat forever\n");
		ex_apply(path[i]);
	}
	char who[400];
	if (!ex_is_hang(who, sizeof(who)))
		return false;
	snprintf(res->message, sizeof(res->message), "hang: %s", who);
	return true;
}

/** Runs one schedule from the start. Returns whether it fails. Records events in E->record and
 * lists steps in E->listing, if these are set. */
bool ex_replay(const struct ex_action *path, unsigned n, struct ex_result *res)
{
	FILE *record = E->record, *listing = E->listing;
	E->record = E->listing = NULL;
	(void)run_through(path, n, res); /* the first run finds the memory that order.c tracks */
	E->record = record;
	E->listing = listing;
	return run_through(path, n, res);
}

/* ---- the shortest failing schedule ---- */

#define SHORTEN_STATES 300000

/** Repeats a failed search with a bound of 0, 1, 2 … preemptions. With the first bound under which
 * the search fails, finds the failure with the fewest steps. */
void ex_shorten(struct ex_options opt, struct ex_result *r)
{
	struct ex_result *best = malloc(sizeof(*best));
	uint64_t at = r->at_execution;
	if (!best)
		return;
	uint64_t most = opt.max_states;
	for (opt.bound = 0; opt.bound <= 6; opt.bound++) {
		opt.shortest = false;
		ex_search(&opt, best);
		/* A failure without steps means that a required note needs more preemptions. */
		if (best->verdict != EX_FAILED || best->length == 0)
			continue;
		*r = *best;
		/* The limit is a number of states, so that the result is the same on every
		 * machine. */
		opt.shortest = true;
		opt.max_states = most < SHORTEN_STATES ? most : SHORTEN_STATES;
		ex_search(&opt, best);
		if (best->verdict == EX_FAILED)
			*r = *best;
		else
			ex_search(&(struct ex_options){.memory = opt.memory,
						       .bound = opt.bound,
						       .old_of = opt.old_of,
						       .spurious = opt.spurious,
						       .max_states = most,
						       .max_seconds = opt.max_seconds,
						       .policy = opt.policy},
				  r);
		break;
	}
	r->at_execution = at;
	E->res = r; /* the last search stored its result in `best` */
	free(best);
}
