# SPDX-License-Identifier: MIT
"""Lab 10: records the student's policy with LTTng, and runs `doze check` on the trace."""
import os

from . import builds, jail
from .contest import PUBLIC
from .course import BUILD, Stop

SECONDS = 100
RECORDED = ("trickle", "tree")  # names of the workloads
FEWER = 4                       # a recording has the contest's number of turns divided by this
MOST_JOBS = 400
# `doze check` exits with 4 and prints this message if it finds nothing in a complete trace but does
# not know the trace's policy.
COMPLETE = "only the rules common to all policies were checked"


def parts():
    """Returns the program doze and the library's archive, or None if recording is impossible."""
    paths = [os.path.join(BUILD, n) for n in ("doze", "libdoze.a", "libdoze-tracepoints.so")]
    return paths[:2] if all(os.path.exists(p) for p in paths) else None


def run(words, limits, writes=()):
    """Runs doze, which may write to the folders `writes`. Returns (exit code, lines of output)."""
    reads = [path for path in words if os.path.isfile(path)] + [BUILD]
    done = jail.run(words, limits, reads=reads, writes=writes, at=None if writes else os.getcwd(), seconds=SECONDS, together=True)
    if done.late:
        return 4, ["%s: did not finish within %d s" % (" ".join(words[:2]), SECONDS)]
    return done.status, done.out.splitlines()


def record(work, name, folder, writes=()):
    """Records the student's pool under one of the contest's workloads. Returns what run() returns."""
    if parts() is None:
        raise Stop("LTTng or doze is missing: run make setup all")
    workload = next((w for w in PUBLIC if w.name == name), None)
    if workload is None:
        raise Stop("no workload '%s'; there are %s" % (name, " ".join(w.name for w in PUBLIC)))
    doze, archive = parts()
    program = builds.traced_program(work.lab, work.need(work.lab.file), archive)
    turns = max(1, min(workload.turns // FEWER, MOST_JOBS // workload.batch))
    words = [doze, "record", "-o", folder, "--", program, *[str(n) for n in (turns,) + workload[2:]]]
    return run(words, jail.RECORDING, writes)


def grade(work):
    """Returns (status, messages)."""
    if parts() is None:
        return "not decided", ["LTTng or doze is missing, so nothing was recorded: run make setup all"]
    for name in RECORDED:
        with jail.folder() as folder:
            trace = os.path.join(folder, "trace")
            code, lines = record(work, name, trace, [folder])
            if code == 0:
                code, lines = run([parts()[0], "check", trace], jail.TOOL, [folder])
                code = 0 if code == 4 and any(COMPLETE in line for line in lines) else code
        if code == 1:
            return "wrong", ["workload %s: doze check reports errors in the recording" % name] + lines[:8]
        if code != 0:
            return "not decided", ["workload %s: no complete recording: %s" % (name, (lines or ["?"])[-1])]
    return "good", []
