# SPDX-License-Identifier: MIT
"""The student's verdicts: one file per trace, checked against the trace.

An accusation that its own events do not prove costs a point, whether it is true or not: otherwise the reply would show
whether it is true. `healthy` and `undecided` accuse no thread, so they cost nothing. They score only if the student has
proved at least one fault, because otherwise a guess would score.
"""
import os
import re

from ..course import INPUT, BadFile
from . import arguments, traces
from .events import listing

FAULTS = {
    "lost-wakeup": "a worker falls asleep although a job was posted after it became sleepy",
    "under-wake": "a post decides on fewer wakes than its jobs need",
    "storm": "more workers are woken than the jobs need, or than was decided",
    "double-run": "a job runs twice",
    "hang-on-latch": "the owner of a latch sleeps, and the latch is set without a wake",
    "miscount": "a step leaves the counts wrong",
    traces.HEALTHY: "no fault: the library is correct",
    traces.UNDECIDED: "the trace does not show whether there is a fault",
}
FIXES = {
    "compare-jec": "fall asleep only if the JEC is still the one that the worker became sleepy with",
    "count-the-post": "make the JEC odd at each post",
    "wake-for-each-job": "decide on a wake for each job that no searching worker takes",
    "wake-what-jobs-need": "decide on no more wakes than there are jobs without a searching worker",
    "obey-the-decision": "stop waking once the decided number of workers has been woken",
    "take-once": "take a job in one atomic step, or under a lock",
    "wake-the-owner": "wake the owner of a latch that was SLEEPING when it was set",
    "mark-the-latch": "move the latch to SLEEPING before falling asleep",
    "count-the-wake": "the waker subtracts the sleeper from the count",
    "count-the-find": "a worker that finds a job subtracts itself from the inactive count",
    "notify-all": "wake all workers at each post",
    "timed-sleep": "sleep for at most 10 ms, then check again",
    "record-again": "nothing yet: record again, with larger buffers",
    "none": "nothing",
}
RULES = {
    "lost-wakeup": "Compare the JEC of each step to sleeping with that of the same worker's step to sleepy, and check whether "
                   "each post leaves the JEC odd.",
    "under-wake": "For each post, compute the wakes that its own counts demand: jobs - idle if the queue was empty, else jobs; at "
                  "most sleeping. Which post decides on fewer, and which workers sleep then?",
    "storm": "For each post, compute the wakes that its own counts demand, then count the wakes with its decision number.",
    "double-run": "Write down the number of each job that starts. Which one appears twice?",
    "hang-on-latch": "A worker moves its latch to SLEEPING, then sleeps; a thread that finds SLEEPING when it sets the "
                     "latch wakes the owner next. Which of the two steps is missing?",
    "miscount": "Compare both words of each event: a wake decrements sleeping; a worker that finds a job decrements "
                "inactive. By which event had that worker been counted?",
    traces.HEALTHY: "Check every rule of the table. If none is broken, show for each job that it started.",
    traces.UNDECIDED: "Which event should come next after the last decision? Could it be among the discarded ones?",
}
FIELDS = ("trace", "fault", "culprit", "first", "evidence", "fix")
COST = 1


def form(letter, trace):
    lines = ["# Your verdict on trace %s: events-%s.txt, the same as doze replay traces/%s" % (letter, letter, letter),
             "trace: %s (leave this as it is)" % trace.fingerprint(), "", "# one of"]
    lines += ["#   %-14s %s" % pair for pair in FAULTS.items()]
    lines += ["fault:", "", "# the thread that breaks the rule: w0, w1, w2 or outside; or none", "culprit:", "",
              "# the number of the first event that breaks a rule; or none", "first:", "",
              "# the numbers of the other events that prove it, each once, no superfluous ones: at most %d; for healthy," % arguments.MOST_CITED,
              "# instead, each job_start, however many",
              "evidence:", "", "# one of"]
    lines += ["#   %-20s %s" % pair for pair in FIXES.items()]
    return "\n".join(lines + ["fix:"]) + "\n"


def create(work):
    """Writes the traces, and the forms that do not exist yet. Returns the names of the new
    forms."""
    created = []
    for letter, trace in traces.of(work).items():
        if work.add(letter + ".txt", form(letter, trace)):
            created.append(letter + ".txt")
        work.add("events-%s.txt" % letter, listing(trace.events))
        folder = work.path(os.path.join("traces", letter))
        if not os.path.exists(folder):
            traces.write_ctf(trace, folder)
    return created


def numbers(text, where):
    words = text.replace(",", " ").split()
    if words in ([], ["none"]):
        return []
    if not all(re.fullmatch(r"\d{1,4}", word) for word in words):
        raise BadFile("%s: '%s' is neither a list of event numbers nor the word 'none'" % (where, text), INPUT)
    return [int(word) - 1 for word in words]


def known_word(word, known, where):
    if word and word not in known:
        raise BadFile("%s: '%s' is not one of %s" % (where, word, " ".join(known)), INPUT)
    return word


class Verdict:
    """The lines of a form. `bad`: {line: BadFile} for each line that cannot be read, and "form" if no line counts. Only the
    tests that need such a line cannot be graded."""

    def __init__(self, work, letter, trace):
        self.bad, where = {}, os.path.relpath(work.path(letter + ".txt"))
        lines = self.read("form", self.lines, work, letter, where) or dict.fromkeys(FIELDS, "")
        self.culprit = lines["culprit"]
        self.fault = self.read("fault", known_word, lines["fault"], FAULTS, where) or ""
        self.fix = self.read("fix", known_word, lines["fix"], FIXES, where) or ""
        self.first = self.read("first", numbers, lines["first"], where) or []
        self.cited = self.read("evidence", numbers, lines["evidence"], where) or []
        if (self.fault or self.fix) and lines["trace"].split(" ")[0] != trace.fingerprint():
            self.bad["form"] = BadFile("%s is a verdict on another trace; is labs/seed.txt yours? labs/lab reset %d starts again" % (
                where, work.lab.number), INPUT)

    def read(self, line, function, *args):
        """Returns the function's result, or None if the function cannot read the line."""
        try:
            return function(*args)
        except BadFile as bad:
            self.bad[line] = bad
            return None

    @staticmethod
    def lines(work, letter, where):
        given_lines = dict.fromkeys(FIELDS, "")
        with open(work.need(letter + ".txt"), encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                line = line.split("#")[0].strip()
                key, colon, value = line.partition(":")
                if line and (not colon or key.strip() not in given_lines):
                    raise BadFile("%s:%d: expected a line of the form 'NAME: VALUE', with NAME one of %s" % (where, number, " ".join(FIELDS)), INPUT)
                if line:
                    given_lines[key.strip()] = value.strip().lower()
        return given_lines

    def need(self, *lines):
        """Raises BadFile if the form or one of the lines cannot be read."""
        for line in ("form", *lines):
            if line in self.bad:
                raise self.bad[line]

    def accuses(self):
        return self.fault not in ("", traces.HEALTHY, traces.UNDECIDED)

    def proves(self, trace):
        """Returns whether the named events prove what the verdict says. They need not prove that no earlier event breaks a
        rule, and some of them may be superfluous."""
        if arguments.lacks(trace.events, self):
            return False
        if not self.accuses():
            return self.fault == trace.fault and trace.acquits <= set(self.cited)
        return any(b.fault == self.fault and b.culprit == self.culprit and b.is_proved_by(arguments.named(self)) for b in trace.breaches)


def given(work):
    """Returns the student's verdict on each trace, {letter: Verdict}. They are read on the first call only."""
    if not hasattr(work, "verdicts"):
        work.verdicts = {letter: Verdict(work, letter, trace) for letter, trace in traces.of(work).items()}
    return work.verdicts


def unheard(work, verdict):
    """Returns why an acquittal is not judged, or None."""
    known = traces.of(work)
    if not any(v.accuses() and v.proves(known[letter]) for letter, v in given(work).items()):
        return "'%s' is judged only together with a fault that you prove in another trace" % verdict.fault
    same = sum(v.fault == verdict.fault for v in given(work).values())
    return "you call %d traces %s, but only one is" % (same, verdict.fault) if same > 1 else None


def judge_acquittal(work, verdict, trace):
    lacking = arguments.lacks(trace.events, verdict) or unheard(work, verdict)
    if lacking or verdict.proves(trace):
        return ("wrong", lacking, 0) if lacking else ("good", "", 0)
    return "wrong", "this trace is not %s, or not for these reasons" % verdict.fault, 0


def judge_fault(work, verdict, trace):
    """Returns (status, message, points deducted)."""
    if not verdict.fault:
        return "missing", "no fault named", 0
    if not verdict.accuses():
        return judge_acquittal(work, verdict, trace)
    if verdict.proves(trace):
        return "good", "", 0
    lacking = arguments.lacks(trace.events, verdict) or arguments.shows(trace.events, verdict)
    return "wrong", "not proved: " + lacking, COST


def judge_proof(verdict, trace):
    misused = arguments.misused(verdict)
    if misused:
        return "wrong", misused, 0
    at = [trace.breach.at] if trace.breach else []
    if verdict.first > at:
        return "wrong", "an earlier event breaks a rule", 0
    if verdict.first < at:
        return "wrong", "event %d breaks no rule: the other events that you name show which one does" % (verdict.first[0] + 1), 0
    if trace.breach and not trace.breach.is_proved_by(arguments.named(verdict)):
        return "wrong", arguments.shows(trace.events, verdict), 0
    superfluous = arguments.named(verdict) - (trace.breach.supports if trace.breach else trace.acquits)
    if superfluous:
        return "wrong", "the proof stands without %d of these events: which?" % len(superfluous), 0
    return "good", "", 0


def judge_fix(verdict, trace):
    if not verdict.fix:
        return "missing", "no fix", 0
    return ("good", "", 0) if verdict.fix == trace.fix else ("wrong", "'%s' would not have prevented it" % verdict.fix, 0)


def grade(work, test):
    """Returns (status, message, points deducted). Judges the first bad event and the fix only if the fault is proved, so
    that no reply depends on a line that is not proved yet. Raises BadFile if a line that the test needs cannot be read."""
    letter = test.section["trace"]
    trace, verdict = traces.of(work)[letter], given(work)[letter]
    verdict.need("fault", "first", "evidence", *(["fix"] if test.name.endswith("-fix") else []))
    status, message, cost = judge_fault(work, verdict, trace)
    if test.name.endswith("-fault"):
        return status, message, cost
    if status != "good":
        return "no score", "not graded until the test %s-fault is GOOD" % letter, 0
    return judge_proof(verdict, trace) if test.name.endswith("-proof") else judge_fix(verdict, trace)


def hint(work, test, level):
    """Returns a hint for the student's own trace."""
    trace = traces.of(work)[test.section["trace"]]
    first, end = trace.place()
    return test.hints[level - 1].replace("{place}", "events %d to %d" % (first, end)).replace("{rule}", RULES[trace.fault])


def sample(work):
    """Returns a trace with its verdict, as a worked example."""
    trace = next(t for t in traces.of(work).values() if t.breach)
    at, proof = trace.breach.at, min(trace.breach.proofs, key=sorted)
    marks = {at: "<- first bad event"} | {i: "<- evidence" for i in proof}
    lines = [line + "   " + marks[i] if i in marks else line for i, line in enumerate(listing(trace.events).splitlines())]
    cited = " ".join(str(i + 1) for i in sorted(proof))
    return "\n".join(lines + ["", "fault: " + trace.fault, "culprit: " + trace.culprit(), "first: %d" % (at + 1),
                              "evidence: " + cited, "fix: " + trace.fix]) + "\n"
