# SPDX-License-Identifier: MIT
"""Grades one test, by its kind.

  explore   the explorer runs scenarios with the student's file; every search must pass
  script    a schedule that the student wrote must make a broken program fail as the goal describes
  follow    questions about a random run (follow.py)
  verdicts  a table of verdicts, and
  spin      a model in Promela (fences.py)
  analysis  a program that reads events, and
  measure   counts and times on real threads (storm.py)
  contest   a policy's score, in steps of the explorer (walks.py) or in time (contest.py)
  threads   a program of the lab runs the file on real threads, and looks for mistakes that do not depend on time (threads.py)
  recorded  a recording of the policy must obey the protocol (recorded.py)
  verdict   verdicts on traces of broken libraries (forensics)
  quiz      questions about a trace, graded by the lab's own program (quiz.h)
"""
import json
import os
import shutil
import signal
import subprocess

from . import builds, contest, fences, follow, handin, jail, listing, places, recorded, storm, threads, variants, walks
from .budget import Budget
from .course import BUILD, INPUT, BadFile
from .forensics import verdicts
from .values import named_values

GOOD, WRONG, MISSING = "good", "wrong", "missing"
NOT_DECIDED = "not decided"  # because of the machine; what the student's file causes is wrong
NO_SCORE = "no score"  # this test found no mistake, but a test that it requires has not passed
STATES = 3_000_000  # maximum per search; unlike a time limit, it gives the same verdict on slow machines
MARKS = {"race": "one side of the race", "use": "the access to freed memory"}  # how a verdict describes the lines from places.c
MODEL_LINES, ANALYSIS_LINES = 6, 12  # maximum number of lines that a verdict on a model or an analysis has


class Outcome:
    """The outcome of one test. `score`: the points, if they are not simply all or none: those that are sure, if the test is
    not decided; negative for a wrong accusation. `contest_score`: a contest.Score, for the leader board."""

    def __init__(self, test, status, message="", detail=(), trace=None, score=None, contest_score=None):
        self.test, self.status, self.message = test, status, message
        self.detail, self.trace = list(detail), trace
        self.score = score if score is not None else test.points if status == GOOD else 0
        self.contest = contest_score


def explore(program, arguments, budget=None, writes=()):
    """Runs an explorer program, which may write to the folders `writes`. Returns (exit status, lines); the status is that of
    SIGKILL if the budget ends."""
    done = jail.run([program, "--seconds=1000000", "--max-states=%d" % STATES] + arguments, jail.SEARCH, writes=writes,
                    seconds=budget and budget.left(), together=True)
    return done.status, done.out.splitlines()


def functions(program, places):
    """Returns {place: (function, file)} for addresses in the program."""
    tool = shutil.which("addr2line")
    if not tool or not places:
        return {}
    calls = [hex(int(p, 16) - 1) for p in places]  # each place is a return address, which follows the call
    done = subprocess.run([tool, "-f", "-e", program] + calls, stdout=subprocess.PIPE, text=True, check=False)
    lines = done.stdout.splitlines()
    return {p: (f, builds.shown(at.rsplit(":", 1)[0])) for p, f, at in zip(places, lines[::2], lines[1::2])}


def with_operations(program, lines, own):
    """Returns the listing with, in place of the calls that led to a step, the first function of the file `own` among them,
    unless the step is in that function itself."""
    split = [line.split("\t") for line in lines]
    known = functions(program, sorted({p for part in split for p in part[2:] if part[0] not in MARKS}))
    return ["\t".join(part) if part[0] in MARKS else step_of(part, known, own) for part in split]


def step_of(part, known, own):
    first = next((known[p][0] for p in part[2:] if p in known and known[p][1] == own), None)
    inside = part[0][10:].strip().split(":")[0]
    return "\t".join(part[:2] + ([first] if first and first != inside else []))


def located(program, lines):
    """Returns the listing with the two accesses of a data race, or the access to freed memory, as steps with their places
    (places.c)."""
    steps = []
    for line in lines:
        kind, *fields = line.split("\t")
        if kind not in MARKS:
            steps.append(line)
            continue
        thread, place = fields
        if place.startswith("0x"):  # the return address of the call that reports the access
            place = builds.place_of(program, hex(int(place, 16) - 1))
        if place and not place.startswith("??"):
            steps.append("%-11s%s: %s\t%s" % (thread, MARKS[kind], place, place))
    return steps


def save_trace(work, test, events):
    """Converts the events of a failure to a trace for doze replay, if the tools are built."""
    return builds.write_trace(events, work.path(os.path.join("traces", test.name)))


def shortest(work, test, run, program, brief):
    """Returns (description of the steps, folder of the trace or None) for the shortest failing schedule."""
    if brief:
        return [], None
    with jail.folder() as folder:
        events, schedule = (os.path.join(folder, name) for name in ("events", "schedule"))
        _, lines = explore(program, run.arguments() + ["--shortest", "--show", "--lines", "--calls",
                                                       "--events=" + events, "--schedule=" + schedule], work.budget, [folder])
        jail.keep(schedule, work.path(test.name + ".schedule"))
        own = builds.shown(work.path(work.lab.file))
        # A file of the library has several operations; in a program, the outermost function says little.
        lines = located(program, with_operations(program, lines, own if work.lab.replaces else None))
        begin = next((i + 1 for i, line in enumerate(lines) if " steps at choice points" in line), len(lines))
        end = [line for line in lines if line.startswith("=> ")]
        lines = [line for line in lines[begin:] if line not in end]
        ended = [line[:10].rstrip() for line in lines if line[11:] == "has ended"]
        lines = listing.once_around([line for line in lines if line[11:] != "has ended"])
        with open(work.path(test.name + ".steps"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines + end) + "\n")
        steps = listing.in_words(lines, own)
        trace = save_trace(work, test, events) if jail.taken(events) is not None else None
    end = [line + "".join("; %s has ended" % thread for thread in ended) for line in end]
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
    detail += places.without_steps(steps, "\n".join(detail), work.path(work.lab.file))
    if steps:
        detail += ["the shortest schedule %s:" % ("that leads into a livelock" if stuck else "that breaks it")] + ["    " + step for step in steps]
        detail.append("all its steps: labs/lab replay %d %s" % (work.lab.number, test.name))
    if trace:
        detail.append("as a trace: %s replay %s" % (os.path.relpath(os.path.join(BUILD, "doze")), os.path.relpath(trace)))
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
        raise BadFile("%s: %s" % (work.lab.file, why))
    return name


def grade_explore(work, test, brief, cache={}):  # pylint: disable=dangerous-default-value
    """Grades a test of kind `explore`. The verdict depends only on the file, so it is cached if `brief` makes the details
    unnecessary."""
    path = work.need(work.lab.file)
    key = (work.lab.name, test.name, builds.fingerprint(path))
    if not brief:
        return search(work, test, path, brief)
    if key not in cache:
        cache[key] = search(work, test, path, brief)
    return cache[key]


def unfinished(run, status):
    """Returns why the explorer has given no verdict. The library's own file always gets one."""
    if -status in (signal.SIGXCPU, signal.SIGKILL):
        return "%s: no verdict within %d s of CPU time and %d MB of memory: your file has far more executions than a correct one, " \
               "or a loop" % (run.words(), jail.SEARCH.cpu, jail.SEARCH.memory)
    cause = ": " + signal.strsignal(-status) if status < 0 else ""
    return "%s: your code crashed the program%s" % (run.words(), cause)


def too_large(lab, message):
    """Returns the likely cause of a search that gave up."""
    if not message.endswith("states"):
        return ""
    return "; " + (lab.too_large or "your file has far more executions than a correct one")


def out_of_time(work, test):
    """Returns the outcome of a test that was not reached, or not finished, when the budget of the grading ended."""
    if work.budget.was_busy():
        return Outcome(test, WRONG, "the grading used its %d minutes: your file makes the searches long" % (work.budget.seconds // 60))
    return Outcome(test, NOT_DECIDED, "the grading used its %d minutes, in most of which this machine ran other programs" % (work.budget.seconds // 60))


def search(work, test, path, brief):
    for run in test.runs:
        run = run.under(own_policy(work)) if run.policy == "own" else run
        program = builds.program(work.lab, run.program, path)
        status, lines = explore(program, run.arguments() + ["--tsv"], work.budget)
        fields = lines[-1].split("\t") if lines else []
        crashed = len(fields) != 11 or status < 0
        if crashed and work.budget.is_over():
            return out_of_time(work, test)
        if crashed:
            return Outcome(test, WRONG, unfinished(run, status))
        verdict, message = fields[1], fields[10]
        if verdict == "gave up":
            return Outcome(test, WRONG, "%s: the search %s%s" % (run.words(), message, too_large(work.lab, message)))
        if verdict == "FAILED":
            return failure(work, test, run, program, message, brief)
    forget(work, test)
    return Outcome(test, GOOD)


def goal(work, test):
    """Returns how the student's schedule must end. If the goal has several variants, the seed chooses one."""
    text = test.section.get("goal", "")
    return variants.variant(text, work.number(test.name) % variants.count(text))


def grade_script(work, test, _brief):
    """Grades a schedule, under which the program with the broken file must fail as the student's goal describes."""
    path = work.path(test.section["form"])
    if not os.path.exists(path):
        return Outcome(test, MISSING, "%s does not exist" % test.section["form"])
    run = test.runs[0]
    broken = builds.program(work.lab, run.program, os.path.join(work.lab.folder, test.section["broken"]))
    with jail.folder() as folder:
        copy = os.path.join(folder, test.section["form"])
        with open(path, encoding="utf-8", errors="replace") as source:
            jail.put(copy, source.read())
        status, lines = explore(broken, run.arguments() + ["--script=" + copy], work.budget, [folder])
    last = lines[-1].removeprefix("=> ") if lines else "nothing"
    if status == 1 and goal(work, test) in last:
        return Outcome(test, GOOD)
    if status == 3:
        message = last.replace(folder + "/", "")
    elif status == 0:
        message = "nothing went wrong: the program ran to completion"
    else:
        message = "the run ends with '%s', but the task was to reach '%s'" % (last, goal(work, test))
    return Outcome(test, WRONG, message, [message, "its last steps:"] + ["    " + named_values(line.rstrip()) for line in lines[-8:-1]])


def grade_follow(work, test, _brief):
    return Outcome(test, *follow.grade(work, test))


def run_quiz(work):
    """Runs the lab's own grader once. Returns {question: status}."""
    program = work.lab.quiz_program()
    trace, form = os.path.join(work.lab.folder, "trace"), work.need("answers.txt")
    with jail.folder() as folder:
        copy, result = (os.path.join(folder, name) for name in ("answers.txt", "result.json"))
        with open(form, encoding="utf-8", errors="replace") as file:
            jail.put(copy, file.read())
        done = jail.run([program, "--json", result, trace, copy], reads=[trace], writes=[folder])
        if done.status not in (0, 1, 4):
            raise BadFile(done.err.strip().replace(copy, os.path.relpath(form)), done.status if done.status in (2, 3) else INPUT)
        if done.status == 4:
            return {}
        return {t["name"]: t for t in json.loads(jail.taken(result))["tests"]}


def grade_quiz(work, test, _brief):
    found = work.quiz.get(test.name) if hasattr(work, "quiz") else None
    if found is None:
        work.quiz = run_quiz(work)
        found = work.quiz.get(test.name)
    if found is None:
        return Outcome(test, NOT_DECIDED, "the trace lost events, so it cannot show whether this is right")
    return Outcome(test, found["status"], "your answer is %s" % found["message"] if found["message"] else "")


def grade_verdicts(work, test, _brief):
    return Outcome(test, *fences.grade_table(work, test))


def first_of(messages, most):
    """Returns at most `most` messages and, if there are more, a line with the number of the others."""
    left_out = len(messages) - most
    return messages[:most] + (["… %d more line%s" % (left_out, "s"[left_out == 1:])] if left_out > 0 else [])


def grade_spin(work, test, brief):
    status, messages = fences.grade_model(work, test)
    return Outcome(test, status, messages[0] if messages else "", first_of(messages, 1 if brief else MODEL_LINES))


def grade_analysis(work, test, brief):
    status, messages = storm.grade_analysis(work, test)
    return Outcome(test, status, messages[0] if messages else "", first_of(messages, 1 if brief else ANALYSIS_LINES))


def grade_measure(work, test, _brief):
    status, message = storm.grade_measure(work, test)
    return Outcome(test, status, message)


def grade_verdict(work, test, _brief):
    status, message, cost = verdicts.grade(work, test)
    return Outcome(test, status, message, score=test.points if status == GOOD else -cost)



def scored(test, score, first):
    """Returns the outcome for a contest.Score, which gives points in proportion to the score."""
    low, high = contest.points(test, score.lowest), contest.points(test, score.highest)
    status = GOOD if low == test.points else NOT_DECIDED if low < high else WRONG
    message = first + score.words()
    if status == NOT_DECIDED:
        message += ": this machine is too busy to tell; you get the points of the lowest value"
    return Outcome(test, status, message, [message] + score.lines(), None, low, score)


def grade_contest(work, test, _brief):
    path, policy = work.need(work.lab.file), own_policy(work)
    if test.section["judge"] == "steps":
        score = walks.score(work.lab, path, policy)
        if score is None:
            return Outcome(test, WRONG, "a random run does not terminate, or takes far too many steps: how long do your workers search before they sleep?")
        return scored(test, score, "in steps: ")
    try:
        return scored(test, contest.time_score(work, path), "your score: ")
    except contest.Stuck as stuck:
        if stuck.busy:
            return Outcome(test, NOT_DECIDED, "%s. But the library's own run did not finish in time either, so this machine is too busy. "
                           "Close other programs and grade again" % stuck)
        return Outcome(test, WRONG, str(stuck))


def grade_recorded(work, test, _brief):
    status, messages = recorded.grade(work)
    return Outcome(test, status, messages[0] if messages else "", messages)


def grade_threads(work, test, _brief):
    status, messages = threads.grade(work, test)
    return Outcome(test, status, messages[0] if messages else "", messages)


GRADERS = {"analysis": grade_analysis, "contest": grade_contest, "explore": grade_explore, "follow": grade_follow,
           "measure": grade_measure, "quiz": grade_quiz, "recorded": grade_recorded, "script": grade_script,
           "spin": grade_spin, "threads": grade_threads, "verdict": grade_verdict, "verdicts": grade_verdicts}
OF_FILE = ("contest", "explore", "measure", "recorded", "threads")  # kinds of tests that run the student's C file
MEASURED = ("contest", "measure", "recorded", "threads")  # kinds of tests that depend on the machine
COSTLY = ("contest", "recorded", "threads")  # kinds of tests that are skipped unless the tests that they require have passed


def refusal(test, statuses):
    """Returns the outcome of a test that cannot score because of the tests that it requires, or None. If some of those are
    not decided and all others are good, the test is not decided, either."""
    lacking = [n for n in test.needs if statuses.get(n) != GOOD]
    if not lacking:
        return None
    if all(statuses.get(n) == NOT_DECIDED for n in lacking):
        return Outcome(test, NOT_DECIDED, "it requires tests that are not decided: " + ", ".join(lacking))
    return Outcome(test, NO_SCORE, "no points until these tests are good: " + ", ".join(lacking))


def repeated(work, test, brief):
    """Grades a test. If the machine keeps it from being decided, grades it once more. If that is no verdict, either, returns
    the outcome with more points: those of both are sure."""
    outcome = GRADERS[test.kind](work, test, brief)
    if outcome.status != NOT_DECIDED or test.kind not in MEASURED:
        return outcome
    storm.measured.cache_clear()
    contest.measured.cache_clear()
    return max(outcome, GRADERS[test.kind](work, test, brief), key=lambda o: (o.status != NOT_DECIDED, o.score))


def grade_one(work, test, statuses, brief):
    """Grades one test. It scores only if the tests that it requires have passed; `statuses` contains their statuses."""
    refused = refusal(test, statuses)
    if refused and test.kind in COSTLY:
        return refused
    if work.budget.is_over():
        return out_of_time(work, test)
    outcome = repeated(work, test, brief)
    return refused if refused and outcome.status == GOOD else outcome


def complete_one(work, test, statuses, brief, refused):
    """Grades one test. A file that cannot be graded makes it wrong. `refused`: the BadFile of the student's C file, or None."""
    try:
        if refused and test.kind in OF_FILE:
            raise refused
        return grade_one(work, test, statuses, brief)
    except BadFile as bad:
        return Outcome(test, WRONG, str(bad).splitlines()[0], str(bad).splitlines())


def is_noisy(test):
    """Returns whether load on the machine may change the verdict. A test of kind `measure` is not noisy,
    because load can only keep it from being decided."""
    return test.kind == "recorded" or test.kind == "contest" and test.section["judge"] == "time"


def with_required(lab, only):
    """Returns the names of the test and of all tests that it requires, directly or through another test."""
    names, left = set(), [only.name]
    while left:
        name = left.pop()
        if name not in names:
            names.add(name)
            left += lab.test(name).needs
    return names


def grade(work, only=None, brief=False, noisy=True, complete=False):
    """Grades all tests, or only one. Without `noisy`, omits the tests whose verdict depends on the load
    of the machine. Raises BadFile if a file cannot be graded or, if `complete`, returns an outcome for each test."""
    refused = None
    try:
        handin.check(work)
    except BadFile as bad:
        if not complete:
            raise
        refused = bad
    work.budget = Budget()
    outcomes, statuses = [], {}
    names = {t.name for t in work.lab.tests} if only is None else with_required(work.lab, only)
    wanted = [t for t in work.lab.tests if t.name in names and (noisy or not is_noisy(t))]
    for test in wanted:
        outcome = complete_one(work, test, statuses, brief, refused) if complete else grade_one(work, test, statuses, brief)
        statuses[test.name] = outcome.status
        if only is None or test.name == only.name:
            outcomes.append(outcome)
    return outcomes
