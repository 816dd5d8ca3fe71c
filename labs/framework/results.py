# SPDX-License-Identifier: MIT
"""The result of a grading, for a terminal, as JSON, for Gradescope and for Classroom 50.

Only this module knows the formats of other systems.
"""
import json
import os

from .course import FULL, INPUT, LOST, UNDECIDED
from .kinds import GOOD, NO_SCORE, NOT_DECIDED, WRONG, Outcome


class Result:
    def __init__(self, lab, outcomes):
        self.lab, self.outcomes = lab, outcomes
        self.gained = sum(max(0, o.score) for o in outcomes)
        self.deducted = -sum(min(0, o.score) for o in outcomes)  # for accusations without proof, whose scores are negative
        self.score = max(0, self.gained - self.deducted)
        self.most = sum(o.test.points for o in outcomes)
        self.undecided = sum(o.status == NOT_DECIDED for o in outcomes)

    def code(self):
        if self.undecided:
            return UNDECIDED
        return LOST if self.score < self.most else FULL

    def report(self):
        """Returns the report as text for a terminal."""
        lines = []
        for o in self.outcomes:
            lines.append("%-12s %-10s %d/%d  %s" % (o.status.upper(), o.test.name, o.score, o.test.points, o.test.title))
            lines += ["    " + line for line in explain(o)]
            if o.status not in (GOOD, NOT_DECIDED, NO_SCORE):
                lines.append("    for a hint: labs/lab hint %d %s 1" % (self.lab.number, o.test.name))
        lines.append("")
        lines.append("score: %d of %d%s" % (self.score, self.most, self.note()))
        return "\n".join(lines)

    def note(self):
        """Returns what the total does not show."""
        return self.note_on_deductions() + self.note_on_undecided()

    def note_on_deductions(self):
        if not self.deducted:
            return ""
        return " (%d, less %d for accusations without proof%s)" % (
            self.gained, self.deducted, "; a score is never below 0" * (self.gained < self.deducted))

    def note_on_undecided(self):
        if not self.undecided:
            return ""
        return "; %d test%s not decided, because of the machine: the score is the least that is sure" % (
            self.undecided, "s" * (self.undecided > 1))

    def taken(self):
        """Returns {test: points that it loses for accusations without proof}. Other systems add up scores that cannot be
        negative, so the deduction is taken from the points of other tests, the last ones first."""
        left, taken = self.deducted, {}
        for o in reversed(self.outcomes):
            taken[o.test.name] = min(max(0, o.score), left)
            left -= taken[o.test.name]
        return taken

    def contest(self):
        """Returns the measured score of the contest, or None."""
        return next((o.contest for o in self.outcomes if o.contest and o.test.section["judge"] == "time"), None)

    def as_json(self):
        contest = {"contest": self.contest().as_json()} if self.contest() else {}
        return {"lab": self.lab.name, "score": self.score, "max": self.most, "undecided": self.undecided, **contest,
                "tests": [{"name": o.test.name, "status": o.status, "score": o.score, "max": o.test.points,
                           "message": o.message, "detail": o.detail} for o in self.outcomes]}

    def gradescope(self):
        """Returns the content of results.json (https://gradescope-autograders.readthedocs.io)."""
        # The lowest value of a range, from which the points are computed, too.
        board = self.contest() and [{"name": "score", "value": round(self.contest().lowest, 1)},
                                    {"name": "uncapped", "value": round(self.contest().lead, 1)}]
        taken = self.taken()
        return {**({"leaderboard": board} if board else {}),
                "score": self.score, "output": "%s: %d of %d%s" % (self.lab.title, self.score, self.most, self.note()),
                "output_format": "text", "visibility": "visible", "stdout_visibility": "hidden",
                "tests": [{"name": o.test.name, "number": str(i + 1), "score": max(0, o.score) - taken[o.test.name],
                           "max_score": o.test.points, "status": "passed" if o.status == GOOD else "failed",
                           "output": "\n".join([o.test.title] + explain(o) + on_deduction(o, taken[o.test.name])),
                           "output_format": "text",
                           "tags": [o.test.kind], "visibility": "visible"}
                          for i, o in enumerate(self.outcomes)]}

    def classroom50(self):
        """Returns the content of result.json, whose schema, classroom50/result/v1, permits only integers."""
        taken = self.taken()
        return {"schema": "classroom50/result/v1", "score": self.score, "max-score": self.most,
                "tests": [{"test-name": o.test.name, "passed": o.status == GOOD, "score": max(0, o.score) - taken[o.test.name],
                           "max-score": o.test.points}
                          for o in self.outcomes]}


def nothing(lab, stop):
    """Returns the result of a grading that `stop` has ended before it began: no points, with the reason in each test. A submission
    that cannot be read is wrong; everything else is not decided."""
    status = WRONG if stop.code == INPUT else NOT_DECIDED
    return Result(lab, [Outcome(test, status, str(stop).splitlines()[0]) for test in lab.tests])


def explain(outcome):
    lines = outcome.detail or ([outcome.message] if outcome.message else [])
    return ["not decided: " + lines[0]] + lines[1:] if lines and outcome.status == NOT_DECIDED else lines


def on_deduction(outcome, taken):
    """Returns lines that explain a deduction to readers of scores that are never negative."""
    if outcome.score < 0:
        return ["this accusation costs %d, which is taken from the points of other tests" % -outcome.score]
    return ["%d of %d, less %d for accusations without proof" % (outcome.score, outcome.test.points, taken)] if taken else []


def write(path, content):
    """Writes JSON atomically: a reader never sees only a part of it."""
    part = path + ".part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
        file.write("\n")
    os.replace(part, path)
