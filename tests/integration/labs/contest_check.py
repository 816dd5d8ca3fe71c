#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks lab 10's score: the arithmetic on invented rows, the hidden workloads, one run of each
workload, a pool that loses jobs, recordings, and the leader board. None of these checks depends on
how busy the machine is.

With --measure, measures the reference and the mutants that only a measurement can detect, and
checks that these rank below the reference. On a machine that is too busy, the result is unknown, so
this is not part of `make labs-test`.

Usage: contest_check.py [--measure]     Environment: BUILD.     Exit: 0 passed; 1 not; 2 usage.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [os.path.join(ROOT, "labs"), os.path.join(ROOT, "tests", "fixtures")]
from framework import builds, contest, course, kinds, recorded, results, walks  # noqa: E402
from lab_mutants import mutants_of  # noqa: E402
import names  # noqa: E402
from signals import end_cleanly_on_signals  # noqa: E402

LAB = course.find("10")
RANKED = ("always-spin", "always-sleep", "sleep-poll")
problems = []


def expect(condition, text):
    print("%s: %s" % ("ok" if condition else "FAILED", text), flush=True)
    if not condition:
        problems.append(text)


def rows(cpu, wall=1000, p99=50):
    return [(100, wall, c, p99) for c in cpu]


def score_of(own, library):
    return contest.Score({"one": contest.figures(own, library)})


def check_arithmetic():
    same = rows([10, 11, 12, 13, 14, 15, 16])
    expect(score_of(same, same).words() == "100 of 100", "two equal programs tie at 100")
    double = score_of(rows([20] * 7), rows([10] * 7))
    expect(abs(double.highest - 100 * 0.5 ** 0.3) < 0.01, "using twice the CPU time costs a factor of 2 to the power of its weight")
    wasteful = score_of(rows([500] * 7), rows([10] * 7))
    expect(wasteful.highest < 35, "using fifty times the CPU time costs more than the weight of the CPU time")
    half = score_of(rows([5] * 7), rows([10] * 7))
    expect(half.highest == 100 and half.lead > 120, "using half the CPU time increases the lead, but not the score of 100")
    once_slower = score_of(rows([11, 11, 11, 11, 11, 11, 25]), rows([10, 10, 10, 10, 10, 10, 12]))
    expect(once_slower.lowest < 98 < once_slower.highest == 100,
           "if the runs differ only in outliers, the score is a range")
    noisy = score_of(rows([30] * 7), rows([10, 12, 20, 25, 30, 35, 90]))
    expect(noisy.noisy() and noisy.lowest < noisy.highest, "if the library's own runs differ widely, the score is a range")
    slow = score_of(rows([900] * 7), rows([10, 12, 20, 25, 30, 35, 90]))
    expect(not slow.noisy() and slow.highest < 75, "a clear difference is detected even on a busy machine")
    two = contest.Score({"a": contest.figures(rows([10] * 7), rows([10] * 7)),
                         "b": contest.figures(rows([10] * 7, p99=500), rows([10] * 7))})
    expect(abs(two.highest - 100 * (1 * 0.1 ** 0.3) ** 0.5) < 0.01, "the score is the geometric mean of the workloads")
    expect(abs(walks.WorstScore(two.tables).highest - 100 * 0.1 ** 0.3) < 0.01, "the score in steps is that of the worst workload")


def check_points():
    test = next(t for t in LAB.tests if t.kind == "contest" and t.section["judge"] == "time")
    good = kinds.scored(test, score_of(rows([10] * 7), rows([10] * 7)), "")
    part = kinds.scored(test, score_of(rows([20] * 7), rows([10] * 7)), "")
    busy = kinds.scored(test, score_of(rows([40] * 7), rows([10, 12, 20, 25, 30, 45, 90])), "")
    expect((good.status, good.score) == ("good", test.points), "a score of 100 gives all points")
    expect((part.status, part.score) == ("wrong", test.points * 84 // 100), "a score of 81 gives the corresponding share of the points")
    lowest = contest.points(test, busy.contest.lowest)
    expect(busy.status == "not decided" and 0 < busy.score == lowest < test.points and "too busy" in busy.message,
           "a range that is wider than a point gives the points of its lowest value")
    with open(os.path.join(LAB.folder, "README.md"), encoding="utf-8") as file:
        handout = " ".join(file.read().split())
    stated = ["after %d has been added" % contest.NEARLY, "from %d on" % (100 - contest.NEARLY), "more than %s times as long" % contest.WIDE,
              "a score of 80 gives %d of the %d points" % (contest.points(test, 80), test.points)]
    expect(all(text in handout for text in stated), "the handout states the tolerance, and what counts as a tie")
    steps = LAB.test("steps")
    expect([contest.points(steps, v) for v in (100, 95, 77.5, 60, 0)] == [8, 8, 4, 0, 0], "in steps, the points grow from a score of 60 to one of 95")


def check_needs():
    """A test that needs a test that is not decided is not decided, either; the maximum stays the same."""
    test = LAB.test("steps")

    def graded(**statuses):
        return kinds.grade_one(None, test, {n: "good" for n in test.needs} | statuses, True)
    unsure, failed = graded(injected="not decided"), graded(injected="not decided", latch="wrong")
    expect((unsure.status, failed.status) == ("not decided", "no score"),
           "a test is not decided if all tests that it needs are good or not decided")
    result = results.Result(LAB, [unsure])
    expect((result.score, result.most, result.code()) == (0, test.points, course.UNDECIDED), "its points are in the total")
    expect("NOT DECIDED" in result.report() and "not decided: it requires" in result.report(), "the report says that it is not decided")


def check_hidden():
    mine, other = (tuple(contest.hidden(course.Work(LAB, "/nowhere", seed))) for seed in ("a", "b"))
    classes = [tuple(contest.hidden(course.Work(LAB, "/nowhere", seed, "secret"))) for seed in ("a", "b")]
    expect(mine != other, "without a secret, the hidden workloads depend on the seed")
    expect(classes[0] == classes[1] != mine, "a class secret selects other hidden workloads, the same for the whole class")
    most = [w.turns * w.batch for seed in range(300) for w in contest.hidden(course.Work(LAB, "/nowhere", str(seed)))]
    expect(max(most) <= 20000 and min(most) >= 20, "measure.c has room for the jobs of all hidden workloads")


def check_runs():
    library = builds.real_program(LAB, None)
    for workload in contest.PUBLIC + tuple(contest.hidden(course.Work(LAB, "/nowhere", "a"))):
        jobs, wall, cpu, p99 = contest.once(library, workload)
        whole = jobs % workload.batch == 0 and 0 < jobs <= workload.turns * workload.batch  # fewer on a busy machine
        expect(whole and 0 < p99 < wall and cpu > 0, "%s runs %d jobs" % (workload.name, jobs))


def policy(folder, name):
    """Writes a copy of the library's policy under a new name, or a mutant of it. Returns the
    path."""
    with open(os.path.join(ROOT, LAB.replaces), encoding="utf-8") as file:
        text = file.read()
    if name == "reference":
        text = text.replace('.name = "jec"', '.name = "mine"')
    else:
        text = mutants_of(LAB.name)[name].apply(text)
    path = os.path.join(folder, name + ".c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def check_names(folder):
    path = policy(folder, "reference")
    expect(contest.name_of(LAB, path) == ("mine", ""), "the grader finds the policy's name")
    with open(path, encoding="utf-8") as file:
        text = file.read().replace('"mine"', '"go"')
    with open(os.path.join(folder, "taken.c"), "w", encoding="utf-8") as file:
        file.write(text)
    name, why = contest.name_of(LAB, os.path.join(folder, "taken.c"))
    expect(name is None and "'go'" in why, "a name that the library uses is rejected: " + why)
    with open(os.path.join(folder, "double.c"), "w", encoding="utf-8") as file:
        file.write("#ifdef DOZE_EXPLORE\n#endif\n" + text.replace('"go"', '"mine"'))
    name, why = contest.name_of(LAB, os.path.join(folder, "double.c"))
    expect(name is None and "DOZE_EXPLORE" in why, "a policy that detects the explorer is rejected: " + why)


def check_stuck(folder):
    # A job is lost only if all workers sleep when it is posted. Beside other programs, each yield of a search may take tens of
    # milliseconds, so that in some runs no such post comes.
    program, slowly = builds.real_program(LAB, policy(folder, "post-silent")), contest.PUBLIC[0]._replace(gap=50000)
    said = "nothing"
    for _ in range(30):
        try:
            contest.once(program, slowly)
        except contest.Stuck as stuck:
            said = str(stuck)
            break
    expect("1 of 1 jobs have not run, and 4 of 4 workers are asleep" in said, "the report of a lost job names the number of sleepers: " + said)


def check_recordings(folder):
    if recorded.parts() is None:
        print("skipped: cannot record here")
        return
    for name, right in (("reference", "good"), ("unreported", "wrong")):
        work = course.Work(LAB, os.path.join(folder, name), "seed")
        with open(policy(folder, name), encoding="utf-8") as file:
            work.add(LAB.file, file.read())
        status, messages = recorded.grade(work)
        expect(status == right, "the recording of %s is %s: %s" % (name, status, "; ".join(messages[:3])))


def check_board(folder):
    scores = {"ada": (100, 100, 130), "grace": (100, 100, 150), "linus": (60, 80, 90)}
    others = {"nobody": {}, "other": {"lab": "05-fences", "tests": []}, "wrong": {"lab": LAB.name, "tests": [
        {"name": "contest", "status": "no score", "message": "no points until these tests are good: injected"}]}}
    for student, score in list(scores.items()) + list(others.items()):
        given = score if isinstance(score, dict) else {"contest": {
            "lowest": score[0], "highest": score[1], "lead": score[2], "workloads": {"near": {"T": 0.5, "CPU": 2.0}}}}
        with open(os.path.join(folder, student + ".json"), "w", encoding="utf-8") as file:
            json.dump(given, file)
    students = list(scores) + list(others)
    paths = [os.path.join(folder, student + ".json") for student in students]
    done = subprocess.run(["labs/lab", "board"] + paths, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    lines = done.stdout.splitlines()
    ranks = [(line.split()[0], w) for line in lines[1:] for w in line.split()[3:4] if w in students]
    expect(ranks == [("1", "grace"), ("2", "ada"), ("3", "linus"), ("-", "nobody"), ("-", "other"), ("-", "wrong")],
           "the board ranks policies by score, then by lead: %s" % ranks)
    reasons = ["not a result of labs/lab grade --json", "a result of lab 05-fences, which is not the contest",
               "not measured: no points until these tests are good: injected"]
    expect([line.split(student)[1].strip() for line, student in zip(lines[4:], others)] == reasons,
           "the board gives the reason for each result without a rank: " + "; ".join(lines[4:]))
    expect("near CPU" in lines[1] and "near T" in lines[1] and "60-80" in lines[3], "the board shows on which workloads each policy is good and bad")


def check_gradescope(folder):
    """The points, the total and the leader board come from the same value of a range."""
    test, score = LAB.test("contest"), score_of(rows([11, 11, 11, 11, 11, 11, 25]), rows([10, 10, 10, 10, 10, 10, 12]))
    outcome = kinds.scored(test, score, "your score: ")
    content = results.Result(LAB, [outcome]).gradescope()
    board = {row["name"]: row["value"] for row in content["leaderboard"]}
    expect(board == {"score": round(score.lowest, 1), "uncapped": round(score.lead, 1)} and score.lowest < score.highest,
           "the leader board has the lowest value of a range: %s" % board)
    expect(content["score"] == sum(t["score"] for t in content["tests"]) == contest.points(test, score.lowest),
           "the total is the sum of the tests' points: %s" % content["score"])


def measure(folder):
    """Measures and prints the scores. No mutant's score range may be above the reference's range."""
    print("| policy | score | lead |\n|---|---:|---:|")
    found = {}
    for name in ("reference",) + RANKED:
        work = course.Work(LAB, folder, "measured")
        try:
            found[name] = contest.time_score(work, policy(folder, name))
            print("| %s | %s | %.0f |" % (name, found[name].words(), found[name].lead))
            print("\n".join("    " + line for line in found[name].lines()), flush=True)
        except contest.Stuck as stuck:
            print("| %s | 0: %s | |" % (name, stuck), flush=True)
    for name in RANKED:
        if name in found and found[name].noisy() and found[name].highest >= found["reference"].lowest:
            print("unknown: this machine is too busy to rank %s" % name)
        elif name in found:
            expect(found[name].highest < found["reference"].lowest, "%s ranks below the reference" % name)


def main():
    end_cleanly_on_signals()
    names.check_names(sys.argv[1:], ["--measure"], "option")
    builds.how()
    with tempfile.TemporaryDirectory(prefix="doze-contest-") as folder:
        if sys.argv[1:]:
            measure(folder)
        else:
            check_arithmetic()
            check_points()
            check_needs()
            check_hidden()
            check_runs()
            check_names(folder)
            check_stuck(folder)
            check_recordings(folder)
            check_board(folder)
            check_gradescope(folder)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
