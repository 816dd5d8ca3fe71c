#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Grades a correct, an unfinished, a looping and an aborting submission of each lab as Gradescope does, from the unpacked
packages of `make labs-dist`, and as Classroom 50 does. The maximum is the same for all, and the correct ones get it. Prints
points, seconds of CPU time, and the memory of the largest process.

Usage: platforms_check.py [LAB...]     Environment: BUILD.     Exit: 0 passed; 1 not; 77 without clang or root.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [os.path.join(ROOT, "labs"), os.path.join(ROOT, "tests", "fixtures")]
import labs_check  # noqa: E402
import verdict_labs  # noqa: E402
from chosen_labs import chosen  # noqa: E402
from framework import course, kinds  # noqa: E402
from signals import end_cleanly_on_signals  # noqa: E402

SEED = "practice"  # of a submission without seed.txt
BODY = re.compile(r"^\{\n", re.M)  # the beginning of a function
CODE = {"looping": "while (1)\n\t\t;", "aborting": "extern void abort(void);\n\tabort();"}
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)
        print("FAILED: " + text, flush=True)


def submit(lab, what, folder):
    """Creates a submission with right forms, and a file that is right except for the code in each function."""
    work = course.Work(lab, folder, SEED)
    if lab.has("verdict"):
        (verdict_labs.blank if what == "unfinished" else lambda w: verdict_labs.solve(w, verdict_labs.detective(lab)))(work)
        return
    path = os.path.join(lab.folder, lab.file) if what == "unfinished" else labs_check.reference(lab)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if what in CODE:
        text = BODY.sub(lambda found: found.group() + "\t" + CODE[what] + "\n", text)
    work.add(lab.file, text)
    (labs_check.stub_forms if what == "unfinished" else labs_check.right_forms)(work)


def run(command, **options):
    """Runs a command. Returns (exit code, output, seconds of CPU time, MB of its largest process)."""
    with tempfile.TemporaryFile() as out:
        with subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, **options) as process:
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return process.returncode, out.read().decode("utf-8", "replace"), used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


class Grader:
    """A grading container: a tree that was built as the package's setup.sh builds it."""

    def __init__(self, folder):
        self.folder, self.tree = folder, os.path.join(folder, "doze-labs")
        os.chmod(folder, 0o755)
        run(["make", "-s", "labs-dist", "BUILD=" + course.BUILD], cwd=ROOT)
        with zipfile.ZipFile(self.package(course.labs()[0])) as package:
            package.extract("doze.tar.gz", folder)
        with tarfile.open(os.path.join(folder, "doze.tar.gz")) as tree:
            tree.extractall(folder)
        goals = ["labs-objects"] + ["build/labs/" + lab.name for lab in course.labs() if lab.is_quiz()]
        code, text, _, _ = run(["make", "-s", "-j2", *goals], cwd=self.tree)
        expect(code == 0, "the package builds: " + text[-500:])

    def package(self, lab):
        return os.path.join(course.BUILD, "labs-dist", "gradescope-%s.zip" % lab.name)

    def gradescope(self, lab, submission):
        """Returns (results.json, output, CPU seconds, MB)."""
        source, results = os.path.join(self.folder, lab.name), os.path.join(self.folder, "results", "results.json")
        if not os.path.exists(source):
            with zipfile.ZipFile(self.package(lab)) as package:
                package.extractall(source, [name for name in package.namelist() if name != "doze.tar.gz"])
            os.symlink(self.tree, os.path.join(source, "doze-labs"))
        os.makedirs(os.path.dirname(results), exist_ok=True)
        env = dict(os.environ, SOURCE=source, SUBMISSION=submission, RESULTS=results)
        env.pop("BUILD", None)
        _, text, seconds, memory = run(["sh", os.path.join(source, "run_autograder")], env=env)
        with open(results, encoding="utf-8") as file:
            return json.load(file), text, seconds, memory

    def classroom50(self, lab, submission):
        result = os.path.join(self.folder, "result.json")
        env = {name: value for name, value in os.environ.items() if name != "BUILD"}
        run([os.path.join(self.tree, "labs", "lab"), "grade", lab.name, "--work", submission, "--isolated", "--classroom50", result, "--ci"],
            cwd=self.tree, env=env)
        with open(result, encoding="utf-8") as file:
            return json.load(file)


def check(grader, lab):
    most = sum(test.points for test in lab.tests)
    noisy = sum(test.points for test in lab.tests if test.kind in kinds.MEASURED)
    for what in ["correct", "unfinished"] + ([] if lab.has("verdict") else ["looping", "aborting"]):
        with tempfile.TemporaryDirectory(prefix="doze-submission-") as submission:
            submit(lab, what, submission)
            found, text, seconds, memory = grader.gradescope(lab, submission)
            other = grader.classroom50(lab, submission)
        score, own = found["score"], sum(test["max_score"] for test in found["tests"])
        print("| %s | %s | %g of %d | %g of %d | %.1f s | %d MB |" % (
            lab.name, what, score, own, other["score"], other["max-score"], seconds, memory), flush=True)
        expect(own == other["max-score"] == most, "%s, %s: the maximum is %d, %d instead of %d: %s" % (lab.name, what, own, other["max-score"], most, text))
        expect(score >= most - noisy if what == "correct" else score < most - noisy, "%s, %s: %g points: %s" % (lab.name, what, score, text))


def main():
    end_cleanly_on_signals()
    if not shutil.which("clang") or os.geteuid() != 0:
        print("skipped: needs clang, and root as in a grading container")
        return 77
    labs = chosen(sys.argv[1:], [lab for lab in course.labs() if lab.is_code()], "code")
    with tempfile.TemporaryDirectory(prefix="doze-grader-") as folder:
        grader = Grader(folder)
        print("| lab | submission | Gradescope | Classroom 50 | CPU | memory |\n|---|---|---|---|---|---|", flush=True)
        for lab in labs:
            check(grader, lab)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
