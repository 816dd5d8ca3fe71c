/*
 * SPDX-License-Identifier: MIT
 *
 * main.c - the command line of an explorer program.
 */
#include "play.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "../../viz/trace/policies.h"

static struct arguments {
	const char *memory, *policy, *schedule, *replay, *events, *old_of, *script, *walk, *goal,
	    *start;
	int bound, spurious, list, tsv, show, shortest, lines, calls, play;
	long max_states;
	double seconds;
} args = {.bound = -1, .max_states = 40000000, .seconds = 300};

static const char usage[] =
    "usage: PROGRAM [options] SCENARIO\n"
    "  -l, --list           list the scenarios\n"
    "  -m, --memory=MODE    sc (default), tso or weak\n"
    "  -p, --policy=NAME    sleep policy (default jec)\n"
    "  -b, --bound=N        at most N preemptions (default: no bound)\n"
    "      --old-of=WORD    in weak mode, let loads return old values only of objects with WORD "
    "in\n"
    "                       their name, and do not check plain accesses\n"
    "      --spurious=N     allow N more spurious wakes than the scenario does\n"
    "      --max-states=N   give up after N states\n"
    "      --seconds=S      give up after S seconds\n"
    "      --shortest       find the failure with the fewest preemptions, then the fewest steps\n"
    "      --schedule=FILE  write a failing schedule to FILE\n"
    "      --replay=FILE    run one schedule instead of searching\n"
    "      --events=FILE    write the events of the failure, or of the replay, to FILE\n"
    "      --script=FILE    run one schedule written in words (script.c) instead of searching\n"
    "      --walk=N         run one random schedule, number N, instead of searching\n"
    "      --goal=WORDS     search only for an event or failure whose text contains these words\n"
    "      --start=LINES    --play: take these steps first (lines of a script, separated by ;)\n"
    "      --play           let a player choose the steps (play.c), for labs/lab play\n"
    "  -s, --show           print the steps of a failure\n"
    "      --lines          show where in the source each step is\n"
    "      --calls          also show an address in each function that the thread is in\n"
    "      --tsv            print one line with tab-separated fields\n"
    "Exit codes: 0 passed, 1 failed, 2 usage, 4 gave up.\n";

enum {
	OPT_SPURIOUS = 256,
	OPT_OLD_OF,
	OPT_STATES,
	OPT_SECONDS,
	OPT_SHORTEST,
	OPT_SCHEDULE,
	OPT_REPLAY,
	OPT_EVENTS,
	OPT_TSV,
	OPT_SCRIPT,
	OPT_WALK,
	OPT_LINES,
	OPT_CALLS,
	OPT_GOAL,
	OPT_START,
	OPT_PLAY
};

static const struct option options[] = {
    {"list", no_argument, NULL, 'l'},
    {"memory", required_argument, NULL, 'm'},
    {"policy", required_argument, NULL, 'p'},
    {"bound", required_argument, NULL, 'b'},
    {"show", no_argument, NULL, 's'},
    {"help", no_argument, NULL, 'h'},
    {"old-of", required_argument, NULL, OPT_OLD_OF},
    {"spurious", required_argument, NULL, OPT_SPURIOUS},
    {"max-states", required_argument, NULL, OPT_STATES},
    {"seconds", required_argument, NULL, OPT_SECONDS},
    {"shortest", no_argument, NULL, OPT_SHORTEST},
    {"schedule", required_argument, NULL, OPT_SCHEDULE},
    {"replay", required_argument, NULL, OPT_REPLAY},
    {"events", required_argument, NULL, OPT_EVENTS},
    {"tsv", no_argument, NULL, OPT_TSV},
    {"script", required_argument, NULL, OPT_SCRIPT},
    {"walk", required_argument, NULL, OPT_WALK},
    {"lines", no_argument, NULL, OPT_LINES},
    {"calls", no_argument, NULL, OPT_CALLS},
    {"goal", required_argument, NULL, OPT_GOAL},
    {"start", required_argument, NULL, OPT_START},
    {"play", no_argument, NULL, OPT_PLAY},
    {NULL, 0, NULL, 0},
};

static double number(const char *text)
{
	char *end;
	double v = strtod(text, &end);
	if (*text == '\0' || *end != '\0' || v < 0) {
		fprintf(stderr, "explore: '%s' is not a number\n", text);
		exit(2);
	}
	return v;
}

static int *flag_of(int c)
{
	switch (c) {
	case 'l':
		return &args.list;
	case 's':
		return &args.show;
	case OPT_SHORTEST:
		return &args.shortest;
	case OPT_TSV:
		return &args.tsv;
	case OPT_LINES:
		return &args.lines;
	case OPT_CALLS:
		return &args.calls;
	case OPT_PLAY:
		return &args.play;
	default:
		return NULL;
	}
}

static const char **text_of(int c)
{
	switch (c) {
	case 'm':
		return &args.memory;
	case 'p':
		return &args.policy;
	case OPT_OLD_OF:
		return &args.old_of;
	case OPT_SCHEDULE:
		return &args.schedule;
	case OPT_REPLAY:
		return &args.replay;
	case OPT_EVENTS:
		return &args.events;
	case OPT_SCRIPT:
		return &args.script;
	case OPT_WALK:
		return &args.walk;
	case OPT_GOAL:
		return &args.goal;
	case OPT_START:
		return &args.start;
	default:
		return NULL;
	}
}

static void take_option(int c)
{
	int *flag = flag_of(c);
	const char **text = text_of(c);

	if (flag) {
		*flag = 1;
	} else if (text) {
		*text = optarg;
	} else if (c == 'b') {
		args.bound = (int)number(optarg);
	} else if (c == OPT_SPURIOUS) {
		args.spurious = (int)number(optarg);
	} else if (c == OPT_STATES) {
		args.max_states = (long)number(optarg);
	} else if (c == OPT_SECONDS) {
		args.seconds = number(optarg);
	} else {
		fputs(usage, c == 'h' ? stdout : stderr);
		exit(c == 'h' ? 0 : 2);
	}
}

static const struct ex_scenario *find_scenario(const char *name)
{
	for (const struct ex_scenario *s = ex_scenarios; s->name; s++)
		if (!strcmp(s->name, name))
			return s;
	fprintf(stderr, "explore: there is no scenario '%s'; there are:", name);
	for (const struct ex_scenario *s = ex_scenarios; s->name; s++)
		fprintf(stderr, " %s", s->name);
	fputc('\n', stderr);
	exit(2);
}

static enum ex_memory find_memory(const char *name)
{
	if (!name || !strcmp(name, "sc"))
		return EX_MEM_SC;
	if (!strcmp(name, "tso"))
		return EX_MEM_TSO;
	if (!strcmp(name, "weak"))
		return EX_MEM_WEAK;
	fprintf(stderr, "explore: there is no memory mode '%s'; use sc, tso or weak\n", name);
	exit(2);
}

/** Prints the names of the policies of a scenario, separated by blanks. */
static void print_policies(const char *listed)
{
	bool sleep = listed && !strcmp(listed, EX_POLICIES_THAT_SLEEP);
	bool jec = listed && !strcmp(listed, EX_POLICIES_WITH_JEC);
	const char *blank = "";

	if (!sleep && !jec)
		printf("%s", listed ? listed : "-");
	for (size_t i = 0; (sleep || jec) && doze_policy_at(i); i++) {
		const struct doze_policy_descriptor *d = doze_policy_at(i);
		if (jec ? d->word != DOZE_WORD_RULE_JEC
			: !doze_policy_has_state(d, DOZE_STATE_sleeping))
			continue;
		printf("%s%s", blank, d->name);
		blank = " ";
	}
}

static void list(void)
{
	for (const struct ex_scenario *s = ex_scenarios; s->name; s++) {
		printf("%s\t%u\t", s->name, s->threads);
		print_policies(s->policies);
		printf("\t%s\t%s\t%s\n", s->fails ? s->fails : "-", s->cells ? s->cells : "-",
		       s->title);
	}
}

static const char *verdict_name(const struct ex_result *r)
{
	static const char *const names[] = {"passed", "FAILED", "gave up"};
	return names[r->verdict];
}

static void print_result(const struct ex_result *r)
{
	const char *name = E->scenario->name;
	if (args.tsv) {
		printf("%s\t%s\t%lu\t%lu\t%lu\t%u\t%.3f\t%u\t%lu\t", name, verdict_name(r),
		       (unsigned long)r->executions, (unsigned long)r->states,
		       (unsigned long)r->steps, r->depth, r->seconds, r->length,
		       (unsigned long)r->at_execution);
		const char *comma = "";
		for (unsigned i = 0; i < EX_MAX_NOTES && r->note[i]; i++)
			if (r->note_count[i]) {
				printf("%s%s", comma, r->note[i]);
				comma = ", ";
			}
		printf("%s\t%s\n", r->capped ? " (histories cut)" : "", r->message);
		return;
	}
	printf("%s: %s, %lu executions, %lu states, %lu steps, longest %u, %u shared objects, "
	       "%.2f s%s\n",
	       name, verdict_name(r), (unsigned long)r->executions, (unsigned long)r->states,
	       (unsigned long)r->steps, r->depth, r->shared, r->seconds,
	       r->capped ? ", histories cut" : "");
	for (unsigned i = 0; i < EX_MAX_NOTES && r->note[i]; i++)
		if (r->note_count[i])
			printf("  note: %s (%lu times)\n", r->note[i],
			       (unsigned long)r->note_count[i]);
	if (r->verdict != EX_PASSED)
		printf("  %s\n", r->message);
	if (r->verdict == EX_FAILED)
		printf("  execution %lu, %u steps at choice points, %u preemptions\n",
		       (unsigned long)r->at_execution, r->length, r->preemptions);
}

/** Turns a crash of the explored code, such as a mutant's wild pointer, into a failed execution. */
static void on_crash(int sig)
{
	static const char *const what = "crash: signal";
	snprintf(E->res->message, sizeof(E->res->message), "%s %d in %s", what, sig,
		 E->cur >= 0 ? ex_thread_name(E->cur) : "the explorer");
	if (E->cur < 0 || W->nthreads == 0) {
		fprintf(stderr, "explore: %s\n", E->res->message);
		_exit(3);
	}
	siglongjmp(E->fail, 1);
}

/** Turns an endless loop without a step into a failed execution. Called after each quarter of a
 * second of the program's CPU time, in which any other code makes many steps. Only a jump ends such
 * a loop; the search then ends, too (search.c), because it may have been interrupted anywhere. */
static void on_tick(int sig)
{
	bool loops = E->cur >= 0 && E->resumed && E->resumed == E->resumed_before;

	(void)sig;
	E->resumed_before = E->resumed;
	if (!loops)
		return;
	E->res->loops = true;
	snprintf(E->res->message, sizeof(E->res->message),
		 "livelock: %s loops without making a step", ex_thread_name(E->cur));
	siglongjmp(E->fail, 1);
}

static void watch_loops(void)
{
	struct sigaction sa = {.sa_handler = on_tick,
			       .sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART};
	struct itimerval ticks = {{0, 250000}, {0, 250000}};

	sigaction(SIGVTALRM, &sa, NULL);
	setitimer(ITIMER_VIRTUAL, &ticks, NULL);
}

static void catch_crashes(void)
{
	/* Allocate the stack, because a static buffer would be part of every state. */
	stack_t ss = {.ss_sp = malloc(65536), .ss_size = 65536};
	struct sigaction sa = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
	sigaltstack(&ss, NULL);
	sigaction(SIGSEGV, &sa, NULL);
	sigaction(SIGBUS, &sa, NULL);
	sigaction(SIGFPE, &sa, NULL);
	sigaction(SIGILL, &sa, NULL);
	sigaction(SIGABRT, &sa, NULL);
}

static int show_failure(const struct ex_action *path, unsigned n, struct ex_result *r)
{
	if (args.events) {
		E->record = fopen(args.events, "w");
		if (!E->record) {
			fprintf(stderr, "explore: cannot write %s: %s\n", args.events,
				strerror(errno));
			return 2;
		}
	}
	E->listing = args.show ? stdout : NULL;
	E->drains = true;
	if (args.calls)
		ex_calls_follow();
	bool failed = ex_replay(path, n, r);
	if (E->listing)
		ex_describe_rest(failed);
	E->listing = NULL;
	if (E->record) {
		fprintf(E->record, "end %s\n", failed ? r->message : "end of the schedule");
		fclose(E->record);
	}
	E->record = NULL;
	if (args.show)
		printf("=> %s\n", failed ? r->message : "no failure");
	return failed ? 1 : 0;
}

static int run_search(const struct ex_options *opt, struct ex_result *r)
{
	ex_search(opt, r);
	if (r->verdict == EX_FAILED && args.shortest && !r->livelock && !r->loops)
		ex_shorten(*opt, r);
	print_result(r);
	if (r->verdict != EX_FAILED)
		return r->verdict == EX_PASSED ? 0 : 4;
	char header[256];
	snprintf(header, sizeof(header), "%s --memory=%s --policy=%s", E->scenario->name,
		 args.memory ? args.memory : "sc", opt->policy);
	if (args.schedule && !ex_schedule_write(args.schedule, r, header)) {
		fprintf(stderr, "explore: cannot write %s: %s\n", args.schedule, strerror(errno));
		return 2;
	}
	if (args.show || args.events)
		(void)show_failure(r->path, r->length, r);
	return 1;
}

static int run_replay(const struct ex_options *opt, struct ex_result *r)
{
	/* Set `show` before the first state is saved, because `args` is part of every state. */
	args.show = 1;
	ex_search_prepare(opt, r);
	int n = ex_schedule_read(args.replay, r->path, EX_MAX_PATH);
	if (n < 0)
		return 2;
	return show_failure(r->path, (unsigned)n, r);
}

static int run_one(const struct ex_options *opt, struct ex_result *r)
{
	if (args.events && !(E->record = fopen(args.events, "w"))) {
		fprintf(stderr, "explore: cannot write %s: %s\n", args.events, strerror(errno));
		return 2;
	}
	int rc = args.script ? ex_script(opt, r, args.script)
			     : ex_walk(opt, r, (uint64_t)number(args.walk));
	if (E->record) {
		fprintf(E->record, "end %s\n",
			r->verdict == EX_FAILED ? r->message : "end of the schedule");
		fclose(E->record);
	}
	return rc;
}

static int run(const struct ex_options *opt, struct ex_result *r)
{
	E->goal = args.goal;
	if (args.play)
		return ex_play(opt, r, args.start);
	E->goal_only = args.goal != NULL;
	if (args.script || args.walk)
		return run_one(opt, r);
	return args.replay ? run_replay(opt, r) : run_search(opt, r);
}

int main(int argc, char **argv)
{
	int c;
	ex_coro_setup();
	ex_symbols_load();
	while ((c = getopt_long(argc, argv, "lm:p:b:sh", options, NULL)) != -1)
		take_option(c);
	if (args.list) {
		list();
		return 0;
	}
	if (args.bound > EX_MAX_BOUND) {
		fprintf(stderr,
			"explore: --bound must be at most %d; without --bound there is no limit\n",
			EX_MAX_BOUND);
		return 2;
	}
	if (optind + 1 != argc) {
		fprintf(stderr, "explore: give exactly one scenario; --list lists the scenarios\n");
		return 2;
	}
	catch_crashes();
	watch_loops();
	E->lines = args.lines != 0;
	E->scenario = find_scenario(argv[optind]);
	struct ex_options opt = {.memory = find_memory(args.memory),
				 .bound = args.bound,
				 .old_of = args.old_of,
				 .spurious = (unsigned)args.spurious + E->scenario->spurious,
				 .max_states = (uint64_t)args.max_states,
				 .max_seconds = args.seconds,
				 .policy = args.policy ? args.policy : "jec"};
	struct ex_result *r = calloc(1, sizeof(*r));
	if (!r)
		return 2;
	int rc = run(&opt, r);
	free(r);
	return rc;
}
