#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scripts that take a name or a word refuse one that does not exist: they exit with 2, and print one line
to stderr that lists the known names. Without this, a misspelt name would run nothing and look as if
everything had passed.

Left out: the programs of tests/bench and tests/soak/future_graphs, which `make test` does not build, and
tests/integration/safety/without_tools.py, which runs make among processes of several users.
"""
import os
import re
import subprocess
import sys
import tempfile

BUILD = os.environ.get("BUILD", "build")
NONE = "no-such-name"
LABS = "01-states 02-lost-wakeup 03-event-counter".split()
failed = 0


def check(sentence, good, why=""):
    global failed
    failed += not good
    print(f"{'passed' if good else 'FAILED'}: {sentence}" + ("" if good else f"\n{why}"))


# (command, some of the names that its message must list)
COMMANDS = [
    ("tests/bench/compare_peers.py --only fib,scope", ["fib", "scope", "trickle"]),
    ("tests/bench/tracing.py --only NONE", ["fib", "fanout"]),
    ("tests/bench/policy_traces.py --detail NONE", ["states", "jobs", "all"]),
    ("tests/proof/mutate NONE", ["block-idle-blind", "rfc-no-last-look"]),
    ("tests/proof/mutate --finding NONE build", ["block-idle-blind"]),
    ("tests/proof/mutate_suites NONE", ["quota-ignored"]),
    ("tests/proof/spin/run NONE", ["--check"]),
    ("tests/integration/catalogue/run.py NONE", ["hang-latch", "storm-trickle"]),
    ("tests/integration/corner_cases/corner_cases_test.py NONE", ["graph", "throws"]),
    ("tests/integration/labs/labs_check.py NONE", LABS),
    ("tests/integration/labs/seeds_check.py NONE", ["01-states", "04-core-latch"]),
    ("tests/integration/labs/quiz_check.py NONE", ["01-states"]),
    ("tests/integration/labs/contest_check.py NONE", ["--measure"]),
    ("tests/integration/labs/play_goals.py NONE", ["01-states/sleepy"]),
    ("tests/integration/labs/play_strategies.py NONE", ["01-states/sleepy"]),
    ("tests/integration/readme/check.py NONE", ["README.md"]),
    ("tests/sanitizers/valgrind/run a/first_test a/second_test", ["a/first_test", "a/second_test"]),
    ("labs/lessons/record NONE", ["states", "lost-wakeup"]),
    ("labs/lab show NONE", LABS),
    ("labs/lab play 2 NONE", ["first", "hang"]),
    ("labs/lab record 10 NONE -o build/never", ["trickle", "tree"]),
    (".ci/lint NONE", ["format", "tidy"]),
    ("$BUILD/tests/soak/stress --policy NONE", ["jec", "condvar"]),
]


def refusal(command, **more):
    """Runs the command with these variables in its environment. Returns its exit code, and what it printed to stderr
    and to stdout."""
    words = command.replace("NONE", NONE).replace("$BUILD", BUILD).split()
    env = {**os.environ, "BUILD": BUILD, "PYTHONDONTWRITEBYTECODE": "1", "ONLY": NONE, **more}
    p = subprocess.run(words, capture_output=True, text=True, timeout=60, env=env, check=False)
    return p.returncode, p.stderr, p.stdout


def needs_valgrind(command):
    return "valgrind" in command and subprocess.run(
        ["sh", "-c", "command -v valgrind"], stdout=subprocess.DEVNULL, check=False).returncode != 0


def explorer_programs(folder):
    """Creates programs that only list one scenario each, in place of the explorer's, which take minutes
    to build."""
    with open("tests/proof/scenarios.py", encoding="utf-8") as f:
        programs = re.findall(r'"([\w-]+)"', re.search(r"^PROGRAMS = \[(.*?)\]", f.read(), re.M | re.S)[1])
    os.makedirs(f"{folder}/explore")
    for program in programs:
        with open(f"{folder}/explore/{program}", "w", encoding="utf-8") as f:
            f.write(f"#!/bin/sh\nprintf 'of-{program}\\t2\\tjec\\t-\\t-\\ttitle\\n'\n")
        os.chmod(f.name, 0o755)


for line, names in COMMANDS:
    if needs_valgrind(line):
        print(f"skipped: {line}: valgrind is not installed: run make setup valgrind")
        continue
    if line.startswith("$BUILD") and not os.path.exists(line.split()[0].replace("$BUILD", BUILD)):
        check(f"{line.split()[0]} is built", False, "run make test ONLY=names_test")
        continue
    code, err, out = refusal(line)
    listed = [name for name in names if name in err.replace(",", " ").split()]
    check(f"{line}: exits with 2, and lists the names in one line",
          code == 2 and err.count("\n") == 1 and listed == names, f"exit {code}\nstdout: {out}\nstderr: {err}")
with tempfile.TemporaryDirectory(prefix="doze-names-") as where:
    explorer_programs(where)
    line = "tests/proof/run --explore --only NONE"
    code, err, out = refusal(line, BUILD=where)
    check(f"{line}: exits with 2, and lists the names in one line",
          code == 2 and err.count("\n") == 1 and "pool/of-pool" in err.split(), f"exit {code}\nstdout: {out}\nstderr: {err}")
sys.exit(1 if failed else 0)
