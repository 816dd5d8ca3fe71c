#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Checks that README.md lists exactly the packages that `make setup` installs for each purpose, and that the tables
# of places are those of viz/session/tested.tsv and tests/places/packages.tsv. `make places` shows that these packages
# are enough. Runs in the top folder.
import importlib.machinery
import importlib.util
import re
import sys

sys.dont_write_bytecode = True
# First column of the table in README.md -> groups of .ci/setup. What all rows need is in the first ones.
ROWS = {"building": ["build"], "tracing": ["build"], "reading traces": ["build"], "source lines of posts": ["build"],
        "the viewer": ["build"], "`make test`": ["test"], "`make lint`": ["lint", "lint-quick"],
        "`make valgrind`": ["valgrind"], "`make deb`": ["deb"], "`make proofs`, `make model`": ["explore"]}


def read_setup(text):
    """Returns {group: packages}. Optional packages (group?) are in the same group."""
    groups = {}
    for line in re.search(r"^table='\n(.*?)^'", text, re.M | re.S)[1].splitlines():
        group, package, _probe = line.split()
        groups.setdefault(group.rstrip("?"), set()).add(package)
    return groups


def read_readme(text):
    """Returns {first column: packages of Debian}."""
    rows = re.search(r"^\| for \| Debian, Ubuntu .*?\n\n", text, re.M | re.S)[0].splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows if row]
    return {row[0]: set(row[1].replace(";", " ").split()) for row in cells}


def compare(rows, groups):
    unknown = [f"README.md: unknown row: {row}" for row in set(rows) ^ set(ROWS)]
    faults = []
    for name in sorted({group for needed in ROWS.values() for group in needed}):
        installed = set().union(*(groups[g] for g in ROWS_OF[name]))
        listed = set().union(*(rows.get(row, set()) for row, needed in ROWS.items() if name in needed))
        faults += [f"only in .ci/setup, {name}: {package}" for package in sorted(installed - listed)]
        faults += [f"only in README.md, {name}: {package}" for package in sorted(listed - installed)]
    return unknown + faults


# A group of ROWS -> the groups whose packages its rows list together.
ROWS_OF = {group: needed for needed in ROWS.values() for group in needed}


def places():
    loader = importlib.machinery.SourceFileLoader("places", "tests/places/places")
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("places", loader))
    loader.exec_module(module)
    return module


readme = open("README.md", encoding="utf-8").read()
groups = read_setup(open(".ci/setup", encoding="utf-8").read())
rows = read_readme(readme)
faults = compare(rows, groups)
tool = places()
for path, table in ((tool.README, tool.table()), (tool.PACKAGES_README, tool.packages_table())):
    if tool.between_marks(path)[1] != table:
        faults.append(f"{path}: the table of places is not that of its .tsv file: run tests/places/places --table")
for fault in faults:
    print(fault)
print(f"{sum(map(len, rows.values()))} packages, {len(tool.tested())} places, {len(faults)} faults")
sys.exit(1 if faults else 0)
