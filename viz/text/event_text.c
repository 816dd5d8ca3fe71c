/*
 * SPDX-License-Identifier: MIT
 *
 * event_text.c - see event_text.h.
 */
#include "event_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "../model/model.h"

struct text {
	char *at;
	size_t room;
};

static void say(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->at, t->room, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	n = (size_t)n < t->room ? n : (int)t->room - 1;
	t->at += n;
	t->room -= (size_t)n;
}

static void say_latch(struct text *t, const struct doze_event *e)
{
	say(t, "latch %#" PRIx64 " of w%d: %s -> %s", e->u.latch.id, e->u.latch.owner,
	    doze_latch_state_name(e->u.latch.from), doze_latch_state_name(e->u.latch.to));
}

static void say_post(struct text *t, const struct doze_event *e)
{
	say(t, "posts %u to %s%s, wakes %u", e->u.post.jobs, doze_queue_name(e->u.post.queue),
	    e->u.post.was_empty ? " (empty)" : "", e->u.post.wakes);
	if (e->u.post.decision_id)
		say(t, ", decision %" PRIu64, e->u.post.decision_id);
}

static void say_wake(struct text *t, const struct doze_event *e)
{
	if (e->u.wake.target >= 0)
		say(t, "wakes w%d", e->u.wake.target);
	else
		say(t, "wakes whoever waits");
	say(t, " (%s), wake %" PRIu64 ", decision %" PRIu64, doze_cause_name(e->u.wake.cause),
	    e->u.wake.wake_id, e->u.wake.decision_id);
}

static void say_job(struct text *t, const struct doze_event *e)
{
	if (e->kind == DOZE_EV_job_start || e->kind == DOZE_EV_job_taken)
		say(t, "starts job %#" PRIx64 " (%s)", e->u.job.id,
		    doze_source_name(e->u.job.source));
	else if (e->kind == DOZE_EV_job_end)
		say(t, "ends job %#" PRIx64, e->u.job.id);
	else
		say(t, "steals from w%d: %s", e->u.steal.victim,
		    doze_steal_name(e->u.steal.result));
}

static void say_what(struct text *t, const struct doze_event *e)
{
	switch (e->kind) {
	case DOZE_EV_worker_state:
		say(t, "%s -> %s (%s)", doze_state_name(e->u.state.from),
		    doze_state_name(e->u.state.to), doze_reason_name(e->u.state.reason));
		break;
	case DOZE_EV_jec:
		say(t, "moves the word (%s)", doze_jec_cause_name(e->u.jec.cause));
		break;
	case DOZE_EV_latch:
		say_latch(t, e);
		break;
	case DOZE_EV_post:
		say_post(t, e);
		break;
	case DOZE_EV_wake:
		say_wake(t, e);
		break;
	case DOZE_EV_woken:
		say(t, "woken by wake %" PRIu64, e->u.woken.wake_id);
		break;
	case DOZE_EV_sleep_abort:
		say(t, "does not sleep, because of %s", doze_abort_name(e->u.sleep_abort.by));
		break;
	case DOZE_EV_job_taken:
	case DOZE_EV_job_start:
	case DOZE_EV_job_end:
	case DOZE_EV_steal:
		say_job(t, e);
		break;
	case DOZE_EV_snapshot:
		say(t, "snapshot: %s", doze_state_name(e->u.snapshot.state));
		break;
	default:
		say(t, "%s", doze_event_name(e->kind));
	}
}

static void say_word(struct text *t, const struct doze_word_layout *l, uint64_t word)
{
	if (l->kind != DOZE_WORD_counters) {
		say(t, "%" PRIu64, word);
		return;
	}
	say(t, "%u/%u", doze_word_sleeping(l, word), doze_word_inactive(l, word));
	if (l->bits_jec)
		say(t, "/%" PRIu64, doze_word_jec(l, word));
}

const char *doze_event_text(char *buf, size_t size, const struct doze_event *e,
			    const struct doze_word_layout *l)
{
	struct text t = {buf, size};

	if (e->worker >= 0)
		say(&t, "w%-3d ", e->worker);
	else
		say(&t, "out  ");
	say_what(&t, e);
	if (!e->has_words || !l || l->kind == DOZE_WORD_none)
		return buf;
	say(&t, "  [");
	say_word(&t, l, e->old_word);
	if (e->old_word != e->new_word) {
		say(&t, " => ");
		say_word(&t, l, e->new_word);
	}
	say(&t, "]");
	return buf;
}
