# SPDX-License-Identifier: MIT
"""Lab 10: the score in the explorer's steps instead of seconds, which is the same on every machine.

The explorer runs three workloads along random schedules. Each step of a program counts as one unit
of time. The costs of system calls are added, because the explorer does not know them.

The score is that of the worst workload: each of them shows another kind of waste, which a mean would hide behind the other two.
"""
import functools
import math

from . import builds, contest, follow
from .course import Run

WALKS = 60      # number of walks per workload
SEARCH = 10     # units of CPU time for a search that finds nothing
SWITCH = 200    # units for a sleep, for a wake, and until a woken worker runs
WORKLOADS = ("near", "sparse", "batch")
SLEEPING = "4"


class Tally:
    """The cost of random walks: jobs, CPU time, and how long each job waited after its post. Takes the
    nth job that started for the nth that was posted. If all jobs are alike, the mean wait is exact,
    and the longest wait nearly so."""

    def __init__(self):
        self.jobs = self.cpu = 0
        self.waits = []

    def add(self, events):
        """Adds the events of one walk. Returns False if a posted job never started."""
        posts, starts, woke = [], [], {}  # woke: worker -> time when it last woke
        for event in events:
            self.cpu += {"search": SEARCH, "wake": SWITCH}.get(event.name, 0)
            if event.name == "worker_state" and event.fields["to"] == SLEEPING:
                self.cpu += SWITCH
            elif event.name == "worker_state" and event.fields["from"] == SLEEPING:
                woke[event.worker] = event.time
            elif event.name == "post":
                posts.append(event.time)
            elif event.name == "job_start":
                starts.append((event.time, woke.get(event.worker, -1)))
        for posted, (started, woken) in zip(posts, starts):
            # A job is visible before its post is reported, so it may start earlier.
            self.waits.append(max(started - posted, 1) + (SWITCH if woken >= posted else 0))
        self.jobs += len(starts)
        return len(starts) == len(posts)

    def row(self):
        """Returns a row as measure.c prints it: jobs, time, CPU time, 99th percentile."""
        return self.jobs, sum(self.waits), self.cpu, sorted(self.waits)[len(self.waits) * 99 // 100]


class WorstScore(contest.Score):
    """The score of the worst workload."""

    def mean(self, what):
        return 100 * math.exp(min(self.logs(what)))


@functools.lru_cache(maxsize=None)
def tally(lab, path, policy, workload):
    """Returns the row of a workload, or None if a walk did not finish."""
    program = builds.program(lab, "lab", path)
    run, total = Run("lab %s %s sc" % (workload, policy)), Tally()
    for number in range(1, WALKS + 1):
        events = follow.walk(program, run, number)
        if not events or events[-1].name != "pool_stop" or not total.add(events):
            return None
    return total.row()


def score(lab, path, policy):
    """Returns the contest's score in steps, or None if a walk did not finish."""
    reference = contest.name_of(lab, None)[0]
    tables = {}
    for workload in WORKLOADS:
        own, library = tally(lab, path, policy, workload), tally(lab, None, reference, workload)
        if own is None:
            return None
        tables[workload] = contest.figures([own] * 3, [library] * 3)
    return WorstScore(tables)
