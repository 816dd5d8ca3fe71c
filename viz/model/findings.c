/*
 * SPDX-License-Identifier: MIT
 *
 * findings.c - reports findings: what the protocol forbids, or what contradicts the trace. The
 * model continues after each of them.
 */
#include <stdarg.h>
#include <stdio.h>

#include "model_fn.h"

__attribute__((format(printf, 3, 0))) static void
report(struct doze_model *m, struct doze_finding *f, const char *fmt, va_list ap)
{
	if (!in_scope(m, f->ts, f->who.index)) {
		m->totals.elsewhere++;
		return;
	}
	if (f->ambiguous)
		m->totals.ambiguous++;
	else
		m->totals.findings++;
	if (!m->on.on_finding)
		return;
	(void)vsnprintf(f->text, sizeof f->text, fmt, ap);
	m->on.on_finding(m->ctx, f);
}

void doze_model_finding(struct doze_model *m, const char *rule, struct doze_worker_key who,
			int64_t ts, const char *fmt, ...)
{
	struct doze_finding f = {.rule = rule, .who = who, .ts = ts, .about = ts};
	va_list ap;

	va_start(ap, fmt);
	report(m, &f, fmt, ap);
	va_end(ap);
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
