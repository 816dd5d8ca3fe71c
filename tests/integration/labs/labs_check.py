#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks that the labs with code grade fairly, and prints the table lab x submission x test. For each lab: the stub
builds and fails every test; the reference passes every test, with several seeds; each mutant in mutants/ fails exactly
the tests that it lists (`fails: nothing`: an unusual but correct file); each wrong answer and a missing schedule cost
only their own test; every test has three hints; a student's own part gives at least 30 % of the points. Tests whose
verdict depends on how busy the machine is are left to contest_check.py.

--draw N checks one mutant in N, drawn by the id of the last commit, so that each commit checks others. CI
has time for a fifth of them.

Usage: labs_check.py [--seeds N] [--draw N] [LAB...]        Exit: 0 fair; 1 not; 2 usage.
"""
import argparse
import functools
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [os.path.join(ROOT, "labs"), os.path.join(ROOT, "tests", "fixtures")]
from framework import builds, course, fences, follow, kinds, results  # noqa: E402
from framework.mutantfile import read_series  # noqa: E402
from signals import end_cleanly_on_signals  # noqa: E402
import verdict_labs  # noqa: E402
from lab_mutants import mutants_of  # noqa: E402
from chosen_labs import chosen  # noqa: E402

SIGNS = {"good": "+", "wrong": "-", "missing": "-", "no score": "-", "not decided": "?"}
OWN = ("follow", "script", "verdicts", "verdict")  # tests that depend on the student's seed
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)
        print("NOT FAIR: " + text, flush=True)


def reference(lab):
    """Returns the file that solves the lab, either the library's own or one in references/."""
    own = os.path.join(HERE, "references", lab.name, lab.file)
    return os.path.join(ROOT, lab.replaces) if lab.replaces else own


def right_forms(work):
    """Fills in the forms with the right answers."""
    for test in work.lab.tests:
        if test.kind == "script":
            work.add(test.section["form"], losing_schedule(kinds.goal(work, test)))
        elif test.kind in ("spin", "analysis"):
            shutil.copy(os.path.join(HERE, "references", work.lab.name, test.section["form"]), work.folder)
    if any(t.kind == "verdicts" for t in work.lab.tests):
        write_form(work, "answers.txt", fences.right(work).items())
    followed = next((t for t in work.lab.tests if t.kind == "follow"), None)
    if followed:
        write_form(work, followed.section["form"], ((n, q.answer) for n, q in follow.tasks(work)[1].items()))
    if work.lab.is_quiz():
        write_form(work, "answers.txt", quiz_answers(work.lab).items())


def losing_schedule(goal):
    """Returns a schedule for lab 2 with which the naive pool hangs as the goal requires."""
    moves = ["main: create"]
    for post in goal.split(": ")[1].split(", "):
        moves += ["worker: tiny_work: wait"] if "woke" in post else []
        moves += ["worker: load pool->jobs"] if "came" in post else []
        moves += ["worker: lock"] if "its wait" in post else []
        moves += ["main: tiny_post: notify", "worker: report: unlock", "main: wait_for: unlock"]
    return "\n".join(moves[:-2]) + "\n"


def write_form(work, name, answers):
    with open(work.path(name), "w", encoding="utf-8") as file:
        file.writelines("%s: %s\n" % pair for pair in answers)


@functools.lru_cache
def quiz_answers(lab):
    from right_answers import RIGHT_ANSWERS  # needs Babeltrace's bindings
    return RIGHT_ANSWERS[lab.name](os.path.join(lab.folder, "trace"))


class Submission:
    """One column of the table: a work folder, and the tests that must fail in it."""

    def __init__(self, lab, name, text, fails, seed, spoil=None):
        self.lab, self.name, self.text, self.seed = lab, name, text, seed
        for unknown in sorted(set(fails) - {test.name for test in lab.tests}):
            expect(False, "%s: %s lists the test '%s', which the lab does not have" % (lab.name, name, unknown))
        self.fails = {t.name for t in lab.tests if t.name in fails and not kinds.is_noisy(t)}
        self.spoil, self.signs = spoil, {}

    def grade(self):
        with tempfile.TemporaryDirectory(prefix="doze-labs-") as folder:
            work = course.Work(self.lab, folder, self.seed)
            if self.text is not None:
                work.add(self.lab.file, self.text)
            if self.text is not None and self.name != "stub":
                right_forms(work)
            if self.spoil:
                self.spoil(work)
            try:
                outcomes = kinds.grade(work, None, True, noisy=False)
            except course.Stop as stop:
                expect(self.name == "stub" and stop.code == course.INPUT, "%s, %s: %s" % (self.lab.name, self.name, stop))
                outcomes = []
            self.judge(results.Result(work.lab, outcomes))
        return self

    def judge(self, result):
        self.signs = {o.test.name: SIGNS[o.status] for o in result.outcomes}
        # A measurement on a busy machine may stay undecided.
        unsure = {o.test.name for o in result.outcomes
                  if o.status == "not decided" and o.test.kind == "measure" and o.test.name not in self.fails}
        failed = {o.test.name for o in result.outcomes if o.status != "good"} - unsure
        for o in result.outcomes:
            if o.test.name in unsure:
                print("  %s, %s: test %s is not decided: %s" % (self.lab.name, self.name, o.test.name, o.message), flush=True)
            elif (o.status == "good") == (o.test.name in self.fails):
                expect(False, "%s, %s: test %s is %s: %s" % (self.lab.name, self.name, o.test.name, o.status, o.message))
        if self.fails:
            expect(result.code() == course.LOST, "%s, %s: the exit code is %d" % (self.lab.name, self.name, result.code()))
        if failed != self.fails:
            print("  %s, %s fails: %s" % (self.lab.name, self.name, " ".join(sorted(failed))), flush=True)


def stub_forms(work):
    """Creates the forms as `start` does, with nothing filled in."""
    for name in {t.section["form"] for t in work.lab.tests if t.kind in ("spin", "analysis")}:
        os.makedirs(work.folder, exist_ok=True)
        shutil.copy(os.path.join(work.lab.folder, name), work.folder)
    for name in set(work.lab.forms()) | ({"answers.txt"} if work.lab.is_quiz() else set()):
        work.add(name, "")


def spoiled(name):
    def spoil(work):
        test = work.lab.test(name)
        path, row = work.path(test.section["form"]), test.section.get("rows", name).split()[-1]
        if test.kind == "script":
            os.remove(path)
            return
        with open(path, encoding="utf-8") as file:
            lines = [row + ": 9 9 9\n" if line.startswith(row + ":") else line for line in file]
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)
    return spoil


def edited(mutant):
    """Returns a function that applies a mutant to the file that it names, which is not the
    student's code."""
    def spoil(work):
        path = work.path(mutant.get("in"))
        with open(path, encoding="utf-8") as file:
            text = mutant.apply(file.read())
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return spoil


def fails(mutant):
    """Returns the names of the tests that a mutant must fail: none for an unusual but correct file."""
    names = mutant.get("fails").split()
    return [] if names == ["nothing"] else names


def mutants(lab, text):
    proofs = read_series(os.path.join(ROOT, "tests", "proof", "mutants", "*.mutants"))
    for name, own in mutants_of(lab.name).items():
        of = own.get("of")
        if own.get("in"):
            yield Submission(lab, name, text, fails(own), "mutant", edited(own))
            continue
        edits = proofs[of] if of else own
        yield Submission(lab, name, edits.apply(text), fails(own), "mutant")


def verdict_submissions(lab, seeds):
    yield Submission(lab, "stub", None, [t.name for t in lab.tests], "stub", verdict_labs.blank)
    for i in range(seeds):
        right = verdict_labs.detective(lab)
        yield Submission(lab, "reference %d" % (i + 1), None, [], "seed %d" % (i + 1),
                         lambda work: verdict_labs.solve(work, right))
    for name, fails, seed, fill in verdict_labs.mutants(lab):
        yield Submission(lab, name, None, fails, seed, fill)


def submissions(lab, seeds):
    if lab.has("verdict"):
        yield from verdict_submissions(lab, seeds)
        return
    everything = [t.name for t in lab.tests]
    with open(reference(lab), encoding="utf-8") as file:
        right = file.read()
    with open(os.path.join(lab.folder, lab.file), encoding="utf-8") as file:
        stub = file.read()
    yield Submission(lab, "stub", stub, everything, "stub", stub_forms)
    for i in range(seeds):
        yield Submission(lab, "reference %d" % (i + 1), right, [], "seed %d" % (i + 1))
    for test in lab.tests:
        if test.kind in OWN:
            yield Submission(lab, "wrong " + test.name, right, [test.name], "wrong", spoiled(test.name))
    yield from mutants(lab, right)


@functools.lru_cache
def last_commit():
    """Returns the id of the last commit, or "" outside a repository."""
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False).stdout.strip()


def is_drawn(submission, draw):
    """Returns whether this submission is checked. Only mutants are drawn."""
    if submission.name.startswith(("stub", "reference ", "wrong ")):
        return True
    text = "%s %s %s" % (last_commit(), submission.lab.name, submission.name)
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % draw == 0


def check_descriptor(lab):
    for test in lab.written:  # quiz_check.py checks the other labs
        for i, hint in enumerate(test.hints):
            expect(len(hint) > 20, "%s: test %s has no hint %d" % (lab.name, test.name, i + 1))
        for needed in test.needs:
            expect(lab.tests.index(lab.test(needed)) < lab.tests.index(test), "%s: test %s requires the later test %s" % (lab.name, test.name, needed))
    own = sum(t.points for t in lab.tests if t.kind in OWN)
    most = sum(t.points for t in lab.tests)
    expect(own >= 0.3 * most, "%s: only %d of %d points come from the student's own seed" % (lab.name, own, most))


def check_trial(lab):
    with tempfile.TemporaryDirectory(prefix="doze-labs-") as folder:
        for learned in verdict_labs.learned_by_trial(course.Work(lab, folder, "trial")):
            expect(False, "%s: lines of a verdict can be found one by one: %s" % (lab.name, learned))
        for unclear in verdict_labs.unclear_replies(course.Work(lab, folder, "trial"), verdict_labs.detective(lab)):
            expect(False, "%s: misused evidence is not refused clearly: %s" % (lab.name, unclear))
    with tempfile.TemporaryDirectory(prefix="doze-labs-") as folder:
        for spread in verdict_labs.spread_by_one_line(course.Work(lab, folder, "trial"), verdict_labs.detective(lab)):
            expect(False, "%s: a line that cannot be read costs the wrong tests: %s" % (lab.name, spread))


def table(lab, done):
    names = [t.name for t in lab.tests if not kinds.is_noisy(t)]
    lines = ["", "## %s" % lab.name, "", "| submission | %s |" % " | ".join(names), "|---" * (len(names) + 1) + "|"]
    for s in done:
        lines.append("| %s | %s |" % (s.name, " | ".join(s.signs.get(n, " ") for n in names)))
    return "\n".join(lines)


def check(lab, seeds, draw):
    """Returns the number of submissions that were checked, and of all."""
    check_descriptor(lab)
    builds.how()
    every = list(submissions(lab, seeds))
    chosen_ones = [s for s in every if is_drawn(s, draw)]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        done = list(pool.map(lambda s: s.grade(), chosen_ones))
    if lab.has("verdict"):
        check_trial(lab)
    print(table(lab, done), flush=True)
    shutil.rmtree(builds.programs, ignore_errors=True)
    return len(done), len(every)


def main():
    end_cleanly_on_signals()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--draw", type=int, default=1)
    parser.add_argument("labs", nargs="*")
    args = parser.parse_args()
    labs = chosen(args.labs, [lab for lab in course.labs() if lab.is_code()], "code")
    if args.draw < 1:
        parser.error("--draw: must be at least 1")
    # A folder of its own, which `check` removes: other tests use programs in the usual one at the same time.
    builds.programs = os.path.join(course.BUILD, "labs", "checked")
    counts = [check(lab, args.seeds, args.draw) for lab in labs]
    print("\nlabs: %d of %d submissions to %d labs checked with %d seeds, %d problems" % (
        sum(done for done, _ in counts), sum(every for _, every in counts), len(labs), args.seeds, len(problems)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
