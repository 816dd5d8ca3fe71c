/*
 * SPDX-License-Identifier: MIT
 *
 * word_chain.c - reconstructs the counters word from events that may arrive in a different order
 * from the atomic steps that they report.
 *
 * Each step is reported once, with the word before and after. Addition commutes, also modulo 2^64
 * and across the packed fields, so a known word plus the sum of all later (new - old) is the word
 * after these steps, whatever the order of their events. Matching each event's old word with the
 * last event's new word would not be enough: two threads may swap the same pair of words.
 *
 * An event whose old word differs from the sum opens a gap: another thread made a step and has not
 * reported it yet, perhaps because it lost its CPU in between. The gap closes when the sum equals a
 * word that was seen after it opened. If the gap is still open when the pool stops, or when the
 * trace ends after a long time without events, a step was never reported. If the gap stays open
 * while steps continue, the model abandons it after GAP_NS or GAP_STEPS and reports it as
 * ambiguous.
 *
 * A quiet period before the end proves nothing, however long. The thread that made the step may be
 * waiting for a CPU even while all workers sleep, because a waker may be an outside thread.
 */
#include "model_int.h"

#define GAP_NS    1000000000 /* longest delay assumed between a step and its event */
#define GAP_STEPS 100000

static void rebase(struct chain *c, uint64_t word)
{
	c->based = true;
	c->sum = word;
	c->last = word;
	c->gap = false;
	c->gap_steps = 0;
}

static void gap_note(struct chain *c, uint64_t word)
{
	c->gap_words[c->gap_steps++ % GAP_WORDS] = word;
}

static bool gap_has(const struct chain *c, uint64_t word)
{
	uint32_t n = c->gap_steps < GAP_WORDS ? c->gap_steps : GAP_WORDS;

	while (n--)
		if (c->gap_words[n] == word)
			return true;
	return false;
}

static void gap_give_up(struct doze_model *m, struct pool *p, int64_t ts)
{
	struct chain *c = &p->word;

	if (c->whole)
		doze_model_ambiguous(
		    m, "chain", doze_pool_key(&p->v, -1), ts,
		    "for %.3f ms, the steps on the counters word have not begun with the values "
		    "that earlier steps left: at least one step was not reported",
		    (double)(ts - c->gap_ts) / 1e6);
	c->whole = false;
	rebase(c, c->last);
}

static void join(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	struct chain *c = &p->word;
	bool fits = e->old_word == c->sum;
	uint64_t wanted = c->sum;

	c->sum += e->new_word - e->old_word;
	if (fits && !c->gap)
		return;
	m->measures.reordered += !fits;
	if (!c->gap) {
		c->gap = true;
		c->gap_ts = e->ts;
		c->gap_wanted = wanted;
		c->gap_found = e->old_word;
		c->gap_steps = 0;
	}
	gap_note(c, e->new_word);
	if (fits || gap_has(c, c->sum))
		c->gap = false;
	else if (e->ts - c->gap_ts > GAP_NS || c->gap_steps > GAP_STEPS)
		gap_give_up(m, p, e->ts);
}

void model_chain_step(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	struct chain *c = &p->word;

	if (e->old_word == e->new_word) {
		c->last = e->new_word;
		return;
	}
	m->measures.steps++;
	if (!c->based)
		rebase(c, e->old_word);
	join(m, p, e);
	c->last = e->new_word;
	p->v.word = e->new_word;
	if (m->on.on_word)
		m->on.on_word(m->ctx, e->ts, &p->v, e->new_word);
	if (m->on.on_counters)
		m->on.on_counters(m->ctx, e->ts, p->v.pool, e->new_word, &p->v.layout);
}

void model_chain_tell(const struct doze_model *m, const struct pool *p)
{
	if (p->word.based && m->on.on_word)
		m->on.on_word(m->ctx, m->now, &p->v, p->v.word);
}

void model_chain_begin(struct pool *p)
{
	p->word = (struct chain){.based = true, .whole = true};
}

void model_chain_snapshot(struct pool *p, uint64_t word)
{
	if (p->word.based)
		return;
	rebase(&p->word, word);
	p->v.word = word;
}

void model_chain_lost(struct pool *p)
{
	p->word.whole = false;
	p->word.mismatch = false;
}

static bool counts_agree(const struct pool *p, uint32_t *sleeping, uint32_t *inactive)
{
	const uint32_t *n = p->v.in_state;

	*sleeping = n[DOZE_STATE_sleeping];
	*inactive = n[DOZE_STATE_idle] + n[DOZE_STATE_sleepy] + n[DOZE_STATE_sleeping];
	for (const struct worker *w = model_next_worker(p, 0); w; w = model_next_worker(p, w))
		*sleeping -= w->v.counted_out;
	return *sleeping == doze_word_sleeping(&p->v.layout, p->word.sum) &&
	       *inactive == doze_word_inactive(&p->v.layout, p->word.sum);
}

/* Returns whether the workers can be counted: each has a known state, and none is between two
 * events of one transition. */
static bool countable(const struct pool *p)
{
	return p->v.layout.kind == DOZE_WORD_counters && p->v.workers &&
	       p->v.known_workers == p->v.workers && !p->v.uncertain_workers && !p->v.notified &&
	       !p->leaving && p->word.based && !p->word.gap;
}

static void judge_gap(struct doze_model *m, struct pool *p, int64_t ts)
{
	struct chain *c = &p->word;

	if (c->gap && c->whole)
		doze_model_finding_about(
		    m, "chain", doze_pool_key(&p->v, -1), ts, c->gap_ts,
		    "a step found %#llx in the counters word, but the steps before it had left "
		    "%#llx: a step was not reported, or was overwritten",
		    (unsigned long long)c->gap_found, (unsigned long long)c->gap_wanted);
	if (c->gap)
		rebase(c, c->last);
	c->whole = true;
}

void model_chain_end(struct doze_model *m, struct pool *p, int64_t ts)
{
	if (p->word.based && ts > m->lost_to &&
	    (p->v.stopped || ts - p->word.gap_ts > m->opt.long_quiet_ns))
		judge_gap(m, p, ts);
}

void model_chain_quiet(struct doze_model *m, struct pool *p, int64_t ts)
{
	uint32_t sleeping, inactive;

	if (ts <= m->lost_to || !countable(p))
		return;
	if (counts_agree(p, &sleeping, &inactive)) {
		p->word.mismatch = false;
		p->word.whole = true;
		model_findings_settled(p);
	} else if (!p->word.mismatch) {
		p->word.mismatch = true;
		doze_model_finding(m, "counters", doze_pool_key(&p->v, -1), ts,
				   "the pool is quiet, and the word counts %u sleeping and %u "
				   "inactive workers, but the workers' states show %u and %u",
				   doze_word_sleeping(&p->v.layout, p->word.sum),
				   doze_word_inactive(&p->v.layout, p->word.sum), sleeping,
				   inactive);
	}
}
