# SPDX-License-Identifier: MIT
"""Lab 10: the leader board of a class, built from the results that `grade 10 --json` writes."""
import json
import os

from .course import INPUT, Stop

HEAD = "rank  score      lead   student              best at          worst at"


class Entry:
    """One result. The board ranks by the middle of the score range, and then by `lead`, which is not capped at 100."""

    def __init__(self, path):
        self.student = os.path.splitext(os.path.basename(path))[0]
        try:
            with open(path, encoding="utf-8") as file:
                result = json.load(file)
        except (OSError, ValueError) as error:
            raise Stop("%s: %s" % (path, getattr(error, "strerror", None) or "not a result"), INPUT) from error
        score = result.get("contest")
        self.lowest, self.highest, self.lead = (score[k] for k in ("lowest", "highest", "lead")) if score else (0, 0, 0)
        self.ratios = [(ratio, "%s %s" % (w, name)) for w, row in (score or {}).get("workloads", {}).items()
                       for name, ratio in row.items()]

    def place(self):
        """Returns the sort key of the entry. A score that is not known exactly is ranked by the middle
        of its range."""
        return -round((self.lowest + self.highest) / 2), -self.lead, self.student

    def line(self, rank):
        if not self.ratios:
            return "%4s  %5s  %8s   %-20s an invariant is broken, or nothing was measured" % ("-", "0", "-", self.student)
        score = "%.0f" % self.highest if round(self.lowest) == round(self.highest) else "%.0f-%.0f" % (
            self.lowest, self.highest)
        return "%4d  %6s  %7.0f   %-20s %-16s %s" % (rank, score, self.lead, self.student, max(self.ratios)[1],
                                                    min(self.ratios)[1])


def table(paths):
    """Returns the lines of the board."""
    entries = sorted((Entry(path) for path in paths), key=Entry.place)
    return [HEAD] + [entry.line(i + 1) for i, entry in enumerate(entries)]
