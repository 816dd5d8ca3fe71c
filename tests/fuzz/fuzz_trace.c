/*
 * SPDX-License-Identifier: MIT
 *
 * fuzz_trace.c - trace folders: mutated stream files and metadata, through reader, model and views.
 *
 *	fuzz_trace [options of fuzz.h] SEED-FOLDER…
 *
 * Each seed folder holds a `metadata` file and its streams. Four inputs in five have intact
 * metadata: without it nothing behind the parser would be reached.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "consume.h"
#include "fuzz.h"
#include "viz/reader/reader.h"

#define MAX_FILES 16
#define MAX_SEEDS 8

struct seed_file {
	char name[256];
	struct fuzz_bytes bytes;
};

struct seed {
	struct seed_file file[MAX_FILES]; /* [0] is the metadata */
	size_t files;
};

static struct seed seeds[MAX_SEEDS];
static size_t seed_count;
static char folder[128];

static void load_file(struct seed_file *f, const char *dir, const char *name)
{
	char path[600];
	uint8_t buffer[1 << 16];
	FILE *in;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	snprintf(f->name, sizeof(f->name), "%s", name);
	in = fopen(path, "rb");
	if (!in) {
		perror(path);
		exit(1);
	}
	n = fread(buffer, 1, sizeof(buffer), in);
	fuzz_set(&f->bytes, buffer, n);
	fclose(in);
}

static void load_seed(const char *dir)
{
	struct seed *s = &seeds[seed_count++];
	DIR *d = opendir(dir);

	load_file(&s->file[s->files++], dir, "metadata");
	for (struct dirent *e; d && (e = readdir(d)) && s->files < MAX_FILES;)
		if (e->d_type == DT_REG && strcmp(e->d_name, "metadata") != 0)
			load_file(&s->file[s->files++], dir, e->d_name);
	if (d)
		closedir(d);
}

static void write_file(const char *name, const struct fuzz_bytes *b)
{
	char path[400];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	out = fopen(path, "wb");
	if (!out || fwrite(b->data, 1, b->size, out) != b->size || fclose(out) != 0) {
		perror(path);
		exit(1);
	}
}

static void remove_files(const struct seed *s)
{
	char path[400];

	for (size_t i = 0; i < s->files; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, s->file[i].name);
		unlink(path);
	}
}

static void make_input(const struct seed *s, struct fuzz_random *r)
{
	static struct fuzz_bytes b;
	size_t victim = s->files > 1 && fuzz_below(r, 5) ? 1 + fuzz_below(r, s->files - 1) : 0;

	for (size_t i = 0; i < s->files; i++) {
		fuzz_set(&b, s->file[i].bytes.data, s->file[i].bytes.size);
		if (i == victim && i == 0)
			fuzz_mutate_text(&b, r);
		else if (i == victim)
			fuzz_mutate(&b, r);
		write_file(s->file[i].name, &b);
	}
}

static void on_event(void *ctx, const struct doze_event *e)
{
	consume_event(ctx, e);
}

static void on_loss(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	consume_loss(ctx, from, to, count);
}

static const struct doze_reader_sink sink = {.event = on_event, .discarded = on_loss};

/* An error must be told in one line; anything else that goes wrong, the sanitizers tell. */
static void require_line(const char *text)
{
	if (!*text || strchr(text, '\n'))
		abort();
}

static void read_input(void)
{
	struct consumer *c = consume_begin();
	char err[512] = "";
	struct doze_reader *reader = doze_reader_open_dir(folder, err, sizeof(err));

	if (!reader) {
		require_line(err);
	} else {
		if (doze_reader_run(reader, &sink, c) == DOZE_READER_ERROR)
			require_line(doze_reader_error(reader));
		doze_reader_free(reader);
	}
	consume_end(c);
}

static void one(uint64_t seed, uint64_t input)
{
	struct fuzz_random r;
	const struct seed *s;

	fuzz_random_init(&r, seed, input);
	s = &seeds[fuzz_below(&r, seed_count)];
	make_input(s, &r);
	read_input();
	remove_files(s);
}

static void remove_folder(void)
{
	if (getenv("FUZZ_KEEP"))
		printf("input is in %s\n", folder);
	else
		rmdir(folder);
}

int main(int argc, char **argv)
{
	const char *shm = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	int status;

	for (int i = 1; i < argc && seed_count < MAX_SEEDS; i++)
		if (argv[i][0] != '-')
			load_seed(argv[i]);
	if (seed_count == 0) {
		fprintf(stderr, "fuzz_trace: no seed folder given\n");
		return 2;
	}
	snprintf(folder, sizeof(folder), "%s/doze-fuzz-XXXXXX", shm);
	if (!mkdtemp(folder))
		return 1;
	status = fuzz_main("fuzz_trace", argc, argv, 100000, one);
	remove_folder();
	return status;
}
