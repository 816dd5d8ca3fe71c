# SPDX-License-Identifier: MIT
#
# scenarios.py - the runs of the explorer: each scenario of each program under its policies and memory
# modes, with its bound, and the table of their results.
#
#   two threads   no preemption bound; sc, tso and weak
#   three         at most 2 preemptions, under sc and tso; with a 1-bit JEC also weak, with old
#                 values only for the queues' links
#   four          at most 1 preemption, under sc and tso
#   three workers see bounds(); only under sc
#   deep          more than two threads: at most 3 preemptions, and also weak, with at most 2;
#                 takes hours
import os
import signal
import subprocess

from names import refuse
from record import Line
from signals import signal_child

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(TOP, os.environ.get("BUILD", "build"), "explore")
PROGRAMS = ["textbook", "litmus", "queues", "pool", "waits", "helps", "configs", "ends", "suspends", "three", "cells",
            "getters", "timed", "waits-jec2", "waits-jec1"]
# With a narrow JEC, run only the scenarios that it affects: those in which the counter wraps
# around. They list only the policies that have a JEC.
NARROW = {"rollover", "rollover-busy"}
# These have two workers, a spare thread for each, and main. One preemption needs more than 10
# million states.
FOUR_WORKERS = {"timed-worker-helped", "timed-several", "timed-several-helped"}
# For three-suspend with one more preemption than the table allows: (states, seconds) after which
# the search gave up.
BEYOND = {"jec": (18_092_618, 60), "spare": (17_890_159, 60), "demand": (19_874_291, 60),
          "tickle": (40_000_004, 165), "forkjoin": (7_830_064, 170), "condvar": (5_084_659, 60),
          "rfc": (11_268_270, 60), "chain": (12_743_262, 60)}
# The notes of the explorer that the table shows.
NOTES = ("histories cut", "under-wake")


_children = set()


def run_child(command, cwd=None):
    """Runs a command. Returns its exit code, its output, and the CPU seconds that it and its children
    took. Any thread may call it."""
    child = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, text=True)
    _children.add(child)
    out = child.stdout.read()
    child.stdout.close()
    _children.discard(child)  # before its pid can be used again
    _pid, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, out, usage.ru_utime + usage.ru_stime


def end_children():
    """Ends what run_child still runs in other threads."""
    for child in list(_children):
        signal_child(child.pid, signal.SIGTERM)


class Job:
    """One run. `line` is its result, a record.Line, once it has run."""

    def __init__(self, program, scenario, threads, policy, memory, bound, must_fail):
        self.program, self.scenario, self.threads = program, scenario, threads
        self.policy, self.memory, self.bound = policy, memory, bound
        self.must_fail = must_fail
        self.line, self.message = None, ""

    def arguments(self):
        words = [self.scenario, "--memory=" + self.memory]
        if self.policy != "-":
            words.append("--policy=" + self.policy)
        if self.bound is not None:
            words.append("--bound=%d" % self.bound)
        if self.memory == "weak" and self.program == "waits-jec1":
            words.append("--old-of=newest")
        return words

    def name(self):
        """Returns the command, which identifies the run."""
        return " ".join([self.program] + self.arguments())

    def run(self, seconds=600):
        code, out, cpu = run_child([os.path.join(BUILD, self.program)] + self.arguments() +
                                   ["--tsv", "--seconds=%d" % seconds])
        fields = out.rstrip("\n").split("\t")
        if len(fields) != 11:
            if code < 0:  # for example out of memory: the largest runs take 800 MB
                out += "(ended by signal %d; 9: out of memory?)" % -code
            fields = [self.scenario, "crashed", "0", "0", "0", "0", "0", "0", "0", "", out]
        notes = ", ".join(note for note in NOTES if note in fields[9])
        self.line = Line(fields[1], 0, int(fields[2]), int(fields[3]), cpu, notes)
        self.message = fields[10]
        return self

    def is_right(self, line):
        """Returns whether the line's verdict is the expected one."""
        return line.verdict == ("FAILED" if self.must_fail else "passed")


def bounds(program, scenario, threads, policy, memory, deep):
    """Returns the preemption bound of a run. None means no bound; False means that the run is
    skipped."""
    if scenario == "bound-0":
        return 0
    if scenario in ("deque-thieves", "deque-laps", "deque-border-thieves"):
        return 3 if deep else 2  # without a bound, over 10 million executions
    if threads <= 2 or policy == "-":
        return None
    if program == "three":
        if memory != "sc":
            return False
        most = {"three-wake": 1 if policy == "tickle" else 2,
                "three-suspend": 1 if policy in ("rfc", "block", "chain", "go") else 0}.get(scenario, 0)
        return most + 1 if deep else most
    if memory == "weak":
        return 2 if deep else False
    # With 2, one policy needs over 40 million states with four threads, and 15 million with two
    # getters. The table of cells has many more scenarios.
    if scenario in FOUR_WORKERS:
        return 1 if deep else 0
    if scenario == "get-suspends":
        return 3 if deep else 2  # the only wait that is ended by a thread of another pool
    if scenario == "bulk-spawned":
        return 3 if deep else 2  # with 1, a job injected under `tickle` never finds a sleepy worker
    if program in ("getters", "timed") or threads > 3 or (program == "cells" and memory == "tso"):
        return 2 if deep else 1
    return 3 if deep else 2


def listing(program):
    """Yields the fields of each scenario: name, threads, policies, where it fails, cells, title."""
    path = os.path.join(BUILD, program)
    if not os.path.exists(path):
        refuse("%s is missing: run make explore-programs" % path)
    listed = subprocess.run([path, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in listed.splitlines():
        yield line.split("\t")


def jobs_of(program, deep=False):
    for name, threads, policies, fails, _cells, _title in listing(program):
        if "-jec" in program and name not in NARROW:
            continue
        for policy in policies.split():
            for memory in ("sc", "tso", "weak"):
                bound = bounds(program, name, int(threads), policy, memory, deep)
                if memory == "weak" and program == "waits-jec1":
                    bound = 2
                if bound is not False:
                    yield Job(program, name, int(threads), policy, memory, bound,
                              bool({memory, policy} & (set(fails.split()) - {"-"})))


def all_jobs(deep=False):
    return [job for program in PROGRAMS for job in jobs_of(program, deep)]


def with_cells():
    """Yields (name, policies, cells) of each scenario, for the table of cells."""
    for program in PROGRAMS:
        if "-jec" not in program:
            for name, _threads, policies, _fails, declared, _title in listing(program):
                yield name, policies, declared


def number(text):
    return "{:,}".format(int(text))


def row(job, line):
    """Returns the run's row of the table."""
    name, memory, verdict = job.scenario, job.memory, line.verdict
    if "-jec" in job.program:
        name += " (%s-bit JEC)" % job.program[-1]
    if memory == "weak" and job.program == "waits-jec1":
        memory += " (links)"
    if verdict == "FAILED" and job.must_fail:
        verdict = "fails, as it must"
    elif verdict == "passed" and "histories cut" in line.notes:
        verdict = "passed, histories cut"
    elif verdict == "passed" and job.bound is None:
        verdict = "exhausted"
    if "under-wake" in line.notes:
        verdict += ", under-wakes"
    return "| %s | %d | %s | %s | %s | %s | %s | %s | %s |" % (
        name, job.threads, job.policy, memory, "any" if job.bound is None else "≤ %d" % job.bound,
        number(line.executions), number(line.states), verdict, line.seconds_text())


def table(jobs, lines):
    """Returns the table of the runs that have a line. lines: {name: Line}."""
    head = ["| scenario | threads | policy | memory | preemptions | executions | states | verdict | s |",
            "|---|---|---|---|---|---|---|---|---|"]
    return "\n".join(head + [row(job, lines[job.name()]) for job in jobs if job.name() in lines])


def beyond_table(jobs):
    """Returns the table that explains why pools of three workers are explored with so few
    preemptions."""
    lines = ["| scenario | policy | preemptions | gave up after states | s |", "|---|---|---|---|---|"]
    for job in jobs:
        if job.scenario == "three-suspend" and job.policy in BEYOND:
            states, seconds = BEYOND[job.policy]
            lines.append("| %s | %s | ≤ %d | %s | %d |" % (job.scenario, job.policy, job.bound + 1, number(states), seconds))
    return "\n".join(lines)
