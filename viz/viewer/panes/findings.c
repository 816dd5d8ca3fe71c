/*
 * SPDX-License-Identifier: MIT
 *
 * findings.c - lists the findings: violations of the policy's protocol, which the model
 * detects. Enter explains the violated rule.
 */
#include "../../words/rule_text.h"
#include "../screen/phrases.h"
#include "panes.h"

/* Returns whether missing events or the order of timestamps may explain the finding, so that it
 * proves no violation. */
static bool proves_nothing(const struct tui_scene *s, const struct doze_finding *f)
{
	return f->ambiguous || s->now.totals.discarded || s->now.totals.missing;
}

static void list(const struct tui_scene *s, int order, struct tui_list *l)
{
	const struct tui_ring *r = &tui_newest(s)->findings;

	(void)order;
	for (size_t i = 0; i < r->count; i++) {
		const struct tui_finding *f = tui_ring_at(r, i);

		if (f->at <= s->now.clock)
			tui_list_add(
			    l, (struct tui_item){.at = f->at, .id = r->dropped + i, .what = f});
	}
}

static void row(const struct tui_scene *s, const struct tui_item *item, struct tui_grid *g, int x,
		int y, int end)
{
	const struct doze_finding *f = &((const struct tui_finding *)item->what)->finding;
	bool doubt = proves_nothing(s, f);
	char who[TUI_NAME];

	x = tui_put_time(s, g, x, y, item->at);
	tui_textf(g, x, y, end, doubt ? TUI_PLAIN : TUI_FUTILE, "%s: %s: %s%s",
		  tui_worker_name(s, &f->who, who), f->rule, doubt ? "(doubtful) " : "", f->text);
}

static void detail(const struct tui_scene *s, const struct tui_item *item, struct tui_textbox *p)
{
	const struct doze_finding *f = &((const struct tui_finding *)item->what)->finding;
	char who[TUI_NAME];

	tui_sayf(p, TUI_BOLD, "At %s %s: %s.", tui_ns(s, item->at - s->view.origin),
		 tui_worker_name(s, &f->who, who), f->text);
	tui_sayf(p, TUI_PLAIN, "Rule \"%s\": %s", f->rule, doze_rule_text(f->rule));
	if (f->about && f->about != f->ts)
		tui_sayf(p, TUI_PLAIN,
			 "The finding is about the event at %s and became certain %s later.",
			 tui_ns(s, f->about - s->view.origin), tui_ns(s, f->ts - f->about));
	if (s->now.totals.discarded || s->now.totals.missing)
		tui_say(p, TUI_PLAIN,
			"Events were lost, so this proves nothing: the lost events "
			"may explain it. Record again with larger buffers.");
	else if (f->ambiguous)
		tui_say(p, TUI_PLAIN, "Ambiguous: the clocks of two CPUs may differ.");
}

static const char *empty(const struct tui_scene *s)
{
	return s->now.totals.discarded ? "no findings, but events were lost: inconclusive"
				       : "no findings; 'doze check' checks more rules";
}

const struct tui_pane_type tui_pane_findings = {
    .name = "findings",
    .what = "violations of the protocol, with the broken rules",
    .list = list,
    .row = row,
    .empty = empty,
    .orders = {"time"},
    .verb = "the rule",
    .detail = detail,
};
