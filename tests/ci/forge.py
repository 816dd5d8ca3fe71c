#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""forge.py count|mutant - changes the record of the proofs in the current tree so that only a repetition can find
it, and prints a commit id whose draw repeats what was changed. For ci_check.py, in a scratch copy.

    count     the number of executions of one run is one more
    mutant    a mutant that survives is recorded as caught, with the hash that its changed text has
"""
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path[:0] = ["tests/proof", "tests/fixtures"]
from names import check_names  # noqa: E402
from state import State  # noqa: E402


def count():
    state = State()
    item = state.drawn("forged")[0]
    state.old.runs[item.name()] = state.line(item)._replace(executions=state.line(item).executions + 1)
    state.old.write()
    return state, item


def mutant():
    state = State()
    survivor = min((m for m in state.mutants if m.survives), key=lambda m: state.line(m).seconds)
    path = survivor.source.path
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"(?ms)(^== %s$.*?)^survives: [^\n]*" % survivor.name(), r"\1within: 500", f.read(), count=1)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    state = State()
    item = next(m for m in state.mutants if m.name() == survivor.name())
    state.old.mutants[item.name()] = (state.hash_of(item), state.line(item)._replace(verdict="FAILED", at=7, notes="hang"))
    state.old.write()
    return state, item


def main():
    check_names(sys.argv[1:2] or ["none"], ["count", "mutant"], "forgery")
    state, item = {"count": count, "mutant": mutant}[sys.argv[1]]()
    numbers = iter(range(10000))
    commit = next(c for c in map("forged-{}".format, numbers) if item in state.drawn(c))
    os.system("tests/proof/run --tables")
    print(commit)
    return 0


if __name__ == "__main__":
    sys.exit(main())
