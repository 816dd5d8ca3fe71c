#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks that each quiz lab grades fairly. For each lab: the empty form gets no point, the right answers
(counted by right_answers.py) get all points, each wrong answer is detected and costs only its own points,
each question is decided by the lab's trace and has three hints, and malformed forms are errors.

Usage: quiz_check.py [LAB...]    (default: all; BUILD: folder of the graders)    Exit: 0 fair; 1 not; 2 usage.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.append(os.path.join(ROOT, "tests", "fixtures"))
from names import check_names  # noqa: E402
from right_answers import RIGHT_ANSWERS  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)
        print(f"NOT FAIR: {text}")


class Lab:
    def __init__(self, name, folder):
        self.name = name
        self.grader = os.path.join(ROOT, BUILD, "labs", name)
        self.trace = os.path.join(ROOT, "labs", name, "trace")
        self.form = os.path.join(folder, "answers.txt")
        self.json = os.path.join(folder, "result.json")
        self.empty = self.run("--form").stdout
        self.ids = re.findall(r"^(\w+):$", self.empty, re.MULTILINE)

    def run(self, *args):
        return subprocess.run([self.grader, *args], capture_output=True, text=True, timeout=60)

    def grade(self, answers):
        """Returns (exit status, {id: status}, score, max)."""
        with open(self.form, "w", encoding="utf-8") as form:
            form.write("".join(f"{key}: {answers.get(key, '')}\n" for key in self.ids))
        status = self.run("--json", self.json, self.trace, self.form).returncode
        if status not in (0, 1):
            return status, {}, 0, 0
        with open(self.json, encoding="utf-8") as file:
            result = json.load(file)
        return (status, {t["name"]: t["status"] for t in result["tests"]}, result["score"],
                result["max"])


def spoil(answer):
    """Returns a wrong answer that differs only slightly from the right answer."""
    if isinstance(answer, float):
        return answer * 1.05 + 1
    return answer + 1 if isinstance(answer, int) else answer + "x"


def check_hints(lab):
    for key in lab.ids:
        for level in "123":
            hint = lab.run("--hint", key, level)
            expect(hint.returncode == 0 and len(hint.stdout.splitlines()) >= 2,
                   f"{lab.name}: {key} has no hint {level}")


def check_forms(lab, right):
    """Checks that a number is accepted in the form in which the tools print it, and that an answer
    that is not a number is reported as such."""
    units = {"active": "w%s", "slept": "%s ms"}
    written = {k: units[k] % v if k in units else v for k, v in right.items()}
    status, outcomes, _, _ = lab.grade(written)
    expect(status == 0, f"{lab.name}: right answers in other notations are rejected: {[k for k, v in outcomes.items() if v != 'good']}")
    lab.grade({**right, "workers": "3 or 4"})
    said = lab.run(lab.trace, lab.form).stdout
    expect("your answer: not a number" in said, f"{lab.name}: '3 or 4' is not reported as 'not a number': {said}")


def check_errors(lab, folder):
    bad = os.path.join(folder, "bad.txt")
    with open(bad, "w", encoding="utf-8") as form:
        form.write("nonsense\n")
    expect(lab.run(lab.trace, bad).returncode == 3, "a file that is not a form is not rejected as an input error")
    with open(bad, "w", encoding="utf-8") as form:
        form.write("nosuchquestion: 1\n")
    expect(lab.run(lab.trace, bad).returncode == 3, "an unknown ID is not rejected as an input error")
    expect(lab.run(folder, lab.form).returncode == 3, "a folder without a trace is not rejected as an input error")
    expect(lab.run().returncode == 2, "a call without arguments is not rejected as a usage error")
    expect(lab.run("--hint", lab.ids[0], "4").returncode == 2, "hint 4 is not rejected as a usage error")


def check(name, folder):
    lab = Lab(name, folder)
    right = RIGHT_ANSWERS[name](lab.trace)
    expect(set(right) == set(lab.ids), f"{name}: the questions are {lab.ids}, but there are answers for {list(right)}")
    status, outcomes, score, _ = lab.grade({})
    expect(status == 1 and score == 0, f"{name}: an empty form gives exit code {status} and score {score}")
    expect(set(outcomes) == set(lab.ids), f"{name}: the trace does not decide these questions: "
           f"{sorted(set(lab.ids) - set(outcomes))}")
    expect(set(outcomes.values()) == {"missing"}, f"{name}: not all empty answers are reported as missing")
    status, outcomes, score, most = lab.grade(right)
    wrong = {k: right[k] for k, v in outcomes.items() if v != "good"}
    expect(status == 0 and score == most, f"{name}: the right answers give exit code {status}; rejected: {wrong}")
    found = 0
    for key in lab.ids:
        status, outcomes, _, _ = lab.grade({**right, key: spoil(right[key])})
        alone = status == 1 and [k for k, v in outcomes.items() if v == "wrong"] == [key]
        found += alone
        expect(alone,
               f"{name}: {key}: {spoil(right[key])} is not detected as the only wrong answer")
    check_hints(lab)
    check_forms(lab, right)
    check_errors(lab, folder)
    print(f"labs/{name}: {len(lab.ids)} questions; points of an empty form: 0 of {most}, of the right answers: {score} "
          f"of {most}, {found} of {len(lab.ids)} wrong answers detected")


def main(names):
    check_names(names, sorted(RIGHT_ANSWERS), "quiz")
    for name in names:
        with tempfile.TemporaryDirectory(prefix="doze-lab-") as folder:
            check(name, folder)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or sorted(RIGHT_ANSWERS)))
