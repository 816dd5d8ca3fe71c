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
import re

from framework import course, kinds
from framework.forensics import events, traces, verdicts
from lab_mutants import mutants_of

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = ("fault", "proof", "fix")


def detective(lab):
    with open(os.path.join(HERE, "references", lab.name, "detective.py"), encoding="utf-8") as file:
        return file.read()


def solutions(work, program):
    """Yields (letter, trace, verdict) for each trace, with the verdict that a detective reaches: a program that is given
    as text."""
    space = {}
    exec(compile(program, "detective.py", "exec"), space)  # pylint: disable=exec-used # our own text
    for letter, trace in traces.of(work).items():
        yield letter, trace, space["detective"](events.listing(trace.events).splitlines())


def solve(work, program):
    """Fills in the form of lab 9 with the verdicts that a detective reaches."""
    for letter, trace, verdict in solutions(work, program):
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
    """Yields each seed with which every word of the mutant's `fails:` matches a trace, and the
    tests that must fail with it."""
    words = mutant.get("fails").split()
    for seed in ("mutant%d" % i for i in range(50)):
        work = course.Work(lab, "/", seed)
        if all(expected(work, [word]) for word in words):
            yield seed, expected(work, words)


def mutants(lab):
    """Yields, per mutant and seed: a label, the tests that the mutant must fail, the seed, and a
    function that fills in the forms."""
    for name, mutant in mutants_of(lab.name).items():
        program = mutant.apply(detective(lab))
        for seed, fails in itertools.islice(failing_seeds(lab, mutant), int(mutant.get("seeds", "1"))):
            label = "%s, %s" % (name, seed)
            yield label, fails, seed, lambda work, program=program: solve(work, program)


def replies(work, letter, others=None, **lines):
    """Returns the grader's replies to a verdict on one trace, as (status, message, points deducted) for each test.
    `others`: the verdicts on the other traces."""
    trace = traces.of(work)[letter]
    lines = {"trace": trace.fingerprint(), **lines}
    with open(work.path(letter + ".txt"), "w", encoding="utf-8") as file:
        file.writelines("%s: %s\n" % line for line in lines.items())
    work.verdicts = {**(others or {}), letter: verdicts.Verdict(work, letter, trace)}
    return [verdicts.grade(work, work.lab.test("%s-%s" % (letter, test))) for test in TESTS]


def learned_by_trial(work):
    """Tries each fault, culprit, first bad event and fix without evidence. Yields the traces where a reply shows that one
    of them is right, or names the culprit in reply to the accusation of another thread."""
    for letter, trace in traces.of(work).items():
        accusations = itertools.product([f for f in verdicts.FAULTS if f not in (traces.HEALTHY, traces.UNDECIDED)],
                                        {e.actor for e in trace.events}, range(1, len(trace.events) + 1))
        costs = {replies(work, letter, fault=f, culprit=c, first=n, fix=trace.fix)[0][::2] for f, c, n in accusations}
        right = {"fault": trace.fault, "culprit": trace.culprit(), "first": trace.breach.at + 1 if trace.breach else "none"}
        fixes = {str(replies(work, letter, **right, fix=fix)) for fix in verdicts.FIXES}
        if len(costs) > 1 or len(fixes) > 1:
            yield "%s: %s %s" % (trace.case, costs, fixes)
        for innocent in {e.actor for e in trace.events} - {trace.culprit()} if trace.breach else ():
            reply = replies(work, letter, fault=trace.fault, culprit=innocent, first=right["first"])[0][1]
            if re.search(r"\b%s\b" % trace.culprit(), reply):
                yield "%s: %s" % (trace.case, reply)


def misused_evidence(first, evidence, end):
    """Yields wrong forms of evidence, each with the test that it fails, and a part of the grader's reply."""
    one = evidence.split()[0]
    yield evidence + " " + one, "proof", "the evidence repeats event %s:" % one
    yield "%s %s" % (one, evidence), "proof", "the evidence repeats event %s:" % one
    yield evidence + " %d" % (end + 1), "fault", "the list ends with event %d: event %d does not exist" % (end, end + 1)
    yield "%d %d" % (end + 2, end + 1), "fault", "events %d and %d do not exist" % (end + 1, end + 2)
    if first != "none":
        yield "%s %s" % (first, evidence), "proof", "event %s is the first bad event:" % first
        yield first, "fault", "no evidence"


def unclear_replies(work, program):
    """Spoils the evidence of the right verdicts. Yields the traces where the wrong test fails, or its reply is not clear."""
    right = {}
    for letter, _, verdict in solutions(work, program):
        replies(work, letter, right, **verdict)
        right = work.verdicts
    for letter, trace, verdict in solutions(work, program):
        for evidence, failing, text in misused_evidence(verdict["first"], verdict["evidence"], len(trace.events)):
            said = dict(zip(TESTS, replies(work, letter, right, **dict(verdict, evidence=evidence))))
            good = {t for t in TESTS if said[t][0] == "good"}
            if text not in said[failing][1] or good != (set(TESTS) - {failing} if failing == "proof" else set()):
                yield "%s, evidence %s: %s" % (trace.case, evidence, said)


# A line that cannot be read, and the tests of its trace that cannot be graded without it.
UNREADABLE = (("fix", "pray", ("fix",)), ("first", "17a", TESTS), ("evidence", "3 4 five", TESTS), ("fault", "bad-luck", TESTS),
              ("trace", "00000000", TESTS), ("because", "I say so", TESTS))


def spread_by_one_line(work, program):
    """Spoils one line of one of the right verdicts. Yields the lines that make other tests fail than those that need them."""
    solve(work, program)
    verdicts.given(work)
    with open(work.path("c.txt"), encoding="utf-8") as file:
        right = file.read().splitlines()
    for name, value, tests in UNREADABLE:
        with open(work.path("c.txt"), "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in [*(x for x in right if not x.startswith(name + ":")), "%s: %s" % (name, value)])
        del work.verdicts
        failed = {o.test.name for o in kinds.grade(work, complete=True) if o.status != "good"}
        if failed != {"c-" + test for test in tests}:
            yield "%s: %s fails %s" % (name, value, " ".join(sorted(failed)))
