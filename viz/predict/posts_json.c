/*
 * SPDX-License-Identifier: MIT
 *
 * posts_json.c - prints the result of `doze whatif --posts` as JSON. Times are in ns; `at` is
 * relative to the first event of the trace. New fields may be added, but none is renamed while
 * `format` stays the same.
 */
#include "../show/selection_text.h"
#include "../words/json_writer.h"
#include "whatif.h"

static void sum(struct doze_json *j, const char *field, const char *name,
		const struct doze_whatif_sum *s)
{
	doze_json_open(j, field, '{');
	doze_json_string(j, "policy", name);
	doze_json_uint(j, "posts_waking", s->waking);
	doze_json_uint(j, "wakes", s->wakes);
	doze_json_uint(j, "most", s->most);
	doze_json_uint(j, "posts_more", s->more);
	doze_json_uint(j, "posts_fewer", s->fewer);
	doze_json_uint(j, "work_found", s->found);
	doze_json_close(j, '}');
}

static void posts(struct doze_json *j, const struct doze_whatif *w)
{
	int64_t origin = doze_model_totals(w->model)->first_ts;

	doze_json_open(j, "different", '[');
	for (uint32_t i = 0; i < w->shown; i++) {
		const struct doze_whatif_post *p = &w->post[i];

		doze_json_open(j, 0, '{');
		doze_json_int(j, "at", p->ts - origin);
		doze_json_int(j, "worker", p->worker);
		doze_json_uint(j, "jobs", p->facts.jobs);
		doze_json_bool(j, "was_empty", p->facts.was_empty);
		doze_json_uint(j, "idle", p->facts.idle);
		doze_json_uint(j, "sleeping", p->facts.sleeping);
		doze_json_uint(j, "recorded", p->recorded);
		doze_json_uint(j, "would", p->would);
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
}

void doze_whatif_json(const struct doze_whatif *w, const char *dir, FILE *out)
{
	struct doze_json j = {.out = out};

	doze_json_open(&j, 0, '{');
	doze_json_string(&j, "format", "doze-whatif/1");
	doze_json_bool(&j, "model", true);
	doze_json_string(&j, "trace", dir);
	doze_selection_json(&j, doze_selection_of(w->model));
	doze_json_bool(&j, "every_post", doze_model_totals(w->model)->jobs_level);
	doze_json_uint(&j, "posts", w->posts);
	doze_json_uint(&j, "jobs", w->jobs);
	doze_json_uint(&j, "posts_by_states", w->guessed);
	doze_json_uint(&j, "wakes_given", w->given);
	doze_json_uint(&j, "wakes_not_replayed", w->others);
	sum(&j, "recorded", w->policy, &w->recorded);
	doze_json_open(&j, "policies", '[');
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++)
		if (!w->only || w->only == doze_policy_at(i))
			sum(&j, 0, doze_policy_at(i)->name, &w->rule[i]);
	doze_json_close(&j, ']');
	posts(&j, w);
	doze_json_open(&j, "assumptions", '[');
	for (const char *const *a = doze_whatif_assumptions; *a; a++)
		doze_json_string(&j, 0, *a);
	doze_json_close(&j, ']');
	doze_json_close(&j, '}');
}
