# SPDX-License-Identifier: MIT
"""Grades all submissions in a folder, and writes one row of a CSV file for each.

A submission is a tar.gz of labs/lab submit, or a folder with a student's files; a folder may also contain such packs, of several
labs. Each one is graded by a process of its own, so that nothing that happens to one reaches the next. The CSV file is complete
after every submission. A later call grades only what is new, changed, or not decided.
"""
import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from . import budget, course, jail, terms
from .course import FULL, INPUT, LOST, UNDECIDED, Stop

FIELDS = ("submission", "student", "lab", "score", "max", "undecided", "seconds", "note", "digest")
GRACE = 60  # seconds that the grading of one submission may take beyond its budget: builds, and the end of the last program


class Submission:
    def __init__(self, folder, name, lab):
        self.name, self.path = name, os.path.join(folder, name)
        self.files = dict(self.contents())
        self.lab = lab or self.find_lab()

    def contents(self):
        """Yields (name, bytes) of the files."""
        if os.path.isdir(self.path):
            for entry in sorted(os.scandir(self.path), key=lambda e: e.name):
                if entry.is_file(follow_symlinks=False) and not entry.name.endswith(terms.PACK) and entry.stat().st_size <= terms.PACK_BYTES:
                    with open(entry.path, "rb") as file:
                        yield entry.name, file.read()
            return
        try:
            with tarfile.open(self.path) as tar:
                for member in terms.plain_files(tar, self.path):
                    yield member.name, tar.extractfile(member).read()
        except (tarfile.TarError, OSError, EOFError, Stop):
            return  # the grading itself reports it

    def find_lab(self):
        """Returns the lab that the name or the files tell, or None."""
        named = [lab for lab in course.labs() if lab.name in self.name]
        return next((lab for lab in named + course.labs() if lab in named or belongs(lab, self.files)), None)

    def student(self):
        found = re.search(rb"^student: (\S+)$", self.files.get("seed.txt", b""), re.M)
        return found.group(1).decode("utf-8", "replace") if found else ""

    def digest(self):
        text = b"".join(name.encode() + b"\0" + hashlib.sha256(content).digest() for name, content in sorted(self.files.items()))
        return hashlib.sha256(text).hexdigest()[:16]


def belongs(lab, names):
    """Returns whether a submission with these files is one of the lab."""
    return lab.file in names if lab.file else bool(lab.forms()) and set(lab.forms()) <= set(names)


def submissions(folder, lab):
    """Returns the submissions in the folder, in the order of their names."""
    found = []
    for entry in sorted(os.scandir(folder), key=lambda e: e.name):
        if entry.name.startswith(".") or entry.is_symlink():
            continue
        if entry.is_file() and entry.name.endswith(terms.PACK):
            found.append(entry.name)
        elif entry.is_dir():
            inner = sorted(e.name for e in os.scandir(entry.path) if e.is_file(follow_symlinks=False) and not e.name.startswith("."))
            packs = [name for name in inner if name.endswith(terms.PACK)]
            found += [entry.name] if len(packs) < len(inner) or not inner else []
            found += [os.path.join(entry.name, name) for name in packs]
    return with_labs([Submission(folder, name, lab) for name in found])


def with_labs(found):
    """Returns the submissions. If they are of one lab, those whose files do not tell their lab are of this one, too."""
    labs = {s.lab.name: s.lab for s in found if s.lab}
    for submission in found:
        if len(labs) == 1 and submission.files:
            submission.lab = next(iter(labs.values()))
    return found


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1].removeprefix("lab: ") if lines else "no message"


class Book:
    """The CSV file, and beside it a folder with the report and the JSON result of each submission."""

    def __init__(self, path, options):
        self.path, self.options = path, options
        self.folder = os.path.splitext(path)[0] + ".results"
        self.rows = self.read()
        self.lock = threading.Lock()
        self.running, self.stopped = set(), False
        os.makedirs(self.folder, mode=0o700, exist_ok=True)

    def read(self):
        if not os.path.exists(self.path):
            return {}
        with open(self.path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        if rows and set(FIELDS) - set(rows[0]):
            raise Stop("%s: not a file of grade-all: give another one" % self.path, INPUT)
        return {row["submission"]: row for row in rows}

    def needs(self, submission):
        row = self.rows.get(submission.name)
        return row is None or row["digest"] != submission.digest() or row["undecided"] != "0"

    def write(self, row):
        """Adds or replaces a row, so that the file is complete at any time."""
        with self.lock:
            self.rows[row["submission"]] = row
            out = io.StringIO()
            table = csv.DictWriter(out, FIELDS)
            table.writeheader()
            table.writerows(self.rows[name] for name in sorted(self.rows))
            # For this user only: the next call checks that student code cannot read it.
            with open(os.open(self.path + ".part", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8", newline="") as file:
                file.write(out.getvalue())
            os.replace(self.path + ".part", self.path)

    def command(self, submission, result):
        # Through the helper, so that the grading ends with this program.
        return [jail.HELPER, sys.executable, os.path.join(course.LABS, "lab"), "grade", submission.lab.name, "--work", submission.path,
                "--json", result, *self.options]

    def grade(self, submission):
        """Grades one submission. Returns its row."""
        row = {"submission": submission.name, "student": submission.student(), "digest": submission.digest(), "undecided": 0}
        if submission.lab is None:
            return row | {"note": "of no lab: expected the files of labs/lab submit (or give --lab N)"}
        base = os.path.join(self.folder, submission.name.replace(os.sep, "-"))
        begin = time.monotonic()
        if os.path.exists(base + ".json"):
            os.remove(base + ".json")
        status, text = self.graded(self.command(submission, base + ".json"))
        with open(base + ".txt", "w", encoding="utf-8") as file:
            file.write(text)
        row |= {"lab": submission.lab.name, "seconds": "%.1f" % (time.monotonic() - begin)}
        if not os.path.exists(base + ".json"):
            return row | {"undecided": len(submission.lab.tests), "note": "the grader failed: " + last_line(text)}
        with open(base + ".json", encoding="utf-8") as file:
            found = json.load(file)
        note = last_line(text) if status not in (FULL, LOST, UNDECIDED) else ""
        return row | {"score": found["score"], "max": found["max"], "undecided": found["undecided"], "note": note}


    def graded(self, command):
        """Runs a grading. Returns (exit status, what it printed)."""
        # In a session of its own, which Ctrl-C does not reach: stop() ends it.
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as grading:
            self.running.add(grading)
            try:
                text = grading.communicate(timeout=budget.SECONDS + GRACE)[0]
            except subprocess.TimeoutExpired:
                grading.kill()  # its programs end with it
                text = b"it did not end in time"
                jail.current.sweep()
            self.running.remove(grading)
        return grading.returncode, text.decode("utf-8", "replace")

    def stop(self):
        """Ends the gradings that are running, which get no rows."""
        self.stopped = True
        for grading in list(self.running):
            grading.kill()


def summary(row):
    points = "%s of %s" % (row["score"], row["max"]) if "score" in row else "-"
    undecided = "; %s not decided" % row["undecided"] if int(row["undecided"]) else ""
    return "%s: %s%s%s" % (row["submission"], points, undecided, "; " + row["note"] if row["note"] else "")


def fill(args):
    """Grades the submissions in args.folder into args.output. Returns the exit code."""
    if not os.path.isdir(args.folder):
        raise Stop("%s: no such folder" % args.folder, INPUT)
    if args.jobs and not re.fullmatch("[1-9][0-9]?", args.jobs):
        raise Stop("grade-all: --jobs takes a number from 1 to 99")
    options = (["--secret", args.secret] if args.secret else []) + (["--unsafe"] if args.unsafe else ["--isolated"])
    book = Book(args.output, options)
    wanted = submissions(args.folder, course.find(args.lab) if args.lab else None)
    todo = [s for s in wanted if book.needs(s)]
    if len(todo) < len(wanted):
        print("%d of %d submissions are graded already" % (len(wanted) - len(todo), len(wanted)), flush=True)

    def one(submission):
        row = None if book.stopped else book.grade(submission)
        if not book.stopped:
            book.write(row)
            print(summary(row), flush=True)
    with ThreadPoolExecutor(int(args.jobs or 1)) as pool:
        try:
            list(pool.map(one, todo))
        except KeyboardInterrupt as interrupt:
            book.stop()
            raise Stop("grade-all: interrupted after %d of %d submissions: the same command goes on" % (len(book.rows), len(wanted)), 130) from interrupt
    print("%d submissions are in %s, their reports in %s" % (len(book.rows), book.path, book.folder))
    return UNDECIDED if any(int(row["undecided"]) for row in book.rows.values()) else FULL
