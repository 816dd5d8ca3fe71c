/*
 * SPDX-License-Identifier: MIT
 *
 * storm_log.c - keeps the storms of a trace, up to a bound.
 */
#include <stdlib.h>

#include "storms.h"

static void on_storm(void *ctx, const struct doze_storm *s)
{
	struct doze_storm_log *l = ctx;

	if (l->count == l->room && l->room < DOZE_STORMS_KEPT) {
		size_t room = l->room ? 2 * l->room : 64;
		struct doze_storm *more = realloc(l->storm, room * sizeof *more);

		if (more) {
			l->storm = more;
			l->room = room;
		}
	}
	if (l->count < l->room)
		l->storm[l->count++] = *s;
	else
		l->left_out++;
}

const struct doze_model_listener doze_storm_listener = {.on_storm = on_storm};

void doze_storm_log_free(struct doze_storm_log *l)
{
	free(l->storm);
	*l = (struct doze_storm_log){0};
}

const struct doze_storm *doze_storm_worst(const struct doze_storm_log *l)
{
	const struct doze_storm *worst = 0;

	for (size_t i = 0; i < l->count; i++)
		if (!worst || l->storm[i].burnt > worst->burnt)
			worst = &l->storm[i];
	return worst;
}
