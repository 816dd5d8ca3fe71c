/*
 * SPDX-License-Identifier: MIT
 *
 * manifest.c - see manifest.h.
 *
 * Lines of the file: `arg TEXT` for each argument of the command, `detail`, `cpus`, `complete`, and
 * per file `file CRC32 BYTES PACKETS PATH`, with PATH relative to the manifest. PACKETS is `-` for
 * the metadata, or where the layout of packets is unknown.
 */
#include "manifest.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error_line.h"
#include "find.h"
#include "metadata.h"
#include "packets.h"
#include "utf8.h"

/*
 * ---- The CRC-32 that zip, gzip and Ethernet use. The algorithm is "slicing by 8", whose eight
 * tables process eight bytes in one step (Kounavis and Berry, A systematic approach to building
 * high performance software-based CRC generators, 2005). One byte at a time, checking a recording
 * would take longer than reading it.
 */

#define POLYNOMIAL UINT32_C(0xedb88320) /* CRC-32's polynomial, with the lowest bit first */

static uint32_t table[8][256];

static void fill(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;

		for (int bit = 0; bit < 8; bit++)
			c = c & 1 ? c >> 1 ^ POLYNOMIAL : c >> 1;
		table[0][i] = c;
	}
	for (uint32_t i = 0; i < 256; i++)
		for (int k = 1; k < 8; k++)
			table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 0xff];
}

static uint32_t step_of_8(uint32_t crc, const unsigned char *p)
{
	crc ^= (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
	return table[7][crc & 0xff] ^ table[6][crc >> 8 & 0xff] ^ table[5][crc >> 16 & 0xff] ^
	       table[4][crc >> 24] ^ table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^
	       table[0][p[7]];
}

/* Extends the checksum of the preceding bytes by these bytes and returns it. crc: the checksum of
 * the preceding bytes, or 0 if there are none. The first call fills a table and must have returned
 * before another thread calls this function. */
static uint32_t doze_crc32(uint32_t crc, const void *bytes, size_t size)
{
	static bool filled;
	const unsigned char *p = bytes;

	if (!filled)
		fill();
	filled = true;
	crc = ~crc;
	for (; size >= 8; p += 8, size -= 8)
		crc = step_of_8(crc, p);
	while (size--)
		crc = crc >> 8 ^ table[0][(crc ^ *p++) & 0xff];
	return ~crc;
}

/* ---- Detects stream files that are missing from a trace ---- */

static bool is_there(int folder, const char *name)
{
	return faccessat(folder, name, F_OK, 0) == 0;
}

/* Returns whether index/NAME.idx exists without NAME. */
static bool index_alone(int folder, const char *name)
{
	char stream[NAME_MAX + 1];
	size_t n = strlen(name);

	if (n <= 4 || n > NAME_MAX || strcmp(name + n - 4, ".idx") != 0)
		return false;
	snprintf(stream, sizeof(stream), "%.*s", (int)(n - 4), name);
	return !is_there(folder, stream);
}

/* Returns whether NAME_3 exists without NAME_2. */
static bool after_hole(int folder, const char *name)
{
	const char *number = strrchr(name, '_');
	char before[NAME_MAX + 16];
	char *end;
	long n;

	if (!number || !isdigit((unsigned char)number[1]) || number == name)
		return false;
	n = strtol(number + 1, &end, 10);
	if (*end || n <= 0)
		return false;
	snprintf(before, sizeof(before), "%.*s_%ld", (int)(number - name), name, n - 1);
	return !is_there(folder, before);
}

/* Returns whether shows() returns true for any file in `dir`. `folder` is the folder of the
 * trace. */
static bool any(int folder, const char *dir, bool (*shows)(int folder, const char *name))
{
	int fd = openat(folder, dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	bool found = false;

	if (!d) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	for (struct dirent *e; !found && (e = readdir(d));)
		found = e->d_name[0] != '.' && shows(folder, e->d_name);
	closedir(d);
	return found;
}

bool doze_stream_absent(const char *dir)
{
	int folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool absent;

	if (folder < 0)
		return false;
	absent = any(folder, "index", index_alone) || any(folder, ".", after_hole);
	close(folder);
	return absent;
}

#define FIRST_LINE "doze-manifest 1\n"
/* Number of levels from LTTng's folder of streams up to the recording's folder. */
#define FOLDERS_UP 4

struct file {
	uint32_t crc;
	uint64_t bytes;
	int64_t packets; /* -1: unknown */
};

/* How much of the files has been read. */
struct count {
	const struct doze_checking *checking; /* null: nobody wants to know */
	uint64_t done, total;
};

static void count_block(struct count *c, uint64_t bytes)
{
	c->done += bytes;
	if (c->checking)
		c->checking->report(c->checking->ctx, c->done, c->total);
}

static bool read_file(const char *path, const struct doze_layout *l, struct count *c,
		      struct file *f)
{
	static unsigned char block[1 << 16];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	*f = (struct file){.packets = -1};
	if (fd < 0)
		return false;
	while ((n = read(fd, block, sizeof block)) > 0) {
		f->crc = doze_crc32(f->crc, block, (size_t)n);
		f->bytes += (uint64_t)n;
		count_block(c, (uint64_t)n);
	}
	if (l)
		f->packets = doze_packets_count(fd, l, f->bytes);
	close(fd);
	return n == 0;
}

/* ---- writing the manifest ---- */

static bool write_file(FILE *out, const char *root, const char *folder, const char *name,
		       const struct doze_layout *l)
{
	char path[PATH_MAX], packets[24] = "-";
	struct count c = {.checking = NULL};
	struct file f;

	if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path ||
	    !read_file(path, l, &c, &f))
		return false;
	if (f.packets >= 0)
		snprintf(packets, sizeof packets, "%" PRId64, f.packets);
	fprintf(out, "file %08" PRIx32 " %" PRIu64 " %s %s\n", f.crc, f.bytes, packets,
		path + strlen(root) + 1);
	return true;
}

static int is_stream(const struct dirent *e)
{
	return e->d_name[0] != '.' && strcmp(e->d_name, "metadata") != 0 && e->d_type == DT_REG;
}

static bool write_folder(FILE *out, const char *root, const char *folder)
{
	char err[256], *metadata = doze_metadata_read(folder, err, sizeof err);
	struct doze_layout layout;
	bool known = metadata && doze_layout_find(&layout, metadata), ok;
	struct dirent **list = NULL;
	int n = scandir(folder, &list, is_stream, alphasort);

	ok = n >= 0 && write_file(out, root, folder, "metadata", NULL);
	for (int i = 0; i < n; i++) {
		ok = ok && write_file(out, root, folder, list[i]->d_name, known ? &layout : NULL);
		free(list[i]);
	}
	free(list);
	free(metadata);
	return ok;
}

static bool write_lines(FILE *out, const char *dir, const struct doze_manifest *m)
{
	char arg[1024], err[256];
	struct doze_folders folders;
	bool ok = true;

	fputs(FIRST_LINE, out);
	for (char *const *a = m->argv; *a; a++) {
		/* Replaces line breaks, so that an argument is one line. */
		doze_text_clean(arg, sizeof arg, *a);
		fprintf(out, "arg %s\n", arg);
	}
	fprintf(out, "detail %s\ncpus %u\ncomplete %s\n", m->detail, m->cpus,
		m->complete ? "yes" : "no");
	if (doze_folders_find(&folders, dir, err, sizeof err) != 0)
		return true; /* nothing was recorded */
	for (size_t i = 0; ok && i < folders.count; i++)
		ok = write_folder(out, dir, folders.path[i]);
	doze_folders_clear(&folders);
	return ok;
}

/* Writes a temporary file first, so that an interruption cannot leave half a manifest. */
int doze_manifest_write(const char *dir, const struct doze_manifest *m, char *err, size_t err_size)
{
	char path[PATH_MAX], temporary[PATH_MAX + 4];
	FILE *out;
	bool ok;

	snprintf(path, sizeof path, "%s/%s", dir, DOZE_MANIFEST);
	snprintf(temporary, sizeof temporary, "%s.new", path);
	out = fopen(temporary, "we");
	errno = out ? 0 : errno;
	ok = out && write_lines(out, dir, m);
	if (out && (fclose(out) != 0 || !ok || rename(temporary, path) != 0))
		ok = false;
	if (ok)
		return 0;
	(void)unlink(temporary);
	doze_line(err, err_size, "cannot write %s: %s: the recording can be read without it", path,
		  errno ? strerror(errno) : "a file of the recording cannot be read");
	return -1;
}

/* ---- comparing the files with the manifest ---- */

/* Opens the manifest that covers dir. root receives its folder; below receives the rest of dir's
 * path, or "". */
static FILE *find_manifest(const char *dir, char root[PATH_MAX], char below[PATH_MAX])
{
	char full[PATH_MAX], path[PATH_MAX + sizeof DOZE_MANIFEST];
	FILE *in = NULL;
	char *end;

	if (!realpath(dir, full))
		return NULL;
	snprintf(root, PATH_MAX, "%s", full);
	for (int up = 0; !in && up <= FOLDERS_UP; up++) {
		snprintf(path, sizeof path, "%s/%s", root, DOZE_MANIFEST);
		in = fopen(path, "re");
		if (in)
			break;
		end = strrchr(root, '/');
		if (!end || end == root)
			return NULL;
		*end = '\0';
	}
	if (in)
		snprintf(below, PATH_MAX, "%s",
			 full[strlen(root)] == '/' ? full + strlen(root) + 1 : "");
	return in;
}

static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return n == 0 || (strncmp(path, folder, n) == 0 && path[n] == '/');
}

/* Compares one file with the manifest. Returns whether the file is unchanged. If not, writes the
 * difference. */
static bool is_unchanged(const char *root, const char *path, const struct file *want,
			 struct count *c, char *what, size_t size)
{
	char full[2 * PATH_MAX];
	const char *name = strrchr(path, '/');
	struct file is;

	snprintf(full, sizeof full, "%s/%s", root, path);
	name = name ? name + 1 : path;
	if (!read_file(full, NULL, c, &is))
		snprintf(what, size, "%.64s is missing", name);
	else if (is.bytes < want->bytes)
		snprintf(what, size, "%.64s was truncated from %" PRIu64 " to %" PRIu64 " bytes",
			 name, want->bytes, is.bytes);
	else if (is.bytes != want->bytes || is.crc != want->crc)
		snprintf(what, size, "%.64s was changed", name);
	else
		return true;
	return false;
}

/* Returns whether the line describes a file of the folder `below`. */
static bool describes(const char *line, const char *below, struct file *f, char path[PATH_MAX])
{
	return sscanf(line, "file %" SCNx32 " %" SCNu64 " %*s %4095[^\n]", &f->crc, &f->bytes,
		      path) == 3 &&
	       is_below(path, below);
}

/* Returns the size of all files that the manifest describes, and rewinds the manifest. */
static uint64_t size_of_files(FILE *in, const char *below)
{
	char line[PATH_MAX + 64], path[PATH_MAX];
	uint64_t bytes = 0;
	struct file f;

	while (fgets(line, sizeof line, in))
		if (describes(line, below, &f, path))
			bytes += f.bytes;
	rewind(in);
	return bytes;
}

static enum doze_manifest_verdict check_lines(FILE *in, const char *root, const char *below,
					      struct count *c, char *what, size_t size)
{
	enum doze_manifest_verdict v = DOZE_MANIFEST_PARTIAL;
	char line[PATH_MAX + 64], path[PATH_MAX];
	struct file f;

	if (!fgets(line, sizeof line, in) || strcmp(line, FIRST_LINE) != 0)
		return DOZE_MANIFEST_NONE;
	while (fgets(line, sizeof line, in)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strcmp(line, "complete yes"))
			v = DOZE_MANIFEST_COMPLETE;
		if (describes(line, below, &f, path) &&
		    !is_unchanged(root, path, &f, c, what, size))
			return DOZE_MANIFEST_DAMAGED;
	}
	return v;
}

enum doze_manifest_verdict
doze_manifest_check(const char *dir, const struct doze_checking *checking, char *what, size_t size)
{
	char root[PATH_MAX], below[PATH_MAX];
	FILE *in = find_manifest(dir, root, below);
	enum doze_manifest_verdict v = DOZE_MANIFEST_NONE;

	if (in) {
		struct count c = {.checking = checking, .total = size_of_files(in, below)};

		v = check_lines(in, root, below, &c, what, size);
		fclose(in);
	}
	return v;
}

bool doze_manifest_command(const char *dir, char *text, size_t size)
{
	char root[PATH_MAX], below[PATH_MAX], line[PATH_MAX];
	FILE *in = find_manifest(dir, root, below);
	size_t n = 0;

	while (in && fgets(line, sizeof line, in)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "arg ", 4) && n < size)
			n += (size_t)snprintf(text + n, size - n, "%s%s", n ? " " : "", line + 4);
	}
	if (in)
		fclose(in);
	return n > 0;
}

char **doze_manifest_argv(const char *dir, size_t *count)
{
	char root[PATH_MAX], below[PATH_MAX], line[PATH_MAX], **argv = NULL;
	FILE *in = find_manifest(dir, root, below);

	*count = 0;
	while (in && fgets(line, sizeof line, in)) {
		char **longer;

		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "arg ", 4) != 0)
			continue;
		longer = reallocarray(argv, *count + 2, sizeof *argv);
		if (!longer)
			break;
		argv = longer;
		argv[*count] = strdup(line + 4);
		*count += argv[*count] != NULL;
		argv[*count] = NULL;
	}
	if (in)
		fclose(in);
	return argv;
}

unsigned doze_manifest_cpus(const char *dir)
{
	char root[PATH_MAX], below[PATH_MAX], line[PATH_MAX];
	FILE *in = find_manifest(dir, root, below);
	unsigned cpus = 0;

	while (in && fgets(line, sizeof line, in))
		if (!strncmp(line, "cpus ", 5))
			cpus = (unsigned)strtoul(line + 5, NULL, 10);
	if (in)
		fclose(in);
	return cpus;
}
