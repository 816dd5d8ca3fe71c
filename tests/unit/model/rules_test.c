/*
 * SPDX-License-Identifier: MIT
 *
 * rules_test.c - viz/model: for each rule, a synthetic trace that breaks only this rule, and
 * correct traces that break none.
 */
#include <string.h>

#include "rules.h"
#include "tests/fixtures/wake_scripts.h"
#include "viz/words/rule_text.h"

/* The rules that some script has broken without breaking any other rule. */
static const char *broken[64];
static size_t broken_n;

static struct script_result *run(const char *text)
{
	return script_run_checked(text);
}

void rules_healthy(const char *text)
{
	struct script_result *d = run(text);

	CU_ASSERT_EQUAL(d->findings, 0);
	for (size_t i = 0; i < d->findings && i < SCRIPT_MAX; i++)
		printf("\n    %s: %s", d->finding[i].rule, d->finding[i].text);
}

void rules_note_broken(const char *rule)
{
	for (size_t i = 0; i < broken_n; i++)
		if (!strcmp(broken[i], rule))
			return;
	CU_ASSERT_TRUE_FATAL(broken_n < sizeof broken / sizeof broken[0]);
	broken[broken_n++] = rule;
}

void rules_break(const char *rule, const char *text)
{
	struct script_result *d = run(text);

	CU_ASSERT_TRUE(script_findings(d, rule) > 0);
	CU_ASSERT_EQUAL(script_findings(d, rule), d->findings);
	for (size_t i = 0; i < d->findings && i < SCRIPT_MAX; i++)
		if (strcmp(d->finding[i].rule, rule) != 0)
			printf("\n    expected only '%s', found '%s': %s", rule, d->finding[i].rule,
			       d->finding[i].text);
	CU_ASSERT_TRUE(*doze_rule_text(rule) != 0); /* the text states what the rule requires */
	rules_note_broken(rule);
}

/* Policy jec with two workers; w1 becomes sleepy at 30 us and falls asleep at 40 us. */
#define LATE "900000 x mark late\n900000 end\n"
#define SLEEPY                                                                                     \
	START("jec")                                                                               \
	"10 w0 post local 1 empty wakes 0 d0 0.0.0>0.0.1\n"                                        \
	"20 w1 active>idle no_work 0.0.1>0.1.1\n"                                                  \
	"29 w1 jec sleepy 0.1.1>0.1.2\n"                                                           \
	"30 w1 idle>sleepy rounds 0.1.2>0.1.2\n"                                                   \
	"38 w1 latch unset>sleepy w1 id7\n"                                                        \
	"39 w1 latch sleepy>sleeping w1 id7\n"
#define ASLEEP SLEEPY "40 w1 sleepy>sleeping rounds 0.1.2>1.1.2\n"
#define POST   "50 w0 post local 1 empty wakes 1 d1 1.1.2>1.1.3\n"
#define WOKEN                                                                                      \
	"52 w0 wake w1 id1 d1 push 1.1.3>0.1.3\n"                                                  \
	"55 w1 latch sleeping>unset w1 id7\n"                                                      \
	"55 w1 woken 1\n56 w1 sleeping>idle woken 0.1.3>0.1.3\n"
#define FOUND "60 w1 idle>active found_stolen 0.1.3>0.0.3\n"

static void healthy_jec(void)
{
	rules_healthy(ASLEEP POST WOKEN FOUND STOP);
	/* sleeps averted by the JEC, by the latch, and by the injector */
	rules_healthy(SLEEPY "39.5 w0 post local 1 empty wakes 0 d0 0.1.2>0.1.3\n"
			     "40 w1 abort jec 0.1.3>0.1.3\n"
			     "41 w1 sleepy>idle jec_changed 0.1.3>0.1.3\n" FOUND STOP);
	rules_healthy(SLEEPY "39.5 w0 latch sleeping>set w1 id7\n40 w1 abort latch 0.1.2>0.1.2\n"
			     "41 w1 sleepy>idle latch_set 0.1.2>0.1.2\n"
			     "42 w1 idle>active latch_set 0.1.2>0.0.2\n" STOP);
	rules_healthy(ASLEEP "41 w1 abort injector 1.1.2>0.1.2\n"
			     "42 w1 sleeping>idle found_injected 0.1.2>0.1.2\n"
			     "43 w1 idle>active found_injected 0.1.2>0.0.2\n" STOP);
}

#define RFC_WOKEN                                                                                  \
	"50 w0 post local 1 empty wakes 1 d1 1.1.0>1.1.0\n"                                        \
	"52 w0 wake w1 id1 d1 push 1.1.0>1.1.0\n"
#define RFC_FOUND                                                                                  \
	"55 w1 woken 1\n56 w1 sleeping>idle woken 1.1.0>0.1.0\n"                                   \
	"60 w1 idle>active found_stolen 0.1.0>0.0.0\n"

static void healthy_rfc(void)
{
	rules_healthy(RFC_ASLEEP RFC_WOKEN RFC_FOUND STOP);
	/* two wakes of one sleep are legal, because the sleeper does the decrement */
	rules_healthy(RFC_ASLEEP RFC_WOKEN
		      "53 w0 post local 1 empty wakes 1 d2 1.1.0>1.1.0\n"
		      "54 w0 wake w1 id2 d2 push 1.1.0>1.1.0\n" RFC_FOUND STOP);
}

static void healthy_tickle(void)
{
	rules_healthy(
	    START("tickle") "20 w1 active>idle no_work\n30 w1 idle>sleepy rounds\n"
			    "40 w1 sleepy>sleeping rounds\n"
			    "50 w0 post local 1 empty wakes 1 d1\n"
			    "52 w0 wake w1 id1 d1 push all\n55 w1 woken 1\n"
			    "56 w1 sleeping>idle woken\n60 w1 idle>active found_stolen\n" STOP);
}

static void transition(void)
{
	rules_break("transition", ASLEEP POST WOKEN "60 w1 active>idle no_work 0.0.3>0.1.3\n");
	rules_break("transition", START("rfc") "20 w1 active>idle no_work 0.0.0>0.1.0\n"
					       "30 w1 idle>sleepy rounds 0.1.0>0.1.0\n");
	rules_break("transition", ASLEEP "41 w1 woken 0\n"
					 "42 w1 sleeping>idle self_wake 1.1.2>1.1.2\n");
}

static void wake_pair(void)
{
	rules_break("wake-pair", ASLEEP POST "55 w1 woken 9\n");
}

static void step(void)
{
	/* both the sleeper and the waker decrement *sleeping* */
	rules_break("step", ASLEEP POST "52 w0 wake w1 id1 d1 push 1.1.3>0.1.3\n55 w1 woken 1\n"
					"56 w1 sleeping>idle woken 1.1.3>0.1.3\n");
	/* rfc: the waker decrements as well as the sleeper */
	rules_break("step", RFC_ASLEEP "50 w0 post local 1 empty wakes 1 d1 1.1.0>1.1.0\n"
				       "52 w0 wake w1 id1 d1 push 1.1.0>0.1.0\n");
	/* a searching worker does not count itself */
	rules_break("step", START("jec") "20 w1 active>idle no_work 0.0.0>0.0.0\n");
	/* a worker averts its sleep without undoing its increment of *sleeping* */
	rules_break("step", ASLEEP "41 w1 abort injector 1.1.2>1.1.2\n");
}

static void bounds(void)
{
	rules_break("bounds", START("jec") "20 w1 active>idle no_work 0.2.0>0.3.0\n");
	rules_break("bounds", START("rfc") "20 w0 active>idle no_work 1.0.0>1.1.0\n"
					   "30 w0 idle>sleeping rounds 1.1.0>2.1.0\n");
}

static void jec_parity(void)
{
	rules_break("jec-parity", START("jec") "50 w0 post local 1 empty wakes 0 d0 0.0.2>0.0.2\n");
	rules_break("jec-parity", START("jec") "50 w0 post local 1 empty wakes 0 d0 0.0.1>0.0.2\n");
	rules_break("jec-parity", START("jec") "20 w1 active>idle no_work 0.0.1>0.1.1\n"
					       "30 w1 idle>sleepy rounds 0.1.1>0.1.1\n");
}

static void jec_sleep(void)
{
	rules_break("jec-sleep", SLEEPY "39.5 w0 post local 1 empty wakes 0 d0 0.1.2>0.1.3\n"
					"40 w1 sleepy>sleeping rounds 0.1.3>1.1.3\n");
	rules_break("jec-sleep", SLEEPY "40 w1 abort jec 0.1.2>0.1.2\n"
					"41 w1 sleepy>idle jec_changed 0.1.2>0.1.2\n");
}

static void post_wakes(void)
{
	rules_break("post-wakes", ASLEEP "50 w0 post local 1 empty wakes 0 d0 1.1.2>1.1.3\n");
	rules_break("post-wakes", RFC_ASLEEP "50 w0 post local 2 empty wakes 2 d1 1.1.0>1.1.0\n");
}

static const struct decision {
	const char *policy, *queue;
	int jobs;
	const char *empty;
	int sleeping, inactive, wakes;
} decisions[] = {
    /* policy, queue, jobs, queue state, number sleeping, number inactive of 8, expected wakes */
    {"jec", "local", 3, "full", 4, 6, 3},        {"jec", "local", 3, "empty", 4, 6, 1},
    {"jec", "local", 1, "empty", 4, 6, 0},       {"jec", "injector", 9, "empty", 4, 4, 4},
    {"rfc", "local", 3, "full", 4, 6, 1},        {"rfc", "local", 2, "full", 4, 6, 0},
    {"local", "local", 1, "full", 4, 6, 1},      {"local", "local", 1, "empty", 4, 4, 0},
    {"local", "local", 9, "empty", 4, 4, 1},     {"local", "injector", 3, "empty", 4, 6, 1},
    {"block", "local", 1, "empty", 3, 3, 3},     {"block", "local", 1, "empty", 7, 7, 1},
    {"block", "local", 1, "empty", 3, 4, 0},     {"spare", "local", 1, "empty", 4, 5, 2},
    {"spare", "local", 1, "empty", 4, 7, 0},     {"chain", "local", 3, "full", 4, 6, 1},
    {"chain", "local", 2, "full", 4, 6, 0},      {"spin", "local", 5, "full", 0, 4, 0},
    {"forkjoin", "local", 5, "full", 4, 4, 4},   {"forkjoin", "local", 1, "full", 4, 4, 1},
    {"condvar", "injector", 5, "full", 4, 4, 4}, {"condvar", "injector", 1, "full", 4, 4, 1},
    {"tickle", "local", 1, "empty", 1, 0, 8},    {"tickle", "local", 1, "empty", 0, 0, 0},
    {"demand", "local", 3, "full", 4, 6, 3},     {"demand", "local", 3, "empty", 4, 6, 1},
    {"go", "local", 5, "full", 4, 4, 1},         {"go", "local", 5, "full", 4, 5, 0},
};

/* Returns the number of findings about a post that wakes `more` workers too many. */
static size_t findings_for(const struct decision *c, int more)
{
	char text[256];

	snprintf(text, sizeof text,
		 "0 x pool %s 8\n1 w0 none>active start\n"
		 "2 w0 post %s %d %s wakes %d d%d %d.%d.1>%d.%d.1\n",
		 c->policy, c->queue, c->jobs, c->empty, c->wakes + more, c->wakes + more,
		 c->sleeping, c->inactive, c->sleeping, c->inactive);
	return script_findings(run(text), "post-wakes");
}

static void decides_by_policy(void)
{
	for (size_t i = 0; i < sizeof decisions / sizeof decisions[0]; i++) {
		CU_ASSERT_EQUAL(findings_for(&decisions[i], 0), 0);
		CU_ASSERT_EQUAL(findings_for(&decisions[i], 1), 1);
	}
}

static void wake_targets(void)
{
	rules_break("wake-twice", ASLEEP POST "52 w0 wake w1 id1 d1 push 1.1.3>0.1.3\n"
					      "53 x wake w1 id2 d2 push 1.1.3>0.1.3\n");
	rules_break("wake-awake", START("jec") "52 w0 wake w1 id1 d1 push 1.1.0>0.1.0\n");
}

static void wakes(void)
{
	for (const struct wake_script *s = wake_scripts; s->text; s++) {
		if (s->rule)
			rules_break(s->rule, s->text);
		else
			rules_healthy(s->text);
	}
}

static void latch(void)
{
	rules_break("latch", START("jec") "30 w1 latch unset>sleeping w1 id7\n");
	rules_break("latch", START("jec") "30 w0 latch unset>sleepy w1 id7\n");
}

static void latch_target(void)
{
	rules_break("latch-target", ASLEEP "50 w0 latch unset>set w0 id9\n"
					   "52 w0 wake w1 id1 d1 latch 1.1.2>0.1.2\n");
}

#define SET_NOT_WOKEN ASLEEP "50 w0 latch sleeping>set w1 id7\n"

static void latch_wake(void)
{
	/* the setter continues without waking the owner; later another thread wakes it */
	rules_break("latch-wake", SET_NOT_WOKEN "60 w0 active>idle no_work 1.1.2>1.2.2\n"
						"900 x wake w1 id1 d1 inject 1.2.2>0.2.2\n");
	/* no thread ever wakes the owner */
	rules_break("latch-wake", SET_NOT_WOKEN "60 w0 active>idle no_work 1.1.2>1.2.2\n" LATE);
	rules_break("latch-wake", ASLEEP "50 x latch sleeping>set w1 id7\n" LATE);
	rules_healthy(SET_NOT_WOKEN "52 w0 wake w1 id1 d1 latch 1.1.2>0.1.2\n" LATE);
	/* a post woke the owner first, so the setter finds it already awake */
	rules_healthy(ASLEEP
		      "49 x wake w1 id1 d1 inject 1.1.2>0.1.2\n50 w0 latch sleeping>set w1 id7\n"
		      "60 w0 active>idle no_work 0.1.2>0.2.2\n" LATE);
	/* the setter was preempted for a long time before it woke the owner */
	rules_healthy(ASLEEP "50 w0 latch sleeping>set w1 id7\n300000 x mark late\n"
			     "400000 w0 wake w1 id1 d1 latch 1.1.2>0.1.2\n400001 w1 woken 1\n"
			     "400002 w1 sleeping>idle woken\n900000 end\n");
	/* the owner averts its own sleep; the event of its state change arrives late */
	rules_healthy(ASLEEP "49 w1 abort injector 1.1.2>0.1.2\n50 w0 latch sleeping>set w1 id7\n"
			     "60 w0 active>idle no_work 0.1.2>0.2.2\n"
			     "61 w1 sleeping>idle found_injected 0.2.2>0.2.2\n");
}

static void terminate(void)
{
	rules_break("terminate", ASLEEP "80 w0 active>stopped terminate\n90 x pool stop\n");
	rules_break("terminate",
		    "0 x pool condvar 2\n1 w0 none>active start\n1 w1 none>active start\n"
		    "20 w0 active>idle no_work 0.0.0>0.1.0\n"
		    "21 w0 idle>sleeping rounds 0.1.0>1.1.0\n"
		    "30 w1 active>idle no_work 1.1.0>1.2.0\n"
		    "31 w1 idle>sleeping rounds 1.2.0>2.2.0\n"
		    "50 x wake w1 id1 d1 terminate 2.2.0>2.2.0\n51 w1 woken 1\n"
		    "52 w1 sleeping>idle woken 2.2.0>1.2.0\n"
		    "53 w1 idle>active latch_set 1.2.0>1.1.0\n"
		    "54 w1 active>stopped terminate\n"
		    "900000 end\n");
}

static void stranded(void)
{
	rules_break("stranded",
		    START("forkjoin") "20 w0 active>idle no_work 0.0.0>0.1.0\n"
				      "21 w0 idle>sleeping rounds 0.1.0>1.1.0\n"
				      "30 w1 active>idle no_work 1.1.0>1.2.0\n"
				      "31 w1 idle>sleeping rounds 1.2.0>2.2.0\n"
				      "50 x post injector 1 empty wakes 0 d0 2.2.0>2.2.0 "
				      "saw -1 0\n"
				      "900000 end\n");
}

/* A job is injected while one of two workers sleeps and the other is idle; then the idle one falls
 * asleep as well. */
#define OVERLOOKED                                                                                 \
	START("rfc")                                                                               \
	"10 w1 post local 1 empty wakes 0 d0 0.0.0>0.0.0\n11 w1 job local\n"                       \
	"20 w0 active>idle no_work 0.0.0>0.1.0\n21 w0 idle>sleeping rounds 0.1.0>1.1.0\n"          \
	"30 w1 active>idle no_work 1.1.0>1.2.0\n"                                                  \
	"50 x post injector 1 empty wakes 0 d0 1.2.0>1.2.0\n"

static void overlooked(void)
{
	rules_break("stranded", OVERLOOKED "60 w1 idle>sleeping rounds 1.2.0>2.2.0\n" LATE);
	/* the idle worker finds and runs the job before it sleeps */
	rules_healthy(OVERLOOKED
		      "60 w1 idle>active found_injected 1.2.0>1.1.0\n61 w1 job injected\n"
		      "70 w1 active>idle no_work 1.1.0>1.2.0\n"
		      "80 w1 idle>sleeping rounds 1.2.0>2.2.0\n" LATE);
}

static void broadcast(void)
{
	rules_healthy(ASLEEP "50 x post broadcast 2 full wakes 0 d0 1.1.2>1.1.2\n"
			     "52 x wake w1 id1 d1 broadcast all 1.1.2>0.1.2\n"
			     "55 w1 woken 1\n56 w1 sleeping>idle woken 0.1.2>0.1.2\n"
			     "57 w1 idle>active found_broadcast 0.1.2>0.0.2\n" LATE);
	rules_break("stranded", ASLEEP "50 x post broadcast 2 full wakes 0 d0 1.1.2>1.1.2\n" LATE);
}

static void one_sleepy(void)
{
	rules_break("one-sleepy", START("tickle") "20 w0 active>idle no_work\n"
						  "20 w1 active>idle no_work\n"
						  "30 w0 idle>sleepy rounds 0.0.0>2.0.0\n"
						  "31 w1 idle>sleepy rounds 2.0.0>4.0.0\n");
}

static void forgives(void)
{
	/* rules that depend on earlier events are suspended after lost events */
	rules_healthy(SLEEPY "60 lost 39.2 4\n40 w1 sleepy>sleeping rounds 0.1.4>1.1.4\n"
			     "50 x wake w1 id1 d1 inject 1.1.4>0.1.4\n"
			     "51 x wake w1 id2 d2 inject 1.1.4>0.1.4\n52 w1 woken 5\n");
}

/* The wake id1 ended a sleep whose end was lost. It must not count as one that still has to end the
 * sleep after the loss, whether the worker's own event or a snapshot shows that sleep. */
static void lost_end_of_sleep(void)
{
	static const char later[] =
	    "70 w0 post local 1 empty wakes 1 d2 1.1.4>1.1.5\n"
	    "71 w0 wake w1 id2 d2 push 1.1.5>0.1.5\n73 w1 latch sleeping>unset w1 id7\n"
	    "73 w1 woken 2\n74 w1 sleeping>idle woken 0.1.5>0.1.5\n"
	    "75 w1 idle>active found_stolen 0.1.5>0.0.5\n" LATE;
	char script[2048];

	(void)snprintf(script, sizeof script, "%s%s%s",
		       ASLEEP POST "52 w0 wake w1 id1 d1 push 1.1.3>0.1.3\n60 lost 53 9\n",
		       "62 w1 latch sleepy>sleeping w1 id7\n"
		       "63 w1 sleepy>sleeping rounds 0.1.4>1.1.4\n",
		       later);
	rules_healthy(script);
	(void)snprintf(script, sizeof script, "%s%s%s",
		       ASLEEP POST "52 w0 wake w1 id1 d1 push 1.1.3>0.1.3\n60 lost 53 9\n",
		       "63 w1 snapshot sleeping jec 2 1.1.4>1.1.4\n", later);
	rules_healthy(script);
}

static void chain(void)
{
	rules_break("chain", START("rfc") "20 w1 active>idle no_work 0.1.0>0.2.0\n" LATE);
}

static void counters(void)
{
	rules_break("counters", "1 w0 snapshot active rfc 2 0.1.0>0.1.0\n"
				"1 w1 snapshot active rfc 2 0.1.0>0.1.0\n2 x mark a\n"
				"20000 x mark later\n");
}
/* Must be the last test, because it checks that the earlier tests have broken every rule. */
static void covers_all(void)
{
	const char *rule;

	for (size_t i = 0; (rule = doze_rule_name(i)) != 0; i++) {
		size_t k = 0;

		while (k < broken_n && strcmp(broken[k], rule) != 0)
			k++;
		if (k == broken_n)
			printf("\n    no test breaks %s", rule);
		CU_ASSERT_TRUE(k < broken_n);
	}
}

static const struct suite_test tests[] = {
    {"correct traces of jec have no findings", healthy_jec},
    {"correct traces of rfc have no findings", healthy_rfc},
    {"correct traces of tickle have no findings", healthy_tickle},
    {"an illegal transition is reported", transition},
    {"a woken event without a wake is reported", wake_pair},
    {"a change of the word that does not fit its event is reported", step},
    {"counts that violate sleeping <= inactive <= workers are reported", bounds},
    {"a JEC of the wrong parity is reported", jec_parity},
    {"a sleep despite a changed JEC is reported", jec_sleep},
    {"a post that wakes too many or too few workers is reported", post_wakes},
    {"each post is checked against the rule of its policy", decides_by_policy},
    {"a wake whose target is not asleep is reported", wake_targets},
    {"an illegal transition of a latch is reported", latch},
    {"a latch that wakes a worker other than its owner is reported", latch_target},
    {"a latch whose sleeping owner is not woken is reported", latch_wake},
    {"a worker that is not woken for termination is reported", terminate},
    {"an injected job that no worker takes is reported", stranded},
    {"an injected job that the last worker overlooked is reported", overlooked},
    {"a worker that is not woken for a broadcast is reported", broadcast},
    {"a second sleepy worker under tickle is reported", one_sleepy},
    {"lost events suspend the rules that depend on earlier events", forgives},
    {"a wake before lost events is not expected to end a sleep after them", lost_end_of_sleep},
    {"forbidden wakes and missing wakes are reported", wakes},
    {"a change of the word without an event is reported", chain},
    {"counters that disagree with the states are reported", counters},
    {"each job must run once, on an awake worker, and must not end before it starts", rules_jobs},
    {"values that are impossible in any pool are reported", rules_ranges},
    {"for an unknown policy, only the rules common to all apply", rules_unknown_policies},
    {"violations with the same cause are one finding with a count", rules_one_finding_per_cause},
    {"a complete recording is not reported as incomplete", rules_complete_recordings},
    {"a wake missing from a complete recording is reported", rules_missing_wake_number},
    {"wakes numbered before a recording began are not missing", rules_late_wake_numbers},
    {"each rule has a test trace that breaks only that rule", covers_all},
};
SUITE_MAIN("model: rules", tests)
