# SPDX-License-Identifier: MIT
"""Lab 7: wakes and their outcomes.

analysis   the student's program counts jobs, wakes and futile wakes in runs that the explorer makes
measure    programs with the student's file and with the library's own run on real threads, in turn

Points come from counts. A time costs points only if all runs with the student's file are slower than
all runs with the library's. If the file is too slow but the two ranges overlap, the test is
not decided. The time of a wake depends on where the scheduler places the woken worker: on two CPUs, runs
of one program have medians near 6, 16, 25 or 46 us. Five runs of each program are too few for such times:
with equal programs, all of one were once slower than all of the other.
"""
import functools
import os
import statistics
import sys
import time

from . import builds, follow, jail, places, questions, run_events

RUNS = 11         # number of runs of each program
GOOD, WRONG = 1.3, 1.6  # limits, relative to the library's number of wakes; in between, the test is not decided
SLOW = 3.0        # limit, relative to the library's latency
BUSY_SECONDS = 5  # a run of the library's program that takes longer shows a busy machine
HIDDEN_RUNS = 4
SHOWN_LINES = 11  # number of lines of a run that a verdict shows


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
    """Returns the right numbers. A wake is not counted as futile if its target lost events before the
    outcome."""
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


def synthetic(steps):
    """Returns the run with these steps, each of which is a tuple (event, worker, fields)."""
    return [Lost(worker) if name == "lost" else run_events.Event("%d %s 1 %d %s" % (10 * i, name, worker, fields))
            for i, (name, worker, fields) in enumerate(steps)]


def state(worker, before, after):
    return ("worker_state", worker, "from=%d to=%d" % (before, after))


def wake(by, target):
    return ("wake", by, "target=%d" % target)


def falls_asleep(worker):
    return [state(worker, 2, 3), state(worker, 3, 4)]


# Synthetic runs, of kinds that are rare among random ones.
def averted_sleep(woken, other):
    """A woken worker becomes sleepy, does not sleep, and runs a job. Then the other worker is woken in vain. It becomes
    sleepy, does not sleep, and searches again; its next sleep is averted, and only the one after it lasts."""
    return [state(woken, 3, 4), wake(-1, woken), state(woken, 4, 2), state(woken, 2, 3), state(woken, 3, 2), state(woken, 2, 1),
            ("job_start", woken, "source=3"), wake(woken, other), state(other, 4, 2), state(other, 2, 3), state(other, 3, 2),
            *falls_asleep(other), state(other, 4, 2), *falls_asleep(other)]


def both_woken(woken, other):
    """Both workers are woken before either of them runs a job or sleeps again; only the second one runs a job."""
    return [wake(-1, woken), wake(-1, other), state(other, 4, 2), state(other, 2, 1), ("job_start", other, "source=3"),
            state(woken, 4, 2), *falls_asleep(woken), state(other, 1, 2), *falls_asleep(other)]


def other_sleeps(woken, other):
    """A worker that was not woken falls asleep before the woken one runs its job."""
    return [wake(-1, woken), *falls_asleep(other), state(woken, 4, 2), state(woken, 2, 1), ("job_start", woken, "source=3")]


def woken_twice(woken, _other):
    """Two wakes of one worker, which then sleeps without a job, are one futile wake."""
    return [state(woken, 3, 4), wake(-1, woken), wake(-1, woken), state(woken, 4, 2), *falls_asleep(woken)]


def sleeps_after_loss(woken, _other):
    """A woken worker's events are lost, it falls asleep, and is woken in vain after that."""
    return [state(woken, 3, 4), wake(-1, woken), ("lost", woken, ""), state(woken, 3, 4), wake(-1, woken), state(woken, 4, 2),
            *falls_asleep(woken)]


def woken_after_loss(woken, _other):
    """A woken worker's events are lost, and the next event of the worker is that it is woken in vain."""
    return [state(woken, 3, 4), wake(-1, woken), ("lost", woken, ""), wake(-1, woken), state(woken, 4, 2), *falls_asleep(woken)]


SYNTHETIC = (averted_sleep, both_woken, other_sleeps, woken_twice)
SYNTHETIC_LOSSY = (sleeps_after_loss, woken_after_loss)


def renamed(line, numbers):
    """Returns the line with the workers renumbered. A thread outside the pool keeps the number -1."""
    time, event, worker, *fields = line.split()
    other = [f if not f.startswith("target=") else "target=%d" % numbers[int(f[7:])] for f in fields]
    return " ".join([time, event, str(numbers.get(int(worker), -1))] + other)


def hidden(work, test):
    """Yields lists of events: the synthetic runs, and runs that the seed chose."""
    woken = work.number(test.name) % 2
    for steps_of in SYNTHETIC_LOSSY if test.section.get("lossy") else SYNTHETIC:
        yield synthetic(steps_of(woken, 1 - woken))
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


def answer_of(path, lines):
    """Runs the student's program. Returns ({name: number}, error)."""
    with jail.folder() as folder:
        copy = os.path.join(folder, os.path.basename(path))
        with open(path, encoding="utf-8", errors="replace") as file:
            jail.put(copy, file.read())
        done = jail.run(["python3" if jail.current.is_closed else sys.executable, copy], writes=[folder], text="\n".join(lines) + "\n")
    if done.status:
        return {}, places.of_traceback(done.err, copy) + (done.err.strip().splitlines() or ["it exited with status %d" % done.status])[-1]
    pairs = [line.split(":", 1) for line in done.out.splitlines() if ":" in line]
    return {name.strip(): text.strip() for name, text in pairs}, ""


def grade_analysis(work, test):
    """Returns (status, messages)."""
    path = work.path(test.section["form"])
    if not os.path.exists(path):
        return "missing", ["%s does not exist" % test.section["form"]]
    # The runs have two workers. Give these other numbers, because a pool may have many. A program that looks only at a
    # digit, or at the remainder of a division by 8, 10, 64 or 100, takes these two for one.
    first = work.number("a worker") % 2
    numbers = {first: 3, 1 - first: 32003}
    for events in hidden(work, test):
        lines = [renamed(t, numbers) for t in (line_of(10 * i, e) for i, e in enumerate(events)) if t]
        given, trouble = answer_of(path, lines)
        for name, number in right(events).items():
            if given.get(name) != str(number):
                saved = work.path(test.name + ".events")
                with open(saved, "w", encoding="utf-8") as file:
                    file.write("\n".join(lines) + "\n")
                said = "for the run %s, your program " % os.path.relpath(saved)
                said += "ends with an error: %s" % trouble if trouble else \
                        "reports %s as %s instead of %d" % (name, given.get(name, "nothing"), number)
                said += ". The run ends with" if len(lines) > SHOWN_LINES else ". The run is"
                return "wrong", [said] + ["    " + line for line in lines[-SHOWN_LINES:]]
    return "good", []


class Measured:
    def __init__(self, rows):
        columns = list(zip(*rows))
        self.wakes, self.futile = (statistics.median(n / jobs for n, jobs in zip(c, columns[0])) for c in columns[1:3])
        self.half = columns[3]  # the median latency of each run, in ns
        self.p99 = statistics.median(columns[4])


def once(program):
    """Returns the numbers of one run, or None if the program did not run all jobs in time."""
    done = jail.run([program], seconds=3 * jail.PROGRAM.cpu)
    return [int(n) for n in done.out.split()] if done.status == 0 else None


class Stuck(Exception):
    """A program did not run all jobs. `busy` is true if the cause may be the machine."""

    def __init__(self, busy):
        super().__init__()
        self.busy = busy


def is_busy(library):
    """Returns whether the machine is so busy that the library's own program has not finished in time."""
    begin = time.monotonic()
    return once(library) is None or time.monotonic() - begin > BUSY_SECONDS


@functools.lru_cache(maxsize=None)
def measured(own, library):
    """Returns a Measured for each of the two programs. Raises Stuck."""
    rows = {own: [], library: []}
    for turn in range(RUNS):
        for program in ((own, library), (library, own))[turn % 2]:  # alternates: a position may have an advantage
            rows[program].append(once(program))
            if rows[program][-1] is None:
                raise Stuck(program == library or is_busy(library))
    return Measured(rows[own]), Measured(rows[library])


def judge_storm(mine, theirs):
    text = "%.1f wakes for each job, %.1f of them futile; with the library: %.1f and %.1f" % (
        mine.wakes, mine.futile, theirs.wakes, theirs.futile)
    worst = max(mine.wakes / theirs.wakes, (mine.futile + 0.2) / (theirs.futile + 0.2))
    if GOOD < worst < WRONG:
        return "not decided", text + (
            "; that is %.1f times the library's. Up to %.1f is good, and %.1f or more is wrong; in between, other programs on "
            "this machine may be the cause. Close them and grade again" % (worst, GOOD, WRONG))
    return ("good" if worst <= GOOD else "wrong"), text


def judge_latency(mine, theirs):
    text = "half of the jobs ran within %.0f us (99 %%: %.0f us); with the library: %.0f us (%.0f us)" % (
        statistics.median(mine.half) / 1e3, mine.p99 / 1e3, statistics.median(theirs.half) / 1e3, theirs.p99 / 1e3)
    if any(f(mine.half) <= SLOW * f(theirs.half) for f in (statistics.median, min)):
        return "good", text
    if min(mine.half) > max(theirs.half):
        return "wrong", text
    return "not decided", text + (
        "; that is more than %.0f times as long, but your fastest run (%.0f us) was faster than the library's slowest (%.0f us), so "
        "other programs on this machine may be the cause. Close them and grade again" % (
            SLOW, min(mine.half) / 1e3, max(theirs.half) / 1e3))


def grade_measure(work, test):
    """Returns (status, message)."""
    own = builds.real_program(work.lab, work.need(work.lab.file))
    try:
        both = measured(own, builds.real_program(work.lab, None))
    except Stuck as stuck:
        if stuck.busy:
            return "not decided", "this machine is too busy: even the library's own run took too long. Close other programs and grade again"
        return "wrong", "the pool did not run all jobs (build/doze record shows where it stops), or reported a wake as made by another thread"
    return {"storm": judge_storm, "latency": judge_latency}[test.section["judge"]](*both)
