/*
 * SPDX-License-Identifier: MIT
 *
 * questions.c - the questions of labs/01-states. labs/grader prints and grades them.
 */
#include <string.h>

#include "../../viz/trace/event.h"
#include "../grader/quiz.h"

#define MS 1e6 /* nanoseconds per millisecond */

/* ---- answers, computed from the facts of the student's trace ---- */

static bool a_workers(const struct lab_facts *f, struct quiz_value *v)
{
	v->number = lab_facts_pool(f)->workers;
	return true;
}

static bool a_policy(const struct lab_facts *f, struct quiz_value *v)
{
	v->word = lab_facts_pool(f)->policy;
	return true;
}

/* Returns the previous span of the same worker, or null. Spans are sorted by their ends. */
static const struct lab_span *span_before(const struct lab_facts *f, size_t i)
{
	for (size_t k = i; k-- > 0;)
		if (f->spans[k].worker == f->spans[i].worker)
			return &f->spans[k];
	return NULL;
}

/* Finds the state that a worker leaves when it falls asleep. Returns false if there is no sleep, or
 * if different sleeps follow different states. */
static bool a_before_sleep(const struct lab_facts *f, struct quiz_value *v)
{
	enum doze_state before = DOZE_STATE_none;

	for (size_t i = 0; i < f->span_count; i++) {
		const struct lab_span *prior;

		if (f->spans[i].state != DOZE_STATE_sleeping)
			continue;
		prior = span_before(f, i);
		if (!prior || (before != DOZE_STATE_none && before != prior->state))
			return false;
		before = prior->state;
	}
	v->word = doze_state_name(before);
	return before != DOZE_STATE_none;
}

static bool a_falls(const struct lab_facts *f, struct quiz_value *v)
{
	const struct doze_worker_view *w = lab_facts_worker(f, 1);

	v->number = w ? (double)w->entered[DOZE_STATE_sleeping] : 0;
	return w != NULL;
}

static bool a_slept(const struct lab_facts *f, struct quiz_value *v)
{
	const struct doze_worker_view *w = lab_facts_worker(f, 0);

	v->number = w ? (double)w->total[DOZE_STATE_sleeping] / MS : 0;
	return w != NULL;
}

/* Finds the worker that was active longest. Returns false unless it was active more than 5 % longer
 * than every other worker. */
static bool a_most_active(const struct lab_facts *f, struct quiz_value *v)
{
	int64_t best = -1, second = -1;

	for (size_t row = 0; row < doze_model_workers(f->model); row++) {
		const struct doze_worker_view *w = doze_model_worker(f->model, row);
		int64_t active = w->total[DOZE_STATE_active];

		if (active > best) {
			second = best;
			best = active;
			v->number = w->key.index;
		} else if (active > second) {
			second = active;
		}
	}
	return best > 0 && (double)best > 1.05 * (double)second;
}

static bool a_woken(const struct lab_facts *f, struct quiz_value *v)
{
	v->number = (double)doze_model_totals(f->model)->woken;
	return true;
}

static bool a_futile(const struct lab_facts *f, struct quiz_value *v)
{
	const struct doze_totals *t = doze_model_totals(f->model);

	v->number = (double)t->verdicts[DOZE_VERDICT_futile];
	return t->verdicts[DOZE_VERDICT_unresolved] == 0;
}

static bool a_aborts(const struct lab_facts *f, struct quiz_value *v)
{
	const struct doze_totals *t = doze_model_totals(f->model);

	v->number = 0;
	for (int by = 0; by < DOZE_ABORT_COUNT; by++)
		v->number += (double)t->sleep_aborts[by];
	return true;
}

/* Finds the most frequent cause of a wake. Returns false if two causes are equally frequent. */
static bool a_cause(const struct lab_facts *f, struct quiz_value *v)
{
	uint64_t best = 0;
	bool tie = true;

	for (int c = 0; c < DOZE_CAUSE_COUNT; c++) {
		uint64_t n = f->wakes_by_cause[c];

		tie = n == best ? true : n > best ? false : tie;
		if (n > best)
			v->word = doze_cause_name((enum doze_cause)c);
		best = n > best ? n : best;
	}
	return !tie;
}

static bool a_last_cause(const struct lab_facts *f, struct quiz_value *v)
{
	v->word = doze_cause_name(f->last_cause);
	return f->last_cause != DOZE_CAUSE_none;
}

/* Finds the most frequent reason why a searching worker became active. Returns false if two reasons
 * are equally frequent. */
static bool a_found(const struct lab_facts *f, struct quiz_value *v)
{
	uint64_t count[DOZE_REASON_COUNT] = {0}, best = 0;
	bool tie = true;

	for (size_t i = 0; i < f->span_count; i++)
		if (f->spans[i].state == DOZE_STATE_active && f->spans[i].why != DOZE_REASON_start)
			count[f->spans[i].why]++;
	for (int r = 0; r < DOZE_REASON_COUNT; r++) {
		tie = count[r] == best ? true : count[r] > best ? false : tie;
		if (count[r] > best)
			v->word = doze_reason_name((enum doze_reason)r);
		best = count[r] > best ? count[r] : best;
	}
	return !tie;
}

/* ---- questions ---- */

static const struct quiz_question questions[] = {
    {"workers",
     "How many workers does the pool have?",
     QUIZ_NUMBER,
     1,
     a_workers,
     {"Which event is emitted once per worker, and which once per pool?",
      "Look at the pool_start event, or count the lanes of the timeline.",
      "babeltrace2 labs/01-states/trace | grep pool_start"}},
    {"policy",
     "Which sleep policy does the pool follow?",
     QUIZ_WORD,
     1,
     a_policy,
     {"Who needs to know the policy in order to judge the events that follow?",
      "The pool reports its policy when it starts.",
      "babeltrace2 labs/01-states/trace | grep -o 'policy = [^,]*'"}},
    {"before",
     "Through which state does a worker always go right before it sleeps?",
     QUIZ_WORD,
     1,
     a_before_sleep,
     {"Why would a worker announce that it is about to sleep before it does?",
      "Follow one lane of the timeline to the left of any sleep, or read the from field of the "
      "worker_state events with to = sleeping.",
      "babeltrace2 labs/01-states/trace | grep 'worker_state' | grep 'to = ( .sleeping'"}},
    {"falls",
     "How many times did worker 1 fall asleep?",
     QUIZ_NUMBER,
     1,
     a_falls,
     {"Does a sleep that was averted at the last moment count?",
      "Count the worker_state events of worker 1 that lead to sleeping.",
      "Take the command of the hint to 'before', and add: | grep -c 'worker = 1,'"}},
    {"slept",
     "For how many milliseconds was worker 0 asleep in total?",
     QUIZ_MS,
     2,
     a_slept,
     {"Where does a sleep begin, and which event ends it?",
      "A sleep ends with the next worker_state event of the same worker. Compare the times of the "
      "two events.",
      "babeltrace2 --clock-seconds labs/01-states/trace | grep worker_state | grep 'worker = 0,' "
      "prints everything that you need: each line with to = sleeping, and the line after it"}},
    {"active",
     "Which worker was active for the longest total time? (its index)",
     QUIZ_NUMBER,
     1,
     a_most_active,
     {"Must the worker that ran the most jobs be the one that was active longest?",
      "The timeline shows the share of active time at the end of each lane.",
      "build/doze timeline labs/01-states/trace; and: labs/lab run 1"}},
    {"woken",
     "How many times did a worker wake up because another thread woke it?",
     QUIZ_NUMBER,
     1,
     a_woken,
     {"A wake shows up in two events. Which of them shows that it has arrived?",
      "Count the woken events.", "babeltrace2 labs/01-states/trace | grep -c 'doze:woken:'"}},
    {"futile",
     "How many wakes were futile: the worker went back to sleep without having run a job? "
     "Wakes by a latch do not count: their workers waited for the latch, not for a job.",
     QUIZ_NUMBER,
     2,
     a_futile,
     {"What does the worker do between waking up and sleeping again when it finds nothing?",
      "The storm report has a table of verdicts.", "build/doze storms labs/01-states/trace"}},
    {"averted",
     "How many sleeps were averted at the last moment?",
     QUIZ_NUMBER,
     1,
     a_aborts,
     {"What must a worker check once more after it has announced its sleep?",
      "Each averted sleep is a separate event.",
      "babeltrace2 labs/01-states/trace | grep -c 'doze:sleep_abort:'"}},
    {"cause",
     "What was the most frequent cause of a wake?",
     QUIZ_WORD,
     2,
     a_cause,
     {"Who decides to wake a worker: only the thread that publishes a job?",
      "Look at the field cause of the wake events.",
      "babeltrace2 labs/01-states/trace | grep 'doze:wake:' | grep -o 'cause = ( [^:]*' | sort | "
      "uniq -c"}},
    {"found",
     "For which reason did searching workers most often become active?",
     QUIZ_WORD,
     2,
     a_found,
     {"In the parallel phase one worker begins alone. Where do the others get jobs?",
      "Look at the field reason of the worker_state events with to = active; ignore the reason "
      "start.",
      "Count as in the hint for 'cause', but the field reason in the output of: grep 'to = ( "
      ".active'"}},
    {"last",
     "What was the cause of the very last wake in the trace?",
     QUIZ_WORD,
     1,
     a_last_cause,
     {"A thread had to wake the workers although there was no work. When, and why?",
      "Look at the last wake events; no jobs are published at that time.",
      "babeltrace2 labs/01-states/trace | grep 'doze:wake:' | tail -n 1"}},
};

static const struct quiz quiz = {
    .lab = "01-states",
    .questions = questions,
    .count = sizeof questions / sizeof questions[0],
};

int main(int argc, char **argv)
{
	return quiz_main(&quiz, argc, argv);
}
