/*
 * SPDX-License-Identifier: MIT
 *
 * packets.c - see packets.h.
 */
#include "packets.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error_line.h"
#include "find.h"
#include "grow.h"
#include "metadata.h"

/* ---- Finds where a packet stores its length ---- */

#define MAX_NAME 64

/* One member declaration of a structure: `uint64_t content_size`, `integer { size = 64; … }
 * content_size`. */
struct member {
	char name[MAX_NAME];
	uint32_t bits; /* bits of one element */
	uint32_t count;
};

/* Returns the end of the declaration at p, its `;` outside braces, or null. */
static const char *declaration_end(const char *p)
{
	int depth = 0;

	for (; *p; p++) {
		if (*p == '{')
			depth++;
		else if (*p == '}' && --depth < 0)
			return NULL;
		else if (*p == ';' && depth == 0)
			return p;
	}
	return NULL;
}

/* Returns the number of bits of the type: from `size = N` within braces, or from the digits of
 * uintN_t and uintN_clock_…_t. */
static uint32_t type_bits(const char *p, const char *end)
{
	const char *size = strstr(p, "size = ");
	const char *digits = p;

	if (size && size < end)
		return (uint32_t)strtoul(size + 7, NULL, 10);
	if (strncmp(p, "unsigned long ", 14) == 0)
		return 64;
	if (strncmp(p, "uint", 4) != 0)
		return 0;
	for (digits = p + 4; digits < end && isdigit((unsigned char)*digits);)
		digits++;
	return digits > p + 4 && *digits == '_' ? (uint32_t)strtoul(p + 4, NULL, 10) : 0;
}

/* Reads the name of the member: the last word before the end, or before the bracket of an array. */
static bool member_read(struct member *m, const char *p, const char *end)
{
	const char *last = end, *first;

	m->bits = type_bits(p, end);
	m->count = 1;
	if (last[-1] == ']') {
		while (last > p && *last != '[')
			last--;
		m->count = (uint32_t)strtoul(last + 1, NULL, 10);
	}
	for (first = last; first > p && (isalnum((unsigned char)first[-1]) || first[-1] == '_');)
		first--;
	if (first == last || (size_t)(last - first) >= sizeof(m->name))
		return false;
	snprintf(m->name, sizeof(m->name), "%.*s", (int)(last - first), first);
	return m->bits > 0 && m->bits % 8 == 0 && m->bits <= 64 && m->count <= 64;
}

static const char *skip_space(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

/* Walks a structure that begins at byte *at. p: its text after the opening brace. */
static bool walk(const char *p, uint32_t *at, struct doze_layout *l)
{
	struct member m;
	const char *end;

	for (p = skip_space(p); *p && *p != '}'; p = skip_space(end + 1)) {
		end = declaration_end(p);
		if (!end || !member_read(&m, p, end))
			return l->end > 0;
		if (strcmp(m.name, "content_size") == 0 && m.bits == 64)
			l->content_at = *at;
		else if (strcmp(m.name, "packet_size") == 0 && m.bits == 64)
			l->packet_at = *at;
		else if (strcmp(m.name, "timestamp_begin") == 0 && m.bits == 64)
			l->first_at = *at;
		else if (strcmp(m.name, "timestamp_end") == 0 && m.bits == 64)
			l->last_at = *at;
		*at += m.bits / 8 * m.count;
		if (l->content_at && l->packet_at)
			l->end = *at;
		if (l->end && l->first_at && l->last_at)
			return true;
	}
	return *p == '}';
}

/* Returns the text after the opening brace of structure `what`. A structure that is given by name
 * is looked up. */
static const char *structure(const char *text, const char *what)
{
	const char *p = strstr(text, what);
	char named[MAX_NAME];
	size_t n;

	if (!p)
		return NULL;
	p += strlen(what);
	if (*p == '{')
		return p + 1;
	n = strcspn(p, " ;{\n");
	if (n == 0 || n + 10 >= sizeof(named))
		return NULL;
	snprintf(named, sizeof(named), "struct %.*s {", (int)n, p);
	p = strstr(text, named);
	return p ? p + strlen(named) : NULL;
}

/* Returns whether all stream classes have the same packet context: each names the same structure,
 * or there is only one class. */
static bool one_context(const char *text)
{
	static const char what[] = "packet.context := struct ";
	const char *first = strstr(text, what);

	for (const char *p = first; p; p = strstr(p + 1, what)) {
		size_t n = strcspn(first, ";{");

		if (p != first && (first[n] != ';' || strncmp(p, first, n + 1) != 0))
			return false;
	}
	return true;
}

bool doze_layout_find(struct doze_layout *l, const char *text)
{
	const char *header = structure(text, "packet.header := struct ");
	const char *context = structure(text, "packet.context := struct ");
	uint32_t at = 0;

	*l = (struct doze_layout){0};
	return header && context && one_context(text) && walk(header, &at, l) &&
	       walk(context, &at, l) && l->end > 0;
}

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

/* Checks all packets of a file. Returns what is wrong with the packet at *at, or null. *n counts
 * the packets before it. */
static const char *check_stream(int fd, const struct doze_layout *l, uint64_t size, uint64_t *at,
				int64_t *n)
{
	const char *problem = NULL;
	struct doze_packet p;

	for (*at = 0, *n = 0; *at < size; *at += p.size, ++*n) {
		problem = check_packet(fd, l, *at, size, &p);
		if (problem)
			break;
	}
	return problem;
}

int64_t doze_packets_count(int fd, const struct doze_layout *l, uint64_t size)
{
	uint64_t at;
	int64_t n;

	return check_stream(fd, l, size, &at, &n) ? -1 : n;
}

static bool check_file(int dir_fd, const char *dir, const char *name, const struct doze_layout *l,
		       uint64_t size, char *err, size_t err_size)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);
	uint64_t at = 0;
	int64_t n;
	const char *problem = fd < 0 ? strerror(errno) : check_stream(fd, l, size, &at, &n);

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

/* ---- The packets that a trace has on disk, and their times ---- */

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
	all = doze_grow(x->folder, &x->folder_room, x->folders, sizeof *all);
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
	struct doze_indexed_file *all = doze_grow(x->file, &x->room, x->files, sizeof *all);
	char *copy = all ? strdup(name) : NULL;

	x->file = all ? all : x->file;
	if (!copy)
		return NULL;
	all[x->files] = (struct doze_indexed_file){.name = copy, .folder = folder};
	return &all[x->files++];
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
	struct doze_indexed_packet *all = doze_grow(f->packet, &f->room, f->packets, sizeof *all);

	if (!all)
		return false;
	f->packet = all;
	all[f->packets++] = *p;
	return true;
}

static void scan(const struct doze_indexed_folder *in, struct doze_indexed_file *f, int fd,
		 uint64_t size)
{
	struct doze_packet p;

	while (f->scanned < size && !check_packet(fd, &in->layout, f->scanned, size, &p)) {
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

uint64_t doze_packet_index_size(const struct doze_packet_index *x)
{
	/* a packet without times has the largest and the smallest number instead (scan) */
	if (x->from == INT64_MIN || x->to == INT64_MAX)
		return 0;
	return doze_packet_index_bytes(x, INT64_MIN, INT64_MAX);
}

static uint64_t packet_done(const struct doze_indexed_packet *p, int64_t ts)
{
	if (ts >= p->to)
		return p->size;
	if (ts <= p->from)
		return 0;
	return (uint64_t)((double)p->size * ((double)(ts - p->from) / (double)(p->to - p->from)));
}

uint64_t doze_packet_index_done(const struct doze_packet_index *x, int64_t ts)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < x->files; i++)
		for (size_t k = 0; k < x->file[i].packets; k++)
			bytes += packet_done(&x->file[i].packet[k], ts);
	return bytes;
}
