/*
 * SPDX-License-Identifier: MIT
 *
 * edges.h - the graph of futures that wait for each other, and the search for a cycle in it.
 *
 * A node is a future: its task and all jobs that the task cannot end without. An edge says that
 * some job of `from` waits in doze_future_get for `to`. Futures that nobody's task waits for have
 * none, so outside threads and plain jobs take no part. A task that its getter runs inline has its
 * edge in doze_future.inline_in instead, which needs no lock.
 */
#ifndef DOZE_EDGES_H
#define DOZE_EDGES_H

#include "../park.h"

struct doze_future;
struct doze_suspended;

/** In the frame of the wait. */
struct doze_edge {
	struct doze_future *from, *to;
	/* By the graph's lock. */
	struct doze_edge *next_in, **link_in; /* edges to the same future */
	struct doze_edge *next, **link;       /* all edges */
};

/** A worker, before and after it waits. publish aborts with a message that names the members when
 * the edge closes a cycle: the cycle's last edge is published by somebody, and by then all others
 * are there. */
void doze_edge_publish(struct doze_edge *edge, struct doze_future *from, struct doze_future *to);
void doze_edge_withdraw(struct doze_edge *edge);

/** The graph's lock, for the threads that wait for a future with a deadline. A leaf. */
doze_mutex *doze_graph_lock(void);
/** Around a fork, as in fork.h. */
void doze_graph_fork_prepare(void);
void doze_graph_fork_parent(void);
void doze_graph_fork_child(void);

#endif
