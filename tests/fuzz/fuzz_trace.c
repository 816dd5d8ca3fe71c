/*
 * SPDX-License-Identifier: MIT
 *
 * fuzz_trace.c - feeds trace folders with mutated stream files and metadata to the reader, the
 * model and the views.
 *
 *	fuzz_trace [options of fuzz.h] SEED-FOLDER…
 *
 * Each seed folder contains a `metadata` file and its streams. Four inputs in five have intact
 * metadata, because otherwise only the parser would be tested.
 */
#include <babeltrace2/babeltrace.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "consume.h"
#include "fuzz.h"
#include "viz/trace/reader.h"

#define MAX_FILES 16
#define MAX_SEEDS 8

struct seed_file {
	char name[256];
	struct fuzz_bytes bytes;
};

struct seed {
	struct seed_file file[MAX_FILES]; /* file[0] is the metadata */
	size_t files;
	char folder[160]; /* the folder that contains the files; each input changes one of them */
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

static void write_file(const char *dir, const char *name, const struct fuzz_bytes *b)
{
	char path[500];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	out = fopen(path, "wb");
	if (!out || fwrite(b->data, 1, b->size, out) != b->size || fclose(out) != 0) {
		perror(path);
		exit(1);
	}
}

static void write_seed(const struct seed *s)
{
	for (size_t i = 0; i < s->files; i++)
		write_file(s->folder, s->file[i].name, &s->file[i].bytes);
}

/* Changes one file of the seed. Returns the file's index, for mend_input. */
static size_t make_input(const struct seed *s, struct fuzz_random *r)
{
	static struct fuzz_bytes b;
	size_t victim = s->files > 1 && fuzz_below(r, 5) ? 1 + fuzz_below(r, s->files - 1) : 0;

	fuzz_set(&b, s->file[victim].bytes.data, s->file[victim].bytes.size);
	if (victim == 0)
		fuzz_mutate_text(&b, r);
	else
		fuzz_mutate(&b, r);
	write_file(s->folder, s->file[victim].name, &b);
	return victim;
}

static void mend_input(const struct seed *s, size_t victim)
{
	if (!getenv("FUZZ_KEEP"))
		write_file(s->folder, s->file[victim].name, &s->file[victim].bytes);
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

/* Checks that an error is reported in one line. The sanitizers detect all other faults. */
static void require_line(const char *text)
{
	if (!*text || strchr(text, '\n'))
		abort();
}

static void read_input(const char *dir, uint64_t input)
{
	struct consumer *c = consume_begin(input);
	char err[512] = "";
	struct doze_reader *reader = doze_reader_open_dir(dir, err, sizeof(err));

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
	/* True only if this process wrote all files: a child that died leaves its changed file
	 * behind. */
	static bool whole;
	struct fuzz_random r;
	const struct seed *s;
	size_t victim;

	for (size_t i = 0; !whole && i < seed_count; i++)
		write_seed(&seeds[i]);
	whole = true;
	fuzz_random_init(&r, seed, input);
	s = &seeds[fuzz_below(&r, seed_count)];
	victim = make_input(s, &r);
	read_input(s->folder, input);
	mend_input(s, victim);
}

static void place_seeds(void)
{
	for (size_t i = 0; i < seed_count; i++) {
		struct seed *s = &seeds[i];

		snprintf(s->folder, sizeof(s->folder), "%s/%zu", folder, i);
		if (mkdir(s->folder, 0700) != 0) {
			perror(s->folder);
			exit(1);
		}
	}
}

static void remove_folder(void)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	if (getenv("FUZZ_KEEP"))
		printf("the last input is in %s\n", folder);
	else if (system(command) != 0) /* NOLINT: the path is a constant of this program */
		perror(folder);
}

/* Keeps the plug-ins loaded, because loading them takes longer than reading an input. */
static void keep_plugins_loaded(void)
{
	static const bt_plugin_set *set;

	(void)bt_plugin_find_all(BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &set);
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
	place_seeds();
	keep_plugins_loaded();
	status = fuzz_main("fuzz_trace", argc, argv, 100000, one);
	remove_folder();
	return status;
}
