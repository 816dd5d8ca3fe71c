#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks how lab 7 judges measurements: the arithmetic on invented runs, and programs that do not end.
None of these checks depends on how busy the machine is.

Usage: storm_check.py     Environment: BUILD.     Exit: 0 passed; 1 not.
"""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [os.path.join(ROOT, "labs"), os.path.join(ROOT, "tests", "fixtures")]
from framework import builds, contest, course, kinds, storm  # noqa: E402
from signals import end_cleanly_on_signals  # noqa: E402

problems = []


def expect(condition, text):
    print("%s: %s" % ("ok" if condition else "FAILED", text), flush=True)
    if not condition:
        problems.append(text)


def runs(halves, wakes=3, futile=2, jobs=100):
    """Returns the figures of runs with these median latencies, in us."""
    return storm.Measured([(jobs, wakes * jobs, futile * jobs, 1000 * us, 2000 * us) for us in halves])


def look_at_latency():
    def judged(mine, theirs):
        return storm.judge_latency(runs(mine), runs(theirs))[0]
    expect(judged([6, 16, 46, 46, 46], [6, 6, 6, 16, 46]) == "good", "runs whose workers were placed badly are no fault of the file")
    expect(judged([46, 46, 46, 46, 46], [6, 6, 6, 16, 47]) == "not decided",
           "a latency that the library's slowest run also had is not wrong")
    expect(judged([3006, 3016, 3046], [6, 6, 46]) == "wrong", "a latency above all of the library's runs is wrong")


def look_at_wakes():
    def judged(wakes, futile, jobs=100):
        return storm.judge_storm(runs([6], wakes, futile, jobs), runs([6]))[0]
    expect(judged(3, 2, jobs=20) == "good", "a run that was cut short on a busy machine is judged by its wakes per job")
    expect(judged(8, 7) == "wrong" and judged(4, 3) == "not decided", "too many wakes are wrong, a few more are not decided")


def program(folder, name, body):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + body)
    os.chmod(path, 0o755)
    return path


def look_at_stuck(folder):
    stuck = program(folder, "stuck", "exit 3\n")
    quick = program(folder, "quick", "echo 100 300 200 6000 9000\n")
    for own, library, busy in ((stuck, quick, False), (stuck, stuck, True), (quick, stuck, True)):
        try:
            storm.measured(own, library)
            said = None
        except storm.Stuck as error:
            said = error.busy
        expect(said == busy, "%s beside %s: %s" % (*(os.path.basename(p) for p in (own, library)), "the machine" if busy else "the file"))


def look_at_contest(folder):
    stuck = program(folder, "stuck-contest", "echo stuck; exit 1\n")
    quick = program(folder, "quick-contest", "echo 100 1000 10 50\n")
    real = contest.builds.real_program
    lab = course.find("10")
    test = next(t for t in lab.tests if t.kind == "contest" and t.section["judge"] == "time")
    work = course.Work(lab, folder, "seed")
    with open(os.path.join(ROOT, lab.replaces), encoding="utf-8") as file:
        work.add(lab.file, file.read().replace('.name = "jec"', '.name = "mine"'))
    kinds.own_policy(work)  # reads the name while real_program is still the real one
    try:
        for library, status in ((quick, "wrong"), (stuck, "not decided")):
            contest.builds.real_program = lambda _lab, path, library=library: stuck if path else library
            outcome = kinds.grade_contest(work, test, False)
            expect(outcome.status == status, "contest, own pool stuck, library's %s: %s" % (
                "too" if library == stuck else "not", outcome.message))
    finally:
        contest.builds.real_program = real


def main():
    end_cleanly_on_signals()
    builds.how()
    with tempfile.TemporaryDirectory(prefix="doze-storm-") as folder:
        look_at_latency()
        look_at_wakes()
        look_at_stuck(folder)
        look_at_contest(folder)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
