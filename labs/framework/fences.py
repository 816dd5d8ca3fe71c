# SPDX-License-Identifier: MIT
"""Lab 5: which fences a protocol needs on which machine.

  verdicts   the student fills in a table whose rows the seed chose; the explorer computes the answers,
             because it runs the same protocol in C
  spin       the student's Promela model, searched with Spin in every configuration

A model's verdicts count only if three conditions hold: in each configuration without an error, Spin reached every
step; the verdicts agree with the explorer's in all configurations; and the model loses a wakeup on a machine that
loses read-modify-writes.
"""
import functools
import os
import re
import resource
import shutil
import subprocess
import tempfile

from . import builds
from .course import Run, Stop

MEMORIES = ("sc", "tso", "weak")
FENCES = {"both": (1, 1), "push": (1, 0), "sleep": (0, 1), "none": (0, 0)}  # push fence, sleep fence
IN_WORDS = {"both": "both fences", "push": "the push fence only", "sleep": "the sleep fence only", "none": "no fence"}
MACHINES = {"sc": "sequentially consistent", "tso": "x86 (TSO)", "weak": "weak"}
HOLDS, LOSES = "holds", "loses"
LOST_WAKEUP = "invalid end state"
CPU_SECONDS, MEGABYTES, DEPTH = 20, 200, 100000


class Row:
    """One configuration: how the job is published, which fences exist, and the machine."""

    def __init__(self, push, fences, memory):
        self.push, self.fences, self.memory = push, fences, memory

    def words(self):
        return "published by a %s, %s, %s" % (
            {"store": "store", "rmw": "read-modify-write"}[self.push], IN_WORDS[self.fences], MACHINES[self.memory])

    def options(self):
        push_fence, sleep_fence = FENCES[self.fences]
        return ["-DMEM=" + self.memory.upper(), "-DRMW_PUSH=%d" % (self.push == "rmw"),
                "-DPUSH_FENCE=%d" % push_fence, "-DSLEEP_FENCE=%d" % sleep_fence]


ROWS = [Row(push, fences, memory) for push in ("store", "rmw") for fences in FENCES for memory in MEMORIES]


@functools.lru_cache(maxsize=None)
def truth(lab, row):
    """Returns the explorer's verdict on the row."""
    run = Run("lab %s-%s - %s" % (row.push, row.fences, row.memory))
    program = builds.program(lab, run.program, os.path.join(lab.folder, lab.file))
    done = subprocess.run([program] + run.arguments() + ["--tsv"], stdout=subprocess.PIPE, text=True, check=False)
    verdict = done.stdout.splitlines()[-1].split("\t")[1] if done.stdout else ""
    if verdict not in ("passed", "FAILED"):
        raise Stop("%s: the explorer has no verdict" % row.words())
    return HOLDS if verdict == "passed" else LOSES


def asked(work):
    """Returns {test name: row}. The rows are among those that lack a fence, on machines that reorder. The seed chooses
    the verdicts first, which are not all alike, and then rows with these verdicts. Most rows have the same verdict, so
    otherwise many students would have the same answers."""
    tests = [t for t in work.lab.tests if t.kind == "verdicts"]
    interesting = [r for r in ROWS if r.fences != "both" and r.memory != "sc"]
    pattern, rows = 1 + work.number("rows") % (2 ** len(tests) - 2), {}
    for i, test in enumerate(tests):
        verdict = HOLDS if pattern >> i & 1 else LOSES
        left = [r for r in interesting if truth(work.lab, r) == verdict and r not in rows.values()]
        rows[test.name] = left[work.number(test.name) % len(left)]
    return rows


def form(work):
    lines = ["# %s: does the protocol hold, or can it lose a wakeup? Write holds or loses." % work.lab.title]
    for name, row in asked(work).items():
        lines += ["", "# " + row.words(), name + ":"]
    return "\n".join(lines) + "\n"


def right(work):
    """Returns {test name: answer}."""
    return {name: truth(work.lab, row) for name, row in asked(work).items()}


class Verdict:
    def __init__(self, error, unreached):
        self.error, self.unreached = error, unreached


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 2))


def run(command, folder):
    try:
        return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", preexec_fn=limit, check=False)
    except FileNotFoundError as missing:
        raise Stop("%s is missing: run make setup labs" % command[0]) from missing


class Refused(Exception):
    """The model is not Promela, or not a complete model."""


def searched(text, options, memory_model):
    """Searches the model completely. Returns a Verdict, or None if a limit was reached."""
    with tempfile.TemporaryDirectory(prefix="doze-lab-") as folder:
        shutil.copy(memory_model, folder)
        with open(os.path.join(folder, "model.pml"), "w", encoding="utf-8") as file:
            file.write(text)
        made = run(["spin", "-a"] + options + ["model.pml"], folder)
        if not os.path.exists(os.path.join(folder, "pan.c")):
            raise Refused("Spin refuses the model:\n" + made.stdout.strip())
        built = run(["cc", "-O0", "-DSAFETY", "-DMEMLIM=%d" % MEGABYTES, "-w", "-o", "pan", "pan.c"], folder)
        if built.returncode:
            raise Refused("the verifier does not compile:\n" + built.stdout.strip())
        out = run(["./pan", "-m%d" % DEPTH], folder).stdout
    if "errors: " not in out or "max search depth too small" in out or "Search not completed" in out and "errors: 0" in out:
        return None
    error = re.search(r"^pan:1: (.*?) \(at depth \d+\)$", out, re.M)
    return Verdict(error.group(1) if error else None, unreached_in(out))


def unreached_in(out):
    """Returns the steps of the student's processes that no execution makes."""
    steps, process = [], ""
    for line in out.splitlines():
        if line.startswith("unreached in proctype"):
            process = line.split()[-1]
        elif re.search(r"state \d+,", line) and not process.startswith("flusher_"):
            steps.append("%s: %s" % (process, line.strip().split(", ", 1)[-1].strip('"')))
    return steps


@functools.lru_cache(maxsize=None)
def verdicts(text, memory_model):
    """Returns {row: Verdict}, and the verdict for the machine that loses read-modify-writes."""
    lossy = Row("store", "both", "sc").options() + ["-DRMW_IS_LOST"]
    return {row: searched(text, row.options(), memory_model) for row in ROWS}, searched(text, lossy, memory_model)


def agrees(lab, found):
    """Returns the errors in the model's verdicts, or an empty list."""
    wrong = []
    for row, verdict in found.items():
        said = HOLDS if verdict.error is None else LOSES if verdict.error == LOST_WAKEUP else "fails: " + verdict.error
        if said != truth(lab, row):
            wrong.append("%s: your model %s, the C program %s" % (row.words(), said, truth(lab, row)))
    return wrong


def vacuous(found):
    return ["%s: never reached: %s" % (row.words(), step) for row, verdict in found.items()
            if verdict.error is None for step in verdict.unreached]


def lossless(lossy):
    if lossy.error == LOST_WAKEUP:
        return []
    return ["on a machine that loses every read-modify-write, no thread sees the sleeper; your model %s" % (
        "holds there, so it proves nothing" if lossy.error is None else "fails with: " + lossy.error)]


def grade_model(work, test):
    """Grades one aspect of the model. Returns (status, messages)."""
    path = work.path(test.section["form"])
    if not os.path.exists(path):
        return "missing", ["%s does not exist" % test.section["form"]]
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    try:
        found, lossy = verdicts(text, os.path.join(work.lab.folder, "memory.pml"))
    except Refused as refused:
        return "wrong", str(refused).splitlines()
    if lossy is None or None in found.values():
        return "inconclusive", ["Spin reached its limit of %d s, %d MB or %d steps" % (CPU_SECONDS, MEGABYTES, DEPTH)]
    wrong = {"agrees": lambda: agrees(work.lab, found), "reached": lambda: vacuous(found),
             "lossy": lambda: lossless(lossy)}[test.section["check"]]()
    return ("wrong" if wrong else "good"), wrong
