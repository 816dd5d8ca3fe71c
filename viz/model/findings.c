/*
 * SPDX-License-Identifier: MIT
 *
 * findings.c - reports findings: violations of the protocol, and contradictions in the trace. The
 * model continues after each finding.
 *
 * Each cause is reported as one finding. The following are not reported as findings, but counted as
 * consequences of a finding:
 *
 *	- A further rule that the same event breaks.
 *	- A rule that compares the counters word with the states, after an event that made either
 *	  wrong, until they agree again in a quiet period.
 *	- A hang, or a job that was not run, after a missing wake.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model_int.h"

#define ELSEWHERE UINT64_MAX /* the number given to findings outside the selection */

/* The parts of the model that a violation makes wrong, or whose earlier errors may explain the
 * violation. */
enum { WORD = 1 << 0, WAKES = 1 << 1, JOBS = 1 << 2 };

static const struct {
	const char *rule;
	unsigned upsets, follows;
	bool certain; /* one event proves the violation, so missing events cannot explain it */
} relations[] = {
    {"step", WORD, 0, false},
    {"transition", WORD, 0, false},
    {"state", WORD, 0, true},
    {"index", WORD | WAKES, 0, true},
    {"wake-twice", WORD, 0, false},
    {"wake-awake", WORD, 0, false},
    {"bounds", WORD, WORD, false},
    {"chain", WORD, WORD, false},
    {"counters", WORD, WORD, false},
    {"post-wakes", WAKES, 0, false},
    {"wake-count", WAKES, 0, false},
    {"wake-all", WAKES, WAKES, false},
    {"latch-wake", WAKES, WAKES, false},
    {"stranded", WAKES | JOBS, WAKES | WORD, false},
    {"terminate", 0, WAKES | WORD, false},
    {"job-once", JOBS, 0, false},
    {"job-end", 0, JOBS, false},
    {"job-lost", 0, WAKES | JOBS, false},
    {"self-steal", 0, 0, true},
    {"width", WORD, 0, true},
};

static size_t relation_of(const char *rule)
{
	size_t i = 0;

	while (i < sizeof relations / sizeof relations[0] && strcmp(relations[i].rule, rule) != 0)
		i++;
	return i;
}

static struct pool *pool_of(const struct doze_model *m, const struct doze_worker_key *who)
{
	struct doze_event e = {.host = who->host, .vpid = who->vpid, .pool = who->pool};

	return (struct pool *)doze_model_pool_of(m, &e);
}

/* Returns the number of the finding that caused this one, or 0. */
static uint64_t cause_of(const struct doze_model *m, const struct pool *p,
			 const struct doze_finding *f, size_t r)
{
	uint64_t latest = 0;

	if (p->causes.of_event && p->causes.event == m->fed && f->about == f->ts)
		return p->causes.of_event;
	for (unsigned u = 0; r < sizeof relations / sizeof relations[0] && u < FINDING_UPSETS; u++)
		if (relations[r].follows & (1U << u) && p->causes.number[u] > latest)
			latest = p->causes.number[u];
	return latest;
}

static void note_cause(const struct doze_model *m, struct pool *p, size_t r, uint64_t number)
{
	p->causes.event = m->fed;
	p->causes.of_event = number;
	for (unsigned u = 0; r < sizeof relations / sizeof relations[0] && u < FINDING_UPSETS; u++)
		if (relations[r].upsets & (1U << u))
			p->causes.number[u] = number;
}

void model_findings_forget(struct pool *p)
{
	p->causes = (struct causes){0};
}

void model_findings_settled(struct pool *p)
{
	memset(p->causes.number, 0, sizeof p->causes.number);
}

static void pass_on(struct doze_model *m, struct doze_finding *f)
{
	void (*to)(void *, const struct doze_finding *) =
	    f->cause ? m->on.on_consequence : m->on.on_finding;

	if (f->cause)
		m->totals.consequences++;
	else if (f->ambiguous)
		m->totals.ambiguous++;
	else
		m->totals.findings++;
	m->totals.certain += f->certain && !f->cause;
	if (!f->cause)
		notify_observers(m, finding, f);
	if (to)
		to(m->ctx, f);
}

/* Counts a finding outside the selection; its consequences are not counted. */
static void report_elsewhere(struct doze_model *m, struct pool *p, const struct doze_finding *f,
			     size_t r)
{
	uint64_t cause = p ? cause_of(m, p, f, r) : 0;

	m->totals.elsewhere += !cause;
	if (p)
		note_cause(m, p, r, cause ? cause : ELSEWHERE);
}

__attribute__((format(printf, 3, 0))) static void
report(struct doze_model *m, struct doze_finding *f, const char *fmt, va_list ap)
{
	struct pool *p = pool_of(m, &f->who);
	size_t r = relation_of(f->rule);

	if (!in_scope(m, f->ts, f->who.index)) {
		report_elsewhere(m, p, f, r);
		return;
	}
	f->certain = r < sizeof relations / sizeof relations[0] && relations[r].certain &&
		     !*m->totals.missing_what;
	f->cause = p ? cause_of(m, p, f, r) : 0;
	if (f->cause == ELSEWHERE)
		f->cause = 0;
	f->number = f->cause ? 0 : ++m->findings;
	if (p)
		note_cause(m, p, r, f->cause ? f->cause : f->number);
	(void)vsnprintf(f->text, sizeof f->text, fmt, ap);
	pass_on(m, f);
}

void doze_model_finding_about(struct doze_model *m, const char *rule, struct doze_worker_key who,
			      int64_t ts, int64_t about, const char *fmt, ...)
{
	struct doze_finding f = {.rule = rule, .who = who, .ts = ts, .about = about};
	va_list ap;

	va_start(ap, fmt);
	report(m, &f, fmt, ap);
	va_end(ap);
}

void doze_model_ambiguous(struct doze_model *m, const char *rule, struct doze_worker_key who,
			  int64_t ts, const char *fmt, ...)
{
	struct doze_finding f = {
	    .rule = rule, .ambiguous = true, .who = who, .ts = ts, .about = ts};
	va_list ap;

	va_start(ap, fmt);
	report(m, &f, fmt, ap);
	va_end(ap);
}
