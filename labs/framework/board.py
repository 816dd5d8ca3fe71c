# SPDX-License-Identifier: MIT
"""Lab 10: the leader board of a class, built from the results that `grade 10 --json` writes."""
import json
import os

from . import course
from .course import INPUT, Stop

HEAD = "rank  score      lead   student              best at          worst at"


def measured(lab):
    """Returns the name of the lab's test that measures the contest's score, or None if the lab is not the contest."""
    return next((t.name for t in lab.written if t.kind == "contest" and t.section["judge"] == "time"), None)


def why_unranked(result):
    """Returns why a result without a score of the contest has no rank."""
    try:
        name = measured(course.find(result["lab"]))
        if name is None:
            return "a result of lab %s, which is not the contest" % result["lab"]
        test = next((t for t in result["tests"] if t["name"] == name), None)
        return "not measured: " + (test["message"] or test["status"] if test else "the test %s was not graded" % name)
    except (KeyError, TypeError, Stop):
        return "not a result of labs/lab grade --json"


class Entry:
    """One result. The board ranks by the middle of the score range, and then by `lead`, which is not capped at 100."""

    def __init__(self, path):
        self.student = os.path.splitext(os.path.basename(path))[0]
        try:
            with open(path, encoding="utf-8") as file:
                result = json.load(file)
        except (OSError, ValueError) as error:
            raise Stop("%s: %s" % (path, getattr(error, "strerror", None) or "not a result"), INPUT) from error
        score = result.get("contest") if isinstance(result, dict) else None
        self.why = "" if score else why_unranked(result)
        self.lowest, self.highest, self.lead = (score[k] for k in ("lowest", "highest", "lead")) if score else (0, 0, 0)
        self.ratios = [(ratio, "%s %s" % (w, name)) for w, row in (score or {}).get("workloads", {}).items()
                       for name, ratio in row.items()]

    def place(self):
        """Returns the sort key of the entry. A score that is not known exactly is ranked by the middle
        of its range."""
        return -round((self.lowest + self.highest) / 2), -self.lead, self.student

    def line(self, rank):
        if not self.ratios:
            return "%4s  %6s  %7s   %-20s %s" % ("-", "-", "-", self.student, self.why)
        score = "%.0f" % self.highest if round(self.lowest) == round(self.highest) else "%.0f-%.0f" % (
            self.lowest, self.highest)
        return "%4d  %6s  %7.0f   %-20s %-16s %s" % (rank, score, self.lead, self.student, max(self.ratios)[1],
                                                    min(self.ratios)[1])


def table(paths):
    """Returns the lines of the board."""
    entries = sorted((Entry(path) for path in paths), key=Entry.place)
    return [HEAD] + [entry.line(i + 1) for i, entry in enumerate(entries)]
