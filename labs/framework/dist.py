#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what students and graders get. Usage: dist.py DIR

  DIR/doze-labs.tar.gz            for students: everything but the tests and the teachers' pages; the library's
                                  files that are answers, the hints, and the faults of lab 9, only as sealed
                                  text (sealed.py)
  DIR/gradescope-NN-name.zip      for Gradescope, one for each lab that labs/lab grades: the tree, setup.sh,
                                  run_autograder, and the results if the grader does not start. Add class.secret to the
                                  zip's root to check seeds.
"""
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from framework import course, pages, results, sealed  # noqa: E402

SETUP = """#!/bin/sh
# Installs what the grader needs, and builds what all submissions share.
apt-get update && apt-get install -y gcc libc6-dev make pkg-config clang python3 spinPACKAGES || exit 1
cd /autograder/source && tar xzf doze.tar.gz && cd doze-labs && make labs-objectsGOALS
"""
QUIZ_PACKAGES = " liblttng-ust-dev liblttng-ctl-dev libbabeltrace2-dev libncurses-dev libdw-dev"  # for a lab's own program, which reads a trace
RUN = """#!/bin/sh
# Grades /autograder/submission. Always writes a results.json for Gradescope. Student code runs under another user id, so
# what it must not see is only this user's.
results=${RESULTS:-/autograder/results/results.json}
source=${SOURCE:-/autograder/source}
submission=${SUBMISSION:-/autograder/submission}
chmod go= "$submission" "${results%/*}" "$source/failed.json"
secret=
[ ! -f "$source/class.secret" ] || { chmod go= "$source/class.secret" && secret=--secret=$source/class.secret; }
rm -f "$results"
cd "$source/doze-labs" && labs/lab grade LAB --work "$submission" --isolated $secret --gradescope "$results" --ci
[ -s "$results" ] || cp "$source/failed.json" "$results"
"""


def tree_files():
    """Returns the files of the tree: those that git knows or, in a source archive, which has no .git, all of them."""
    if os.path.exists(os.path.join(course.ROOT, ".git")):
        out = subprocess.run(["git", "ls-files", "-z"], cwd=course.ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
        return [name for name in out.split("\0") if name]
    found = []
    for folder, folders, names in os.walk(course.ROOT):
        below = os.path.relpath(folder, course.ROOT)
        folders[:] = sorted(f for f in folders if f != "__pycache__" and (below != "." or f not in ("build", "debian")))
        found += [os.path.normpath(os.path.join(below, name)) for name in sorted(names)]
    return sorted(found)


def tracked():
    names = [n for n in tree_files() if not n.startswith("tests/")]
    return [n for n in names if os.path.exists(os.path.join(course.ROOT, n))]


def add_text(tar, name, text):
    info = tarfile.TarInfo("doze-labs/" + name)
    info.size = len(text.encode())
    tar.addfile(info, io.BytesIO(text.encode()))


def is_for_teachers(name):
    """Returns whether students do not get this page: it is for teachers, or quotes lines that students write."""
    return name in ("labs/lectures.md", "lib/sleep/falling_asleep.md") or os.path.basename(name) == "teachers.md"


def read(name):
    with open(os.path.join(course.ROOT, name), encoding="utf-8") as file:
        return file.read()


def without_teachers(text):
    """Returns labs/README.md without the parts for teachers and authors, which link to files that students do not
    get."""
    sections = re.split(r"(?m)^(?=## )", text)
    return "".join(s for s in sections if not s.startswith(("## For teachers", "## To add")))


def add_pages(tar, names):
    """Adds the Markdown pages of a copy with these files. Returns their names."""
    makefiles = [read(name) for name in names if os.path.basename(name) == "Makefile" or name.endswith(".mk")]
    texts = {name: read(name) for name in names if name.endswith(".md")}
    texts["labs/README.md"] = without_teachers(texts["labs/README.md"])
    copy = pages.Copy(names, pages.targets(makefiles), texts)
    for name, text in texts.items():
        add_text(tar, name, copy.page(name, text))
    return list(texts)


def add_for_students(tar, answers):
    """Adds the files that differ in a student's copy. Returns the names of those that are also in the tree."""
    descriptors = [name for name in tracked() if re.fullmatch(r"labs/[^/]+/lab\.ini", name)]
    for name in descriptors:
        add_text(tar, name, sealed.without_hints(read(name)))
    add_text(tar, "labs/sealed.txt", sealed.seal(answers + descriptors))
    return descriptors + add_pages(tar, [n for n in tracked() if n not in answers and not is_for_teachers(n)])


def tarball(path, answers):
    """Writes the complete tree or, if `answers` is not empty, the students' copy, which contains these files only in
    sealed form."""
    with tarfile.open(path, "w:gz") as tar:
        changed = add_for_students(tar, answers) if answers else []
        for name in tracked():
            if name not in answers and name not in changed and not (answers and is_for_teachers(name)):
                tar.add(os.path.join(course.ROOT, name), arcname="doze-labs/" + name)


def executable(package, name, text):
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o755 << 16
    package.writestr(info, text)


IGNORED = "class.secret\nseeds/\nstudents.txt\n"  # what a teacher adds to the package, or keeps beside it, and must not publish


def setup_of(lab):
    packages, goals = (QUIZ_PACKAGES, " build/labs/" + lab.name) if lab.is_quiz() else ("", "")
    return SETUP.replace("PACKAGES", packages).replace("GOALS", goals)


def gradescope(path, tree, lab):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(".gitignore", IGNORED)
        executable(package, "setup.sh", setup_of(lab))
        executable(package, "run_autograder", RUN.replace("LAB", str(lab.number), 1))
        failed = results.nothing(lab, course.Stop("the grader did not start: tell your teacher, who sees its messages")).gradescope()
        package.writestr("failed.json", json.dumps(failed))
        package.write(tree, "doze.tar.gz")


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    out = arguments[0]
    os.makedirs(out, exist_ok=True)
    coded = [lab for lab in course.labs() if lab.is_code()]
    faults = {name for name in tracked() if name.startswith("labs/") and name.endswith(".fault")}
    tarball(os.path.join(out, "doze-labs.tar.gz"), sorted({lab.replaces for lab in coded if lab.replaces} | faults))
    tree = os.path.join(out, "tree.tar.gz")
    tarball(tree, [])
    for lab in coded:
        gradescope(os.path.join(out, "gradescope-%s.zip" % lab.name), tree, lab)
    os.remove(tree)
    for name in sorted(os.listdir(out)):
        print("%7d KB  %s" % (os.path.getsize(os.path.join(out, name)) // 1024, os.path.join(out, name)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
