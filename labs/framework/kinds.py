# SPDX-License-Identifier: MIT
"""Grades one test, by its kind.

  explore   the explorer runs scenarios with the student's file; every search must pass
  script    a schedule that the student wrote must break a program, and must not break a correct one
  follow    questions about a random run (follow.py)
  verdicts  a table of verdicts, and
  spin      a model in Promela (fences.py)
  analysis  a program that reads events, and
  measure   counts and times on real threads (storm.py)
  contest   a policy's score, in steps of the explorer (walks.py) or in time (contest.py)
  recorded  a recording of the policy must obey the protocol (recorded.py)
  verdict   verdicts on traces of broken libraries (forensics)
  quiz      questions about a trace, graded by the lab's own program (quiz.h)
"""
import itertools
import json
import os
import resource
import shutil
import subprocess
import tempfile

from . import builds, contest, fences, follow, recorded, storm, variants, walks
from .course import INPUT, ROOT, Stop
from .forensics import verdicts

GOOD, WRONG, MISSING, INCONCLUSIVE = "good", "wrong", "missing", "inconclusive"
NO_SCORE = "no score"  # nothing wrong was found, but a test that this test requires has not passed
STATES = 3_000_000  # limit of one search; a number of states, so that the verdict does not depend on the machine's speed
CPU_SECONDS = 100   # code that runs for longer is in a loop without a step
LOOP = "-- from here on, "  # begins the line of a listing that introduces the steps of an endless loop
SHOWN = 14          # number of steps of a schedule that are shown


class Outcome:
    """`score`: points for a part of the test, negative for a wrong answer; without it, a test gives
    all points or none. `contest`: a contest.Score, for the leader board."""

    def __init__(self, test, status, message="", detail=(), trace=None, score=None, contest_score=None):
        self.test, self.status, self.message = test, status, message
        self.detail, self.trace = list(detail), trace
        self.score = score if score is not None else test.points if status == GOOD else 0
        self.contest = contest_score


def explore(program, arguments):
    """Runs an explorer program. Returns (exit status, lines)."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    done = subprocess.run([program, "--seconds=1000000", "--max-states=%d" % STATES] + arguments,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          preexec_fn=limit, check=False)
    return done.returncode, done.stdout.splitlines()


def source_line(place, cache={}):  # pylint: disable=dangerous-default-value
    """Returns the text of FILE:LINE."""
    path, number = place.rsplit(":", 1)
    if path not in cache:
        with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
            cache[path] = file.read().splitlines()
    lines = cache[path]
    return lines[int(number) - 1].strip() if 0 < int(number) <= len(lines) else ""


def without_repeats(steps):
    """Returns the steps, with each series of equal steps as a single line."""
    lines = []
    for step, group in itertools.groupby(steps):
        n = len(list(group))
        lines.append(step if n == 1 else "%s  (%d times)" % (step, n))
    return lines


def steps_in_words(lines, own, most=SHOWN):
    """Returns the last steps of a listing, at most `most`. Steps in the student's file are shown with their
    source."""
    steps = []
    for line in lines:
        text, _, place = line.partition("\t")
        thread, text = text[:10].rstrip(), text[10:].strip()
        if place.startswith(own):
            old = "  [reads an old value]" if "[an old value]" in text else ""
            steps.append("%-9s %s:%s  %s%s" % (thread, os.path.basename(own), place.rsplit(":", 1)[1],
                                              source_line(place), old))
        else:
            steps.append("%-9s %s" % (thread, text))
    steps = without_repeats(steps)
    left_out = len(steps) - most
    return (["… %d earlier steps" % left_out] if left_out > 0 else []) + steps[-most:]


def one_turn(lines):
    """Returns the first turn of a listing that may show several turns of a loop."""
    for length in range(1, len(lines)):
        if lines[length:] == lines[:-length]:
            return lines[:length]
    return lines


def loop_of(lines):
    """Returns the index of the line that introduces an endless loop, or None."""
    return next((i for i, line in enumerate(lines) if line.startswith(LOOP)), None)


def once_around(lines):
    """Returns the listing with only one turn of its endless loop, if it has such a loop."""
    at = loop_of(lines)
    if at is None or at + 1 == len(lines):
        return lines
    before, turn = lines[:at], one_turn(lines[at + 1:])
    while before[-len(turn):] == turn:
        del before[-len(turn):]
    return before + lines[at:at + 1] + turn


def livelock_in_words(lines, own):
    """Returns the last steps before an endless loop, and the first of those that repeat."""
    at = loop_of(lines)
    around = steps_in_words(lines[at + 1:], own, len(lines))
    left_out = ["… %d more steps" % (len(around) - SHOWN)] if len(around) > SHOWN else []
    return steps_in_words(lines[:at], own, SHOWN // 2) + [lines[at].removeprefix("-- ") + ":"] + around[:SHOWN] + left_out


def located(program, lines):
    """Returns the listing with the two accesses of a data race as steps with their places (places.c)."""
    tool, steps = shutil.which("addr2line"), []
    for line in lines:
        if not line.startswith("race\t"):
            steps.append(line)
            continue
        _, thread, place = line.split("\t")
        if place.startswith("0x") and tool:  # an address after the call that reports the access
            done = subprocess.run([tool, "-e", program, hex(int(place, 16) - 1)], stdout=subprocess.PIPE, text=True, check=False)
            place = builds.shown(done.stdout.split(" ")[0].strip())
        if not place.startswith(("0x", "??")):
            steps.append("%-11sone side of the race: %s\t%s" % (thread, place, place))
    return steps


def save_trace(work, test, events):
    """Converts the events of a failure to a trace for doze replay, if the tools are built."""
    return builds.write_trace(events, work.path(os.path.join("traces", test.name)))


def shortest(work, test, run, program, brief):
    """Returns (steps in words, folder of the trace or None) of the shortest failing schedule."""
    if brief:
        return [], None
    with tempfile.TemporaryDirectory(prefix="doze-lab-") as folder:
        events = os.path.join(folder, "events")
        schedule = work.path(test.name + ".schedule")
        _, lines = explore(program, run.arguments() + ["--shortest", "--show", "--lines", "--events=" + events,
                                                       "--schedule=" + schedule])
        lines = located(program, lines)
        begin = next((i + 1 for i, line in enumerate(lines) if " steps at choice points" in line), len(lines))
        end = [line for line in lines if line.startswith("=> ")]
        lines = once_around([line for line in lines[begin:] if line not in end])
        with open(work.path(test.name + ".steps"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines + end) + "\n")
        own = builds.shown(work.path(work.lab.file))
        steps = (steps_in_words if loop_of(lines) is None else livelock_in_words)(lines, own)
        trace = save_trace(work, test, events) if os.path.exists(events) else None
    return steps + end, trace


def failure(work, test, run, program, message, brief):
    no_schedule = message.startswith("no execution reached")  # there is no failing schedule
    steps, trace = ([], None) if no_schedule else shortest(work, test, run, program, brief)
    stuck = message.startswith("livelock")  # the schedule of a livelock only leads into the loop
    if steps and steps[-1].startswith("=> "):
        end = steps.pop()[3:]
        message = message if stuck else end
    detail = [run.words() + ": " + message]
    if no_schedule:
        what = message.removeprefix("no execution reached: ")
        detail.append(test.missed.get(what, "this must happen in at least one execution, and your file never lets it happen"))
    elif test.invariant:
        detail.append("the invariant: " + test.invariant)
    if steps:
        detail += ["the shortest schedule %s:" % ("that leads into a livelock" if stuck else "that breaks it")] + ["    " + step for step in steps]
        detail.append("all its steps: labs/lab replay %d %s" % (work.lab.number, test.name))
    if trace:
        detail.append("as a trace: build/doze replay " + os.path.relpath(trace, ROOT))
    return Outcome(test, WRONG, message, detail, trace)


def forget(work, test):
    """Removes the schedule that broke an earlier version of the file, because line numbers may have
    changed since."""
    for name in (test.name + ".steps", test.name + ".schedule"):
        if os.path.exists(work.path(name)):
            os.remove(work.path(name))
    shutil.rmtree(work.path(os.path.join("traces", test.name)), ignore_errors=True)


def own_policy(work):
    """Returns the name of the student's policy."""
    name, why = contest.name_of(work.lab, work.need(work.lab.file))
    if name is None:
        raise Stop("%s: %s" % (work.lab.file, why))
    return name


def grade_explore(work, test, brief, cache={}):  # pylint: disable=dangerous-default-value
    """The verdict depends only on the file, so without details it is computed once."""
    path = work.need(work.lab.file)
    key = (work.lab.name, test.name, builds.fingerprint(path))
    if not brief:
        return search(work, test, path, brief)
    if key not in cache:
        cache[key] = search(work, test, path, brief)
    return cache[key]


def search(work, test, path, brief):
    for run in test.runs:
        run = run.under(own_policy(work)) if run.policy == "own" else run
        program = builds.program(work.lab, run.program, path)
        status, lines = explore(program, run.arguments() + ["--tsv"])
        fields = lines[-1].split("\t") if lines else []
        if len(fields) != 11:
            return Outcome(test, INCONCLUSIVE if status < 0 else WRONG, "the explorer ended without a verdict: "
                           "does your code loop without making a step?" if status < 0 else "crash")
        verdict, message = fields[1], fields[10]
        if verdict == "gave up":
            return Outcome(test, INCONCLUSIVE, "%s: %s" % (run.words(), message))
        if verdict == "FAILED":
            return failure(work, test, run, program, message, brief)
    forget(work, test)
    return Outcome(test, GOOD)


def goal(work, test):
    """Returns how the student's schedule must end. If the goal has several variants, the seed chooses one."""
    text = test.section.get("goal", "")
    return variants.variant(text, work.number(test.name) % variants.count(text))


def grade_script(work, test, _brief):
    """Grades a schedule, which must end as `message` describes under the student's goal. The same program with the
    reference in place of the broken file must survive it."""
    path = work.path(test.section["form"])
    if not os.path.exists(path):
        return Outcome(test, MISSING, "%s does not exist" % test.section["form"])
    run = test.runs[0]
    broken = builds.program(work.lab, run.program, os.path.join(work.lab.folder, test.section["broken"]))
    with tempfile.TemporaryDirectory(prefix="doze-lab-") as folder:
        copy = os.path.join(folder, test.section["form"])
        with open(path, encoding="utf-8", errors="replace") as source, open(copy, "w", encoding="utf-8") as target:
            target.write(source.read())
        status, lines = explore(broken, run.arguments() + ["--script=" + copy])
    last = lines[-1].removeprefix("=> ") if lines else "nothing"
    if status == 1 and goal(work, test) in last:
        return Outcome(test, GOOD)
    if status == 3:
        message = last.replace(folder + "/", "")
    elif status == 0:
        message = "nothing went wrong: the program ran to completion"
    else:
        message = "the run ends with '%s', but the task was to reach '%s'" % (last, goal(work, test))
    return Outcome(test, WRONG, message, [message, "its last steps:"] + ["    " + line for line in lines[-8:-1]])


def grade_follow(work, test, _brief):
    return Outcome(test, *follow.grade(work, test))


def run_quiz(work):
    """Runs the lab's own grader once. Returns {question: status}."""
    program = work.lab.quiz_program()
    trace, form = os.path.join(work.lab.folder, "trace"), work.need("answers.txt")
    with tempfile.TemporaryDirectory(prefix="doze-lab-") as folder:
        result = os.path.join(folder, "result.json")
        done = subprocess.run([program, "--json", result, trace, form], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1, 4):
            raise Stop(done.stderr.strip(), done.returncode if done.returncode in (2, 3) else INPUT)
        if done.returncode == 4:
            return {}
        with open(result, encoding="utf-8") as file:
            return {t["name"]: t for t in json.load(file)["tests"]}


def grade_quiz(work, test, _brief):
    found = work.quiz.get(test.name) if hasattr(work, "quiz") else None
    if found is None:
        work.quiz = run_quiz(work)
        found = work.quiz.get(test.name)
    if found is None:
        return Outcome(test, INCONCLUSIVE, "the trace lost events and does not decide this")
    return Outcome(test, found["status"], "your answer is %s" % found["message"] if found["message"] else "")


def grade_verdicts(work, test, _brief):
    return Outcome(test, *follow.compare(work, test, fences.right(work)[test.name]))


def grade_spin(work, test, brief):
    status, messages = fences.grade_model(work, test)
    return Outcome(test, status, messages[0] if messages else "", messages[:1 if brief else 6])


def grade_analysis(work, test, brief):
    status, messages = storm.grade_analysis(work, test)
    return Outcome(test, status, messages[0] if messages else "", messages[:1 if brief else 12])


def grade_measure(work, test, _brief):
    status, message = storm.grade_measure(work, test)
    return Outcome(test, status, message)


def grade_verdict(work, test, _brief):
    status, message, cost = verdicts.grade(work, test)
    return Outcome(test, status, message, score=test.points if status == GOOD else -cost)



def scored(test, score, first):
    """Returns the outcome for a contest.Score, which gives points in proportion to the score."""
    low, high = contest.points(test, score.lowest), contest.points(test, score.highest)
    status = GOOD if low == test.points else INCONCLUSIVE if low < high else WRONG
    message = first + score.words()
    if status == INCONCLUSIVE:
        message += ": this machine is too busy to tell"
    return Outcome(test, status, message, [message] + score.lines(), None, 0 if status == INCONCLUSIVE else low, score)


def grade_contest(work, test, _brief):
    path, policy = work.need(work.lab.file), own_policy(work)
    if test.section["judge"] == "steps":
        score = walks.score(work.lab, path, policy)
        if score is None:
            return Outcome(test, WRONG, "a random run does not terminate: grade the tests above first")
        return scored(test, score, "in steps: ")
    try:
        return scored(test, contest.time_score(work, path), "your score: ")
    except contest.Stuck as stuck:
        return Outcome(test, WRONG, str(stuck))


def grade_recorded(work, test, _brief):
    status, messages = recorded.grade(work)
    return Outcome(test, status, messages[0] if messages else "", messages)


GRADERS = {"analysis": grade_analysis, "contest": grade_contest, "explore": grade_explore, "follow": grade_follow,
           "measure": grade_measure, "quiz": grade_quiz, "recorded": grade_recorded, "script": grade_script,
           "spin": grade_spin, "verdict": grade_verdict, "verdicts": grade_verdicts}
COSTLY = ("contest", "recorded")  # skipped unless the tests that they require have passed


def grade_one(work, test, good, brief):
    """Grades one test. It scores only if the tests that it requires have passed."""
    lacking = [n for n in test.needs if not good.get(n, False)]
    refused = Outcome(test, NO_SCORE, "scores only together with " + ", ".join(lacking))
    if lacking and test.kind in COSTLY:
        return refused
    outcome = GRADERS[test.kind](work, test, brief)
    return refused if lacking and outcome.status == GOOD else outcome


def is_noisy(test):
    """Returns whether the load of the machine may turn a right verdict into a wrong one. Of a test of kind `measure`, it
    can only make the verdict inconclusive."""
    return test.kind == "recorded" or test.kind == "contest" and test.section["judge"] == "time"


def grade(work, only=None, brief=False, noisy=True):
    """Grades all tests, or only one. Without `noisy`, grades only the tests whose verdict is the
    same on every machine, or inconclusive."""
    outcomes, good = [], {}
    wanted = [t for t in work.lab.tests if only is None or t.name == only.name or t.name in only.needs]
    wanted = [t for t in wanted if noisy or not is_noisy(t)]
    for test in wanted:
        outcome = grade_one(work, test, good, brief)
        good[test.name] = outcome.status == GOOD
        if only is None or test.name == only.name:
            outcomes.append(outcome)
    return outcomes
