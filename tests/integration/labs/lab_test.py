#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests labs/lab as a student and a grader use it: start, status, watch, replay, submit, results in
the formats of other grading systems, seeds that differ per student, and the grading of one lab from the
students' tarball, which contains no answers.

Usage: lab_test.py     Environment: BUILD.     Exit: 0 passed; 1 not; 77 without clang.
"""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(ROOT, "labs"), os.path.join(ROOT, "tests", "fixtures")]
from framework import builds, course, kinds, results  # noqa: E402
from lab_mutants import mutants_of  # noqa: E402
from signals import end_cleanly_on_signals  # noqa: E402
import copied_pages  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
LAB = "04-core-latch"
FORENSICS = "09-forensics"
problems = []


def expect(condition, text):
    print("%s: %s" % ("ok" if condition else "FAILED", text), flush=True)
    if not condition:
        problems.append(text)


class Student:
    """Runs labs/lab in a tree, with the student's files in a separate folder."""

    def __init__(self, folder, root=ROOT, build=BUILD, built=True):
        self.folder, self.root = folder, root
        self.env = dict(os.environ, LABS_WORK=folder, BUILD=build)
        if not built:
            self.env.pop("LABS_ARE_BUILT", None)
        self.work = os.path.join(folder, LAB)

    def lab(self, *arguments, at=None):
        """Runs labs/lab in the root folder, or in the folder `at`. Returns (exit code, output)."""
        done = subprocess.run([os.path.join(self.root, "labs", "lab"), *arguments], cwd=at or self.root, env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout

    def path(self, name):
        return os.path.join(self.work, name)

    def write(self, name, text):
        """Replaces a file in one step, as an editor does."""
        with open(self.path(name + ".new"), "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(self.path(name + ".new"), self.path(name))


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def before_anything(student):
    rc, text = student.lab("status")
    expect(rc == 0 and LAB in text and "not started" in text, "status lists the labs that have not been started")
    rc, text = student.lab("grade", "4")
    expect(rc == 3 and "labs/lab start 4" in text, "grade without files is an input error with a remedy")
    rc, text = student.lab("grade", "44")
    expect(rc == 2 and "no such lab" in text, "an unknown lab is a usage error")


def check_help(student):
    rc, text = student.lab("play", "--help")
    expect(rc == 0 and "play N [GOAL]" in text, "--help after a command prints the usage")


def check_unbuilt(student):
    """Checks what the commands report before the build: lab 1 needs a program that `make setup all`
    builds."""
    unbuilt = Student(student.folder, build="nonexistent")
    rc, text = unbuilt.lab("start", "1")
    expect(rc == 2 and "make setup all" in text, "start without a build states how to build: " + text)
    expect(not os.path.exists(os.path.join(student.folder, "01-states")), "start without a build creates no files")
    rc, text = unbuilt.lab("run", "1")
    expect(rc == 2 and "make setup all" in text and "Traceback" not in text, "run without a build states how to build: " + text)


def check_no_score(student):
    """Checks that a test gives no points and no hint if a test that it requires fails, even if it
    passes itself."""
    student.lab("start", "7")
    right = text_of(os.path.join(ROOT, "lib", "sleep", "targets.c"))
    wasteful = right.replace("return wanted < sleepers ? wanted : sleepers;", "return sleepers;")
    with open(os.path.join(student.folder, "07-storm", "targets.c"), "w", encoding="utf-8") as file:
        file.write(wasteful)
    rc, text = student.lab("grade", "7", "-t", "lost")
    expect(rc == 1 and "NO SCORE     lost       0/2" in text and "until these tests are good: count, behind" in text and "hint" not in text,
           "a test whose required tests fail has no score and no hint: " + text)


def check_race(student):
    """Checks that the verdict on a data race shows the source of both accesses, the field, and the operations."""
    student.lab("start", "6")
    mutant = mutants_of("06-futures")["left-unlocked"]
    with open(os.path.join(student.folder, "06-futures", "queues.c"), "w", encoding="utf-8") as file:
        file.write(mutant.apply(text_of(os.path.join(ROOT, "lib", "forkjoin", "queues.c"))))
    rc, text = student.lab("grade", "6", "-t", "steals")
    expect(rc == 1 and "data race" in text and "left += fj->deque[i].count;" in text and "one side of the race: lib/forkjoin/deque.c:" in text,
           "the report of a data race shows both accesses: " + text)
    expect(re.search(r"data race: plain \w+ of count of worker \d's deque by ", text), "the report of a data race names the field: " + text)
    expect(re.search(r"fj_\w+: queues\.c:\d+  bool contended", text), "a step in a helper names the operation that called it: " + text)
    _, steps = student.lab("replay", "6", "steals")
    expect(re.search(r"queues\.c:\d+, called by fj_\w+$", steps, re.M), "the saved steps name the operation too: " + steps)


def check_missed_event(student):
    """Checks that the verdict suggests what to check if no execution reaches an event."""
    student.lab("start", "1")
    blind = text_of(os.path.join(ROOT, "lib", "sleep", "idle_step.c")).replace("if (by == DOZE_ABORT_none)", "if (by || !by)")
    with open(os.path.join(student.folder, "01-states", "idle_step.c"), "w", encoding="utf-8") as file:
        file.write(blind)
    rc, text = student.lab("grade", "1", "-t", "counted")
    expect(rc == 1 and "no execution reached: averted by the last look" in text and "last_look (part 2) must see it" in text,
           "the verdict on a missed event suggests what to check: " + text)


def verdict_on(student, mutant, test):
    """Returns the exit code and the report of a test of lab 2 for a mutant."""
    changed = mutants_of("02-lost-wakeup")[mutant]
    with open(os.path.join(student.folder, "02-lost-wakeup", "pool.c"), "w", encoding="utf-8") as file:
        file.write(changed.apply(text_of(os.path.join(HERE, "references", "02-lost-wakeup", "pool.c"))))
    return student.lab("grade", "2", "-t", test)


def check_causes(student):
    """Checks that a verdict shows the step that caused the failure, even if it is an early step."""
    student.lab("start", "2")
    rc, text = verdict_on(student, "signals-if-empty", "two")
    expect(rc == 1 and "[wakes worker 0]" in text and text.count("da_add(&pool->jobs, 1, SC)") == 2 and "more step" not in text
           and "starts" not in text, "the report of a lost job shows both posts, one of them without a notify: " + text)
    rc, text = verdict_on(student, "counts-sleepers-relaxed", "wakes")
    parts = ["+ 1, RLX);  [into its store buffer]", "if (!da_load(&sleepers, SC))", "its store sleepers = 0x1 reaches memory"]
    at = [text.find(part) for part in parts]
    expect(rc == 1 and -1 not in at and at == sorted(at), "the report shows when a buffered store reaches memory: " + text)
    rc, text = verdict_on(student, "ends-without-job", "two")
    expect(rc == 1 and re.search(r"hang: .*; worker \d has ended", " ".join(text.split())), "the report of a hang names the worker that has ended: " + text)
    with open(os.path.join(student.folder, "02-lost-wakeup", "pool.c"), "a", encoding="utf-8") as file:
        file.write("void f(void)\n{\n\tdoze_yield();\n}\n")
    rc, text = student.lab("grade", "2", "-t", "two")
    expect(rc == 2 and re.search(r"pool\.c:\d+:\d+: error: .*doze_yield", text), "an unknown function is an error with its line: " + text)


def check_livelock(student):
    """Checks that the verdict on a worker that polls shows the steps that the worker repeats."""
    rc, text = verdict_on(student, "timed-wait", "sleeps")
    loop = text.partition("these steps repeat forever:\n")[2]
    expect(rc == 1 and "worker    pool.c:" in loop and "doze_cond_wait_until(&pool->work" in loop,
           "the report of a livelock shows the steps that repeat: " + text)
    rc, text = student.lab("replay", "2", "sleeps")
    expect(rc == 0 and text.count("-- from here on") == 1 and text.count("\n") < 60,
           "the listing of a livelock has one turn of its loop: %d lines" % text.count("\n"))


def check_equal_files(folder):
    """Gradings of equal files may run at the same time, and each must find the steps of its own file in the listing."""
    paths = [os.path.join(folder, name, "core_latch.c") for name in ("ada", "grace")]
    for path in paths:
        os.mkdir(os.path.dirname(path))
        shutil.copy(os.path.join(ROOT, "lib", "core_latch.c"), path)
    objects = [builds.compile_file(path, "lib", "lib")[0] for path in paths]
    for path, compiled in zip(paths, objects):
        with open(compiled, "rb") as file:
            expect(path.encode() in file.read(), "the object of a file names that file, and not an equal one: %s" % path)


def check_deadlock(student):
    """Checks the verdict on a thief that keeps its own deque's lock while it takes the victim's
    lock."""
    right = text_of(os.path.join(ROOT, "lib", "forkjoin", "queues.c"))
    greedy = right.replace("fj_lock_deque(thief, victim);", "fj_lock_deque(thief, thief);\n\tfj_lock_deque(thief, victim);")
    greedy = greedy.replace("fj_unlock_deque(victim);", "fj_unlock_deque(victim);\n\tfj_unlock_deque(thief);")
    with open(os.path.join(student.folder, "06-futures", "queues.c"), "w", encoding="utf-8") as file:
        file.write(greedy)
    rc, text = student.lab("grade", "6", "-t", "steals")
    expect(rc == 1 and "worker 0 blocks in doze_fj_lock on a lock that worker 1 holds" in " ".join(text.split()),
           "the report of a deadlock names the thread that holds the lock: " + text)


def check_start(student):
    rc, text = student.lab("start", "4")
    expect(rc == 0 and "core_latch.c" in text and "answers.txt" in text, "start creates the files")
    student.write("answers.txt", "mine\n")
    student.lab("start", "4")
    expect(text_of(student.path("answers.txt")) == "mine\n", "start leaves existing files unchanged")
    student.lab("reset", "4")
    expect(text_of(student.path("answers.txt")) != "mine\n", "reset creates the files again")


def check_failure(student):
    """Checks that the stub fails, and that its failure can be replayed."""
    rc, text = student.lab("replay", "4")
    expect(rc == 3 and "no failed test is on record" in text, "replay before a failure is an input error")
    rc, text = student.lab("grade", "4", "-t", "wakes")
    expect(rc == 1 and "WRONG" in text and "the shortest schedule" in text, "the report of a failure names the schedule")
    rc, text = student.lab("replay", "4", "wakes")
    expect(rc == 0 and "=> " in text and "scenarios.c:" in text, "replay shows the steps with their source lines")


def check_results(student):
    out = {name: os.path.join(student.folder, name + ".json") for name in ("json", "gradescope", "classroom50")}
    rc, _ = student.lab("grade", "4", "--brief", "--ci", *[w for n, p in out.items() for w in ("--" + n, p)])
    expect(rc == 0, "with --ci the exit code is 0 although points are lost")
    own, gradescope, classroom = (json.loads(text_of(out[n])) for n in ("json", "gradescope", "classroom50"))
    expect(own["score"] == 0 and own["max"] > 0, "the stub gets no points")
    expect(classroom["schema"] == "classroom50/result/v1" and
           all(type(t["score"]) is int and set(t) == {"test-name", "passed", "score", "max-score"}
               for t in classroom["tests"]), "the result for Classroom 50 has the required members, as integers")
    expect(sum(t["max_score"] for t in gradescope["tests"]) == sum(t["max-score"] for t in classroom["tests"]) ==
           own["max"], "all three results have the same number of points")
    expect({t["name"] for t in gradescope["tests"]} == {t["name"] for t in own["tests"]}, "the result for Gradescope has the same tests")


def read_until(pipe, word):
    """Returns the lines up to and including the first one that contains the word."""
    lines = []
    for line in pipe:
        lines.append(line)
        if word in line:
            return lines
    return lines


def check_watch(student):
    """Checks that `watch` grades at once and whenever a file is saved, and exits on Ctrl-C."""
    process = subprocess.Popen(["labs/lab", "watch", "4", "-t", "steps"], cwd=student.root, env=student.env,
                               stdout=subprocess.PIPE, text=True)
    try:
        expect("score: 0 of" in read_until(process.stdout, "score:")[-1], "watch grades the files as soon as it starts")
        student.write("core_latch.c", text_of(os.path.join(ROOT, "lib", "core_latch.c")))
        line = read_until(process.stdout, "score:")[-1]
        expect("score: 0" not in line, "watch grades the files again when one is saved: " + line.strip())
        process.send_signal(signal.SIGINT)
        expect(process.wait(60) == 0, "Ctrl-C ends watch without an error")
    finally:
        if process.poll() is None:
            process.kill()


def check_required(student):
    """Checks that a single test is graded with the tests that it requires through another test. The file is correct."""
    rc, text = student.lab("grade", "4", "-t", "freed")
    expect(rc == 0 and "GOOD         freed" in text and text.count("/") == 1, "freed scores although it requires steps only through returns: " + text)


def check_status(student):
    rc, text = student.lab("status")
    line = next(x for x in text.splitlines() if x.startswith(LAB))
    own, most = line.split()[1], line.split()[3]
    expect(rc == 0 and 0 < int(own) < int(most), "status shows the points: " + line)


def can_isolate():
    return os.geteuid() == 0 or shutil.which("bwrap")


def check_submission(student):
    pack = os.path.join(student.folder, "submission.tar.gz")
    rc, _ = student.lab("submit", "4", "-o", pack)
    with tarfile.open(pack) as tar:
        names = set(tar.getnames())
    expect(rc == 0 and {"core_latch.c", "answers.txt"} <= names, "submit packs the files")
    term = os.path.join(student.folder, "term")
    students, secret = os.path.join(student.folder, "students.txt"), os.path.join(student.folder, "class.secret")
    with open(students, "w", encoding="utf-8") as file:
        file.write("ada\ngrace\n")
    rc, _ = student.lab("new-term", students, "-o", term, "--secret", secret)
    expect(rc == 0 and sorted(os.listdir(term)) == ["ada.txt", "grace.txt"], "new-term writes a seed for each student")
    unpacked = os.path.join(student.folder, "unpacked")
    with tarfile.open(pack) as tar:
        tar.extractall(unpacked)
    grade = ("grade", "4", "-t", "steps", "--work", unpacked, "--secret", secret) + (() if can_isolate() else ("--unsafe",))
    rc, text = student.lab(*grade)
    expect(rc == 3 and text.count("\n") == 1 and "has no seed.txt" in text, "a missing seed gives one clear line: " + text)
    shutil.copy(os.path.join(term, "ada.txt"), os.path.join(unpacked, "seed.txt"))
    expect(student.lab(*grade)[0] == 0, "the grader takes the student's own seed")
    rc, text = student.lab(*grade[:2], *grade[4:])
    expect(rc == 3 and text.count("\n") == 1 and "another seed" in text, "a form of the practice seed is refused with the student's seed: " + text)
    pack_of(unpacked, pack)
    expect(student.lab(*grade[:5], pack, *grade[6:])[0] == 0, "--work takes the tar.gz of submit")
    expect(student.lab("grade", "4", "-t", "steps", "--work", pack, "--secret", secret, "--unsafe")[0] == 0, "so it does without isolation")
    check_bad_packs(student, pack, unpacked)
    other = text_of(os.path.join(term, "grace.txt")).replace("grace", "ada")
    with open(os.path.join(unpacked, "seed.txt"), "w", encoding="utf-8") as file:
        file.write(other)
    rc, text = student.lab(*grade)
    expect(rc == 3 and "not the seed" in text, "the grader rejects another student's seed")


def pack_of(folder, pack):
    with tarfile.open(pack, "w:gz") as tar:
        for name in os.listdir(folder):
            tar.add(os.path.join(folder, name), arcname=name)


def check_bad_packs(student, pack, unpacked):
    """Checks that a submission cannot reach outside of its own folder, and that what is no submission gives one line."""
    link = os.path.join(unpacked, "answers.txt")
    os.rename(link, link + "~")
    os.symlink("/etc/hostname", link)
    pack_of(unpacked, pack)
    os.replace(link + "~", link)
    rc, text = student.lab("grade", "4", "--work", pack)
    expect(rc == 3 and text.count("\n") == 1 and "is not a plain file" in text, "a link in a submission is refused: " + text)
    rc, text = student.lab("grade", "4", "--work", link)
    expect(rc == 3 and text.count("\n") == 1 and "neither a folder nor" in text, "a file that is no tar.gz is refused: " + text)


def check_anywhere(student):
    """Checks the commands in a folder other than the root of the tree. Their messages name files from there."""
    away = os.path.join(student.folder, "away")
    os.mkdir(away)
    rc, text = student.lab("grade", "4", "-t", "wakes", at=away)
    expect(rc == 1 and "the shortest schedule" in text, "grade works in any folder: " + text)
    rc, text = student.lab("replay", "4", "wakes", at=away)
    expect(rc == 0 and "scenarios.c:" in text, "replay works in any folder: " + text[-300:])
    rc, text = student.lab("run", "4", at=away)
    expect(rc == 0 and text.startswith("A run of"), "run works in any folder: " + text[-300:])
    rc, text = student.lab("hint", "4", "wakes", at=away)
    expect(rc == 0, "hint works in any folder: " + text)
    rc, text = student.lab("status", at=away)
    expect(rc == 0 and re.search("^%s +0 of" % LAB, text, re.M), "status works in any folder: " + text)
    expect(os.listdir(away) == [], "the commands leave nothing in the current folder: %s" % os.listdir(away))


def unpack_dist(folder):
    """Builds and unpacks the students' tarball. Returns the tree."""
    done = subprocess.run(["make", "-s", "labs-dist", "BUILD=" + BUILD], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    expect(done.returncode == 0, "make labs-dist succeeds: " + done.stdout[-300:].replace("\n", "; "))
    with tarfile.open(os.path.join(ROOT, BUILD, "labs-dist", "doze-labs.tar.gz")) as tar:
        tar.extractall(folder)
    return os.path.join(folder, "doze-labs")


def fill(path, **answers):
    """Fills in the given lines of a form."""
    lines = text_of(path).splitlines()
    with open(path, "w", encoding="utf-8") as file:
        file.writelines("%s: %s\n" % (k, answers[k]) if (k := line.split(":")[0]) in answers else line + "\n" for line in lines)


def check_deductions():
    """For other systems, no test's score is negative, the scores add up to the total, and texts explain the deductions."""
    lab = course.find("9")
    scores = {"a-fault": -1, "b-fault": -1, "c-fault": 2, "c-proof": 2, "c-fix": 1}
    outcomes = [kinds.Outcome(t, "good" if scores.get(t.name, 0) > 0 else "wrong", "", score=scores.get(t.name, 0)) for t in lab.tests]
    result = results.Result(lab, outcomes)
    gradescope, classroom = result.gradescope(), result.classroom50()
    own = {t["name"]: t for t in gradescope["tests"]}
    for content in (gradescope, classroom):
        each = [t["score"] for t in content["tests"]]
        expect(content["score"] == sum(each) == 3 and min(each) == 0, "the tests' scores add up to the total, and none is negative: %s" % each)
    expect("3 of 30 (5, less 2 for accusations without proof)" in gradescope["output"], "the total is explained: " + gradescope["output"])
    expect("this accusation costs 1" in own["a-fault"]["output"] and "2 of 2, less 1 for" in own["c-proof"]["output"] and
           own["c-fault"]["score"] == 2, "each deduction is explained at its test")


def check_verdicts(student):
    """In lab 9, an accusation that is not proved costs points, and verdicts are valid only for the traces of one
    seed."""
    folder = os.path.join(student.folder, FORENSICS)
    rc, text = student.lab("start", "9")
    expect(rc == 0 and all(os.path.exists(os.path.join(folder, n)) for n in ("a.txt", "events-f.txt")), "start writes six traces: " + text)
    for letter in "abcdef":
        fill(os.path.join(folder, letter + ".txt"), fault="double-run", culprit="outside")
    rc, text = student.lab("grade", "9", "--json", os.path.join(student.folder, "verdicts.json"))
    result = json.loads(text_of(os.path.join(student.folder, "verdicts.json")))
    costs = sorted(t["score"] for t in result["tests"])
    expect(rc == 1 and costs[0] == -1 and "not proved: name the first bad event" in text, "an accusation without a proof costs a point")
    expect(result["score"] == 0 and "score: 0 of 30 (0, less 6 for accusations without proof; a score is never below 0)" in text,
           "a score is never below 0, and the report shows what was deducted: " + text.splitlines()[-1])
    rc, text = student.lab("hint", "9", "a-proof", "2")
    expect(rc == 0 and "Look at events " in text, "a hint names a place in the student's own trace: " + text)
    own = text_of(os.path.join(folder, "a.txt")).splitlines()[1]
    fill(os.path.join(folder, "a.txt"), trace="00000000")
    rc, text = student.lab("grade", "9", "-t", "a-fault")
    expect(rc == 3 and "another trace" in text, "a verdict on another student's trace is rejected")
    fill(os.path.join(folder, "a.txt"), fault="bad-luck")
    rc, text = student.lab("grade", "9", "-t", "a-fault")
    expect(rc == 3 and "is not one of" in text, "an unknown fault is an input error")
    return own


def check_pages(tree, student):
    """Checks what a student reads in the tarball: the pages, and no readable hints."""
    lacking = copied_pages.lacking(tree)
    expect(not lacking, "the tarball has all files, sections and make targets that its pages name: " + ", ".join(lacking))
    shown = [p for p in glob.glob(tree + "/labs/[0-9]*/lab.ini") if "hint" in text_of(p).split("\n", 1)[1]]
    expect(not shown, "the tarball's descriptors contain no readable hints: " + ", ".join(shown))
    rc, text = student.lab("hint", "4", "steps", "3")
    expect(rc == 0 and len(text) > 60, "labs/lab hint shows the hints: " + text.strip())
    rc, text = student.lab("hint", "4")
    expect(rc == 0 and re.search(r"^steps +\S", text, re.M), "labs/lab hint without a test lists the lab's tests: " + text.strip())
    expect(student.lab("hint", "4", "steps") == student.lab("hint", "4", "steps", "1"),
           "labs/lab hint without a level shows the first hint")


def sources_in(folder):
    return [name for _, _, names in os.walk(folder) for name in names if name.endswith((".c", ".i"))]


def check_dist(folder, fingerprint):
    tree = unpack_dist(folder)
    with zipfile.ZipFile(os.path.join(ROOT, BUILD, "labs-dist", "gradescope-%s.zip" % LAB)) as package:
        ignored = package.read(".gitignore").decode().split()
    expect({"class.secret", "seeds/", "students.txt"} <= set(ignored) & set(text_of(os.path.join(ROOT, ".gitignore")).split()),
           "git ignores the secret, the seeds and the list of students in the tree and in the package: %s" % ignored)
    answers = [os.path.join("lib", *n) for n in (["core_latch.c"], ["sleep", "targets.c"], ["sleep", "jec.c"], ["forkjoin", "queues.c"])]
    hidden = answers + ["tests", "labs/lectures.md", "lib/sleep/falling_asleep.md", os.path.join("labs", LAB, "teachers.md")]
    expect(not any(os.path.exists(os.path.join(tree, h)) for h in hidden), "the tarball contains no answers")
    student = Student(os.path.join(folder, "work"), tree, "build", False)
    done = subprocess.run(["make", "test"], cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    expect(done.returncode == 0 and "This copy has no tests" in done.stdout, "make test in the tarball says that there are none: " + done.stdout)
    rc, text = student.lab("show", "4")
    expect(rc == 0 and "<!--" not in text and "## How it is graded" in text, "show prints no comments of the page")
    expect(student.lab("start", "4")[0] == 0, "start works in the unpacked tarball")
    check_pages(tree, student)
    expect(not os.path.exists(os.path.join(tree, "labs", FORENSICS, "faults")), "the tarball contains no faults of lab 9")
    student.lab("start", "9")
    own = text_of(os.path.join(student.folder, FORENSICS, "a.txt")).splitlines()[1]
    expect(not sources_in(os.path.join(tree, "build")), "the tarball's build folder contains no source: %s" % sources_in(os.path.join(tree, "build")))
    expect(own == fingerprint, "the tarball's traces match those of the complete tree: %s, %s" % (own, fingerprint))
    rc, text = student.lab("grade", "4", "-t", "steps")
    expect(rc == 1 and "WRONG" in text, "the stub fails in the unpacked tarball")
    expect("lab.ini" not in text, "grade does not mention a lab.ini that was not changed")
    descriptor = os.path.join(tree, "labs", LAB, "lab.ini")
    changed = re.sub(r"points = \d+", "points = 99", text_of(descriptor))
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(changed)
    student.write("core_latch.c", text_of(os.path.join(ROOT, "lib", "core_latch.c")))
    rc, text = student.lab("grade", "4", "-t", "steps")
    expect(rc == 0 and "GOOD" in text, "the correct solution passes in the unpacked tarball: " + text.strip().splitlines()[-1])
    expect("lab.ini was changed" in text and "99" not in text, "a changed lab.ini has no effect, and grade says so: " + text)


def main():
    end_cleanly_on_signals()
    if not shutil.which("clang"):
        print("skipped: clang is missing")
        return 77
    with tempfile.TemporaryDirectory(prefix="doze-lab-test-") as folder:
        student = Student(os.path.join(folder, "own"))
        os.mkdir(student.folder)
        before_anything(student)
        check_help(student)
        check_unbuilt(student)
        check_start(student)
        check_failure(student)
        check_anywhere(student)
        check_results(student)
        check_watch(student)
        check_required(student)
        check_status(student)
        check_no_score(student)
        check_missed_event(student)
        check_causes(student)
        check_livelock(student)
        check_race(student)
        check_deadlock(student)
        check_equal_files(folder)
        check_submission(student)
        check_deductions()
        check_dist(folder, check_verdicts(student))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
