# SPDX-License-Identifier: MIT
"""Questions about a random run of the library, which differs from student to student.

The explorer runs a scenario once, along a random schedule that the student's seed chooses, and writes
the trace hooks as lines. The form shows these lines without the values that the student is to work out.
"""
import hashlib
import itertools
import os

from . import builds, jail
from .course import INPUT, BadFile, Stop
from .questions import ASK
from .run_events import LATCH, Event

# Events that are irrelevant to the question.
LEFT_OUT = {"word": ["job_start"], "latch": ["job_start"], "deadlock": ["job_start"], "state": ["job_start", "latch"],
            "queues": ["latch"], "storm": ["latch"], "contest": ["latch"]}
TRIES = 6000
FEWEST, MOST = 14, 60  # numbers of lines in a run
KINDS = 16  # number of kinds of answers, of which a seed chooses one
PICKY = 1500  # number of runs after which any kind of answer is accepted
DIFFERENT = ("latch",)
PICKS = 8   # number of sets of questions that are tried for each run


def walk(program, run, number):
    """Returns the events of a random walk, or [] if it does not finish."""
    with jail.folder() as folder:
        path = os.path.join(folder, "events")
        done = jail.run([program] + run.arguments() + ["--walk=%d" % number, "--events=" + path], writes=[folder])
        events = (jail.taken(path) or b"").decode("utf-8", "replace") if done.status == 0 else ""
        return [Event(line) for line in events.splitlines(True) if not line.startswith("end ")]


def picker(work, *run):
    """Returns a function pick(n), which draws a number below n from the seed; each call draws another."""
    turns = itertools.count()
    return lambda n: work.number("pick %s %d" % (run, next(turns))) % n


def kind_of(questions):
    """Returns a number below KINDS that depends on the answers only."""
    text = "/".join(question.answer for question in questions)
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % KINDS


def questions_for(work, ask, events, number, any_kind):
    """Returns questions about this run whose answers are of the kind that the seed chose, or None if it finds none. Most
    random runs are alike, so without these kinds many students would have the same answers."""
    for turn in range(PICKS):
        for event in events:
            event.hidden = event.bare = False
        questions = ASK[ask](events, picker(work, number, turn))
        if not questions:
            return None
        alike = ask in DIFFERENT and len({question.answer for question in questions}) < len(questions)
        if not alike and (any_kind or kind_of(questions) == work.number("kind") % KINDS):
            return questions
    return None


def task(work, test):
    """Returns (shown events, questions) of the student's run."""
    run, ask = test.runs[0], test.section["ask"]
    program = builds.program(work.lab, run.program, None)
    first = work.number(ask) % 1000000
    for number in range(first, first + TRIES):
        events = [e for e in walk(program, run, number) if e.name not in LEFT_OUT[ask]]
        lines = [e for e in events if e.text()]
        questions = questions_for(work, ask, events, number, number >= first + PICKY) if FEWEST <= len(lines) <= MOST else None
        if questions:
            return lines, questions
    raise Stop("found no run for this seed in %d tries: ask your teacher for another seed" % TRIES)


def tasks(work):
    """Returns the lines and {test name: question}. Computes them only once."""
    if not hasattr(work, "followed"):
        tests = [t for t in work.lab.tests if t.kind == "follow"]
        lines, questions = task(work, tests[0])
        work.followed = lines, {t.name: q for t, q in zip(tests, questions)}
    return work.followed


def form(work):
    """Returns the text of the form."""
    lines, questions = tasks(work)
    text = ["# %s: your run. Write each answer after its colon." % work.lab.title, work.form_mark(), "#"]
    text += ["# %3d  %s" % (i + 1, line.text()) for i, line in enumerate(lines)]
    for name, question in questions.items():
        text += ["", "# " + question.text, name + ":"]
    return "\n".join(text) + "\n"


def value(event, ask):
    """Returns the value of the event that the form hides."""
    # In the event of a worker that gets sleepy, both words are those after the worker has made the JEC even.
    sleepy = event.name == "worker_state" and event.fields["to"] == "3"
    if ask == "word" and (sleepy or event.word("old") != event.word("new")):
        word = event.word("new")
        return "%d %d %d" % (word & 0xffff, word >> 16 & 0xffff, word >> 32)
    if ask == "latch" and event.name == "latch":
        return "%s %s" % (LATCH[event.number("from")], LATCH[event.number("to")])
    if ask == "deadlock" and event.name in ("blocked", "unblocked"):
        return "%s %s" % (event.fields["active"], event.fields["blocked"])
    return ""


def sample(work):
    """Returns a run with all its values, as a worked example."""
    test = next(t for t in work.lab.tests if t.kind == "follow")
    ask, events = test.section["ask"], task(work, test)[0]
    head = {"queues": "", "contest": "", "state": "", "storm": "", "word": "sleeping, inactive, JEC", "latch": "latch: from, to", "deadlock": "active, blocked"}[ask]
    lines = ["%-24s" % head] if head else []
    for event in events:
        event.hidden = event.bare = False
    width = 24 if head else 0
    lines += ["%-*s%3d  %s" % (width, value(e, ask), i + 1, e.text()) for i, e in enumerate(events)]
    return "\n".join(lines)


def answers(path):
    found = {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            if ":" not in line:
                raise BadFile("%s:%d: expected a line of the form 'NAME: ANSWER'" % (os.path.relpath(path), number), INPUT)
            name, answer = line.split(":", 1)
            found[name.strip()] = " ".join(answer.replace(",", " ").replace("->", " ").split()).lower()
    return found


def given_in(work, test):
    """Returns {name: answer} of the test's form."""
    path = work.path(test.section["form"])
    if not os.path.exists(path):
        return {}
    work.check_form(test.section["form"])
    return answers(path)


def compare(work, test, right):
    """Compares the student's answer with the right one. Returns (status, message)."""
    given = given_in(work, test).get(test.name, "")
    if not given:
        return "missing", "no answer"
    return ("good", "") if given == right.lower() else ("wrong", "'%s' is not right" % given)


def grade(work, test):
    return compare(work, test, tasks(work)[1][test.name].answer)
