# SPDX-License-Identifier: MIT
"""Lab 10: the student's policy in large pools, on real threads (10-contest/many.c). The program finds a hang and a wrong access
to memory without a time limit. Only a pool that never rests needs one; if even the library's own pool then takes long, the
machine is too busy.
"""
import time

from . import builds, jail

SECONDS = 60
BUSY_SECONDS = 20  # the library's own pool takes less than 1 s on a machine that has nothing else to do


def once(program):
    """Runs the program. Returns (exit status, fields of its last line), or None if it did not end in time."""
    done = jail.run([program], seconds=SECONDS, together=True)
    return None if done.late else (done.status, (done.out.splitlines() or [""])[-1].split("\t"))


def is_busy(library):
    begin = time.monotonic()
    return once(library) is None or time.monotonic() - begin > BUSY_SECONDS


def judge(program, found):
    """Returns (status, messages) for what the program found."""
    status, fields = found
    if status == 0:
        return "good", []
    what = fields[1] if len(fields) > 1 else fields[0] or "the program exited with status %d" % status
    if fields[0] == "none":
        return "not decided", ["this machine cannot start enough threads: " + what]
    place = builds.place_of(program, fields[2]) if fields[0] == "fault" else ""
    return "wrong", [(place and place + ": ") + what]


def grade(work, test):
    """Returns (status, messages)."""
    name = test.section["program"]
    program = builds.checked_program(work.lab, work.need(work.lab.file), name)
    found = once(program)
    if found is not None:
        return judge(program, found)
    if is_busy(builds.checked_program(work.lab, None, name)):
        return "not decided", ["this machine is too busy: even the library's own pool took too long. Close other programs and grade again"]
    return "wrong", ["your pool did not finish within %d s, and its workers did not all sleep: do they search for ever?" % SECONDS]
