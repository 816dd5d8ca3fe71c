#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Follows every "To add a ..." recipe of the READMEs in a scratch copy of the tree: a policy, an event,
a check rule, a view, a command, a demo, a lab and a lesson. Then builds the copy and looks for each addition in
every place where its README says that it appears. A recipe may touch four files, not counting tests.

Usage: recipes_test.py     Environment: BUILD (its objects are reused), MAKE.    Exit: 0 passed; 1 not.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fixtures"))
import patience  # noqa: E402
from recipe import Recipe, expect, problems  # noqa: E402

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("BUILD", "build")
HEAD = "/*\n * SPDX-License-Identifier: MIT\n *\n * %s\n */\n"


def add_policy(root):
    r = Recipe(root, "a policy", "lib/sleep/README.md")
    r.create("lib/sleep/recipe.c", HEAD % "recipe.c - policy `recipe`: rfc under another name." + '''
#include "report.h"
#include "rfc.h"

const struct doze_sleep_policy doze_policy_recipe = {
    .name = "recipe",
    .summary = "rfc under another name",
    DOZE_RFC_HOOKS,
    .new_jobs = doze_rfc_new_jobs,
};
''')
    r.insert("lib/sleep/registry.c", r"struct doze_sleep_policy doze_policy_jec,", " doze_policy_recipe,")
    r.insert("lib/sleep/registry.c", r"&doze_policy_jec,\s*", "&doze_policy_recipe, ")
    r.create("viz/trace/policies/recipe.c", HEAD % "recipe.c - descriptor of `recipe`." + '''
#include "common.h"

static uint32_t wakes_recipe(const struct doze_wake_facts *f)
{
	return f->idle < f->jobs;
}

const struct doze_policy_descriptor doze_policy_recipe_descriptor = {
    .name = "recipe",
    .rounds_until_sleepy = 32,
    .rounds_until_sleeping = 33,
    .legal = {LEGAL_ALWAYS,
	      LEGAL_SLEEPING(REASON(woken) | REASON(self_wake) | REASON(found_injected) |
			     REASON(found_broadcast) | REASON(latch_set))},
    .word = DOZE_WORD_RULE_COUNTS,
    .count_out = DOZE_COUNT_OUT_SLEEPER,
    .sees = DOZE_SEES_WORD,
    .aim = DOZE_AIM_AGAIN,
    .latch = DOZE_LATCH_WAKES_OWNER,
    .causes = CAUSES_ALWAYS,
    .wakes = wakes_recipe,
    .sentences = SENTENCES{SLEEPER_COUNTS_OUT,
			   {ON(post), "A post wakes one sleeper when too few workers are idle."},
			   END_OF_SENTENCES},
};
''')
    r.insert("viz/trace/policies.h", r"X\(jec\)", " X(recipe)")
    r.done()


def add_event(root):
    r = Recipe(root, "an event", "tracepoints/README.md")
    r.insert("lib/trace.h", r"	X\(woken,[^\n]*\\\n",
             "	X(recipe, (uint32_t pool, int32_t worker, uint64_t amount), (pool, worker, amount)) \\\n")
    r.insert("tracepoints/doze_tp.h", r"LTTNG_UST_TRACEPOINT_LOGLEVEL\(doze, woken, [^\n]*\n", '''
LTTNG_UST_TRACEPOINT_EVENT(doze, recipe,
	LTTNG_UST_TP_ARGS(uint32_t, pool, int32_t, worker, uint64_t, amount),
	LTTNG_UST_TP_FIELDS(
		DOZE_TP_WHO
		DOZE_TP_U64(amount, amount)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, recipe, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)
''')
    r.insert("tracepoints/README.md", r"(?=### sleep_abort\n)", '''### recipe
Emitted by the test of the recipes. No lock. State: no.

| field | type | |
|---|---|---|
| pool | u32 | |
| worker | i32 | |
| amount | u64 | of anything |

''')
    r.insert("viz/trace/event.h", r"X\(search\)", " X(recipe)")
    r.done()
    # The library itself emits the event: the pools of this copy emit it when they start.
    with open(os.path.join(root, "lib/create.c"), encoding="utf-8") as f:
        text = f.read()
    with open(os.path.join(root, "lib/create.c"), "w", encoding="utf-8") as f:
        f.write(re.sub(r"(\n\tdoze_trace_pool_start\([^;]*;\n)", r"\1\tdoze_trace_recipe(pool->id, -1, 7);\n",
                       text, count=1))


def add_rule(root):
    r = Recipe(root, "a rule", "viz/model/check.md")
    r.insert("viz/model/check_int.h", r"void check_rule_wake\([^;]*;\n",
             "void check_rule_recipe(struct check_pool *, const struct doze_event *);\n")
    r.insert("viz/model/rules_wake.c", r"\Z", '''
void check_rule_recipe(struct check_pool *p, const struct doze_event *e)
{
	if (e->kind == DOZE_EV_worker_start && e->worker == 1)
		doze_model_finding(p->model, "recipe", doze_pool_key(p->v, e->worker), e->ts,
				   "worker 1 has started");
}
''')
    r.insert("viz/model/checker.c", r"\n\tcheck_rule_jec\(p, w, e\);\n", "\tcheck_rule_recipe(p, e);\n")
    r.insert("viz/words/rule_text.c", r"\} rules\[\] = \{\n", '    {"recipe", "Worker 1 never starts."},\n')
    r.done()


def add_view(root):
    r = Recipe(root, "a view", "viz/show/README.md")
    r.create("viz/show/recipe_view.c", HEAD % "recipe_view.c - the view `recipe`: counts the events." + '''
#include "view.h"

struct recipe {
	unsigned events;
};

static struct doze_model *recipe_open(void *state, const struct doze_view_request *r)
{
	(void)state;
	(void)r;
	return doze_model_new(NULL, NULL);
}

static void recipe_feed(void *state, struct doze_model *m, const struct doze_event *e)
{
	((struct recipe *)state)->events++;
	doze_model_feed(m, e);
}

static void recipe_print(void *state, const struct doze_model *m,
			 const struct doze_view_request *r)
{
	(void)m;
	fprintf(r->out, "recipe: %u events\\n", ((struct recipe *)state)->events);
}

const struct doze_view doze_recipe_view = {
    .name = "recipe",
    .size = sizeof(struct recipe),
    .open = recipe_open,
    .feed = recipe_feed,
    .print = recipe_print,
};
''')
    r.insert("viz/show/module.mk", r"VIZ_SRC \+= \\\n", "	viz/show/recipe_view.c \\\n")
    r.insert("viz/show/view.h", r"#define DOZE_VIEWS\(X\)[^\n]*\\\n", '	X(recipe, "Count the events")  \\\n')
    r.insert("viz/cli/cmd.c", r"(?=    \{\.name = \"storms\",)", '''    {.name = "recipe",
     .args = "DIR",
     .summary = "the number of events",
     .view = &doze_recipe_view,
     .min = 1,
     .max = 1},
''')
    r.done()


def add_command(root):
    r = Recipe(root, "a command", "viz/cli/README.md")
    r.create("viz/cli/cmd_greet.c", HEAD % "cmd_greet.c - `doze greet`." + '''
#include <stdio.h>

#include "cmd.h"
#include "options.h"

int cmd_greet(const struct doze_cmd *cmd, int argc, char **argv)
{
	struct doze_options o;
	int rc = doze_options_parse(cmd, &o, argc, argv);

	if (rc >= 0)
		return rc;
	puts("good morning");
	return DOZE_EXIT_OK;
}
''')
    r.insert("viz/cli/module.mk", r"VIZ_SRC \+= \\\n", "	viz/cli/cmd_greet.c \\\n")
    r.insert("viz/cli/cmd.h", r"int cmd_doctor\([^;]*;\n", "int cmd_greet(const struct doze_cmd *, int, char **);\n")
    r.insert("viz/cli/cmd.c", r"(?=    \{\.name = \"storms\",)",
             '    {.name = "greet", .args = "", .summary = "a greeting", .run = cmd_greet},\n')
    r.done()


def add_demo(root):
    r = Recipe(root, "a demo", "viz/cli/demo/README.md")
    r.create("viz/cli/demo/blink.c", HEAD % "blink.c - the workload `blink`: one job." + '''
#include <stdio.h>

#include "demo.h"

static void blink(void *arg)
{
	*(bool *)arg = true;
}

static bool blink_run(doze_pool *pool, const long *values)
{
	bool seen = false;

	(void)values;
	doze_install(pool, blink, &seen);
	puts("blinked");
	return seen;
}

const struct demo demo_blink = {"blink", "one job", {{0}}, blink_run};
''')
    r.insert("viz/cli/demo/module.mk", r"VIZ_SRC \+= \\\n", "	viz/cli/demo/blink.c \\\n")
    r.insert("viz/cli/demo/demo.h", r"extern const struct demo [^;]*", ", demo_blink")
    r.insert("viz/cli/demo/demo.c", r"demo_all\[\] = \{", "&demo_blink, ")
    r.done()


def add_pane(root):
    r = Recipe(root, "a pane", "viz/viewer/README.md")
    r.create("viz/viewer/panes/recipe.c", HEAD % "recipe.c - the pane `recipe`: counts the events." + '''
#include <inttypes.h>

#include "panes.h"

static void draw(const struct tui_scene *s, struct tui_textbox *p)
{
	tui_sayf(p, TUI_PLAIN, "%" PRIu64 " events so far", s->now.totals.events);
}

const struct tui_pane_type tui_pane_recipe = {
    .name = "recipe",
    .what = "the number of events",
    .draw = draw,
};
''')
    r.insert("viz/viewer/module.mk", r"VIZ_SRC \+= \\\n", "	viz/viewer/panes/recipe.c \\\n")
    r.insert("viz/viewer/panes/panes.h", r"#define TUI_PANES\(X\)[^\n]*\n\tX\(story\)", " X(recipe)")
    r.done()


def add_lab(root):
    r = Recipe(root, "a lab", "labs/README.md")
    r.create("labs/98-recipe/lab.ini", "[lab]\ntitle = A recipe\nweek = 9\nminutes = 5\nteaches = nothing\n"
             "requires = nothing\n")
    r.create("labs/98-recipe/README.md", "# Lab 98: a recipe\n\nCount the workers.\n")
    with open(os.path.join(root, "labs/01-states/questions.c"), encoding="utf-8") as f:
        text = f.read()
    r.create("labs/98-recipe/questions.c", text.replace('"01-states"', '"98-recipe"'))
    shutil.copytree(os.path.join(root, "labs/01-states/trace"), os.path.join(root, "labs/98-recipe/trace"))
    r.insert("tests/integration/labs/right_answers.py", r"RIGHT_ANSWERS = \{", '"98-recipe": answers_01_states, ')
    r.done()


def add_lesson(root):
    r = Recipe(root, "a lesson", "labs/lessons/README.md")
    r.create("labs/lessons/recipe.lesson", "number: 90\ntitle: A recipe\nabout: how to add one\n"
             "recording: recordings/states\n\nat: w1 sleeping 1\npane: automaton\ntext: Now w1 sleeps.\n"
             "ask: Who wakes it?\nright: A post\nwrong: Nobody\n")
    r.done()


def run(root, *command, env=None):
    done = patience.run(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                        env=dict(os.environ, BUILD="build", **(env or {})), timeout=900, check=False)
    return done.returncode, done.stdout


def copy_tree(root):
    """Copies the tracked files and, to save time, the object files."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, stdout=subprocess.PIPE, text=True,
                           check=True).stdout.split("\0")
    for name in filter(None, names):
        if os.path.exists(os.path.join(TOP, name)):
            os.makedirs(os.path.dirname(os.path.join(root, name)) or root, exist_ok=True)
            shutil.copy2(os.path.join(TOP, name), os.path.join(root, name), follow_symlinks=False)
    if os.path.isdir(os.path.join(TOP, BUILD, "obj")):
        shutil.copytree(os.path.join(TOP, BUILD, "obj"), os.path.join(root, "build", "obj"), symlinks=True)


def check_help(root):
    _, text = run(root, "build/doze", "help")
    expect(re.search(r"^  recipe\b", text, re.M) and re.search(r"^  greet\b", text, re.M),
           "doze help lists the new view and the new command")
    _, text = run(root, "build/doze", "help", "live")
    expect("recipe" in text, "doze help live lists the new policy")
    rc, text = run(root, "build/doze", "greet")
    expect(rc == 0 and text == "good morning\n", "the new command runs")
    _, text = run(root, "build/doze", "demo", "--list")
    expect("blink" in text, "doze demo --list has the new demo")
    _, text = run(root, "build/doze", "check", "--rules")
    expect("Worker 1 never starts." in text, "doze check --rules has the new rule")
    _, text = run(root, "babeltrace2", "--plugin-path=build", "help", "sink.doze.recipe")
    expect("Count the events" in text, "the new view is a sink of the plug-in")
    rc, text = run(root, "make", "--no-print-directory", "docs")
    expect(rc == 0 and os.path.exists(os.path.join(root, "build/man/man1/doze-greet.1")),
           "the new command has a man page")


def check_viewer(root):
    _, text = run(root, "build/doze", "replay", "--once", "--size=200x24", "tests/fixtures/phases")
    _, lessons = run(root, "build/doze", "lesson")
    expect("recipe         A recipe: how to add one" in lessons, "doze lesson lists the new lesson")
    rc, lesson = run(root, "build/doze", "lesson", "recipe", "--once", "--keys=1")
    expect(rc == 0 and "Now w1 sleeps." in lesson and "1 of 1 right" in lesson, "the new lesson runs")
    expect("[story]" in text and " recipe " in text, "the new pane has a tab in the viewer")


def check_trace(root, folder):
    trace = os.path.join(folder, "trace")
    rc, text = run(root, "build/doze", "record", "-o", trace, "--workers=2", "--policy=recipe", "--",
                   "build/doze", "demo", "blink")
    expect(rc == 0, "the new demo is recorded under the new policy (%s)" % text.strip().splitlines()[-1])
    _, text = run(root, "babeltrace2", trace)
    expect("doze:recipe:" in text and "amount = 7" in text, "the new event is in the trace")
    expect('policy = "recipe"' in text, "the trace names the new policy")
    rc, text = run(root, "build/doze", "recipe", trace)
    expect(rc == 0 and re.match(r"recipe: \d+ events\n", text), "the new view runs on the new recording")
    rc, text = run(root, "build/doze", "check", trace)
    expect(rc == 1 and "recipe" in text and "worker 1 has started" in text,
           "doze check reports the new rule, and nothing else")
    expect(text.count("worker 1 has started") == 1 and "transition" not in text,
           "check knows the new policy from its descriptor")
    _, text = run(root, "build/doze", "export", "--format=json", trace)
    expect('"event":"recipe"' in text, "the new event is exported")


def make(root, *goals):
    jobs = "-j%d" % len(os.sched_getaffinity(0))
    return run(root, os.environ.get("MAKE", "make"), "--no-print-directory", jobs, *goals)


def check_policy(root):
    """Looks for the new policy in the tests that cover every policy. None of them was edited."""
    explorer, bulk, contract = "build/explore/pool", "build/tests/unit/lib/bulk_test", "build/tests/unit/contract/contract_test"
    rc, text = make(root, explorer, bulk, contract, "build/tests/fixtures/print-policies")
    expect(rc == 0, "the tests of policies build with the new one" + ("" if rc == 0 else ":\n" + text[-3000:]))
    _, text = run(root, explorer, "--list")
    rows = [line.split("\t") for line in text.splitlines()]
    expect(any(row[0] == "inject" and "recipe" in row[2].split() for row in rows), "the explorer's scenarios list the new policy")
    rc, text = run(root, explorer, "inject", "--policy=recipe")
    expect(rc == 0 and "inject: passed" in text, "the explorer finds no fault in it")
    rc, text = run(root, contract, env={"CONTRACT_WORKERS": "2"})
    expect(rc == 0 and re.search(r"under recipe[ .]*passed", text), "the contract suite tests it")
    rc, text = run(root, "tests/integration/corner_cases/corner_cases_test.py", "jumps")
    expect(rc == 0 and re.search(r"\brecipe\b", text), "the corner cases run it")
    _, text = run(root, "/usr/bin/python3", "-B", "-c", "import sys; sys.path.insert(0, 'tests/integration/catalogue')\n"
                  "import healthy; print(*(healthy.kind(i)[0] for i in range(20)))")
    expect("recipe" in text.split(), "the catalogue records it")
    # A test that takes its expectations from the descriptors must fail once the descriptor is wrong.
    rc, _ = run(root, bulk)
    expect(rc == 0, "a post of several jobs wakes as many workers as the new descriptor says")
    descriptor = os.path.join(root, "viz/trace/policies/recipe.c")
    with open(descriptor, encoding="utf-8") as f:
        text = f.read()
    with open(descriptor, "w", encoding="utf-8") as f:
        f.write(text.replace("return f->idle < f->jobs;", "return 2 * (f->idle < f->jobs);"))
    make(root, bulk)
    rc, _ = run(root, bulk)
    expect(rc != 0, "a wrong descriptor fails that test")


def check_lab(root):
    rc, text = run(root, "labs/lab", "list")
    expect(rc == 0 and "98-recipe" in text, "labs/lab list has the new lab")
    rc, text = run(root, "tests/integration/labs/quiz_check.py", "98-recipe")
    expect(rc == 0, "the new lab passes labs-check: " + text.strip().splitlines()[-1])
    rc, text = run(root, "labs/lab", "start", "98")
    expect(rc == 0 and "answers.txt" in text, "labs/lab start creates the form of the new lab")
    rc, text = run(root, "labs/lab", "grade", "98")
    expect(rc == 1 and "score: 0 of 16" in text, "labs/lab grade gives the empty form no points")


def main():
    with tempfile.TemporaryDirectory(prefix="doze-recipes-") as folder:
        root = os.path.join(folder, "tree")
        copy_tree(root)
        for add in (add_policy, add_event, add_rule, add_view, add_command, add_demo, add_pane, add_lab, add_lesson):
            add(root)
        rc, text = make(root, "all", "build/tests/unit/trace/policies_test")
        expect(rc == 0, "the tree builds with all additions")
        if rc != 0:
            print(text[-3000:])
            return 1
        rc, text = run(root, "build/tests/unit/trace/policies_test")
        print("" if rc == 0 else text)
        expect(rc == 0, "the registry and the descriptors agree")
        check_help(root)
        check_viewer(root)
        check_trace(root, folder)
        check_lab(root)
        check_policy(root)
    print("%d problems" % len(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(patience.exit_code(main, lambda: len(problems)))
