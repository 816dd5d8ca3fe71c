/*
 * SPDX-License-Identifier: MIT
 *
 * posts_print.c - prints the result of `doze whatif --posts` as text: the table, the posts that
 * differ, and the assumptions.
 */
#include <inttypes.h>

#include "../show/inconclusive.h"
#include "../show/selection_text.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "whatif.h"

const char *const doze_whatif_assumptions[] = {
    "Each post occurs at its recorded time, with the workers in their recorded states, although "
    "different wakes would change which workers sleep at the next post. The result is exact up to "
    "the first post that differs, and an estimate after that post.",
    "Whether the queue is empty and how long workers search before they sleep are as recorded.",
    "Wakes for latches, broadcasts, finished jobs (tickle) and termination are not modelled. Nor "
    "does the model show whether a wake would be useful.",
    "If a post did not record the numbers of idle and sleeping workers, they are taken from the "
    "workers' states in the order of timestamps.",
    0};

static void row(FILE *out, const char *mark, const char *name, const struct doze_whatif_sum *s)
{
	fprintf(out,
		"%-2s%-9s%9" PRIu64 "%9" PRIu64 "%7" PRIu32 "%9" PRIu64 "%9" PRIu64 "%12" PRIu64
		"\n",
		mark, name, s->waking, s->wakes, s->most, s->more, s->fewer, s->found);
}

static void table(const struct doze_whatif *w, FILE *out)
{
	fprintf(out, "\n%-11s%9s%9s%7s%18s%12s\n", "", "posts", "wakes", "most", "posts that wake",
		"wakes by");
	fprintf(out, "%-11s%9s%9s%7s%9s%9s%12s\n", "rule", "waking", "by them", "by 1", "more",
		"fewer", "work found");
	row(out, "=", "recorded", &w->recorded);
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++)
		if (!w->only || w->only == doze_policy_at(i))
			row(out, "", doze_policy_at(i)->name, &w->rule[i]);
}

static const struct doze_whatif_sum *sum_of(const struct doze_whatif *w,
					    const struct doze_policy_descriptor *d)
{
	size_t i = 0;

	while (doze_policy_at(i) != d)
		i++;
	return &w->rule[i];
}

static void different(const struct doze_whatif *w, FILE *out)
{
	int64_t origin = doze_model_totals(w->model)->first_ts;
	const struct doze_whatif_sum *s = sum_of(w, w->only);

	if (!w->shown)
		return;
	fprintf(out, "\nPosts decided differently, the first %" PRIu32 " of %" PRIu64 ":\n",
		w->shown, s->more + s->fewer);
	fprintf(out, "%12s  %-8s%6s%8s%6s%10s%10s%7s\n", "at", "by", "jobs", "queue", "idle",
		"sleeping", "recorded", "would");
	for (uint32_t i = 0; i < w->shown; i++) {
		const struct doze_whatif_post *p = &w->post[i];
		char by[16] = "outside";

		if (p->worker >= 0)
			snprintf(by, sizeof by, "w%" PRId32, p->worker);
		fprintf(out,
			"%12s  %-8s%6" PRIu32 "%8s%6" PRIu32 "%10" PRIu32 "%10" PRIu32 "%7" PRIu32
			"\n",
			doze_position(p->ts - origin, DOZE_LISTED), by, p->facts.jobs,
			p->facts.was_empty ? "empty" : "jobs", p->facts.idle, p->facts.sleeping,
			p->recorded, p->would);
	}
}

static void level(const struct doze_whatif *w, FILE *out)
{
	if (!doze_model_totals(w->model)->jobs_level) {
		char text[256];

		snprintf(text, sizeof text,
			 "The trace has level %s, so it lacks posts made while no worker slept. No "
			 "rule wakes a worker at those posts, so the counts of wakes are complete, "
			 "but the number of posts is not (record with --detail all).\n",
			 doze_model_level(w->model));
		doze_wrap(out, text, 0);
	}
	doze_inconclusive_line(w->model, out);
	if (w->guessed) {
		fprintf(out,
			"At %s posts, the numbers of idle or sleeping workers were taken from the "
			"workers' states.\n",
			doze_count(w->guessed));
	}
}

/* Prints the recorded sums, and the part of the trace that they cover. */
static void recorded(const struct doze_whatif *w, FILE *out)
{
	const struct doze_selection *s = doze_selection_of(w->model);
	bool part = doze_selection_by_time(s) || doze_selection_by_worker(s);

	fputs("Recorded", out);
	if (doze_selection_by_time(s))
		fprintf(out, " %s", doze_selection_when(s, doze_model_totals(w->model)));
	if (doze_selection_by_worker(s))
		fprintf(out, " by %s", doze_selection_who(s));
	fprintf(out, ": %s, %s; %s by posts, %s by work found, %s other.\n",
		doze_plural(w->posts, "post"), doze_plural(w->jobs, "job"),
		doze_plural(w->given, "wake"), doze_count(w->recorded.found),
		doze_count(w->others));
	if (part && !w->posts)
		fputs("This range has no recorded posts: select a larger range.\n", out);
}

void doze_whatif_print(const struct doze_whatif *w, FILE *out)
{
	fprintf(out,
		"A MODEL, not a measurement: how other wake rules would have treated the "
		"posts\nof this trace, which was recorded under %s.\n\n",
		*w->policy ? w->policy : "?");
	recorded(w, out);
	level(w, out);
	table(w, out);
	if (w->only)
		different(w, out);
	fputs("\nAssumptions:\n", out);
	for (const char *const *a = doze_whatif_assumptions; *a; a++) {
		char item[400];

		snprintf(item, sizeof item, "- %s\n", *a);
		doze_wrap(out, item, 2);
	}
}
