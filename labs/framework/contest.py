# SPDX-License-Identifier: MIT
"""Lab 10: a policy's score against the library's own, on the same machine.

  100 x the geometric mean over six workloads of
      min(1, T/Tref)^0.40 x min(1, CPUref/CPU)^0.30 x min(1, L99ref/L99)^0.30

The factors are multiplied, so that a figure that is many times worse than the library's costs more than its weight.

T is the number of jobs per second, CPU the workers' CPU time per job, L99 the 99th percentile of the time from a
job's post to its end. Each program runs seven times, in turn with the other. If the two programs' ranges of a figure
overlap, the figure is a tie, and its ratio is 1. If they overlap but the library's own runs differ widely, the ratio is
unknown. The score then has a lowest and a highest value; if these give different points, the test is not decided, and
gives those of the lowest.
"""
import functools
import hashlib
import hmac
import math
import statistics
import time
from collections import namedtuple

from . import builds, handin, jail

RUNS = 7       # number of runs of each program and workload
WIDE = 1.5     # limit for the ratio of the library's second-slowest run to its second-fastest; above it, a tie proves nothing
NEARLY = 3     # added to a score (0 to 100) before it is converted to points
WEIGHTS = {"T": 0.40, "CPU": 0.30, "L99": 0.30}
BUSY_SECONDS = 5  # a run of the library's program that takes longer shows a busy machine
SECONDS = 60   # time limit for one run; measure.c itself detects jobs that never run

# The arguments of measure.c: turns, jobs per turn, pause in us, work per leaf, depth of joins, seed of the pauses.
Workload = namedtuple("Workload", "name turns batch gap work depth seed")
PUBLIC = (
    Workload("trickle", 120, 1, 1000, 500, 0, 0),   # one job at a time, posted to a sleeping pool
    Workload("near", 4000, 1, 5, 500, 0, 0),        # each job soon after the previous one
    Workload("burst", 40, 100, 2000, 5000, 0, 0),   # many jobs, then a pause
    Workload("tree", 200, 1, 200, 100, 8, 0),       # joins, so that the workers create the jobs
)


def hidden(work):
    """Returns two workloads that depend on the secret of the class, or, without it, on the student's seed."""
    key = (work.secret or work.seed).encode()
    for name in ("hidden1", "hidden2"):
        digest = hmac.new(key, ("contest/" + name).encode(), hashlib.sha256).digest()
        batch, depth = 1 + digest[0] % 32, digest[1] % 6
        gap = (20, 50, 100, 300, 1000)[digest[2] % 5]
        work_of_leaf = 100 * (1 + digest[3] % 40)
        turns = max(20, min(1500, 100000 // gap, 20000 // batch, 20000000 // (work_of_leaf * batch << depth)))
        yield Workload(name, turns, batch, gap, work_of_leaf, depth, 1 + int.from_bytes(digest[4:7], "big"))


class Figure:
    """One figure of both programs. `ratio` is above 1 if the student's program is better, and 1 in a tie.

    With two equal programs, the ranges of seven runs are disjoint once in 1716 times. The difference is unknown if the
    ranges become disjoint only without each program's fastest and slowest run, or if the library's own range is wide.
    """

    def __init__(self, own, library, more_is_better):
        self.own, self.library = statistics.median(own), statistics.median(library)
        better = self.own / self.library if more_is_better else self.library / self.own
        tie = overlap(ends(own, 0), ends(library, 0))
        low, high = ends(library, 1)
        self.noisy = tie and (high > WIDE * low or not overlap(ends(own, 1), (low, high)))
        self.sign = "?" if self.noisy else "=" if tie else " "
        self.ratio = 1.0 if tie else better
        self.lowest = min(1.0, better) if self.noisy else min(1.0, self.ratio)
        self.highest = min(1.0, self.ratio)


def ends(values, without):
    """Returns the lowest and the highest value, not counting the `without` lowest and highest ones."""
    ordered = sorted(values)
    return ordered[without], ordered[-1 - without]


def overlap(one, other):
    return one[0] <= other[1] and other[0] <= one[1]


def figures(own, library):
    """Returns the figures of both programs, computed from their rows (jobs, wall, cpu, p99)."""
    def column(rows, value):
        return [max(value(r), 1e-9) for r in rows]
    return {"T": Figure(column(own, lambda r: r[0] / r[1]), column(library, lambda r: r[0] / r[1]), True),
            "CPU": Figure(column(own, lambda r: r[2] / r[0]), column(library, lambda r: r[2] / r[0]), False),
            "L99": Figure(column(own, lambda r: r[3]), column(library, lambda r: r[3]), False)}


class Score:
    """The score, computed from {workload: {name: Figure}}: the geometric mean of those of the workloads."""

    def __init__(self, tables):
        self.tables = tables
        self.lowest, self.highest = self.mean("lowest"), self.mean("highest")
        self.lead = self.mean("ratio")  # without the cap at 1, for the leader board

    def mean(self, what):
        logs = self.logs(what)
        return 100 * math.exp(sum(logs) / len(logs))

    def logs(self, what):
        """Returns the logarithm of each workload's score."""
        return [sum(WEIGHTS[n] * math.log(getattr(f, what)) for n, f in t.items()) for t in self.tables.values()]

    def words(self):
        if round(self.lowest) == round(self.highest):
            return "%.0f of 100" % self.highest
        return "%.0f to %.0f of 100" % (self.lowest, self.highest)

    def lines(self):
        lines = ["%-10s %10s %10s %10s" % ("", *WEIGHTS)]
        for name, table in self.tables.items():
            lines.append("%-10s %s" % (name, " ".join("%9.2f%s" % (f.ratio, f.sign) for f in table.values())))
        lines.append("Above 1: yours is better, which counts as 1.  =: the ranges overlap, so it is a tie."
                     + ("  ?: too noisy to tell." if self.noisy() else ""))
        return lines

    def noisy(self):
        return any(f.noisy for t in self.tables.values() for f in t.values())

    def as_json(self):
        return {"lowest": round(self.lowest, 1), "highest": round(self.highest, 1), "lead": round(self.lead, 1),
                "workloads": {w: {n: round(f.ratio, 3) for n, f in t.items()} for w, t in self.tables.items()}}


class Stuck(Exception):
    """A program did not finish. `busy` is true if the cause may be the machine."""

    busy = False


def once(program, workload):
    """Runs the program once. Returns the row that it prints. Raises Stuck."""
    done = jail.run([program] + [str(n) for n in workload[1:]], seconds=SECONDS)
    if done.late:
        raise Stuck("%s: did not finish within %d s" % (workload.name, SECONDS))
    if done.status:
        why = done.out.strip() or "it exited with status %d" % done.status
        raise Stuck("%s: %s" % (workload.name, why))
    return [int(n) for n in done.out.split()]


def is_busy(library, workload):
    """Returns whether the machine is so busy that the library's own program has not finished in time."""
    begin = time.monotonic()
    try:
        once(library, workload)
    except Stuck:
        return True
    return time.monotonic() - begin > BUSY_SECONDS


def once_of(programs, who, workload):
    """Runs programs[who] once: 0 is the program with the student's file, 1 that with the library's. Raises Stuck."""
    try:
        return once(programs[who], workload)
    except Stuck as stuck:
        stuck.busy = who == 1 or is_busy(programs[1], workload)
        raise


@functools.lru_cache(maxsize=None)
def measured(own, library, workloads):
    """Returns the score of two programs. All workloads run in turns, so that drift of the machine
    affects all of them equally. Raises Stuck."""
    rows = {w.name: ([], []) for w in workloads}
    for turn in range(RUNS):
        for workload in workloads:
            for who in ((1, 0), (0, 1))[turn % 2]:  # alternates, because the caches may favour one position in a pair
                rows[workload.name][who].append(once_of((own, library), who, workload))
    return Score({name: figures(*pair) for name, pair in rows.items()})


@functools.lru_cache(maxsize=None)
def name_of(lab, path):
    """Returns (name of the policy in the file, ""), or (None, reason for refusing it)."""
    refused = handin.fault(path) if path is not None else None
    if refused:
        return None, "line %d: %s" % refused
    done = jail.run([builds.real_program(lab, path), "name"])
    text = done.out.strip()
    return (text, "") if done.status == 0 else (None, text or "the program exited with status %d" % done.status)


def time_score(work, path):
    """Measures on real threads, and returns the score."""
    programs = builds.real_program(work.lab, path), builds.real_program(work.lab, None)
    return measured(*programs, PUBLIC + tuple(hidden(work)))


def points(test, value):
    """Returns the points for a score: all for 100, or `nearly` less, and none for `zero` or less after that addition. A test's
    descriptor may have both."""
    zero, nearly = int(test.section.get("zero", 0)), int(test.section.get("nearly", NEARLY))
    return int(test.points * max(0, min(100, value + nearly) - zero) / (100 - zero))
