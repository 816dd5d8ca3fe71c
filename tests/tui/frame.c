/*
 * SPDX-License-Identifier: MIT
 *
 * frame.c - see frame.h.
 */
#include "frame.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "../unit/story.h"

struct tui_scene scene;
struct tui_grid grid;
static const int64_t base = 1000000000; /* time 0 of story_parse */

/* ---- the frame ---- */

void feed(const char *text)
{
	char line[256];

	for (const char *s = text; *s; s += *s == '\n') {
		size_t len = strcspn(s, "\n");
		struct doze_event e;
		long long t, since, count;

		snprintf(line, sizeof line, "%.*s", (int)len, s);
		s += len;
		if (sscanf(line, "%lld lost %lld %lld", &t, &since, &count) == 3)
			tui_history_discarded(scene.history, base + since * 1000, base + t * 1000,
					      (uint64_t)count);
		else if (story_parse(line, &e))
			tui_history_feed(scene.history, &e);
	}
}

void begin(const char *text, bool live, bool ascii)
{
	tui_scene_free(&scene);
	tui_history_free(scene.history);
	memset(&scene, 0, sizeof scene);
	scene.history = tui_history_new();
	scene.look = tui_look(ascii);
	scene.title = "made";
	scene.status.live = live;
	scene.status.behind_ns = -1;
	grid.ascii = ascii;
	tui_view_init(&scene.view, live);
	feed(text);
}

void draw(int w, int h)
{
	tui_grid_resize(&grid, w, h);
	for (int i = 0; i < 2; i++) { /* the first picture tells the view how wide it is */
		tui_scene_update(&scene);
		tui_draw(&scene, &grid);
	}
}

/* The row of the picture that begins with this, after blanks and the selection's mark; as text. */
const char *row(const char *begins)
{
	static char text[1024];

	for (int y = 0; y < grid.h; y++) {
		size_t n = 0;

		for (int x = 0; x < grid.w && n + 4 < sizeof text; x++)
			n += tui_utf8(grid.cells[y * grid.w + x].ch, text + n);
		text[n] = '\0';
		if (strncmp(text + 1, begins, strlen(begins)) == 0)
			return text;
	}
	return "";
}

bool shows(const char *what)
{
	char text[8192];
	FILE *f = fmemopen(text, sizeof text, "w");
	bool found;

	tui_grid_print(&grid, f);
	fclose(f);
	text[sizeof text - 1] = '\0';
	found = strstr(text, what) != NULL;
	return found;
}

void press(const char *keys)
{
	for (; *keys; keys++) {
		tui_key_press(&scene, *keys);
		tui_scene_update(&scene);
	}
}

const char four_states[] = "0 x pool jec 2\n"
			   "0 w0 none>active start\n"
			   "10 w0 active>idle no_work 0.0.1>0.1.1\n"
			   "20 w0 idle>sleepy rounds\n"
			   "30 w0 sleepy>sleeping rounds 0.1.2>1.1.2\n"
			   "65 x mark end\n";

int frame_main(const char *name, const struct suite_test *tests, size_t count, int argc,
	       char **argv)
{
	int code;

	setlocale(LC_ALL, "C.UTF-8");
	code = suite_main(name, tests, count, argc, argv);
	tui_scene_free(&scene);
	tui_history_free(scene.history);
	tui_grid_free(&grid);
	return code;
}
