/*
 * SPDX-License-Identifier: MIT
 *
 * whatif_posts.c - `doze whatif --posts`: applies each wake rule to each post, and to each worker
 * that finds work; prints the sums as text and JSON.
 *
 * Under jec, rfc, go and some other policies, a post records the numbers of idle and sleeping
 * workers. The remaining policies do not read these numbers (idle is -1) or read only one bit
 * (tickle); for them, the numbers come from the model's states, which follow the order of
 * timestamps, not of the atomic steps.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../show/load_trace.h"
#include "../show/selected.h"
#include "../words/quote.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "whatif.h"

/* Derives the facts from the workers' states. Notified sleepers count as idle, because they cannot
 * be woken again. */
static void facts_by_states(const struct doze_pool_view *p, struct doze_wake_facts *f)
{
	uint32_t asleep = p->in_state[DOZE_STATE_sleeping];
	uint32_t leaving = p->notified < asleep ? p->notified : asleep;

	f->workers = p->workers;
	f->sleeping = asleep - leaving;
	f->idle = p->in_state[DOZE_STATE_idle] + p->in_state[DOZE_STATE_sleepy] + leaving;
}

static bool is_tickle(const struct doze_pool_view *p)
{
	return p->layout.kind == DOZE_WORD_tickle;
}

static struct doze_wake_facts facts_of_post(struct doze_whatif *w, const struct doze_pool_view *p,
					    const struct doze_event *e)
{
	struct doze_wake_facts f = {0};
	int32_t sleeping = e->u.post.sleeping;

	facts_by_states(p, &f);
	w->guessed += e->u.post.idle < 0 || sleeping < 0 || is_tickle(p);
	if (e->u.post.idle >= 0)
		f.idle = (uint32_t)e->u.post.idle;
	/* tickle's bit is set: a worker is asleep or about to sleep */
	if (is_tickle(p) && sleeping > 0)
		f.sleeping = f.sleeping ? f.sleeping : 1;
	else if (sleeping >= 0)
		f.sleeping = (uint32_t)sleeping;
	f.jobs = e->u.post.jobs;
	f.was_empty = e->u.post.was_empty;
	f.local = e->u.post.queue == DOZE_QUEUE_local;
	return f;
}

uint32_t doze_whatif_post(const struct doze_policy_descriptor *d, const struct doze_wake_facts *f)
{
	uint32_t wakes = d->wakes ? doze_policy_post_wakes(d, f) : 0;

	return wakes < f->sleeping ? wakes : f->sleeping;
}

static void keep(struct doze_whatif *w, const struct doze_event *e, const struct doze_wake_facts *f,
		 uint32_t recorded, uint32_t would)
{
	if (w->shown < w->max_shown && w->shown < DOZE_WHATIF_SHOWN_MAX)
		w->post[w->shown++] =
		    (struct doze_whatif_post){e->ts, e->worker, *f, recorded, would};
}

static void add(struct doze_whatif_sum *s, uint32_t wakes, uint32_t recorded)
{
	s->waking += wakes > 0;
	s->wakes += wakes;
	s->most = wakes > s->most ? wakes : s->most;
	s->more += wakes > recorded;
	s->fewer += wakes < recorded;
}

static void on_post(struct doze_whatif *w, const struct doze_pool_view *p,
		    const struct doze_event *e)
{
	struct doze_wake_facts f;
	uint32_t recorded = e->u.post.wakes;

	/* A broadcast is not a decision: it wakes every sleeper. */
	if (e->u.post.queue == DOZE_QUEUE_broadcast)
		return;
	f = facts_of_post(w, p, e);
	/* tickle wakes all sleepers, but records the number of all workers */
	if (is_tickle(p) && recorded > f.sleeping)
		recorded = f.sleeping;
	w->posts++;
	w->jobs += f.jobs;
	add(&w->recorded, recorded, recorded);
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++) {
		const struct doze_policy_descriptor *d = doze_policy_at(i);
		uint32_t would = doze_whatif_post(d, &f);

		add(&w->rule[i], would, recorded);
		if (d == w->only && would != recorded)
			keep(w, e, &f, recorded, would);
	}
}

static bool stops_searching(const struct doze_event *e)
{
	return e->u.state.to == DOZE_STATE_active &&
	       (e->u.state.from == DOZE_STATE_idle || e->u.state.from == DOZE_STATE_sleepy) &&
	       e->u.state.reason != DOZE_REASON_terminate;
}

static void on_found(struct doze_whatif *w, const struct doze_pool_view *p,
		     const struct doze_event *e)
{
	const struct doze_word_layout *l = &p->layout;
	struct doze_wake_facts f = {0};

	facts_by_states(p, &f);
	if (e->has_words && l->kind == DOZE_WORD_counters && l->bits_inactive) {
		uint32_t inactive = doze_word_inactive(l, e->old_word);

		f.sleeping = doze_word_sleeping(l, e->old_word);
		f.idle = inactive > f.sleeping ? inactive - f.sleeping : 0;
	}
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++)
		w->rule[i].found += doze_policy_found_wakes(doze_policy_at(i), &f);
}

static void on_wake(struct doze_whatif *w, const struct doze_event *e)
{
	switch (e->u.wake.cause) {
	case DOZE_CAUSE_push:
	case DOZE_CAUSE_inject:
		w->given++;
		break;
	case DOZE_CAUSE_work_found:
		w->recorded.found++;
		break;
	default:
		w->others++;
	}
}

static void note_policy(struct doze_whatif *w, const char *policy)
{
	if (!*w->policy)
		snprintf(w->policy, sizeof w->policy, "%s", policy);
	else if (strcmp(w->policy, policy) != 0)
		snprintf(w->policy, sizeof w->policy, "several");
}

void doze_whatif_event(struct doze_whatif *w, const struct doze_event *e)
{
	const struct doze_pool_view *p;
	bool selected = doze_selected_event(w->model, e);

	if (e->kind == DOZE_EV_wake && selected)
		on_wake(w, e);
	if (e->kind != DOZE_EV_post && e->kind != DOZE_EV_worker_state)
		return;
	p = doze_model_pool_of(w->model, e);
	if (!p)
		return; /* the beginning of the trace is missing, so the pool is not known yet */
	note_policy(w, strcmp(p->policy, "?") != 0 ? p->policy : "");
	if (!selected)
		return;
	if (e->kind == DOZE_EV_post)
		on_post(w, p, e);
	else if (stops_searching(e))
		on_found(w, p, e);
}

/* ---- Text: the table, the posts that differ, and the assumptions ---- */

static const char *const assumptions[] = {
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
	for (const char *const *a = assumptions; *a; a++) {
		char item[400];

		snprintf(item, sizeof item, "- %s\n", *a);
		doze_wrap(out, item, 2);
	}
}

/*
 * ---- JSON ----
 *
 * Times are in ns; `at` is relative to the first event of the trace. New fields may be added, but
 * none is renamed while `format` stays the same.
 */

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
	for (const char *const *a = assumptions; *a; a++)
		doze_json_string(&j, 0, *a);
	doze_json_close(&j, ']');
	doze_json_close(&j, '}');
}
