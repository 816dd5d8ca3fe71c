#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks `labs/lab grade-all`: it finds packs and folders, and the lab of each; a submission that cannot be read does not stop the
others; after a kill it goes on where it was; it grades what is new or changed, and nothing else.

Usage: gradebook_test.py     Environment: BUILD.     Exit: 0 passed; 1 not; 77 without clang.
"""
import csv
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

sys.dont_write_bytecode = True
from lab_test import ROOT, Student, can_isolate, expect, problems, text_of  # noqa: E402
from signals import end_cleanly_on_signals  # noqa: E402

ISOLATED = [] if can_isolate() else ["--unsafe"]


class Folder:
    """A folder with submissions, and the results beside it."""

    def __init__(self, folder):
        self.folder, self.csv = os.path.join(folder, "submissions"), os.path.join(folder, "grades.csv")
        os.mkdir(self.folder, 0o700)
        self.student = Student(folder)
        self.command = ["grade-all", self.folder, "-o", self.csv, *ISOLATED]

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def pack(self, name, *paths):
        path = self.write(name, "")
        with tarfile.open(path, "w:gz") as tar:
            for content in paths:
                tar.add(content, arcname=os.path.basename(content))

    def grade(self, *options):
        return self.student.lab(*self.command, *options)

    def rows(self):
        if not os.path.exists(self.csv):
            return {}
        with open(self.csv, encoding="utf-8", newline="") as file:
            return {row["submission"]: row for row in csv.DictReader(file)}


def create(folder):
    """Creates submissions that take little time: most lack the file that the tests need."""
    source = os.path.join(ROOT, "labs", "04-core-latch", "core_latch.c")
    folder.write("ada/core_latch.c", text_of(os.path.join(ROOT, "lib", "core_latch.c")))
    folder.write("ada/seed.txt", "student: ada\nseed: 1\n")
    folder.pack("ben.tar.gz", source)
    folder.pack("cleo/03-event-counter.tar.gz", folder.write("answers.txt", "word1: 1 2 3\n"))
    folder.pack("cleo/08-deadlock.tar.gz", os.path.join(folder.folder, "answers.txt"))
    os.remove(os.path.join(folder.folder, "answers.txt"))
    folder.write("dan-04-core-latch.tar.gz", "this is no archive\n")
    folder.write("eve/poem.txt", "no lab\n")
    os.symlink("/etc", os.path.join(folder.folder, "fox"))


def ended_after_first_row(folder, number):
    """Starts the grading, and sends it the signal when the first row is there. Returns (exit code, output)."""
    with subprocess.Popen([os.path.join(ROOT, "labs", "lab"), *folder.command], cwd=ROOT, env=folder.student.env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, umask=0o022) as grading:
        while not folder.rows() and grading.poll() is None:
            time.sleep(0.05)
        grading.send_signal(number)
        said = grading.communicate()[0]
    return grading.returncode, said


def check_interruption(folder):
    code, said = ended_after_first_row(folder, signal.SIGINT)
    expect(code == 130 and said.count("\n") == len(folder.rows()) + 1 and "the same command goes on" in said, "Ctrl-C ends with one line: %d, %s" % (code, said))
    os.remove(folder.csv)
    ended_after_first_row(folder, signal.SIGKILL)
    before = folder.rows()
    expect(0 < len(before) < 6, "a killed grading leaves the rows so far: %s" % sorted(before))
    expect(os.stat(folder.csv).st_mode & 0o077 == 0, "the results are for the teacher only")
    rc, text = folder.grade()
    expect(rc == 0 and "%d of 6 submissions are graded already" % len(before) in text, "the next call goes on: " + text)
    rows = folder.rows()
    expect(all(rows[name] == row for name, row in before.items()), "the rows of the first call stay as they are")


def check_results(folder):
    rows = folder.rows()
    found = {name: (row["lab"], row["score"], row["max"], row["student"]) for name, row in rows.items()}
    expect(found == {"ada": ("04-core-latch", "12", "18", "ada"), "ben.tar.gz": ("04-core-latch", "0", "18", ""),
                     "cleo/03-event-counter.tar.gz": ("03-event-counter", "0", found["cleo/03-event-counter.tar.gz"][2], ""),
                     "cleo/08-deadlock.tar.gz": ("08-deadlock", "0", found["cleo/08-deadlock.tar.gz"][2], ""),
                     "dan-04-core-latch.tar.gz": ("04-core-latch", "0", "18", ""), "eve": ("", "", "", "")}, "labs, points and students: %s" % found)
    expect("neither a folder nor a tar.gz" in rows["dan-04-core-latch.tar.gz"]["note"], "the reason for no points: %s" % rows)
    expect("of no lab" in rows["eve"]["note"], "a folder without a lab's files: %s" % rows["eve"])
    report = text_of(os.path.join(os.path.dirname(folder.csv), "grades.results", "ada.txt"))
    expect("score: 12 of 18" in report, "the report of a submission: " + report[-200:])


def check_changes(folder):
    before = folder.rows()
    folder.write("eve/poem.txt", "still no lab\n")
    folder.pack("zoe-04-core-latch.tar.gz", os.path.join(ROOT, "labs", "04-core-latch", "lab.ini"))
    rc, text = folder.grade("--jobs", "2")
    expect(rc == 0 and "5 of 7 submissions are graded already" in text, "a new and a changed submission are graded: " + text)
    changed = {name for name, row in folder.rows().items() if before.get(name) != row}
    expect(changed == {"eve", "zoe-04-core-latch.tar.gz"}, "no other row changes: %s" % changed)


def check_one_lab(folder):
    """In a folder with submissions of one lab, a submission without the lab's file is one of this lab."""
    for name in ("cleo", "ben.tar.gz", "dan-04-core-latch.tar.gz", "zoe-04-core-latch.tar.gz"):
        path = os.path.join(folder.folder, name)
        (shutil.rmtree if os.path.isdir(path) else os.remove)(path)
    os.remove(folder.csv)
    folder.grade()
    rows = folder.rows()
    expect(rows["eve"]["score"] == "0" and rows["eve"]["max"] == "18", "without the lab's file there are no points, but a maximum: %s" % rows["eve"])


def check_misuse(folder):
    for words, code, named in ((["grade-all", folder.folder], 2, "-o FILE.csv"), (["grade-all", "/nowhere", "-o", folder.csv, *ISOLATED], 3, "no such folder"),
                               ([*folder.command, "--jobs", "none"], 2, "--jobs"),
                               (["grade-all", folder.folder, "-o", folder.write("other.csv", "a,b\n1,2\n"), *ISOLATED], 3, "not a file of grade-all")):
        rc, text = folder.student.lab(*words)
        expect(rc == code and text.count("\n") == 1 and named in text, "%s: %d, %s" % (" ".join(words), rc, text))


def main():
    end_cleanly_on_signals()
    if not shutil.which("clang"):
        print("skipped: clang is missing")
        return 77
    with tempfile.TemporaryDirectory(prefix="doze-gradebook-") as name:
        folder = Folder(name)
        create(folder)
        check_interruption(folder)
        check_results(folder)
        check_changes(folder)
        check_misuse(folder)
        check_one_lab(folder)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
