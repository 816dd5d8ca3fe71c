#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Checks the walls of lib/: the files that a lab replaces or that the explorer leaves out. The lab.ini files and the
# explorer's makefile decide which these are; the first lines of each file and the table in lib/README.md must say
# the same. Also checks that each line of code that lib/sleep/falling_asleep.md quotes is in the function and file
# that it names, in that order. Runs in the top folder.
import configparser
import glob
import re
import subprocess
import sys

FIRST_LINES = 8  # of a file, in which its wall must be named
PAGE = "lib/sleep/falling_asleep.md"
faults = []


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def replaced():
    """Returns {file of lib: "lab N"}, from the descriptors of the labs."""
    found = {}
    for path in glob.glob("labs/*/lab.ini"):
        ini = configparser.ConfigParser(interpolation=None)
        ini.read(path, encoding="utf-8")
        if ini.has_option("lab", "replaces"):
            found[ini["lab"]["replaces"]] = "lab %d" % int(re.match(r"labs/(\d+)", path)[1])
    return found


def left_out():
    """Returns the files of lib that are in the library but not in an explored program, as make sees it."""
    def words(goal, start):
        out = subprocess.run(["make", "-s", "--no-print-directory", goal], stdout=subprocess.PIPE, text=True, check=True).stdout
        return set(next(line for line in out.splitlines() if line.startswith(start)).removeprefix(start).split())
    return {f: "explorer" for f in words("lib-sources", "") - words("explore-flags", "lib=") if f.startswith("lib/")}


def named_in_files():
    """Returns the walls that the first lines of the files of lib name."""
    found = {}
    for path in glob.glob("lib/**/*.[ch]", recursive=True):
        head = " ".join(line.strip(" *") for line in read(path).splitlines()[:FIRST_LINES])
        lab = re.search(r"Lab (\d+) replaces this file \(labs/(\d+)-", head)
        if lab:
            found[path] = "lab " + lab[1]
            if int(lab[1]) != int(lab[2]):
                faults.append("%s names two labs: %s and %s" % (path, lab[1], lab[2]))
        if "The explorer leaves this file out" in head:
            found[path] = "explorer"
    return found


def named_in_table():
    section = re.search(r"## Two walls\n(.*?)\n## ", read("lib/README.md"), re.S)[1]
    rows = re.findall(r"(?m)^\| (`[^|]*`) \| (lab \d+|explorer) \|", section)
    return {"lib/" + name: wall for names, wall in rows for name in re.findall(r"`([^`]+)`", names)}


def compare(what, said, true):
    for path in sorted(said.keys() | true.keys()):
        if said.get(path) != true.get(path):
            faults.append("%s: %s says '%s', but it is '%s'" % (path, what, said.get(path, "no wall"), true.get(path, "no wall")))


def function(text, name):
    """Returns the body of a function; its braces are alone on their lines in the first column."""
    found = re.search(r"(?ms)^[^\n]*\b%s\((?:[^;{}]*?)\)\n\{\n(.*?)^\}" % re.escape(name), text)
    return found[1] if found else None


def check_cell(cell):
    """Checks a cell of the page: `file` *function*, then lines of that function, joined by <br>. Returns their number."""
    body, where, at, lines = None, "", 0, 0
    for part in filter(None, cell.strip().split("<br>")):
        place = re.fullmatch(r"`([\w/]+\.[ch])` \*(\w+)\*", part)
        if place:
            where, at = "%s, %s" % (place[1], place[2]), 0
            body = function(read("lib/" + place[1]), place[2])
            if body is None:
                faults.append("%s: lib/%s has no function %s" % (PAGE, place[1], place[2]))
            continue
        code = re.fullmatch(r"`([^`]+)`", part)
        if not code or (body is None and not where):
            faults.append("%s: expected `file` *function* and lines of code, not '%s'" % (PAGE, part))
            continue
        lines += 1
        at = (body or "").find(code[1], at)
        if at < 0:
            faults.append("%s: '%s' is not in %s, or not after the line quoted before it" % (PAGE, code[1], where))
            at = 0
    return lines


walls = {**replaced(), **left_out()}
compare("the start of the file", named_in_files(), walls)
compare("lib/README.md", named_in_table(), walls)
rows = [line.split("|")[1:-1] for line in read(PAGE).splitlines() if re.match(r"\| \d? ?\|", line)][1:]
quoted = sum(check_cell(cell) for row in rows for cell in row[1:3])
if len(walls) < 12 or len(rows) < 9 or quoted < 20:
    faults.append("too few walls (%d), rows (%d) or lines (%d) were found" % (len(walls), len(rows), quoted))
print("%d walls, %d lines quoted, %d faults" % (len(walls), quoted, len(faults)))
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
