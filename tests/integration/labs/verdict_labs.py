# SPDX-License-Identifier: MIT
"""Submissions to a lab of verdicts on traces: the reference is a detective, a program that solves the lab from the
lists of events; a mutant is a detective with one typical mistake.

A mutant's `fails:` names tests by the content of their trace, because each seed orders the traces differently:

  miscount:proof        test `proof` of the traces whose fault is a miscount
  wakes-all:*           all tests of the trace of that broken library
  !lost-wakeup:fault    test `fault` of all other traces; *:fault: of all traces

A mutant is graded with one seed, or with the number that its `seeds:` gives.
"""
import itertools
import os

from framework import course
from framework.forensics import events, traces, verdicts
from framework.mutantfile import MutantFile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = ("fault", "proof", "fix")


def detective(lab):
    with open(os.path.join(HERE, "references", lab.name, "detective.py"), encoding="utf-8") as file:
        return file.read()


def solve(work, program):
    """Fills in the verdicts of a detective, given as the text of its program."""
    space = {}
    exec(compile(program, "detective.py", "exec"), space)  # pylint: disable=exec-used # our own text
    for letter, trace in traces.of(work).items():
        verdict = space["detective"](events.listing(trace.events).splitlines())
        work.add(letter + ".txt", "trace: %s\n%s" % (trace.fingerprint(), "".join("%s: %s\n" % p for p in verdict.items())))


def blank(work):
    verdicts.create(work)


def matches(trace, selector):
    if selector.startswith("!"):
        return not matches(trace, selector[1:])
    return selector in ("*", trace.fault, trace.case)


def expected(work, words):
    """Returns the names of the tests that a mutant must fail."""
    failing = set()
    for word in words:
        selector, tests = word.split(":")
        for letter, trace in traces.of(work).items():
            if matches(trace, selector):
                failing |= {"%s-%s" % (letter, t) for t in (TESTS if tests == "*" else [tests])}
    return failing


def failing_seeds(lab, mutant):
    for seed in ("mutant%d" % i for i in range(50)):
        fails = expected(course.Work(lab, "/", seed), mutant.get("fails").split())
        if fails:
            yield seed, fails


def mutants(lab):
    """Yields, per mutant and seed: a label, the tests that the mutant must fail, the seed, and a
    function that fills in the forms."""
    folder = os.path.join(HERE, "mutants", lab.name)
    for name in sorted(os.listdir(folder)):
        mutant = MutantFile(os.path.join(folder, name))
        program = mutant.apply(detective(lab))
        for seed, fails in itertools.islice(failing_seeds(lab, mutant), int(mutant.get("seeds", "1"))):
            label = "%s, %s" % (name.removesuffix(".mutant"), seed)
            yield label, fails, seed, lambda work, program=program: solve(work, program)
