/*
 * SPDX-License-Identifier: MIT
 *
 * views_test.c - viz/show: what the other text views print for event scripts.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "one_sleep.h"
#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"
#include "viz/model/checker.h"
#include "viz/show/check_view.h"
#include "viz/show/fail_if.h"
#include "viz/show/load_trace.h"
#include "viz/show/sample.h"
#include "viz/show/storms.h"
#include "viz/words/event_text.h"
#include "viz/words/option_values.h"
#include "viz/words/quote.h"
#include "viz/words/units.h"

static char *out;
static size_t out_size;

static void doubts_an_empty_trace(void)
{
	struct doze_model *m = doze_model_new(0, 0);

	doze_model_finish(m, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(doze_inconclusive(m));
	CU_ASSERT_STRING_EQUAL(doze_inconclusive(m), "the trace has no events");
	doze_model_free(m);
}

/* Feeds a script to a new model whose findings are added to f, and prints f into `out`. */
static void find_in(struct doze_findings *f, bool checked, const char *text)
{
	struct doze_model *m = doze_model_new(&doze_findings_listener, f);
	struct doze_event e;
	FILE *to;

	if (checked)
		m = doze_with_checker(m);
	CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		if (!script_parse(s, &e))
			continue;
		doze_findings_before(f, &e);
		doze_model_feed(m, &e);
		doze_findings_after(f, &e);
	}
	doze_model_finish(m, doze_model_totals(m)->last_ts);
	free(out);
	to = open_memstream(&out, &out_size);
	doze_findings_print(f, m, to);
	fclose(to);
	doze_model_free(m);
}

static void says_what_was_found(void)
{
	struct doze_findings *f = doze_findings_new(1);
	static const char text[] =
	    ONE_SLEEP "120 w0 active>sleepy rounds\n130 w0 sleepy>stopped terminate\n";
	size_t lines = 0;

	find_in(f, false, text);
	CU_ASSERT_PTR_NOT_NULL(
	    strstr(out, "2 findings in 12 events of 130 us (jec with 1 worker)"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "1. transition, pool 1, worker 0, at 0.000120000s: "));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "  >    0.000120000s  w0   active -> sleepy (rounds)"));
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "1 finding shown"));
	for (const char *s = out; (s = strstr(s, "s  w0 ")); s++)
		lines++;
	CU_ASSERT_TRUE(lines > 1 && lines <= DOZE_FINDING_EVENTS);
	doze_findings_free(f);
}

/* A finding about inactivity is made only when a later event arrives. It must not be shown before
 * that event. */
static void keeps_the_order(void)
{
	struct doze_findings *f = doze_findings_new(1);
	static const char text[] = "0 x pool jec 1\n1 w0 none>active start\n"
				   "10 w0 active>idle no_work 0.0.0>0.0.0\n"
				   "20000 w0 idle>active found_local 0.0.0>0.0.0\n";
	const char *first;

	find_in(f, false, text);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "1. counters, pool 1, at 0.005010000s: "));
	first = strstr(out, "0.020000000s");
	CU_ASSERT_PTR_NOT_NULL_FATAL(first);
	CU_ASSERT_PTR_NULL(strstr(first + 1, "0.020000000s"));
	CU_ASSERT_PTR_NULL(strstr(out, "  > "));
	doze_findings_free(f);
}

/* Only much later is it certain that the post wakes no worker. However many events follow the post,
 * it is shown and marked, and there is still room for later events. */
static void shows_what_it_is_about(void)
{
	struct doze_findings *f = doze_findings_new(1);
	static char text[4096];
	size_t n = 0, lines = 0;
	const char *first;

	n += (size_t)snprintf(text, sizeof text,
			      "0 x pool rfc 1\n1 w0 none>active start\n"
			      "2 w0 job inline\n3 w0 active>idle no_work 0.0.0>0.1.0\n");
	n += (size_t)snprintf(text + n, sizeof text - n,
			      "5 x post injector 1 empty wakes 0 d0 0.1.0>0.1.0\n");
	for (int i = 0; i < 10; i++)
		n += (size_t)snprintf(text + n, sizeof text - n,
				      "%d w0 latch unset>sleepy w0 id9\n"
				      "%d w0 latch sleepy>unset w0 id9\n",
				      10 + 2 * i, 11 + 2 * i);
	n +=
	    (size_t)snprintf(text + n, sizeof text - n, "50 w0 idle>sleeping rounds 0.1.0>1.1.0\n");
	for (int i = 0; i < 6; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%d x mark late\n", 900000 + i);
	find_in(f, true, text);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "no worker was woken for a job that was"));
	first = strstr(out, "  >    0.000005000s  out  post 1 job, injector queue");
	CU_ASSERT_PTR_NOT_NULL_FATAL(first);
	for (const char *s = first; (s = strchr(s, '\n')); s++)
		lines += strlen(s) > 20 && isdigit((unsigned char)s[18]) && s[19] == 's';
	CU_ASSERT_EQUAL(lines + 1, DOZE_FINDING_EVENTS);
	CU_ASSERT_PTR_NULL(strstr(first + 4, "  > "));
	CU_ASSERT_PTR_NOT_NULL(strstr(first, "0.900003000s"));
	CU_ASSERT_PTR_NULL(strstr(first, "0.900004000s"));
	doze_findings_free(f);
}

static void answers_first(void)
{
	struct doze_storm_log log = {0};
	struct doze_model *m = script_run(0, ONE_SLEEP ONE_SLEEP_END)->model;
	FILE *o;

	free(out);
	o = open_memstream(&out, &out_size);
	doze_storms_answer(&log, m, o);
	fclose(o);
	CU_ASSERT_PTR_EQUAL(strstr(out, "No wakeup storm in 200 us.\n1 wake for 1 job"), out);
}

static double sum_of(const struct doze_phases *p, enum doze_sum s, size_t parts)
{
	double sum = 0;

	for (size_t i = 0; i < parts; i++)
		sum += doze_phase_part(p, i, parts).sum[s];
	return sum;
}

/* Feeds the script and fills in *p. The caller frees p->model. */
static void gather(struct doze_phases *p, const char *text)
{
	struct doze_event e;

	memset(p, 0, sizeof *p);
	p->model = doze_with_paths(doze_model_new(&doze_phases_listener, p));
	for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		if (!script_parse(s, &e))
			continue;
		doze_phases_event(p, &e);
		doze_model_feed(p->model, &e);
	}
	doze_model_finish(p->model, doze_model_totals(p->model)->last_ts);
	doze_phases_finish(p);
}

static void cuts_phases(void)
{
	static struct doze_phases p;
	static const char text[] = "0 x pool jec 1\n0 w0 none>active start\n40 x mark a\n"
				   "50 w0 active>idle no_work\n100 x mark b\n"
				   "150 w0 idle>active found_local\n"
				   "200 w0 active>stopped terminate\n";

	gather(&p, text);
	CU_ASSERT_EQUAL_FATAL(p.marks, 2);
	CU_ASSERT_STRING_EQUAL(p.mark[1].text, "b");
	CU_ASSERT_DOUBLE_EQUAL(doze_phase(&p, 0).sum[DOZE_SUM_active], 40e3, 1);
	CU_ASSERT_DOUBLE_EQUAL(doze_phase(&p, 1).sum[DOZE_SUM_active], 10e3, 1);
	CU_ASSERT_DOUBLE_EQUAL(doze_phase(&p, 1).sum[DOZE_SUM_search], 50e3, 1);
	CU_ASSERT_DOUBLE_EQUAL(doze_phase(&p, 2).sum[DOZE_SUM_time], 100e3, 1);
	CU_ASSERT_DOUBLE_EQUAL(sum_of(&p, DOZE_SUM_active, 4), 100e3, 1);
	CU_ASSERT_DOUBLE_EQUAL(sum_of(&p, DOZE_SUM_time, 4), 200e3, 1);
	doze_model_free(p.model);
}

/* Adds a storm at `at` us: eight sleepers wake and search without success for 8 us. */
static void add_storm(FILE *to, int at, int d)
{
	fprintf(to, "%d x post injector 1 empty wakes 8 d%d\n", at, d);
	for (int i = 0; i < 8; i++)
		fprintf(to, "%d x wake w%d id%d d%d inject all\n", at + 1, i, 10 * d + i, d);
	for (int i = 0; i < 8; i++)
		fprintf(to, "%d w%d woken %d\n%d w%d sleeping>idle woken\n", at + 2, i, 10 * d + i,
			at + 2, i);
	for (int i = 0; i < 8; i++)
		fprintf(to, "%d w%d idle>sleepy rounds\n%d w%d sleepy>sleeping rounds\n", at + 10,
			i, at + 10, i);
}

/* Returns a script of storms. Some begin just before a mark, and their woken workers still search
 * after it. */
static char *stormy(void)
{
	char *text = 0;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	fputs("0 x pool tickle 8\n", to);
	for (int i = 0; i < 8; i++)
		fprintf(to,
			"1 w%d none>active start\n2 w%d active>idle no_work\n"
			"3 w%d idle>sleepy rounds\n4 w%d sleepy>sleeping rounds\n",
			i, i, i, i);
	add_storm(to, 10000, 1);
	add_storm(to, 20000, 2);
	fputs("20011 x mark calm\n", to);
	add_storm(to, 39995, 3);
	fputs("40006 x mark end\n60000 x pool stop\n", to);
	fclose(to);
	return text;
}

static void storms_stay_in_their_phase(void)
{
	static struct doze_phases p;
	static const double by_phase[] = {2, 1, 0}, by_part[] = {1, 1, 1, 0};
	char *text = stormy();

	gather(&p, text);
	free(text);
	for (size_t i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(doze_phase(&p, i).sum[DOZE_SUM_storms], by_phase[i]);
		CU_ASSERT_EQUAL(doze_phase(&p, i).sum[DOZE_SUM_futile], 8 * by_phase[i]);
		CU_ASSERT_EQUAL(doze_phase(&p, i).sum[DOZE_SUM_wakes], 8 * by_phase[i]);
		CU_ASSERT_EQUAL(doze_phase(&p, i).sum[DOZE_SUM_burnt], 64e3 * by_phase[i]);
	}
	for (size_t i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(doze_phase_part(&p, i, 4).sum[DOZE_SUM_storms], by_part[i]);
		CU_ASSERT_EQUAL(doze_phase_part(&p, i, 4).sum[DOZE_SUM_futile], 8 * by_part[i]);
		CU_ASSERT_EQUAL(doze_phase_part(&p, i, 4).sum[DOZE_SUM_woken], 8 * by_part[i]);
	}
	doze_model_free(p.model);
}

static void judges_conditions(void)
{
	static struct doze_fail_if f;
	struct doze_model *m = script_run(0, ONE_SLEEP ONE_SLEEP_END)->model;

	CU_ASSERT_PTR_NULL(doze_check_condition("futile>0.5", &f));
	CU_ASSERT_PTR_NULL(doze_check_condition("awake-p99>1s", &f));
	CU_ASSERT_EQUAL(doze_fail_if_judge(&f, m), 0);
	CU_ASSERT_PTR_NULL(doze_check_condition("wakes>=1", &f));
	CU_ASSERT_PTR_NULL(doze_check_condition("storms==0", &f));
	CU_ASSERT_EQUAL(doze_fail_if_judge(&f, m), 1);
	CU_ASSERT_PTR_NOT_NULL(doze_check_condition("futile", &f));
	CU_ASSERT_PTR_NOT_NULL(doze_check_condition("fuTile>1", &f));
	CU_ASSERT_PTR_NOT_NULL(doze_check_condition("futile>", &f));
	CU_ASSERT_PTR_NOT_NULL(doze_check_condition("futile>1x", &f));
	CU_ASSERT_PTR_NOT_NULL(doze_check_condition("", &f));
	CU_ASSERT_EQUAL(f.count, 4);
}

static void writes_units(void)
{
	CU_ASSERT_STRING_EQUAL(doze_duration(0), "0 ns");
	CU_ASSERT_STRING_EQUAL(doze_duration(999), "999 ns");
	CU_ASSERT_STRING_EQUAL(doze_duration(1000), "1.00 us");
	CU_ASSERT_STRING_EQUAL(doze_duration(12345), "12.3 us");
	CU_ASSERT_STRING_EQUAL(doze_duration(999999), "1.00 ms");
	CU_ASSERT_STRING_EQUAL(doze_duration(1500000000), "1.50 s");
	CU_ASSERT_STRING_EQUAL(doze_duration(-1500), "-1.50 us");
	CU_ASSERT_STRING_EQUAL(doze_count(1234567), "1,234,567");
	CU_ASSERT_STRING_EQUAL(doze_plural(1, "wake"), "1 wake");
	CU_ASSERT_STRING_EQUAL(doze_share(1, 0), "-");
}

static bool found_again(int64_t ns, int64_t step)
{
	int64_t again = -1;

	return !doze_check_duration(doze_position(ns, step), &again) && again <= ns &&
	       ns - again < (step ? step : 1);
}

static void writes_positions(void)
{
	CU_ASSERT_STRING_EQUAL(doze_position(0, 1000), "0.000000s");
	CU_ASSERT_STRING_EQUAL(doze_position(2065512999, 1000), "2.065512s");
	CU_ASSERT_STRING_EQUAL(doze_position(2065512999, 1), "2.065512999s");
	CU_ASSERT_STRING_EQUAL(doze_position(2065512999, 50000000), "2.06s");
	CU_ASSERT_STRING_EQUAL(doze_position(2065512999, 5000000000), "2s");
	CU_ASSERT_STRING_EQUAL(doze_position(2065500000, 0), "2.0655s");
	CU_ASSERT_STRING_EQUAL(doze_position(9000000000, 0), "9s");
	CU_ASSERT_STRING_EQUAL(doze_position(-1500000, 100000), "-0.0015s");
	CU_ASSERT_EQUAL(doze_tick_step(1), 1);
	CU_ASSERT_EQUAL(doze_tick_step(3), 5);
	CU_ASSERT_EQUAL(doze_tick_step(501), 1000);
	for (int64_t ns = 1; ns < 4000000000000000; ns = ns * 3 + 7)
		for (int64_t step = 0; step < 1000000000; step = 10 * step + (step == 0))
			CU_ASSERT_TRUE(found_again(ns, step));
}

static void knows_chance(void)
{
	static const double a[] = {10, 11, 12, 11, 10}, b[] = {14, 15, 14, 16, 15},
			    c[] = {5, 25, 11, 2, 30};
	struct doze_mean x = doze_mean_of(a, 5), y = doze_mean_of(b, 5), z = doze_mean_of(c, 5);
	struct doze_mean one = doze_mean_of(b, 1);

	CU_ASSERT_DOUBLE_EQUAL(x.mean, 10.8, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(x.half, 1.0389, 1e-3); /* 2.776 * 0.83666 / sqrt 5 */
	CU_ASSERT_TRUE(doze_means_differ(&x, &y));
	CU_ASSERT_FALSE(doze_means_differ(&x, &z));
	CU_ASSERT_FALSE(doze_means_differ(&x, &one));
}

static void writes_json(void)
{
	struct doze_json j = {0};

	free(out);
	j.out = open_memstream(&out, &out_size);
	doze_json_open(&j, 0, '{');
	doze_json_string(&j, "a\"b", "x\n\\");
	doze_json_open(&j, "e", '[');
	doze_json_close(&j, ']');
	doze_json_real(&j, "r", 0.0 / 1);
	doze_json_bool(&j, "t", true);
	doze_json_close(&j, '}');
	fclose(j.out);
	CU_ASSERT_STRING_EQUAL(out,
			       "{\n  \"a\\\"b\": \"x\\u000a\\\\\",\n  \"e\": [],\n  \"r\": 0,\n"
			       "  \"t\": true\n}\n");
}

static const struct suite_test tests[] = {
    {"a trace without events is reported as inconclusive", doubts_an_empty_trace},
    {"a finding is shown with the events around it", says_what_was_found},
    {"the events around a finding keep their order", keeps_the_order},
    {"the event of a finding is shown, no matter how old it is", shows_what_it_is_about},
    {"the storm report begins with the answer", answers_first},
    {"the phases add up to the whole run", cuts_phases},
    {"a storm belongs to the phase in which it began", storms_stay_in_their_phase},
    {"conditions for CI are evaluated, and malformed ones are rejected", judges_conditions},
    {"numbers are printed in a readable form", writes_units},
    {"a printed position can be used to find the event again", writes_positions},
    {"significant differences are distinguished from random ones", knows_chance},
    {"JSON output is nested and escaped correctly", writes_json},
};
SUITE_MAIN("views", tests)
