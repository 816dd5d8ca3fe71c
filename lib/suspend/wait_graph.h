/*
 * SPDX-License-Identifier: MIT
 *
 * wait_graph.h - the graph of futures that wait for each other, and the search for a cycle in it.
 *
 * A node is a future: its task and all jobs that must end before the task can. An edge means that
 * some job of `from` waits in doze_future_get for `to`. Only waits inside a future's task make
 * edges; waits in plain jobs and of threads that are not workers make none. A task that its getter
 * runs inline has its edge in doze_future.inline_in instead, which needs no lock.
 */
#ifndef DOZE_WAIT_GRAPH_H
#define DOZE_WAIT_GRAPH_H

#include "../park.h"

struct doze_future;
struct doze_suspended;

/** An edge, stored in the frame of the wait. */
struct doze_edge {
	struct doze_future *from, *to;
	/* Protected by the graph's lock. */
	struct doze_edge *next_in, **link_in; /* edges to the same future */
	struct doze_edge *next, **link;       /* all edges */
};

/** Called by a worker before and after it waits. If the edge closes a cycle, _publish aborts with a
 * message that names the members. It finds every cycle, because one edge of a cycle is published
 * last, when all the others exist. */
void doze_edge_publish(struct doze_edge *edge, struct doze_future *from, struct doze_future *to);
void doze_edge_withdraw(struct doze_edge *edge);

/** Returns the graph's lock, which threads that wait for a future with a deadline use too. It is a
 * leaf lock: its holder takes no other lock. */
doze_mutex *doze_graph_lock(void);
/** Called around a fork, as in pool.h. */
void doze_graph_fork_prepare(void);
void doze_graph_fork_parent(void);
void doze_graph_fork_child(void);

#endif
