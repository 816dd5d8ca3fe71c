/*
 * SPDX-License-Identifier: MIT
 *
 * excerpt.c - doze_excerpt of packets.h: copies the packets of a time span.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error_line.h"
#include "packets.h"

/* A packet and the file that contains it. */
struct piece {
	const struct doze_indexed_packet *packet;
	const struct doze_indexed_file *file;
};

/* The pieces of one stream. */
struct stream {
	struct piece *piece; /* owned */
	size_t count;
};

static bool ends_in_number(const char *name, size_t len, size_t *rest)
{
	size_t n = len;

	while (n > 0 && isdigit((unsigned char)name[n - 1]))
		n--;
	if (n == len || n < 2 || name[n - 1] != '_')
		return false;
	*rest = n - 1;
	return true;
}

/* Returns the length of the stream's name within a file name: 6 (doze_0) for doze_0_17. */
static size_t stream_name(const char *file)
{
	size_t all = strlen(file), stream, channel;

	return ends_in_number(file, all, &stream) && ends_in_number(file, stream, &channel) ? stream
											    : all;
}

static bool same_stream(const struct doze_indexed_file *a, const struct doze_indexed_file *b)
{
	size_t n = stream_name(a->name);

	return a->folder == b->folder && stream_name(b->name) == n &&
	       strncmp(a->name, b->name, n) == 0;
}

static int compare_pieces(const void *pa, const void *pb)
{
	const struct piece *a = pa, *b = pb;

	if (a->packet->from != b->packet->from)
		return a->packet->from < b->packet->from ? -1 : 1;
	return (a->packet->at > b->packet->at) - (a->packet->at < b->packet->at);
}

/* Collects the pieces of a stream from the file `first` and the files that follow it. Returns the
 * first file of the next stream, or 0 if out of memory. */
static size_t collect(const struct doze_packet_index *x, size_t first, int64_t from, int64_t to,
		      struct stream *s)
{
	size_t i = first, room = 0;

	for (; i < x->files && same_stream(&x->file[first], &x->file[i]); i++)
		room += x->file[i].packets;
	s->piece = calloc(room + 1, sizeof(*s->piece));
	s->count = 0;
	if (!s->piece)
		return 0;
	for (size_t k = first; k < i; k++) {
		const struct doze_indexed_file *f = &x->file[k];

		for (size_t p = 0; p < f->packets; p++)
			if (f->packet[p].to >= from && f->packet[p].from <= to)
				s->piece[s->count++] = (struct piece){&f->packet[p], f};
	}
	qsort(s->piece, s->count, sizeof(*s->piece), compare_pieces);
	return i;
}

/* Copies bytes of a file. Returns 0 or an errno value. */
static int copy(int in, uint64_t at, uint64_t size, int out)
{
	off_t from = (off_t)at;

	while (size > 0) {
		ssize_t n = sendfile(out, in, &from, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : EIO;
		size -= (uint64_t)n;
	}
	return 0;
}

/* Copies the pieces, opening each source file once for adjacent pieces. Skips a file that was
 * replaced after it was indexed, because it no longer contains its pieces. */
static int copy_pieces(const struct doze_packet_index *x, const struct stream *s, int out)
{
	const struct doze_indexed_file *open_file = NULL;
	char path[PATH_MAX];
	struct stat st;
	int in = -1, err = 0;

	for (size_t i = 0; !err && i < s->count; i++) {
		const struct doze_indexed_file *f = s->piece[i].file;

		if (f != open_file) {
			if (in >= 0)
				close(in);
			snprintf(path, sizeof(path), "%s/%s", x->folder[f->folder].path, f->name);
			in = open(path, O_RDONLY | O_CLOEXEC);
			open_file = f;
			if (in >= 0 && (fstat(in, &st) != 0 || (uint64_t)st.st_ino != f->inode)) {
				close(in);
				in = -1;
			}
		}
		if (in >= 0)
			err = copy(in, s->piece[i].packet->at, s->piece[i].packet->size, out);
	}
	if (in >= 0)
		close(in);
	return err;
}

/* Writes a stream. A stream without packets becomes an empty file: readers reject a missing one. */
static int write_stream(const struct doze_packet_index *x, const struct stream *s,
			const struct doze_indexed_file *first, const char *folder)
{
	char path[PATH_MAX];
	int out, err;

	if ((size_t)snprintf(path, sizeof(path), "%s/%.*s", folder, (int)stream_name(first->name),
			     first->name) >= sizeof(path))
		return ENAMETOOLONG;
	out = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (out < 0)
		return errno;
	err = copy_pieces(x, s, out);
	if (close(out) != 0 && !err)
		err = errno;
	return err;
}

static int write_metadata(const char *from, const char *folder)
{
	char path[PATH_MAX + 16];
	struct stat st;
	int in, out, err;

	snprintf(path, sizeof(path), "%s/metadata", from);
	in = open(path, O_RDONLY | O_CLOEXEC);
	if (in < 0)
		return errno;
	snprintf(path, sizeof(path), "%s/metadata", folder);
	out = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	err = out < 0 || fstat(in, &st) != 0 ? errno : copy(in, 0, (uint64_t)st.st_size, out);
	if (out >= 0 && close(out) != 0 && !err)
		err = errno;
	close(in);
	return err;
}

/* Creates a folder and its parents, except for the part of the path within the first `root_len`
 * bytes, which must exist. */
static int make_folders(char *path, size_t root_len)
{
	for (char *p = path + root_len; *p && (p = strchr(p + 1, '/'));) {
		*p = '\0';
		if (mkdir(path, 0755) != 0 && errno != EEXIST)
			return errno;
		*p = '/';
	}
	return mkdir(path, 0755) != 0 && errno != EEXIST ? errno : 0;
}

/* Creates the folder in the target and writes its metadata. */
static int begin_folder(const struct doze_packet_index *x, size_t folder, const char *target,
			char *path, size_t size)
{
	const char *from = x->folder[folder].path;
	int err;

	if ((size_t)snprintf(path, size, "%s%s", target, from + strlen(x->root)) >= size)
		return ENAMETOOLONG;
	err = make_folders(path, strlen(target));
	return err ? err : write_metadata(from, path);
}

int doze_excerpt(const struct doze_packet_index *x, int64_t from, int64_t to, const char *target,
		 char *err, size_t err_size)
{
	char folder[PATH_MAX];
	size_t in = SIZE_MAX;
	int code = 0;

	for (size_t i = 0, next; !code && i < x->files; i = next) {
		struct stream s;

		if (x->file[i].folder != in) {
			in = x->file[i].folder;
			code = begin_folder(x, in, target, folder, sizeof(folder));
		}
		next = collect(x, i, from, to, &s);
		if (!next)
			code = ENOMEM;
		else if (!code)
			code = write_stream(x, &s, &x->file[i], folder);
		free(s.piece);
	}
	if (!code)
		return 0;
	doze_line(err, err_size, "%s: %s", target, strerror(code));
	return -1;
}
