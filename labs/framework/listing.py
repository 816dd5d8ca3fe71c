# SPDX-License-Identifier: MIT
"""Shows a failing schedule in a verdict: the explorer's listing of the steps, with the lines of the student's file."""
import itertools
import os
import re

from .course import ROOT
from .values import named_values

LOOP = "-- from here on, "  # start of the line that precedes the steps of an endless loop in a listing
SHOWN = 40          # maximum number of steps of a schedule that a verdict shows
LAST = 10           # a schedule's last steps, this many, are shown before any others
LOOP_SHOWN = 14     # maximum number of steps of an endless loop that a verdict shows
BUFFERED = re.compile(r"store (.+) = (\S+) \(\w+\) \[into its store buffer\]")
DRAINED = re.compile(r"its store (.+) = (\S+) reaches memory$")
ACCESS = re.compile(r"^(one side of the race|the access to freed memory): ")
FAILS = re.compile(r" (fails, it is [^\[]+)$")
CHANGES = re.compile(r": (?!load )([^:]+ -> [^:(]+) \(\w+\)(?! fails)")
READS = re.compile(r"\bload .* -> ([^>(]+) \(\w+\)")
STORES = re.compile(r"\bstore .* = ([^=(]+) \(\w+\)")
WAKES = re.compile(r"notify: (.*)$")


def source_line(place, cache={}):  # pylint: disable=dangerous-default-value
    """Returns the text of FILE:LINE."""
    path, number = place.rsplit(":", 1)
    if path not in cache:
        with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
            cache[path] = file.read().splitlines()
    lines = cache[path]
    return lines[int(number) - 1].strip() if 0 < int(number) <= len(lines) else ""


class Step:
    """A line of a listing: a thread, what it does, where, and the operation that called the function, if any."""

    def __init__(self, line):
        text, self.place, self.operation = (line.split("\t") + ["", ""])[:3]
        self.thread, self.text = text[:10].rstrip(), text[10:].strip()

    def is_scaffold(self):
        """Returns whether the step only creates a thread or waits for its end."""
        return self.text.endswith((": create", ": join"))

    def store(self):
        """Returns the object and the value of a store that goes into a buffer, or None."""
        found = BUFFERED.search(self.text)
        return found and found.groups()

    def drain(self):
        """Returns the object and the value of a store that reaches memory, or None."""
        found = DRAINED.match(self.text)
        return found and found.groups()

    def notes(self, source):
        """Returns what a reader cannot see in the source line of the step."""
        marks = ACCESS.findall(self.text) + re.findall(r" \[([^]]*)\]", self.text)
        marks = ["reads " + m if m == "an old value" else m for m in marks] + self.values() + WAKES.findall(named_values(self.text))
        return marks + (["takes the lock again"] if self.text.endswith(": lock") and "wait" in source else [])

    def values(self):
        """Returns the values that the step reads and writes."""
        text = named_values(self.text)
        return FAILS.findall(text) + CHANGES.findall(text) + ["reads " + v for v in READS.findall(text)] + [
            "stores " + v for v in STORES.findall(text)]

    def in_words(self, own):
        if not self.place.startswith(own + ":"):
            return "%-9s %s" % (self.thread, named_values(self.text))
        source = source_line(self.place)
        notes = "".join("  [%s]" % note for note in self.notes(source))
        return "%-9s %s%s:%s  %s%s" % (self.thread, self.operation and self.operation + ": ", os.path.basename(own),
                                       self.place.rsplit(":", 1)[1], source, notes)


def without_idle_buffers(steps):
    """Returns the steps. A store appears as unbuffered if no other thread made a step before the store reached memory."""
    kept = list(steps)
    for step in steps:
        if not step.store():
            continue
        at = kept.index(step)
        out = next((s for s in kept[at:] if s.thread == step.thread and s.drain() == step.store()), None)
        if out and all(s.thread == step.thread for s in kept[at:kept.index(out)]):
            kept.remove(out)
            step.text = step.text.replace(" [into its store buffer]", "")
    return kept


def counted(lines):
    """Returns the lines, with each series of equal lines as a single one."""
    shown = []
    for line, group in itertools.groupby(lines):
        n = len(list(group))
        shown.append(line if n == 1 else "%s  (%d times)" % (line, n))
    return shown


def is_last(i, steps):
    """Returns whether step number i is the last one of its thread."""
    return all(s.thread != steps[i].thread for s in steps[i + 1:])


def without_scaffold(steps):
    """Returns the steps without the starts of threads, and without the steps that create threads or wait for their end,
    except such a step that is its thread's last one."""
    steps = [s for s in steps if s.text != "starts"]
    return [s for i, s in enumerate(steps) if not s.is_scaffold() or is_last(i, steps)]


def most_telling(steps, own, most):
    """Returns the numbers of at most `most` steps that best explain a failure: the last ones, each thread's last one,
    and then the student's own, the latest first."""
    def rank(i):
        if i >= len(steps) - LAST or is_last(i, steps):
            return 0
        return 1 if steps[i].place.startswith(own + ":") or steps[i].store() or steps[i].drain() else 2
    return set(sorted(range(len(steps)), key=lambda i: (rank(i), -i))[:most])


def steps_in_words(lines, own, most=SHOWN):
    """Returns the steps of a listing, or those that best explain the failure. Shows the source of the student's steps."""
    steps = without_scaffold(without_idle_buffers([Step(line) for line in lines]))
    words = [step.in_words(own) for step in steps]
    if len(counted(words)) <= most:
        return counted(words)
    telling = most_telling(steps, own, most)
    shown = []
    for told, group in itertools.groupby(range(len(steps)), telling.__contains__):
        part = list(group)
        shown += counted([words[i] for i in part]) if told else ["… %d more step%s" % (len(part), "s"[len(part) == 1:])]
    return shown


def one_turn(lines):
    """Returns the first turn of a listing that may show several turns of a loop."""
    for length in range(1, len(lines)):
        if lines[length:] == lines[:-length]:
            return lines[:length]
    return lines


def loop_of(lines):
    """Returns the index of the line that introduces an endless loop, or None."""
    return next((i for i, line in enumerate(lines) if line.startswith(LOOP)), None)


def once_around(lines):
    """Returns the listing. If it ends with an endless loop, only one iteration of the loop is left."""
    at = loop_of(lines)
    if at is None or at + 1 == len(lines):
        return lines
    before, turn = lines[:at], one_turn(lines[at + 1:])
    while before[-len(turn):] == turn:
        del before[-len(turn):]
    return before + lines[at:at + 1] + turn


def livelock_in_words(lines, own):
    """Returns the last steps before an endless loop, and the first of those that repeat."""
    at = loop_of(lines)
    around = steps_in_words(lines[at + 1:], own, len(lines))
    left_out = ["… %d more steps" % (len(around) - LOOP_SHOWN)] if len(around) > LOOP_SHOWN else []
    return steps_in_words(lines[:at], own, LOOP_SHOWN // 2) + [lines[at].removeprefix("-- ") + ":"] + around[:LOOP_SHOWN] + left_out


def in_words(lines, own):
    """Returns the listing as the lines of a verdict."""
    return (steps_in_words if loop_of(lines) is None else livelock_in_words)(lines, own)
