/*
 * SPDX-License-Identifier: MIT
 *
 * story.c - see story.h.
 */
#include "story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 16

static struct story story;

static const char *line_now;

static void give_up(const char *what)
{
	fprintf(stderr, "story: %s not understood in: %s\n", what, line_now);
	exit(2);
}

#define NAME(n) #n,
#define LOOKUP(function, type, LIST)                                                               \
	static type function(const char *s)                                                        \
	{                                                                                          \
		static const char *const names[] = {LIST(NAME)};                                   \
                                                                                                   \
		for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)                        \
			if (!strcmp(names[i], s))                                                  \
				return (type)i;                                                    \
		give_up(s);                                                                        \
		return 0;                                                                          \
	}

LOOKUP(state_of, enum doze_state, DOZE_STATES)
LOOKUP(reason_of, enum doze_reason, DOZE_REASONS)
LOOKUP(cause_of, enum doze_cause, DOZE_CAUSES)
LOOKUP(queue_of, enum doze_queue, DOZE_QUEUES)
LOOKUP(source_of, enum doze_source, DOZE_SOURCES)
LOOKUP(abort_of, enum doze_abort, DOZE_ABORTS)
LOOKUP(jec_of, enum doze_jec_cause, DOZE_JEC_CAUSES)
LOOKUP(latch_of, enum doze_latch_state, DOZE_LATCH_STATES)

static const struct doze_word_layout layout = {DOZE_WORD_counters, 16, 16, 32};

static uint64_t number(const char *s)
{
	while (*s && (*s < '0' || *s > '9'))
		s++;
	if (!*s)
		give_up("number");
	return strtoull(s, 0, 10);
}

/* w3, or x for nobody of the pool. */
static int32_t actor_of(const char *s)
{
	return *s == 'w' ? (int32_t)number(s) : -1;
}

static void words(struct doze_event *e, const char *s)
{
	unsigned long long a, b, c, d, f, g;

	if (!s)
		return;
	if (sscanf(s, "%llu.%llu.%llu>%llu.%llu.%llu", &a, &b, &c, &d, &f, &g) != 6)
		give_up("words");
	e->has_words = true;
	e->old_word = a | b << 16 | c << 32;
	e->new_word = d | f << 16 | g << 32;
}

/* "from>to" in two. */
static char *split(char *s)
{
	char *to = strchr(s, '>');

	if (!to)
		give_up(s);
	*to = 0;
	return to + 1;
}

static void parse_pool(struct doze_event *e, char **w)
{
	static char policy[32];

	if (!strcmp(w[3], "stop")) {
		e->kind = DOZE_EV_pool_stop;
		return;
	}
	snprintf(policy, sizeof policy, "%s", w[3]);
	e->kind = DOZE_EV_pool_start;
	e->u.pool_start.policy = policy;
	e->u.pool_start.version = "test";
	e->u.pool_start.schema_major = DOZE_SCHEMA_MAJOR;
	e->u.pool_start.workers = (uint32_t)number(w[4]);
	e->u.pool_start.word = layout;
	if (!strcmp(policy, "tickle"))
		e->u.pool_start.word = (struct doze_word_layout){.kind = DOZE_WORD_tickle};
}

static void parse_post(struct doze_event *e, char **w)
{
	e->kind = DOZE_EV_post;
	e->u.post.queue = queue_of(w[3]);
	e->u.post.jobs = (uint32_t)number(w[4]);
	e->u.post.was_empty = !strcmp(w[5], "empty");
	e->u.post.wakes = (uint32_t)number(w[7]);
	e->u.post.decision_id = number(w[8]);
	if (w[9] && strcmp(w[9], "saw") != 0)
		words(e, w[9]);
	e->u.post.sleeping = (int32_t)doze_word_sleeping(&layout, e->new_word);
	e->u.post.idle = (int32_t)doze_word_inactive(&layout, e->new_word) - e->u.post.sleeping;
	for (int i = 9; i + 2 < WORDS && w[i]; i++) {
		if (strcmp(w[i], "saw") != 0 || !w[i + 1] || !w[i + 2])
			continue;
		e->u.post.idle = atoi(w[i + 1]);
		e->u.post.sleeping = atoi(w[i + 2]);
	}
}

static void parse_wake(struct doze_event *e, char **w)
{
	bool all = w[7] && !strcmp(w[7], "all");

	e->kind = DOZE_EV_wake;
	e->u.wake.target = actor_of(w[3]);
	e->u.wake.wake_id = number(w[4]);
	e->u.wake.decision_id = number(w[5]);
	e->u.wake.cause = cause_of(w[6]);
	e->u.wake.scope = all ? DOZE_SCOPE_all : DOZE_SCOPE_one;
	words(e, w[all ? 8 : 7]);
}

static void parse_snapshot(struct doze_event *e, char **w)
{
	static char policy[32];

	snprintf(policy, sizeof policy, "%s", w[4]);
	e->kind = DOZE_EV_snapshot;
	e->u.snapshot.state = state_of(w[3]);
	e->u.snapshot.policy = policy;
	e->u.snapshot.workers = (uint32_t)number(w[5]);
	e->u.snapshot.word = layout;
	words(e, w[6]);
}

static void parse_state(struct doze_event *e, char **w)
{
	char *to = split(w[2]);

	e->kind = DOZE_EV_worker_state;
	e->u.state.from = state_of(w[2]);
	e->u.state.to = state_of(to);
	e->u.state.reason = reason_of(w[3]);
	words(e, w[4]);
}

static void parse_latch(struct doze_event *e, char **w)
{
	char *to = split(w[3]);

	e->kind = DOZE_EV_latch;
	e->u.latch.from = latch_of(w[3]);
	e->u.latch.to = latch_of(to);
	e->u.latch.owner = actor_of(w[4]);
	e->u.latch.id = number(w[5]);
	e->u.latch.kind =
	    w[6] && !strcmp(w[6], "terminate") ? DOZE_LATCH_KIND_terminate : DOZE_LATCH_KIND_spin;
}

static void parse_mark(struct doze_event *e, char **w)
{
	static char text[64];

	snprintf(text, sizeof text, "%s", w[3]);
	e->kind = DOZE_EV_mark;
	e->u.mark.text = text;
}

static void parse_small(struct doze_event *e, char **w)
{
	if (!strcmp(w[2], "jec")) {
		e->kind = DOZE_EV_jec;
		e->u.jec.cause = jec_of(w[3]);
		words(e, w[4]);
	} else if (!strcmp(w[2], "woken")) {
		e->kind = DOZE_EV_woken;
		e->u.woken.wake_id = number(w[3]);
	} else if (!strcmp(w[2], "abort")) {
		e->kind = DOZE_EV_sleep_abort;
		e->u.sleep_abort.by = abort_of(w[3]);
		words(e, w[4]);
	} else if (!strcmp(w[2], "job")) {
		e->kind = DOZE_EV_job_start;
		e->u.job.source = source_of(w[3]);
		e->u.job.id = w[4] ? number(w[4]) : 0;
	} else if (!strcmp(w[2], "ended")) {
		e->kind = DOZE_EV_job_end;
		e->u.job.id = number(w[3]);
	} else if (!strcmp(w[2], "steal")) {
		e->kind = DOZE_EV_steal;
		e->u.steal.victim = actor_of(w[3]);
		e->u.steal.result = DOZE_STEAL_success;
	} else if (!strcmp(w[2], "stop")) {
		e->kind = DOZE_EV_worker_stop;
	} else {
		give_up(w[2]);
	}
}

static void parse(struct doze_event *e, char **w)
{
	static const struct {
		const char *word;
		void (*parse)(struct doze_event *, char **);
	} kinds[] = {{"pool", parse_pool},   {"post", parse_post}, {"wake", parse_wake},
		     {"latch", parse_latch}, {"mark", parse_mark}, {"snapshot", parse_snapshot}};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (!strcmp(kinds[i].word, w[2])) {
			kinds[i].parse(e, w);
			return;
		}
	}
	if (strchr(w[2], '>'))
		parse_state(e, w);
	else
		parse_small(e, w);
}

static int cut(const char *line, char *copy, size_t size, char **w)
{
	int n = 0;

	line_now = line;
	memset(w, 0, WORDS * sizeof *w);
	snprintf(copy, size, "%.*s", (int)strcspn(line, "\n"),
		 line); /* not to the end of the text */
	copy[strcspn(copy, "#\n")] = 0;
	for (char *s = strtok(copy, " \t"); s && n < WORDS - 1; s = strtok(0, " \t"))
		w[n++] = s;
	return n;
}

static int64_t time_of(const char *s)
{
	return 1000000000 + (int64_t)(strtod(s, 0) * 1000 + 0.5);
}

/* Takes process and pool, if they are given, and returns the rest. */
static const char *whose(struct doze_event *e, const char *actor)
{
	const char *colon = strchr(actor, ':'), *slash = strchr(actor, '/');

	if (colon)
		e->vpid = atoi(actor);
	if (slash)
		e->pool = (uint32_t)atoi(colon ? colon + 1 : actor);
	return slash ? slash + 1 : actor;
}

bool story_parse(const char *line, struct doze_event *e)
{
	char copy[256], *w[WORDS];

	if (cut(line, copy, sizeof copy, w) < 3 || !strcmp(w[1], "lost") || !strcmp(w[1], "end"))
		return false;
	*e = (struct doze_event){.ts = time_of(w[0]), .cpu = 0, .vpid = 1, .pool = 1};
	e->worker = actor_of(whose(e, w[1]));
	e->vtid = 100 + e->worker;
	parse(e, w);
	return true;
}

void story_feed(struct doze_model *m, const char *line)
{
	char copy[256], *w[WORDS];
	struct doze_event e;

	if (story_parse(line, &e)) {
		doze_model_feed(m, &e);
		return;
	}
	if (cut(line, copy, sizeof copy, w) < 2)
		return;
	if (!strcmp(w[1], "lost"))
		doze_model_discarded(m, time_of(w[2]), time_of(w[0]), number(w[3]));
	else if (!strcmp(w[1], "end"))
		doze_model_finish(m, time_of(w[0]));
	else
		give_up(w[1]);
}

void story_more(struct story *d, const char *text)
{
	for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n')
		story_feed(d->model, s);
}

#define KEEP(name, type, array, counter)                                                           \
	static void name(void *ctx, const type *x)                                                 \
	{                                                                                          \
		struct story *d = ctx;                                                             \
                                                                                                   \
		if (d->counter < STORY_MAX)                                                        \
			d->array[d->counter] = *x;                                                 \
		d->counter++;                                                                      \
	}

KEEP(keep_interval, struct doze_interval, interval, intervals)
KEEP(keep_verdict, struct doze_wake, verdict, verdicts)
KEEP(keep_finding, struct doze_finding, finding, findings)
KEEP(keep_storm, struct doze_storm, storm, storms)

static void keep_wake(void *ctx, const struct doze_wake *k)
{
	(void)k;
	((struct story *)ctx)->wakes++;
}

static void keep_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	(void)ts, (void)pool, (void)worker, (void)text;
	((struct story *)ctx)->marks++;
}

struct story *story_run(const struct doze_model_options *opt, const char *text)
{
	static const struct doze_model_listener listener = {.on_interval = keep_interval,
							    .on_wake = keep_wake,
							    .on_verdict = keep_verdict,
							    .on_finding = keep_finding,
							    .on_storm = keep_storm,
							    .on_mark = keep_mark};

	doze_model_free(story.model);
	memset(&story, 0, sizeof story);
	story.model = doze_model_new_with(opt, &listener, &story);
	if (!story.model)
		give_up("memory");
	story_more(&story, text);
	return &story;
}

size_t story_count(const struct story *d, const char *rule)
{
	size_t n = 0;

	for (size_t i = 0; i < d->findings && i < STORY_MAX; i++)
		n += !strcmp(d->finding[i].rule, rule) && !d->finding[i].ambiguous;
	return n;
}

bool story_is_worker(const void *ctx, int worker)
{
	return worker == *(const int *)ctx;
}
