#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Checks that each test that tests/integration/viewer/features.md names exists and contains the words that the table
# quotes from its titles. Runs in the top folder.
import glob
import os
import re
import sys

TABLE = "tests/integration/viewer/features.md"
PLACES = ["tests/", "tests/integration/", "tests/integration/viewer/", "tests/unit/", "tests/unit/viewer/"]
faults, checked = [], 0


def files_of(name):
    """Returns the files that a name in a row refers to: a file, with or without its extension, or all files of a folder."""
    for place in PLACES:
        found = [f for f in glob.glob(place + name) + glob.glob(place + name + ".*") if os.path.isfile(f)]
        if found:
            return found
    return [f for place in PLACES for f in glob.glob(place + name + "/*") if os.path.isfile(f)]


def text_of(files):
    return "".join(open(f, encoding="utf-8").read() for f in files)


def check(feature, cell):
    """Checks a cell of the form `name`, `name`: words, words; `name`."""
    global checked
    for part in cell.split(";"):
        head, _, words = part.partition(":")
        names = re.findall(r"`([^`]+)`", head)
        if not names:
            faults.append(f"{feature}: '{part.strip()}' names no test")
        for name in names:
            if not files_of(name):
                faults.append(f"{feature}: there is no test {name}")
        text = text_of(f for name in names for f in files_of(name)).lower()
        for phrase in filter(None, (p.strip() for p in words.split(","))):
            checked += 1
            if phrase.lower() not in text:
                faults.append(f"{feature}: {' '.join(names)} does not contain '{phrase}'")


rows = [line.strip().strip("|").split(" | ") for line in open(TABLE, encoding="utf-8")
        if line.startswith("|") and not line.startswith("|---")]
for row in rows:
    if row[-1].strip() != "shown by":
        check(row[0].strip(), row[-1])
if len(rows) < 40 or checked < 30:
    faults.append(f"only {len(rows)} rows and {checked} quotations were found in {TABLE}")
for fault in faults:
    print(fault)
print(f"{len(rows)} rows, {checked} quotations, {len(faults)} faults")
sys.exit(1 if faults else 0)
