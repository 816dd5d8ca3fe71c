/*
 * SPDX-License-Identifier: MIT
 *
 * packet_index.c - see packet_index.h.
 */
#include "packet_index.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "find.h"
#include "metadata.h"
#include "text.h"

#define NS_PER_SEC INT64_C(1000000000)

/* ---- folders ---- */

/* Returns the number that follows `key` in the description of the clock, or `otherwise` if there is
 * none. */
static uint64_t clock_number(const char *clock, const char *key, uint64_t otherwise)
{
	const char *end = strchr(clock, '}'), *at = strstr(clock, key);

	return at && end && at < end ? strtoull(at + strlen(key), NULL, 10) : otherwise;
}

static int64_t cycles_to_ns(uint64_t cycles, uint64_t per_sec)
{
	return (int64_t)(cycles / per_sec) * NS_PER_SEC +
	       (int64_t)(cycles % per_sec * (uint64_t)NS_PER_SEC / per_sec);
}

/* Without a clock, assumes that times are in ns since the epoch. Of several clocks, reads the
 * first. */
static void read_clock(struct doze_indexed_folder *f, const char *metadata)
{
	const char *clock = strstr(metadata, "\nclock {");

	f->per_sec = (uint64_t)NS_PER_SEC;
	if (!clock)
		return;
	f->per_sec = clock_number(clock, "\tfreq = ", f->per_sec);
	if (!f->per_sec)
		f->per_sec = (uint64_t)NS_PER_SEC;
	f->offset = (int64_t)clock_number(clock, "\toffset_s = ", 0) * NS_PER_SEC +
		    cycles_to_ns(clock_number(clock, "\toffset = ", 0), f->per_sec);
}

static bool knows_folder(const struct doze_packet_index *x, const char *path)
{
	for (size_t i = 0; i < x->folders; i++)
		if (strcmp(x->folder[i].path, path) == 0)
			return true;
	return false;
}

static int add_folder(struct doze_packet_index *x, const char *path, char *err, size_t err_size)
{
	struct doze_indexed_folder f = {0}, *all;
	char *metadata;

	if (knows_folder(x, path))
		return 0;
	metadata = doze_metadata_read(path, err, err_size);
	if (!metadata)
		return -1;
	if (!doze_layout_find(&f.layout, metadata)) {
		free(metadata);
		doze_line(err, err_size, "%s: its packets have an unknown layout", path);
		return -1;
	}
	read_clock(&f, metadata);
	free(metadata);
	f.path = strdup(path);
	all = realloc(x->folder, (x->folders + 1) * sizeof(*all));
	if (all)
		x->folder = all;
	if (!all || !f.path) {
		free(f.path);
		doze_line(err, err_size, "out of memory: close other programs");
		return -1;
	}
	x->folder[x->folders++] = f;
	return 0;
}

static int find_folders(struct doze_packet_index *x, char *err, size_t err_size)
{
	struct doze_folders found = {0};
	int rc = doze_folders_find(&found, x->root, err, err_size);

	if (rc != 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < found.count; i++)
		rc = add_folder(x, found.path[i], err, err_size);
	doze_folders_clear(&found);
	return rc;
}

/* ---- files ---- */

static int compare_files(const void *pa, const void *pb)
{
	const struct doze_indexed_file *a = pa, *b = pb;

	if (a->folder != b->folder)
		return a->folder < b->folder ? -1 : 1;
	return strcmp(a->name, b->name);
}

static struct doze_indexed_file *add_file(struct doze_packet_index *x, size_t folder,
					  const char *name)
{
	struct doze_indexed_file f = {.name = strdup(name), .folder = folder}, *all;

	if (f.name && x->files == x->room) {
		size_t room = x->room ? 2 * x->room : 16;

		all = realloc(x->file, room * sizeof(*all));
		if (!all) {
			free(f.name);
			return NULL;
		}
		x->file = all;
		x->room = room;
	}
	if (!f.name)
		return NULL;
	x->file[x->files] = f;
	return &x->file[x->files++];
}

/* Returns the file's entry, possibly a new one. File names within a folder are unique, so only the
 * files of earlier updates, which are sorted, need to be searched. */
static struct doze_indexed_file *file_of(struct doze_packet_index *x, size_t folder, char *name)
{
	struct doze_indexed_file key = {.name = name, .folder = folder}, *f = NULL;

	if (x->sorted)
		f = bsearch(&key, x->file, x->sorted, sizeof(*f), compare_files);
	return f ? f : add_file(x, folder, name);
}

static bool push(struct doze_indexed_file *f, const struct doze_indexed_packet *p)
{
	if (f->packets == f->room) {
		size_t room = f->room ? 2 * f->room : 16;
		struct doze_indexed_packet *all = realloc(f->packet, room * sizeof(*all));

		if (!all)
			return false;
		f->packet = all;
		f->room = room;
	}
	f->packet[f->packets++] = *p;
	return true;
}

static void scan(const struct doze_indexed_folder *in, struct doze_indexed_file *f, int fd,
		 uint64_t size)
{
	struct doze_packet p;

	while (doze_packet_read(fd, &in->layout, f->scanned, size, &p)) {
		struct doze_indexed_packet item = {
		    .from = INT64_MIN, .to = INT64_MAX, .at = p.at, .size = p.size};

		if (p.last != UINT64_MAX) {
			item.from = in->offset + cycles_to_ns(p.first, in->per_sec);
			item.to = in->offset + cycles_to_ns(p.last, in->per_sec);
		}
		if (!push(f, &item))
			return;
		f->scanned += p.size;
	}
}

static void update_file(struct doze_packet_index *x, size_t folder, int dir_fd, char *name)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct doze_indexed_file *f;
	struct stat st;

	if (fd < 0)
		return;
	f = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? file_of(x, folder, name) : NULL;
	if (f) {
		if (f->inode != (uint64_t)st.st_ino || (uint64_t)st.st_size < f->scanned)
			f->packets = f->scanned = 0;
		f->inode = (uint64_t)st.st_ino;
		f->seen = true;
		if ((uint64_t)st.st_size > f->scanned)
			scan(&x->folder[folder], f, fd, (uint64_t)st.st_size);
	}
	close(fd);
}

/* Updates the files of a folder. Selects the same files as Babeltrace: those that are neither
 * hidden nor the metadata. */
static void update_folder(struct doze_packet_index *x, size_t folder)
{
	DIR *d = opendir(x->folder[folder].path);

	for (struct dirent *e; d && (e = readdir(d));)
		if (e->d_name[0] != '.' && strcmp(e->d_name, "metadata") != 0)
			update_file(x, folder, dirfd(d), e->d_name);
	if (d)
		closedir(d);
}

static void file_free(struct doze_indexed_file *f)
{
	free(f->name);
	free(f->packet);
}

static void drop_unseen(struct doze_packet_index *x)
{
	size_t kept = 0;

	for (size_t i = 0; i < x->files; i++) {
		if (x->file[i].seen)
			x->file[kept++] = x->file[i];
		else
			file_free(&x->file[i]);
	}
	x->files = kept;
}

static void note_extent(struct doze_packet_index *x)
{
	x->from = INT64_MAX;
	x->to = INT64_MIN;
	for (size_t i = 0; i < x->files; i++) {
		const struct doze_indexed_file *f = &x->file[i];

		if (!f->packets)
			continue;
		if (f->packet[0].from < x->from)
			x->from = f->packet[0].from;
		if (f->packet[f->packets - 1].to > x->to)
			x->to = f->packet[f->packets - 1].to;
	}
}

int doze_packet_index_update(struct doze_packet_index *x, const char *dir, char *err,
			     size_t err_size)
{
	if (!x->root && !(x->root = strdup(dir))) {
		doze_line(err, err_size, "out of memory: close other programs");
		return -1;
	}
	if (find_folders(x, err, err_size) != 0)
		return -1;
	for (size_t i = 0; i < x->files; i++)
		x->file[i].seen = false;
	for (size_t i = 0; i < x->folders; i++)
		update_folder(x, i);
	drop_unseen(x);
	if (x->files)
		qsort(x->file, x->files, sizeof(*x->file), compare_files);
	x->sorted = x->files;
	note_extent(x);
	return 0;
}

void doze_packet_index_free(struct doze_packet_index *x)
{
	for (size_t i = 0; i < x->files; i++)
		file_free(&x->file[i]);
	for (size_t i = 0; i < x->folders; i++)
		free(x->folder[i].path);
	free(x->file);
	free(x->folder);
	free(x->root);
	*x = (struct doze_packet_index){0};
}

uint64_t doze_packet_index_bytes(const struct doze_packet_index *x, int64_t from, int64_t to)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < x->files; i++)
		for (size_t k = 0; k < x->file[i].packets; k++)
			if (x->file[i].packet[k].to >= from && x->file[i].packet[k].from <= to)
				bytes += x->file[i].packet[k].size;
	return bytes;
}
