# SPDX-License-Identifier: MIT
"""Lab 7: wakes and their outcomes.

analysis   the student's program counts jobs, wakes and futile wakes in runs that the explorer makes
measure    the student's file and the library's own, on real threads, one run of each in turn

Points come from counts. A time decides only if all runs of one program are slower than all runs of
the other. If the two ranges overlap and the median is too slow, the test is inconclusive.
"""
import functools
import os
import resource
import statistics
import subprocess
import sys

from . import builds, follow, questions, run_events

RUNS = 5          # number of runs of each program
GOOD, WRONG = 1.3, 1.6  # limits, relative to the reference's number of wakes; in between, the test is inconclusive
SLOW = 3.0        # limit, relative to the reference's median latency
CPU_SECONDS = 20
HIDDEN_RUNS = 4


class Lost:
    """Marks the place in the list where events of a worker were lost."""

    name, fields = "lost", {}

    def __init__(self, worker):
        self.worker = worker


def line_of(time, event):
    """Returns the line for the student's program, or None if the program does not need the
    event."""
    f = event.fields
    if event.name == "worker_state":
        return "%d worker_state %d from=%s to=%s" % (time, event.worker, run_events.STATES[int(f["from"])],
                                                     run_events.STATES[int(f["to"])])
    if event.name == "wake":
        return "%d wake %d target=%s" % (time, event.worker, f["target"])
    return "%d %s %d" % (time, event.name, event.worker) if event.name in ("job_start", "lost") else None


def right(events):
    """Returns the three numbers. A wake whose target lost events before the outcome is not
    futile."""
    pending, futile = set(), 0
    for event in events:
        if event.name == "wake":
            pending.add(event.number("target"))
        elif event.name == "worker_state" and event.fields["to"] == "4":
            futile += event.worker in pending
        if event.name in ("job_start", "lost") or event.name == "worker_state" and event.fields["to"] == "4":
            pending.discard(event.worker)
    names = [e.name for e in events]
    return {"jobs": names.count("job_start"), "wakes": names.count("wake"), "futile": futile}


def with_losses(events):
    """Returns the run with lost events: another worker loses events after the first futile wake; the target of the
    last futile wake loses events after that wake, before the sleep that shows that the wake was futile. Returns None
    if the run has fewer than two futile wakes."""
    futile = sorted(i for i, bad in questions.fates(events).items() if bad)
    if len(futile) < 2:
        return None
    first, last = futile[0], futile[-1]
    others = [w for w in range(run_events.workers_of(events)) if w != events[first].number("target")]
    return (events[:first + 1] + [Lost(w) for w in others] + events[first + 1:last + 1] +
            [Lost(events[last].number("target"))] + events[last + 1:])


def averted_sleep(woken):
    """Returns a synthetic run, of a kind that is rare among random ones: a woken worker becomes sleepy, does not
    sleep, and runs a job; then a wake of the other worker is futile, but a last look averts its sleep at first."""
    other = 1 - woken
    falls_asleep = [("worker_state", other, "from=2 to=3"), ("worker_state", other, "from=3 to=4")]
    steps = [("worker_state", woken, "from=3 to=4"), ("wake", -1, "target=%d" % woken), ("worker_state", woken, "from=4 to=2"),
             ("worker_state", woken, "from=2 to=3"), ("worker_state", woken, "from=3 to=2"), ("worker_state", woken, "from=2 to=1"),
             ("job_start", woken, "source=3"), ("wake", woken, "target=%d" % other), ("worker_state", other, "from=4 to=2"),
             *falls_asleep, ("worker_state", other, "from=4 to=2"), *falls_asleep]
    return [run_events.Event("%d %s 1 %d %s" % (10 * i, *step)) for i, step in enumerate(steps)]


def hidden(work, test):
    """Yields lists of events, from runs that the seed chose."""
    if not test.section.get("lossy"):
        yield averted_sleep(work.number(test.name) % 2)
    run = test.runs[0]
    program = builds.program(work.lab, run.program, None)
    first, found = work.number(test.name) % 1000000, 0
    for number in range(first, first + follow.TRIES):
        events = follow.walk(program, run, number)
        if test.section.get("lossy"):
            events = with_losses(events)
        if events and (found or right(events)["futile"] or test.section.get("lossy")):
            found += 1
            yield events
        if found == HIDDEN_RUNS:
            return


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 2))


def answer_of(path, lines):
    """Runs the student's program. Returns ({name: number}, error)."""
    done = subprocess.run([sys.executable, path], input="\n".join(lines) + "\n", stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace", preexec_fn=limit, check=False)
    if done.returncode:
        return {}, (done.stderr.strip().splitlines() or ["it exited with status %d" % done.returncode])[-1]
    pairs = [line.split(":", 1) for line in done.stdout.splitlines() if ":" in line]
    return {name.strip(): text.strip() for name, text in pairs}, ""


def grade_analysis(work, test):
    """Returns (status, messages)."""
    path = work.path(test.section["form"])
    if not os.path.exists(path):
        return "missing", ["%s does not exist" % test.section["form"]]
    for events in hidden(work, test):
        lines = [t for t in (line_of(10 * i, e) for i, e in enumerate(events)) if t]
        given, trouble = answer_of(path, lines)
        for name, number in right(events).items():
            if given.get(name) != str(number):
                saved = work.path(test.name + ".events")
                with open(saved, "w", encoding="utf-8") as file:
                    file.write("\n".join(lines) + "\n")
                said = trouble or "your program counts %s: %s, but the right number is %d in the run %s, which ends with" % (
                    name, given.get(name, "nothing"), number, os.path.relpath(saved))
                return "wrong", [said] + ["    " + line for line in lines[-10:]]
    return "good", []


class Measured:
    def __init__(self, rows):
        columns = list(zip(*rows))
        jobs = columns[0][0]
        self.wakes, self.futile = (statistics.median(c) / jobs for c in columns[1:3])
        self.half = columns[3]  # the median latency of each run, in ns
        self.p99 = statistics.median(columns[4])


def once(program):
    """Returns the numbers of one run, or None if it did not finish."""
    try:
        done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              preexec_fn=limit, timeout=3 * CPU_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    return [int(n) for n in done.stdout.split()] if done.returncode == 0 else None


@functools.lru_cache(maxsize=None)
def measured(own, library):
    """Returns a Measured for each of the two programs, or None if the student's did not finish."""
    mine, theirs = [], []
    for _ in range(RUNS):
        theirs.append(once(library))
        mine.append(once(own))
        if mine[-1] is None or theirs[-1] is None:
            return None
    return Measured(mine), Measured(theirs)


def judge_storm(mine, theirs):
    text = "%.1f wakes for each job, %.1f of them futile; with the library: %.1f and %.1f" % (
        mine.wakes, mine.futile, theirs.wakes, theirs.futile)
    worst = max(mine.wakes / theirs.wakes, (mine.futile + 0.2) / (theirs.futile + 0.2))
    return ("good" if worst <= GOOD else "wrong" if worst >= WRONG else "inconclusive"), text


def judge_latency(mine, theirs):
    text = "half of the jobs ran within %.0f us (99 %%: %.0f us); with the library: %.0f us (%.0f us)" % (
        statistics.median(mine.half) / 1e3, mine.p99 / 1e3, statistics.median(theirs.half) / 1e3, theirs.p99 / 1e3)
    if statistics.median(mine.half) <= SLOW * statistics.median(theirs.half):
        return "good", text
    return ("wrong" if min(mine.half) > max(theirs.half) else "inconclusive"), text


def grade_measure(work, test):
    """Returns (status, message)."""
    own = builds.real_program(work.lab, work.need(work.lab.file))
    both = measured(own, builds.real_program(work.lab, None))
    if both is None:
        return "wrong", "the pool did not run all jobs: build/doze record shows where it stops"
    return {"storm": judge_storm, "latency": judge_latency}[test.section["judge"]](*both)
