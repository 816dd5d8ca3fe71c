/*
 * SPDX-License-Identifier: MIT
 *
 * tracks.h - the tracks in an export for Perfetto: their numbers, and which of them have a name.
 */
#ifndef DOZE_VIZ_EXPORT_TRACKS_H
#define DOZE_VIZ_EXPORT_TRACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A pool's tracks are numbered (by tid) from pool * TRACKS_PER_POOL: first the track of storms and
 * marks, then a track of states per worker. At offset JOBS, there is a track of jobs per worker; at
 * offset OUTSIDE, a track per outside thread, numbered by the last digits of its vtid. */
#define TRACKS_PER_POOL 100000
#define JOBS            40000
#define OUTSIDE         50000
#define MAX_NAMED       65536

/* The set of tracks (pid, tid) that already have a name: a hash table with open addressing. */
struct track_names {
	uint64_t key[MAX_NAMED * 2];
	size_t count;
};

static inline int64_t track_pid(uint32_t host, int32_t vpid)
{
	return (int64_t)host * 10000000 + (vpid < 0 ? 0 : vpid);
}

static inline int64_t track_tid(uint32_t pool, int32_t worker)
{
	return (int64_t)pool * TRACKS_PER_POOL + 1 + worker;
}

static inline int64_t track_outside(uint32_t pool, int32_t vtid)
{
	return (int64_t)pool * TRACKS_PER_POOL + OUTSIDE + (vtid < 0 ? 0 : vtid % 10000);
}

/* Returns whether the track has no name yet, and adds it to the set. */
static inline bool track_is_new(struct track_names *n, int64_t pid, int64_t tid)
{
	uint64_t key = (uint64_t)pid << 40 ^ (uint64_t)tid ^ 1ull << 63;
	size_t i = key * 0x9e3779b97f4a7c15u >> 47 & (MAX_NAMED * 2 - 1);

	while (n->key[i] && n->key[i] != key)
		i = (i + 1) & (MAX_NAMED * 2 - 1);
	if (n->key[i] || n->count == MAX_NAMED)
		return false;
	n->key[i] = key;
	n->count++;
	return true;
}

#endif
