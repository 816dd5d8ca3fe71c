/*
 * SPDX-License-Identifier: MIT
 *
 * search.h - the search through the states of a world (world.h), and what runs a single schedule.
 */
#ifndef DOZE_EXPLORE_SEARCH_H
#define DOZE_EXPLORE_SEARCH_H

#include "world.h"

/* state.c: saves, restores and hashes states */
size_t ex_state_size(void);
void ex_state_save(char *to);
void ex_state_restore(const char *from);
struct ex_hash {
	uint64_t a, b;
};
struct ex_hash ex_state_hash(void);
/** Forgets what the hash keeps of the last state. */
void ex_hash_reset(void);

/* visited.c: the set of visited states */
void ex_visited_reset(void);
#define EX_MAX_BOUND 14
bool ex_visited(struct ex_hash h, unsigned cost, int last, unsigned depth, uint32_t *number);
uint64_t ex_visited_count(void);

/* graph.c: finds livelocks */
void ex_graph_reset(void);
void ex_graph_edge(uint32_t from, uint32_t to, struct ex_action action);
void ex_graph_end(uint32_t from, struct ex_action action);
bool ex_graph_livelock(struct ex_action *path, unsigned *length, unsigned *loop);

/* actions.c: what can happen in a state */
unsigned ex_enumerate(struct ex_action *out, unsigned max);
int ex_last_that_can_go_on(void);
bool ex_is_hang(char *message, size_t size);

/* search.c */
void ex_search_prepare(const struct ex_options *opt, struct ex_result *res);
void ex_search(const struct ex_options *opt, struct ex_result *res);
void ex_search_rewind(void);
void ex_search_learn(void);
void ex_search_learn_here(void);
bool ex_replay(const struct ex_action *path, unsigned n, struct ex_result *res);
void ex_shorten(struct ex_options opt, struct ex_result *r);

/* schedule.c: schedule files, and steps in words */
bool ex_schedule_write(const char *file, const struct ex_result *res, const char *header);
int ex_schedule_read(const char *file, struct ex_action *path, unsigned max);
void ex_words(const struct ex_op *op, char *words, size_t size);
void ex_describe_rest(bool failed);

/* script.c: schedules written in words, and random walks */
int ex_script(const struct ex_options *opt, struct ex_result *r, const char *file);
bool ex_script_take(FILE *f, const char *name, void (*before)(struct ex_action));
bool ex_script_load(const char *file, void (*before)(struct ex_action));
int ex_walk(const struct ex_options *opt, struct ex_result *r, uint64_t seed);

#endif
