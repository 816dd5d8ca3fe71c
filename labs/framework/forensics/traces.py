# SPDX-License-Identifier: MIT
"""The student's six traces: four of broken libraries, one of the correct library, and one that lost events.

The seed chooses the faults, the runs and the order. A run is a random walk of the explorer, so that it is the same on
every machine. A run is used only if the rules find the injected fault in it, and no other.
"""
import hashlib
import os
import subprocess
import tempfile

from .. import builds, sealed
from ..course import Stop
from ..run_events import workers_of
from ..mutantfile import read_fault
from . import rules
from .events import Event, listing

LETTERS = "abcdef"
BROKEN = len(LETTERS) - 2
HEALTHY, UNDECIDED = "healthy", "undecided"
TRIES = 3000
FEWEST, MOST = 25, 80  # numbers of events in a trace
EARLIEST = 12          # earliest number of the first bad event


class Trace:
    """A trace that a student judges. `breaches`: all breaches, ordered by their first bad event. `acquits`: the evidence
    for `healthy` or `undecided`."""

    def __init__(self, case, events, fault, fix, breaches=(), acquits=()):
        self.case, self.events, self.fault, self.fix = case, events, fault, fix
        self.breaches, self.breach, self.acquits = breaches, breaches[0] if breaches else None, frozenset(acquits)

    def culprit(self):
        return self.breach.culprit if self.breach else "none"

    def fingerprint(self):
        return hashlib.sha256(listing(self.events).encode()).hexdigest()[:8]

    def place(self):
        """Returns the approximate place of the fault: (first, last) event number, in the student's
        numbering."""
        first = self.breach.at if self.breach else min(self.acquits)
        return max(1, first - 5), min(len(self.events), first + 8)


def faults(lab):
    """Returns the ways in which a library can be broken, {name: mutant}."""
    folder = os.path.join("labs", lab.name, "faults") + "/"
    texts = {path: text for path, text in sealed.opened().items() if path.startswith(folder)}
    if not texts:
        for name in sorted(os.listdir(os.path.join(lab.folder, "faults"))):
            with open(os.path.join(lab.folder, "faults", name), encoding="utf-8") as file:
                texts[folder + name] = file.read()
    found = [read_fault(path, text) for path, text in sorted(texts.items())]
    return {fault.name: fault for fault in found}


def walk(program, scenario, number):
    """Returns the events of a random run, and whether it ended, hung or crashed."""
    with tempfile.TemporaryDirectory(prefix="doze-lab-") as folder:
        path = os.path.join(folder, "events")
        done = subprocess.run([program, scenario, "--walk=%d" % number, "--events=" + path], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, errors="replace", check=False)
        end = done.stdout.rstrip().rsplit("\n", 1)[-1]
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if line.split()[1:2] and line.split()[1] != "search"]
    how = "ended" if end == "=> no failure" else "hung" if end.startswith("=> hang") else "crashed"
    return ([] if how == "crashed" else [Event(line) for line in lines if not line.startswith("end ")]), how


def leaves_a_job(events):
    """Returns whether the last worker falls asleep while an injected job waits."""
    waiting = 0
    for at, event in enumerate(events):
        if event.name == "post" and event["queue"] == "injector":
            waiting += event.number("jobs")
        elif event.name == "job_start" and event["source"] == "injected":
            waiting -= 1
        if waiting > 0 and event.becomes("sleeping") and len(rules.asleep(events, at + 1)) == workers_of(events):
            return True
    return False


VISIBLE = {"lost-wakeup": lambda events, how: leaves_a_job(events), "hang-on-latch": lambda events, how: how == "hung"}


def broken(case, mutant):
    """Returns a function that makes a Trace of a run. The function returns None unless the run shows this
    fault and no other."""
    fault = mutant.get("fault")

    def choose(events, how):
        found = rules.breaches(events)
        fits = found and found[0].at >= EARLIEST and {b.fault for b in found} == {fault}
        if not fits or not found[0].proofs or not all(found[0].proofs) or not VISIBLE.get(fault, lambda events, how: True)(events, how):
            return None
        return Trace(case, events, fault, mutant.get("fix"), found)
    return choose


def futile(events):
    """Returns whether a worker is woken and sleeps again without a job."""
    woken = set()
    for event in events:
        if event.name == "woken":
            woken.add(event.actor)
        elif event.name == "job_start":
            woken.discard(event.actor)
        elif event.becomes("sleeping") and event.actor in woken:
            return True
    return False


def seems_slept_over(events):
    """Returns whether the list seems to show a worker that sleeps through a post: a post that moved the JEC is
    listed between the worker's steps to sleepy and to sleeping, although both steps have the same JEC. One of the three
    events is therefore listed late."""
    for at, event in enumerate(events):
        if event.becomes("sleeping"):
            sleepy = rules.last(events, at, lambda e, who=event.actor: e.actor == who and e.becomes("sleepy"))
            moved = any(e.name == "post" and e.old.jec != e.new.jec for e in events[sleepy:at])
            if moved and events[sleepy].new.jec == event.old.jec:
                return True
    return False


def healthy(events, how):
    """Makes a Trace of a run without faults that looks suspicious: it has an averted sleep, a futile
    wake, and a post that a worker seems to have missed. Returns None for other runs."""
    names = [e.name for e in events]
    suspicious = "sleep_abort" in names and futile(events) and seems_slept_over(events)
    if how != "ended" or not suspicious or rules.breaches(events):
        return None
    return Trace(HEALTHY, events, HEALTHY, "none", (), {i for i, n in enumerate(names) if n == "job_start"})


def gap(events):
    """Ends the trace after a decision to wake a worker, before that worker reacts, and discards what
    the deciding thread did after the decision. Returns (events, number of the decision), or
    None."""
    for at, event in enumerate(events):
        decides = event.name == "post" and event["wakes"] == "1" or event.name == "latch" and event["from"] == "SLEEPING" \
            and event["to"] == "SET"
        if not decides or at < FEWEST:
            continue
        wake = rules.next_of(events, at)
        if wake == len(events) or events[wake].name != "wake":
            continue
        end = next((i for i in range(wake, len(events)) if events[i].actor == events[wake]["target"]), None)
        if end is None:
            continue
        lost = [e for e in events[wake:end] if e.actor == event.actor]
        kept = [e for e in events[:end] if e not in lost]
        worker = -1 if event.actor == "outside" else int(event.actor[1:])
        return kept + [Event("%d lost 1 %d events=%d" % (events[end - 1].step + 1, worker, len(lost)))], at
    return None


def lossy(events, how):
    """Makes a trace of a correct library that looks like a lost wakeup, because the wake was
    discarded."""
    cut = gap(events) if how == "ended" else None
    if cut is None or rules.breaches(cut[0]):
        return None
    return Trace("lossy", cut[0], UNDECIDED, "record-again", (), {cut[1], len(cut[0]) - 1})


def search(work, program, scenario, case, choose):
    first = work.number("walk/" + case) % 1000000
    for number in range(first, first + TRIES):
        events, how = walk(program, scenario, number)
        found = choose(events, how) if events else None
        if found and FEWEST <= len(found.events) <= MOST:
            return found
    raise Stop("found no run of %s for this seed in %d tries: ask your teacher for another seed" % (case, TRIES))


def chosen(work):
    """Returns the names of the faults in the student's traces, which are of different kinds."""
    by_kind = {}
    for name, mutant in faults(work.lab).items():
        by_kind.setdefault(mutant.get("fault"), []).append(name)
    kinds = sorted(by_kind, key=lambda kind: work.number("kind/" + kind))[:BROKEN]
    return [min(by_kind[kind], key=lambda name: work.number("fault/" + name)) for kind in kinds]


def made(work):
    known = faults(work.lab)
    plain = builds.program(work.lab, "lab", None)
    found = [search(work, plain, "late-four", HEALTHY, healthy), search(work, plain, "mixed", "lossy", lossy)]
    for name in chosen(work):
        program = builds.faulty_program(work.lab, "lab", known[name])
        found.append(search(work, program, known[name].get("scenario"), name, broken(name, known[name])))
    return dict(zip(LETTERS, sorted(found, key=lambda trace: work.number("order/" + trace.case))))


def of(work, cache={}):  # pylint: disable=dangerous-default-value
    """Returns {letter: Trace}, made once for each seed."""
    key = work.lab.name, work.seed
    if key not in cache:
        cache[key] = made(work)
    return cache[key]


def write_ctf(trace, folder):
    """Writes the trace for doze replay, if the tools are built."""
    with tempfile.NamedTemporaryFile("w", prefix="doze-lab-", suffix=".events", encoding="utf-8") as file:
        file.writelines(event.line + "\n" for event in trace.events)
        file.write("end the recording was stopped\n")
        file.flush()
        builds.write_trace(file.name, folder)
