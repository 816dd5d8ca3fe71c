/*
 * SPDX-License-Identifier: MIT
 *
 * recorder_jobs.c - the growing arrays of a recorder: jobs, operations, references.
 */
#include <stdlib.h>
#include <string.h>

#include "recorder_int.h"

void *sim_grow(struct sim_pool *p, void *array, uint32_t used, uint32_t *room, size_t size)
{
	uint32_t more = *room ? *room * 2 : 64;
	void *larger;

	if (used < *room)
		return array;
	larger = more > *room && !p->w.failed ? reallocarray(array, more, size) : NULL;
	if (!larger) {
		p->w.failed = true;
		return NULL;
	}
	memset((char *)larger + *room * size, 0, (more - *room) * size);
	*room = more;
	return larger;
}

static uint32_t slot_of(const struct sim_map *m, uint64_t key)
{
	/* Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4). */
	uint32_t at = (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (m->room - 1);

	while (m->value[at] != DOZE_NO_INDEX - 1 && m->key[at] != key)
		at = (at + 1) & (m->room - 1);
	return at;
}

static bool make_room(struct sim_map *m)
{
	struct sim_map larger = {.room = m->room ? m->room * 2 : 256};

	larger.key = calloc(larger.room, sizeof *larger.key);
	larger.value = malloc(larger.room * sizeof *larger.value);
	if (!larger.key || !larger.value) {
		free(larger.key);
		free(larger.value);
		return false;
	}
	for (uint32_t i = 0; i < larger.room; i++)
		larger.value[i] = DOZE_NO_INDEX - 1;
	for (uint32_t i = 0; i < m->room; i++) {
		if (m->value[i] == DOZE_NO_INDEX - 1)
			continue;
		uint32_t at = slot_of(&larger, m->key[i]);
		larger.key[at] = m->key[i];
		larger.value[at] = m->value[i];
	}
	larger.used = m->used;
	free(m->key);
	free(m->value);
	*m = larger;
	return true;
}

int32_t *sim_map_at(struct sim_map *m, uint64_t key)
{
	uint32_t at;

	if (2 * m->used >= m->room && !make_room(m))
		return NULL;
	at = slot_of(m, key);
	if (m->value[at] == DOZE_NO_INDEX - 1) {
		m->key[at] = key;
		m->value[at] = DOZE_NO_INDEX;
		m->used++;
	}
	return &m->value[at];
}

int32_t sim_job_new(struct sim_pool *p, uint64_t id)
{
	struct doze_work_job *jobs =
	    sim_grow(p, p->w.job, p->w.jobs, &p->jobs_room, sizeof *p->w.job);

	if (!jobs)
		return DOZE_NO_INDEX;
	p->w.job = jobs;
	jobs[p->w.jobs] = (struct doze_work_job){
	    .id = id,
	    .first_op = DOZE_NO_INDEX,
	    .last_op = DOZE_NO_INDEX,
	    .parent = DOZE_NO_INDEX,
	    .children = DOZE_NO_INDEX,
	    .sibling = DOZE_NO_INDEX,
	};
	return (int32_t)p->w.jobs++;
}

int32_t sim_job_at(struct sim_pool *p, uint64_t id)
{
	int32_t *at = sim_map_at(&p->job_of, id);

	if (!at) {
		p->w.failed = true;
		return DOZE_NO_INDEX;
	}
	if (*at == DOZE_NO_INDEX)
		*at = sim_job_new(p, id);
	return *at;
}

bool sim_ref(struct sim_pool *p, int32_t job)
{
	uint32_t *refs = sim_grow(p, p->w.ref, p->w.refs, &p->refs_room, sizeof *p->w.ref);

	if (!refs || job < 0)
		return false;
	p->w.ref = refs;
	refs[p->w.refs++] = (uint32_t)job;
	return true;
}

struct doze_op *sim_op(struct sim_pool *p, int32_t job, enum doze_op_kind kind)
{
	struct doze_op *ops = sim_grow(p, p->w.op, p->w.ops, &p->ops_room, sizeof *p->w.op);
	struct doze_work_job *j;

	if (!ops || job < 0)
		return NULL;
	p->w.op = ops;
	j = &p->w.job[job];
	if (j->last_op == DOZE_NO_INDEX)
		j->first_op = (int32_t)p->w.ops;
	else
		ops[j->last_op].next = (int32_t)p->w.ops;
	j->last_op = (int32_t)p->w.ops;
	ops[p->w.ops] = (struct doze_op){.kind = kind, .next = DOZE_NO_INDEX};
	return &ops[p->w.ops++];
}

void sim_op_wait(struct sim_pool *p, int32_t job, uint32_t first)
{
	struct doze_op *op = p->w.refs > first ? sim_op(p, job, DOZE_OP_wait) : NULL;

	if (!op)
		return;
	op->first = first;
	op->count = p->w.refs - first;
}
