# SPDX-License-Identifier: MIT
#
# state.py - the runs and mutants of the tree as it is, beside what the record has of them: what is
# stale, and what a commit draws.
import mutants
import record
import scenarios
from names import refuse

DRAWN_S = 120  # CPU seconds, by the record


class State:
    """The tree as it is, beside its record."""

    def __init__(self):
        self.how = mutants.how_to_build()
        self.jobs = scenarios.all_jobs()
        self.mutants = list(mutants.read_all().values())
        runs = {}
        for job in self.jobs:
            runs.setdefault(job.program, []).append(job.name())
        self.now = record.Now(self.how["objects"], self.how["flags"] + self.how["engine_flags"], runs)
        self.compiler = mutants.compiler(self.how)
        try:
            self.old = record.read()
        except ValueError as error:
            refuse(str(error))
        self.same_compiler = self.old.compiler == self.compiler

    def hash_of(self, item):
        """Returns the hash under which the result of a run or mutant is recorded."""
        return self.now.mutant(item) if isinstance(item, mutants.Mutant) else self.now.programs[item.program]

    def line(self, item):
        if isinstance(item, mutants.Mutant):
            return self.old.mutants.get(item.name(), (None, None))[1]
        return self.old.runs.get(item.name())

    def is_large(self, item):
        return isinstance(item, scenarios.Job) and record.is_large(self.line(item))

    def is_current(self, item):
        """Returns whether the item's line is of this source."""
        if isinstance(item, mutants.Mutant):
            return self.old.mutants.get(item.name(), ("", None))[0] == self.hash_of(item)
        hashes = self.old.programs.get(item.program, ("", ""))
        return item.name() in self.old.runs and hashes[self.is_large(item)] == self.hash_of(item)

    def stale(self):
        """Returns what `make proofs` repeats."""
        return [item for item in self.jobs + self.mutants if not self.is_current(item) and not self.is_large(item)]

    def stale_large(self):
        return [job for job in self.jobs if self.is_large(job) and not self.is_current(job)]

    def drawn(self, commit):
        """Returns the runs and mutants that this commit repeats: in an order that its id decides, each that
        still fits into the time."""
        items = {item.name(): item for item in self.jobs + self.mutants
                 if self.line(item) and (self.is_current(item) or not self.is_large(item))}
        seconds = {name: self.line(item).seconds for name, item in items.items()}
        return [items[name] for name in record.draw(commit, seconds, DRAWN_S)]

    def why_stale(self):
        """Returns the names of the changed files, in one line."""
        names = self.now.changed(self.old)
        named = ", ".join(names[:6]) + (" and %d more" % (len(names) - 6) if len(names) > 6 else "")
        return named or "a mutant or the record itself"
