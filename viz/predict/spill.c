/*
 * SPDX-License-Identifier: MIT
 *
 * spill.c - see spill.h.
 */
#include "spill.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../words/temp.h"

/* Opens a file without a name, so that it disappears with the process, however that exits. Returns
 * -1 if that is not possible. */
static int open_unnamed(void)
{
	char top[PATH_MAX], path[sizeof top + 8];
	int fd;

	if (doze_temp_make(top, sizeof top) != 0)
		return -1;
	snprintf(path, sizeof path, "%s/spill", top);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	doze_temp_remove(top);
	return fd;
}

/* Reserves the disk space at once: a write to a mapped page for which there is no space would kill
 * the process. */
static bool reserve(int fd, size_t bytes)
{
	return posix_fallocate(fd, 0, (off_t)bytes) == 0;
}

static bool move_to_file(struct sim_spill *s, size_t bytes)
{
	int fd = open_unnamed();
	void *at = MAP_FAILED;

	if (fd >= 0 && reserve(fd, bytes))
		at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	if (s->bytes)
		memcpy(at, s->at, s->bytes);
	free(s->at);
	*s = (struct sim_spill){.at = at, .bytes = bytes, .fd = fd, .in_file = true};
	return true;
}

static bool grow_in_file(struct sim_spill *s, size_t bytes)
{
	void *at =
	    reserve(s->fd, bytes) ? mremap(s->at, s->bytes, bytes, MREMAP_MAYMOVE) : MAP_FAILED;

	if (at == MAP_FAILED)
		return false;
	s->at = at;
	s->bytes = bytes;
	return true;
}

static bool grow_in_memory(struct sim_spill *s, size_t bytes)
{
	void *at = realloc(s->at, bytes);

	if (!at)
		return false;
	s->at = at;
	s->bytes = bytes;
	return true;
}

bool sim_spill_grow(struct sim_spill *s, size_t bytes)
{
	size_t want = s->bytes ? s->bytes : 1024;

	if (bytes <= s->bytes)
		return true;
	while (want < bytes)
		want *= 2;
	if (s->in_file)
		return grow_in_file(s, want);
	return (want >= SIM_SPILL_FROM && move_to_file(s, want)) || grow_in_memory(s, want);
}

void sim_spill_rest(const struct sim_spill *s)
{
	/* The pages of a shared mapping stay in the file, so this loses nothing. */
	if (s->in_file)
		madvise(s->at, s->bytes, MADV_DONTNEED);
}

void sim_spill_free(struct sim_spill *s)
{
	if (s->in_file) {
		munmap(s->at, s->bytes);
		close(s->fd);
	} else {
		free(s->at);
	}
	*s = (struct sim_spill){0};
}
