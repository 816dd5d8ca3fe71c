/*
 * SPDX-License-Identifier: MIT
 *
 * rewind_bench.c - measures how long the viewer takes to show any part of a long recording.
 *
 *	rewind-bench DIR
 *
 * Indexes the recording. Then, for each of twelve moments, in shuffled order, reads the part around
 * it from disk, as archive.c does, and draws a screen of 120x40. Does this first without
 * checkpoints, as at the start of `doze replay`, and then with checkpoints, after reading the whole
 * trace once. Prints the times and the peak memory.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "viz/viewer/screen/archive.h"
#include "viz/viewer/screen/grid.h"
#include "viz/viewer/store/feed.h"
#include "viz/viewer/terminal/draw.h"

enum { MOMENTS = 12, WIDTH = 120, HEIGHT = 40, ROOM_MS = 50 };
#define MINUTE INT64_C(60000000000)

static struct tui_scene scene;
static struct tui_archive archive;
static struct tui_grid grid;
static int64_t worst;

static double ms(int64_t ns)
{
	return (double)ns / 1e6;
}

/* Returns the CPU time of all threads so far, in ns. */
static int64_t cpu_ns(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * INT64_C(1000000000) +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * INT64_C(1000);
}

static double memory_mb(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_maxrss / 1024;
}

static void draw(void)
{
	tui_scene_update(&scene);
	tui_draw(&scene, &grid);
}

/* Shows `width` ns around t. Returns the time until the screen was drawn, in ns. */
static int64_t show(int64_t t, int64_t width)
{
	int64_t begun = tui_now_ns();

	tui_view_frame(&scene.view, t, width, 2);
	draw();
	tui_archive_wait(&archive, &scene);
	draw();
	return tui_now_ns() - begun;
}

static void show_all(const char *how)
{
	int64_t length = archive.index.to - archive.index.from, sum = 0, most = 0, cpu = cpu_ns();

	for (int i = 0; i < MOMENTS; i++) {
		/* 7 and 12 have no common divisor, so each moment occurs once. */
		int64_t part = (i * 7 + 5) % MOMENTS;
		int64_t took =
		    show(archive.index.from + length / MOMENTS * part + length / 30, MINUTE);

		if (scene.history == archive.newest && !archive.newest->n_checkpoints)
			printf("the view of moment %d was not loaded: %s\n", i, scene.disk);
		sum += took;
		most = took > most ? took : most;
	}
	printf("%-26s a minute on the screen: mean %.0f ms, worst %.0f ms; %.0f ms of CPU; "
	       "memory %.0f MB\n",
	       how, ms(sum / MOMENTS), ms(most), ms((cpu_ns() - cpu) / MOMENTS), memory_mb());
	worst = most > worst ? most : worst;
}

static void read_all(const char *dir)
{
	char err[200];
	struct doze_reader *r = doze_reader_open_dir(dir, err, sizeof err);
	int64_t begun = tui_now_ns();
	struct tui_feed *f;
	int fd;

	if (!r || !(f = tui_feed_start(r, NULL, &fd)))
		exit(1);
	while (!tui_feed_state(f)->done)
		if (!tui_feed_drain(f, archive.newest, ROOM_MS))
			(void)poll(NULL, 0, TUI_BULK_MS);
	printf("%-26s %.1f s for %llu events; %zu checkpoints; memory %.0f MB\n",
	       "the whole trace, once", ms(tui_now_ns() - begun) / 1000,
	       (unsigned long long)doze_model_totals(archive.newest->model)->events,
	       archive.newest->n_checkpoints, memory_mb());
	(void)tui_feed_stop(f, 1000);
	doze_reader_free(r);
}

/* Feeds one event, from which the model learns the beginning of the trace. */
static void feed_first(struct tui_history *h)
{
	const struct doze_event mark = {.kind = DOZE_EV_mark,
					.ts = archive.index.from,
					.vpid = -1,
					.vtid = -1,
					.worker = -1,
					.u.mark.text = "begin"};

	tui_history_feed(h, &mark);
}

int main(int argc, char **argv)
{
	struct tui_history *h = tui_history_new();
	int64_t begun = tui_now_ns();

	if (argc != 2 || !h || tui_grid_resize(&grid, WIDTH, HEIGHT) != 0)
		return 2;
	tui_archive_open(&archive, argv[1], h);
	if (!archive.folder)
		return 2;
	printf("%-26s %.0f ms for %.0f minutes, %llu MB\n", "index of packets",
	       ms(tui_now_ns() - begun), (double)(archive.index.to - archive.index.from) / 6e10,
	       (unsigned long long)doze_packet_index_bytes(&archive.index, INT64_MIN, INT64_MAX) >>
		   20);
	scene.history = h;
	scene.newest = h;
	scene.glyphs = tui_glyphs(false);
	scene.status.loading = true;
	scene.disk_end = archive.index.to;
	tui_view_init(&scene.view, false);
	feed_first(h);
	draw();
	draw();
	show_all("without checkpoints");
	tui_history_take_checkpoints(h);
	read_all(argv[1]);
	scene.status.loading = false;
	show_all("from checkpoints");
	printf("goal: 1000 ms: %s\n", worst <= 1000000000 ? "met" : "MISSED");
	tui_archive_close(&archive, &scene);
	tui_history_free(h);
	return 0;
}
