/*
 * SPDX-License-Identifier: MIT
 *
 * output.c - reads the last lines that the traced program printed, and shows them.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "panes.h"

/* Splits the text into lines. If `cut` is true, the beginning of the first line is missing, so that
 * line is dropped. */
static void split_lines(struct tui_output *o, size_t len, bool cut)
{
	size_t begin = 0, n = 0;

	for (size_t i = 0; i <= len; i++) {
		if (i < len && o->text[i] != '\n' && o->text[i] != '\0')
			continue;
		o->text[i] = '\0';
		if (i > begin || i < len) {
			if (!(cut && begin == 0))
				o->lines[n++ % TUI_OUTPUT_LINES] = o->text + begin;
		}
		begin = i + 1;
	}
	o->n_lines = n < TUI_OUTPUT_LINES ? n : TUI_OUTPUT_LINES;
	for (size_t turn = n > TUI_OUTPUT_LINES ? n % TUI_OUTPUT_LINES : 0; turn > 0; turn--) {
		/* rotate the array so that the oldest line comes first */
		const char *first = o->lines[0];

		for (size_t i = 1; i < TUI_OUTPUT_LINES; i++)
			o->lines[i - 1] = o->lines[i];
		o->lines[TUI_OUTPUT_LINES - 1] = first;
	}
}

static int make_room(struct tui_output *o)
{
	if (!o->text)
		o->text = malloc(TUI_OUTPUT_BYTES + 1);
	if (!o->lines)
		o->lines = malloc(TUI_OUTPUT_LINES * sizeof *o->lines);
	return o->text && o->lines ? 0 : -1;
}

bool tui_output_read(struct tui_output *o, const char *path)
{
	struct stat st;
	FILE *f;
	size_t len;
	bool cut;

	if (stat(path, &st) != 0 || (size_t)st.st_size == o->size || make_room(o) != 0)
		return false;
	f = fopen(path, "re");
	if (!f)
		return false;
	cut = st.st_size > TUI_OUTPUT_BYTES && fseek(f, -TUI_OUTPUT_BYTES, SEEK_END) == 0;
	len = fread(o->text, 1, TUI_OUTPUT_BYTES, f);
	fclose(f);
	o->size = (size_t)st.st_size;
	split_lines(o, len, cut);
	return true;
}

static void draw(const struct tui_scene *s, struct tui_textbox *p)
{
	size_t rows = p->bottom > p->y ? (size_t)(p->bottom - p->y) : 0;
	size_t have = s->output.n_lines, skip = have > rows ? have - rows : 0;

	for (size_t i = skip; i < have; i++)
		tui_text(p->g, p->x + 1, p->y + (int)(i - skip), p->end, TUI_PLAIN,
			 s->output.lines[i]);
	if (have == 0)
		tui_text(p->g, p->x + 2, p->y, p->end, TUI_DIM, "no output yet");
}

static bool exists(const struct tui_scene *s)
{
	return s->has_output;
}

const struct tui_pane_type tui_pane_output = {
    .name = "output",
    .what = "the output of the traced program",
    .draw = draw,
    .exists = exists,
};
