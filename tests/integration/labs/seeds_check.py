#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that a student's own part cannot be copied: for each lab with questions about a random run, the answers of
one seed are all correct for at most one other seed, and no single answer is correct for most seeds. Where a lab's answers
must differ from each other (lab 4), they do, also with the practice seed.

Usage: seeds_check.py [--seeds N] [LAB...]        Exit: 0 all differ enough; 1 not; 2 usage.
"""
import argparse
import collections
import os
import sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[:0] = [os.path.join(ROOT, "labs"), os.path.join(ROOT, "tests", "fixtures")]
from framework import builds, course, follow  # noqa: E402
from chosen_labs import chosen  # noqa: E402
from signals import end_cleanly_on_signals  # noqa: E402

TOGETHER = 2    # number of seeds that may share all their answers
HIGHEST = 0.4   # share of the points that another student's answers may earn on average


def shared(answers, points):
    """Returns the mean share of the points that one seed's answers earn with another seed."""
    pairs = [(a, b) for a in answers for b in answers if a is not b]
    earned = sum(p for a, b in pairs for x, y, p in zip(a, b, points) if x == y)
    return earned / (len(pairs) * sum(points))


def check(lab, seeds):
    """Checks one lab with several seeds. Returns the number of problems."""
    tests = [t for t in lab.tests if t.kind == "follow"]
    answers = []
    for seed in ["practice"] + ["seed %d" % i for i in range(1, seeds)]:
        questions = follow.tasks(course.Work(lab, "/nonexistent", seed))[1]
        answers.append(tuple(questions[t.name].answer for t in tests))
    (most, times), = collections.Counter(answers).most_common(1)
    share = shared(answers, [t.points for t in tests])
    copied = tests[0].section["ask"] in follow.DIFFERENT and sum(len(set(a)) < len(a) for a in answers)
    if copied:
        print("TOO ALIKE: %s: with %d seeds, one answer can be copied from another" % (lab.name, copied))
    bad = (times > TOGETHER) + (share > HIGHEST) + (copied > 0)
    print("%s%-18s %d seeds, at most %d with the same answers (%s); another student's answers earn %.0f %% of the points" % (
        "TOO ALIKE: " if bad else "", lab.name, seeds, times, " / ".join(most), 100 * share), flush=True)
    return bad


def main():
    end_cleanly_on_signals()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("labs", nargs="*")
    args = parser.parse_args()
    labs = chosen(args.labs, [lab for lab in course.labs() if lab.has("follow")], "questions about a random run")
    builds.how()
    problems = sum(check(lab, args.seeds) for lab in labs)
    print("seeds: %d labs, %d problems" % (len(labs), problems))
    return 1 if problems or not labs else 0


if __name__ == "__main__":
    sys.exit(main())
