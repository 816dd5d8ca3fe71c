/*
 * SPDX-License-Identifier: MIT
 *
 * summary.c - see summary.h.
 */
#include "summary.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#define FILE_NAME ".doze-summary"

enum {
	SHARE = 100,    /* a summary takes at most 1/SHARE of the recording */
	EXPECTED = 16,  /* how much smaller compression makes a part, at most (estimated) */
	KEEP_DAYS = 30, /* for which an unused summary in the cache is kept */
	BUILD = 32,
	MOST_PACKED = 1032, /* the best ratio that zlib's format can have */
};

/* Where a part is in the file. */
struct part {
	uint64_t packed, size; /* bytes in the file, and after decompression; 0: no such part */
};

struct head {
	char magic[8];
	unsigned char build[BUILD]; /* build-id of the program */
	uint64_t identity;
	struct part part[DOZE_SUMMARY_PARTS]; /* in this order, right after the head */
};
static const char magic[8] = {'d', 'o', 'z', 'e', '-', 's', 'u', 'm'};

/* The contents of a file. */
struct file {
	struct head head;
	unsigned char *packed[DOZE_SUMMARY_PARTS]; /* owned */
};

/* ---- The program's build-id ---- */

static int take_id(const ElfW(Nhdr) * n, unsigned char *id)
{
	const unsigned char *bytes = (const unsigned char *)(n + 1) + ((n->n_namesz + 3U) & ~3U);

	memcpy(id, bytes, n->n_descsz < BUILD ? n->n_descsz : BUILD);
	return 1;
}

/* Called first for the program itself. Returns 1 if it has a build-id, otherwise -1; both end the
 * iteration. */
static int find_id(struct dl_phdr_info *info, size_t size, void *id)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		const char *at = (const char *)(info->dlpi_addr + h->p_vaddr);
		const char *end = at + h->p_memsz;

		while (h->p_type == PT_NOTE && at + sizeof(ElfW(Nhdr)) <= end) {
			const ElfW(Nhdr) *n = (const void *)at;

			if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 &&
			    memcmp(n + 1, "GNU", 4) == 0)
				return take_id(n, id);
			at += sizeof *n + ((n->n_namesz + 3U) & ~3U) + ((n->n_descsz + 3U) & ~3U);
		}
	}
	return -1;
}

static bool build_of(unsigned char *id)
{
	memset(id, 0, BUILD);
	return dl_iterate_phdr(find_id, id) == 1;
}

/* ---- The recording's identity ---- */

/* FNV-1a (Fowler, Noll, Vo), which is enough to tell that a file has changed. */
#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

static uint64_t hash_number(uint64_t h, uint64_t n)
{
	for (unsigned bit = 0; bit < 64; bit += 8)
		h = (h ^ (n >> bit & 0xff)) * FNV_PRIME;
	return h;
}

static uint64_t hash_text(uint64_t h, const char *text)
{
	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * FNV_PRIME;
	return h;
}

/* root: length of the path of the recording. */
static uint64_t identity_of(const FTSENT *f, size_t root)
{
	const struct stat *st = f->fts_statp;
	uint64_t h = hash_text(FNV_BASIS, f->fts_path + root);

	h = hash_number(h, (uint64_t)st->st_dev);
	h = hash_number(h, (uint64_t)st->st_ino);
	h = hash_number(h, (uint64_t)st->st_size);
	h = hash_number(h, (uint64_t)st->st_mtim.tv_sec);
	h = hash_number(h, (uint64_t)st->st_mtim.tv_nsec);
	h = hash_number(h, (uint64_t)st->st_ctim.tv_sec);
	return hash_number(h, (uint64_t)st->st_ctim.tv_nsec);
}

/* Adds the identities of all files, so that their order does not matter. */
static bool identify(struct doze_summary *y)
{
	char *const paths[] = {y->dir, NULL};
	FTS *all = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	size_t root = strlen(y->dir);
	FTSENT *f;

	y->identity = y->bytes = 0;
	errno = 0;
	while (all && (f = fts_read(all))) {
		if (f->fts_info != FTS_F ||
		    (f->fts_level == 1 && !strncmp(f->fts_name, FILE_NAME, strlen(FILE_NAME))))
			continue;
		y->identity += identity_of(f, root);
		y->bytes += (uint64_t)f->fts_statp->st_size;
	}
	if (!all || errno)
		y->bytes = 0;
	if (all)
		fts_close(all);
	return y->bytes > 0;
}

bool doze_summary_open(struct doze_summary *y, const char *dir, uint64_t least)
{
	unsigned char build[BUILD];

	return dir && realpath(dir, y->dir) && build_of(build) && identify(y) && y->bytes >= least;
}

uint64_t doze_summary_room(const struct doze_summary *y)
{
	return y->bytes / SHARE * EXPECTED;
}

/* ---- Where the file is ---- */

static bool is_mine(const char *dir)
{
	struct stat st;

	return stat(dir, &st) == 0 && st.st_uid == geteuid() && access(dir, W_OK) == 0;
}

/* Writes the folder of the cache to `path`. */
static bool cache_folder(char *path, size_t size)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int n = -1;

	if (cache && *cache == '/')
		n = snprintf(path, size, "%s/doze", cache);
	else if (home && *home == '/')
		n = snprintf(path, size, "%s/.cache/doze", home);
	return n > 0 && (size_t)n < size;
}

/* in_cache: the file in the cache instead of the one beside the recording. */
static bool path_of(const struct doze_summary *y, bool in_cache, char *path, size_t size)
{
	char folder[PATH_MAX];
	int n;

	if (!in_cache)
		n = snprintf(path, size, "%s/" FILE_NAME, y->dir);
	else if (cache_folder(folder, sizeof folder))
		n = snprintf(path, size, "%s/summary-%016" PRIx64, folder, y->identity);
	else
		return false;
	return n > 0 && (size_t)n < size;
}

/* Removes the summaries in the cache that nobody has used for a long time. */
static void prune(char *folder)
{
	char *const paths[] = {folder, NULL};
	FTS *all = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	time_t oldest = time(NULL) - (time_t)KEEP_DAYS * 86400;
	FTSENT *f;

	while (all && (f = fts_read(all)))
		if (f->fts_info == FTS_F && f->fts_level == 1 &&
		    !strncmp(f->fts_name, "summary-", 8) && f->fts_statp->st_mtime < oldest)
			(void)unlink(f->fts_path);
	if (all)
		fts_close(all);
}

/* Creates the folder of the cache and its parent, if they do not exist. */
static void make_cache(void)
{
	char folder[PATH_MAX], *slash;

	if (!cache_folder(folder, sizeof folder))
		return;
	slash = strrchr(folder, '/');
	*slash = '\0';
	(void)mkdir(folder, 0700);
	*slash = '/';
	(void)mkdir(folder, 0700);
	prune(folder);
}

/* ---- Reading ---- */

static void file_free(struct file *f)
{
	for (int i = 0; i < DOZE_SUMMARY_PARTS; i++)
		free(f->packed[i]);
	*f = (struct file){0};
}

static bool read_all(int fd, void *to, size_t size)
{
	char *at = to;

	while (size > 0) {
		ssize_t n = read(fd, at, size);

		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

static bool is_valid(const struct doze_summary *y, const struct head *h, uint64_t size)
{
	unsigned char build[BUILD];
	uint64_t left = size - sizeof *h;

	if (memcmp(h->magic, magic, sizeof magic) != 0 || h->identity != y->identity ||
	    !build_of(build) || memcmp(build, h->build, BUILD) != 0)
		return false;
	for (int i = 0; i < DOZE_SUMMARY_PARTS; i++) {
		const struct part *p = &h->part[i];

		if (p->packed > left || p->size / MOST_PACKED > p->packed)
			return false;
		left -= p->packed;
	}
	return left == 0;
}

/* Reads the parts for which `wanted` has a bit. */
static bool read_parts(int fd, unsigned wanted, struct file *f)
{
	for (int i = 0; i < DOZE_SUMMARY_PARTS; i++) {
		size_t size = f->head.part[i].packed;

		if (!(wanted >> i & 1)) {
			(void)lseek(fd, (off_t)size, SEEK_CUR);
			continue;
		}
		f->packed[i] = size ? malloc(size) : NULL;
		if (size && (!f->packed[i] || !read_all(fd, f->packed[i], size)))
			return false;
	}
	return true;
}

/* Opens the file, unless another user could have written it. */
static int open_mine(const char *path, uint64_t *size)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !(st.st_mode & 022) && (uint64_t)st.st_size >= sizeof(struct head)) {
		*size = (uint64_t)st.st_size;
		return fd;
	}
	close(fd);
	return -1;
}

static bool read_file(const struct doze_summary *y, bool in_cache, unsigned wanted, struct file *f)
{
	char path[PATH_MAX + 64];
	uint64_t size = 0;
	int fd = path_of(y, in_cache, path, sizeof path) ? open_mine(path, &size) : -1;
	bool ok = fd >= 0 && read_all(fd, &f->head, sizeof f->head) &&
		  is_valid(y, &f->head, size) && read_parts(fd, wanted, f);

	if (ok && in_cache)
		(void)futimens(fd, NULL); /* prune keeps what is used */
	if (fd >= 0)
		close(fd);
	if (!ok)
		file_free(f);
	return ok;
}

static bool find_file(const struct doze_summary *y, unsigned wanted, struct file *f)
{
	*f = (struct file){0};
	return read_file(y, false, wanted, f) || read_file(y, true, wanted, f);
}

/* zlib's format includes a checksum. */
static bool unpack(const struct part *p, const unsigned char *packed, struct doze_saved *s)
{
	uLongf size = p->size;

	*s = (struct doze_saved){.loads = true, .size = p->size};
	s->data = p->size ? malloc(p->size) : NULL;
	if (s->data && uncompress(s->data, &size, packed, p->packed) == Z_OK && size == p->size)
		return true;
	doze_saved_free(s);
	return false;
}

bool doze_summary_read(const struct doze_summary *y, enum doze_summary_part part,
		       struct doze_saved *s)
{
	struct file f;
	bool ok = find_file(y, 1U << part, &f) && unpack(&f.head.part[part], f.packed[part], s);

	file_free(&f);
	return ok;
}

/* ---- Writing ---- */

/* Returns the compressed bytes, owned by the caller, or null if out of memory. */
static unsigned char *pack(const struct doze_saved *s, struct part *p)
{
	uLongf size = compressBound(s->size);
	unsigned char *packed = malloc(size);

	if (!packed || compress2(packed, &size, s->data, s->size, Z_BEST_SPEED) != Z_OK) {
		free(packed);
		return NULL;
	}
	*p = (struct part){.packed = size, .size = s->size};
	return packed;
}

static uint64_t bytes_of(const struct file *f)
{
	uint64_t n = sizeof f->head;

	for (int i = 0; i < DOZE_SUMMARY_PARTS; i++)
		n += f->head.part[i].packed;
	return n;
}

static bool write_to(FILE *out, const struct file *f)
{
	bool ok = fwrite(&f->head, sizeof f->head, 1, out) == 1;

	for (int i = 0; i < DOZE_SUMMARY_PARTS && ok; i++) {
		size_t size = f->head.part[i].packed;

		ok = !size || fwrite(f->packed[i], 1, size, out) == size;
	}
	return ok;
}

/* Writes the file under a temporary name first, so that no reader sees half of it. */
static void write_file(const char *path, const struct file *f)
{
	char part[PATH_MAX + 80];
	bool ok;
	FILE *out;
	int fd;

	snprintf(part, sizeof part, "%s.XXXXXX", path);
	fd = mkostemp(part, O_CLOEXEC);
	if (fd < 0)
		return;
	out = fdopen(fd, "w");
	if (!out) {
		close(fd);
		(void)unlink(part);
		return;
	}
	ok = write_to(out, f);
	ok = fclose(out) == 0 && ok;
	if (!ok || rename(part, path) != 0)
		(void)unlink(part);
}

/* Blocks signals meanwhile, so that Ctrl-C leaves no temporary file behind. */
static void replace(const char *path, const struct file *f)
{
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	write_file(path, f);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

bool doze_summary_write(const struct doze_summary *y, enum doze_summary_part part,
			const struct doze_saved *s)
{
	char path[PATH_MAX + 64];
	struct doze_summary now = *y;
	bool in_cache = !is_mine(y->dir);
	unsigned char *packed, *old;
	struct file f;
	bool fits = true;

	if (s->failed || !s->size || !identify(&now) || now.identity != y->identity)
		return true;
	if (!find_file(y, ~0U, &f)) {
		f.head.identity = y->identity;
		memcpy(f.head.magic, magic, sizeof magic);
		(void)build_of(f.head.build);
	}
	if (in_cache)
		make_cache();
	old = f.packed[part];
	packed = pack(s, &f.head.part[part]);
	f.packed[part] = packed;
	if (packed)
		fits = bytes_of(&f) <= y->bytes / SHARE;
	if (packed && fits && path_of(y, in_cache, path, sizeof path))
		replace(path, &f);
	f.packed[part] = old;
	free(packed);
	file_free(&f);
	return fits;
}
