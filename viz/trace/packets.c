/*
 * SPDX-License-Identifier: MIT
 *
 * packets.c - see packets.h.
 */
#include "packets.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layout.h"
#include "text.h"

#define MAGIC 0xc1fc1fc1u

static uint64_t number_at(const unsigned char *p, bool swapped)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return swapped ? __builtin_bswap64(v) : v;
}

/* Checks the packet at `at`. Returns what is wrong with it, or null after filling in *p. size:
 * bytes in the file. */
static const char *check_packet(int fd, const struct doze_layout *l, uint64_t at, uint64_t size,
				struct doze_packet *p)
{
	unsigned char h[512];
	uint32_t magic;
	uint64_t content, packet;
	bool swapped;

	if (l->end > sizeof(h))
		return "its packet headers are too long";
	if (pread(fd, h, l->end, (off_t)at) != (ssize_t)l->end)
		return "a packet header is truncated there";
	memcpy(&magic, h, sizeof(magic));
	swapped = magic == __builtin_bswap32(MAGIC);
	if (magic != MAGIC && !swapped)
		return "no packet begins there";
	content = number_at(h + l->content_at, swapped);
	packet = number_at(h + l->packet_at, swapped);
	if (content > packet || content < (uint64_t)l->end * 8 || packet % 8 != 0)
		return "the packet there has invalid lengths";
	if (packet / 8 > size - at)
		return "the packet there is truncated";
	*p = (struct doze_packet){.at = at, .size = packet / 8, .last = UINT64_MAX};
	if (l->first_at && l->last_at) {
		p->first = number_at(h + l->first_at, swapped);
		p->last = number_at(h + l->last_at, swapped);
	}
	return NULL;
}

static const char *check_stream(int fd, const struct doze_layout *l, uint64_t size, uint64_t *at)
{
	struct doze_packet p = {0};
	const char *problem = NULL;

	while (!problem && *at < size) {
		problem = check_packet(fd, l, *at, size, &p);
		*at += problem ? 0 : p.size;
	}
	return problem;
}

int64_t doze_packets_count(int fd, const struct doze_layout *l, uint64_t size)
{
	struct doze_packet p;
	int64_t n = 0;

	for (uint64_t at = 0; at < size; at += p.size, n++)
		if (check_packet(fd, l, at, size, &p))
			return -1;
	return n;
}

bool doze_packet_read(int fd, const struct doze_layout *l, uint64_t at, uint64_t size,
		      struct doze_packet *p)
{
	return at < size && !check_packet(fd, l, at, size, p);
}

static bool check_file(int dir_fd, const char *dir, const char *name, const struct doze_layout *l,
		       uint64_t size, char *err, size_t err_size)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);
	uint64_t at = 0;
	const char *problem = fd < 0 ? strerror(errno) : check_stream(fd, l, size, &at);

	if (fd >= 0)
		close(fd);
	if (problem)
		doze_line(err, err_size,
			  "cannot read the trace: %s/%s: corrupted or truncated (byte %" PRIu64
			  ": %s): record it again",
			  dir, name, at, problem);
	return !problem;
}

/* Selects the same files as Babeltrace: those that are neither hidden nor the metadata. Stores the
 * size of a selected file. */
static bool is_stream(int dir_fd, const char *name, uint64_t *size)
{
	struct stat st;

	if (name[0] == '.' || strcmp(name, "metadata") == 0 || fstatat(dir_fd, name, &st, 0) != 0 ||
	    !S_ISREG(st.st_mode))
		return false;
	*size = (uint64_t)st.st_size;
	return true;
}

enum doze_packets doze_packets_check(const char *dir, const char *metadata, char *err,
				     size_t err_size)
{
	struct doze_layout layout;
	uint64_t size;
	bool ok = true;
	DIR *d;

	if (!doze_layout_find(&layout, metadata))
		return DOZE_PACKETS_UNKNOWN;
	d = opendir(dir);
	if (!d)
		return DOZE_PACKETS_UNKNOWN; /* Babeltrace will report the reason */
	for (struct dirent *e; ok && (e = readdir(d));)
		if (is_stream(dirfd(d), e->d_name, &size))
			ok = check_file(dirfd(d), dir, e->d_name, &layout, size, err, err_size);
	closedir(d);
	return ok ? DOZE_PACKETS_SOUND : DOZE_PACKETS_DAMAGED;
}
