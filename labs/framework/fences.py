# SPDX-License-Identifier: MIT
"""Lab 5: which fences a protocol needs on which machine.

  verdicts   the student fills in a table whose rows the seed chose; the explorer computes the answers,
             because it runs the same protocol in C. A test asks for two rows and does not say which of them is wrong
  spin       the student's Promela model, searched with Spin in every configuration

A model's verdicts count only if it uses the macros of memory.pml and nothing else of the machine, and makes one access
to memory per step (promela.py). Three more conditions must hold: in each configuration without an error, Spin reached
every step; in all configurations, the verdicts agree with the explorer's, and the reads return what those of the C program
do; and the model loses a wakeup on a machine that loses read-modify-writes.
"""
import functools
import os
import re
import shutil
from collections import namedtuple

from . import builds, follow, jail, promela
from .course import Run, Stop
from .promela import Refused

MEMORIES = ("sc", "tso", "weak")
FENCES = {"both": (1, 1), "push": (1, 0), "sleep": (0, 1), "none": (0, 0)}  # (push fence, sleep fence)
IN_WORDS = {"both": "both fences", "push": "the push fence only", "sleep": "the sleep fence only", "none": "no fence"}
MACHINES = {"sc": "sequentially consistent", "tso": "x86 (TSO)", "weak": "weak"}
HOLDS, LOSES = "holds", "loses"
# The answers of the table: which threads can read too early, that is, before their own write is visible?
ANSWERS = {(False, False): HOLDS, (True, False): "poster", (False, True): "sleeper", (True, True): "both"}
LOST_WAKEUP = "invalid end state"
CPU_SECONDS, MEGABYTES, DEPTH = 20, 200, 100000


class Row(namedtuple("Row", "push fences memory")):
    """One configuration: how the job is published, which fences are used, and the memory model."""

    def words(self):
        return "published by a %s, %s, %s" % (
            {"store": "store", "rmw": "read-modify-write"}[self.push], IN_WORDS[self.fences], MACHINES[self.memory])

    def machine(self):
        return "-DMEM=" + self.memory.upper()

    def choices(self):
        """Returns the options of the preprocessor on which a model may depend."""
        return ("-DRMW_PUSH=%d" % (self.push == "rmw"), "-DPUSH_FENCE=%d" % FENCES[self.fences][0],
                "-DSLEEP_FENCE=%d" % FENCES[self.fences][1])


ROWS = [Row(push, fences, memory) for push in ("store", "rmw") for fences in FENCES for memory in MEMORIES]


@functools.lru_cache(maxsize=None)
def truth(lab, row):
    """Returns the explorer's verdict on the row."""
    run = Run("lab %s-%s - %s" % (row.push, row.fences, row.memory))
    program = builds.program(lab, run.program, os.path.join(lab.folder, lab.file))
    done = jail.run([program] + run.arguments() + ["--tsv"], jail.SEARCH)
    verdict = done.out.splitlines()[-1].split("\t")[1] if done.out else ""
    if verdict not in ("passed", "FAILED"):
        raise Stop("%s: the explorer reached no verdict" % row.words())
    return HOLDS if verdict == "passed" else LOSES


def answer(lab, row):
    """Returns who can read too early in this row. With the fence of the other side in place, the protocol loses a wakeup if and
    only if this side can."""
    push, sleep = FENCES[row.fences]
    repaired = {pair: name for name, pair in FENCES.items()}
    early = [truth(lab, Row(row.push, repaired[pair], row.memory)) == LOSES for pair in ((push, 1), (1, sleep))]
    return ANSWERS[tuple(early)]


def may_be_asked(row):
    """Returns whether the row may be in a student's table: it lacks a fence, on a machine that reorders."""
    return row.fences != "both" and row.memory != "sc"


def rows_of(test):
    return test.section["rows"].split()


def asked(work):
    """Returns {name of a row: row}. The seed chooses for each row an answer, and then a row with this answer while there is one.
    If it chose the rows directly, most students would have the same answers."""
    names = [name for test in work.lab.tests if test.kind == "verdicts" for name in rows_of(test)]
    left, chosen = [r for r in ROWS if may_be_asked(r)], {}
    for name in names:
        drawn = list(ANSWERS.values())[work.number("answer of " + name) % len(ANSWERS)]
        fitting = [r for r in left if answer(work.lab, r) == drawn] or left
        chosen[name] = fitting[work.number(name) % len(fitting)]
        left.remove(chosen[name])
    return chosen


def form(work):
    lines = ["# %s: does the protocol hold, or which thread can read before its own write is visible? Write one of: %s." % (
        work.lab.title, ", ".join(ANSWERS.values())), work.form_mark()]
    for name, row in asked(work).items():
        lines += ["", "# " + row.words(), name + ":"]
    return "\n".join(lines) + "\n"


def right(work):
    """Returns {name of a row: answer}."""
    return {name: answer(work.lab, row) for name, row in asked(work).items()}


def grade_table(work, test):
    """Grades the rows of one test. The message does not say which of them is wrong. Returns (status, message)."""
    given, expected = follow.given_in(work, test), right(work)
    for name in rows_of(test):
        if not given.get(name):
            return "missing", "%s: no answer" % name
        if given[name] not in ANSWERS.values():
            return "wrong", "%s: '%s' is none of: %s" % (name, given[name], ", ".join(ANSWERS.values()))
    if all(given[name] == expected[name] for name in rows_of(test)):
        return "good", ""
    return "wrong", "at least one of %s is not right" % " and ".join(rows_of(test))


class Verdict:
    """What Spin found out: the first error or None, the steps that no execution makes, and the pairs of values that the
    poster's and the sleeper's reads return in some execution."""

    def __init__(self, error, unreached, saw):
        self.error, self.unreached, self.saw = error, unreached, set(saw)

    def says(self):
        return HOLDS if self.error is None else LOSES if self.error == LOST_WAKEUP else "fails: " + self.error

    def differs(self, where, loses, counted):
        """Returns how the reads differ from those of the C program, whose poster reads 0 or `counted`. Both read 0 only if
        the program loses a wakeup."""
        if any(AGAIN in pair for pair in self.saw):
            return ["%s: a thread reads the same variable twice: the C program has one read in each thread" % where]
        saw = {(p - 1, s > 1) for p, s in self.saw if p and s}
        right = {(0, True), (counted, False), (counted, True)} | ({(0, False)} if loses else set())
        return (["%s: no execution of your model in which %s" % (where, reads(*pair)) for pair in sorted(right - saw)] +
                ["%s: in your model, but not in the C program, %s" % (where, reads(*pair)) for pair in sorted(saw - right)])


def reads(sleepers, job):
    return "the poster reads %d sleeper%s and the sleeper sees %s job" % (sleepers, "s"[sleepers == 1:], "the" if job else "no")


def run(command, folder, limits=jail.TOOL):
    if not os.path.dirname(command[0]) and not shutil.which(command[0]):
        raise Stop("%s is missing: run make setup labs" % command[0])
    return jail.run(command, limits._replace(cpu=CPU_SECONDS), writes=[folder], together=True)


# Records what the reads return, as lines SAW POSTER SLEEPER with 1 + the value that each of them read, or AGAIN if it
# reads a second time.
RECORDER = """#define OTHERS(a) (%(others)d && (a) == %(sleepers)s)
#define LOADED(p, a, r) saw[a] = (saw[a] -> AGAIN : (r) + 1); \\
	c_code { static char told[256][256]; \\
		 if (!told[now.saw[%(sleepers)s]][now.saw[%(job)s]]++) \\
			 printf("\\nSAW %%d %%d\\n", now.saw[%(sleepers)s], now.saw[%(job)s]); }
#define AGAIN 255
byte saw[ADDRS];"""
AGAIN = 255
LIMITS = r"^(error: max search depth too small|pan: reached -DMEMLIM bound|pan: out of memory)"


def searched(model, options, memory_model, others=0):
    """Searches the model completely. Returns a Verdict, or None if a limit was reached. `others`: the number of workers
    that have counted themselves as sleepers before."""
    head = RECORDER % {"others": others, "job": model.addresses[2], "sleepers": model.addresses[3]}
    with jail.folder() as folder:
        shutil.copy(memory_model, folder)
        jail.put(os.path.join(folder, "model.pml"), model.for_spin(head))
        made = run(["spin", "-a"] + options + ["model.pml"], folder)
        if made.status or not os.path.exists(os.path.join(folder, "pan.c")):
            raise Refused("Spin rejects the model:\n" + made.out.strip())
        built = run(["cc", "-O0", "-DSAFETY", "-DMEMLIM=%d" % MEGABYTES, "-w", "-o", "pan", "pan.c"], folder)
        if built.status:
            raise Refused("the verifier does not compile:\n" + built.out.strip())
        done = run(["./pan", "-m%d" % DEPTH, "-c0"], folder, jail.PROGRAM)  # -c0: continues after errors, and counts them
    return verdict_of(done.status, done.out)


def verdict_of(status, out):
    """Returns the Verdict that the verifier's output means, or None if the verifier reached a limit. Only a completed
    search without errors is one that holds."""
    errors = re.search(r"^State-vector .*, errors: (\d+)$", out, re.M)
    if status < 0 or re.search(LIMITS, out, re.M):
        return None
    if status or not errors or re.search(r"^Warning: Search not completed", out, re.M):
        raise Refused("Spin did not complete its search:\n" + "\n".join(out.strip().splitlines()[-3:]))
    messages = re.findall(r"^pan:\d+: (.*?)(?: \(at depth -?\d+\))?$", out, re.M)
    if bool(messages) != (errors.group(1) != "0"):
        raise Refused("Spin counts %s errors, but reports: %s" % (errors.group(1), "; ".join(messages) or "nothing"))
    other = [m for m in messages if m != LOST_WAKEUP]
    saw = [(int(p), int(s)) for p, s in re.findall(r"^SAW (\d+) (\d+)$", out, re.M)]
    return Verdict((other + messages + [None])[0], unreached_in(out), saw)


def unreached_in(out):
    """Returns the steps of the student's processes that no execution makes."""
    steps, process = [], ""
    for line in out.splitlines():
        if line.startswith("unreached in proctype"):
            process = line.split()[-1]
        elif re.search(r"state \d+,", line) and not process.startswith("flusher_"):
            steps.append("%s: %s" % (process, line.strip().split(", ", 1)[-1].strip('"')))
    return steps


class Found:
    """All verdicts on a model: for each row; for the machine that loses read-modify-writes; and after another worker has
    counted itself as a sleeper. None: a limit was reached."""

    def __init__(self, text, memory_model):
        promela.check_source(text)
        models = {row.choices(): promela.Model(text, row.choices()) for row in ROWS}
        safe = Row("store", "both", "sc")
        base = models[safe.choices()]
        self.rows = {row: searched(models[row.choices()], [row.machine()], memory_model) for row in ROWS}
        self.lossy = searched(base, [safe.machine(), "-DRMW_IS_LOST"], memory_model)
        self.crowded = searched(base, [safe.machine()], memory_model, 1)

    def is_limited(self):
        return None in self.rows.values() or self.lossy is None or self.crowded is None


@functools.lru_cache(maxsize=None)
def verdicts(text, memory_model):
    return Found(text, memory_model)


def agrees(lab, found):
    """Returns a message for each configuration in which the model's verdict, or what its reads return, is wrong. The rows
    of the table of verdicts are among the configurations, so the messages do not show the C program's verdict on those."""
    wrong, in_table = [], False
    for row, verdict in found.rows.items():
        says = verdict.says()
        if says == truth(lab, row):
            continue
        if says not in (HOLDS, LOSES):
            wrong.append("%s: your model %s" % (row.words(), says))
        elif may_be_asked(row):
            in_table = True
        else:
            wrong.append("%s: your model %s, the C program %s" % (row.words(), says, truth(lab, row)))
    if in_table:
        wrong.append("the C program has another verdict in at least one of the configurations that lack a fence, on %s or %s: work out "
                     "by hand what must happen there, and compare it with Spin's result (the options are at the top of the file)" % (
                         MACHINES["tso"], MACHINES["weak"]))
    for row, verdict in found.rows.items():
        wrong += [] if wrong else verdict.differs(row.words(), truth(lab, row) == LOSES, 1)
    if not wrong and found.crowded.says() != HOLDS:
        wrong.append("if another worker has counted itself as a sleeper before, your model %s, the C program holds" % found.crowded.says())
    return wrong or found.crowded.differs("another worker has counted itself as a sleeper before", False, 2)


def vacuous(found):
    return ["%s: never reached: %s" % (row.words(), step) for row, verdict in found.rows.items()
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
        found = verdicts(text, os.path.join(work.lab.folder, "memory.pml"))
    except Refused as refused:
        return "wrong", str(refused).splitlines()
    if found.is_limited():
        return "wrong", ["Spin reached its limit of %d s, %d MB or %d steps; a model of the two functions has less than "
                         "1000 states: which loop or counter makes yours so large?" % (CPU_SECONDS, MEGABYTES, DEPTH)]
    wrong = {"agrees": lambda: agrees(work.lab, found), "reached": lambda: vacuous(found),
             "lossy": lambda: lossless(found.lossy)}[test.section["check"]]()
    return ("wrong" if wrong else "good"), wrong
