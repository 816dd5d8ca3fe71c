#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ci_check.py [WORD] - checks that the CI says what is wrong. In a scratch copy of the tree, breaks one thing
after the other, runs the part of the CI that covers it, and expects that part to fail and the last lines of
its output to name what was broken.

The record of the proofs is changed, too: by hand, by forge.py so that only a repetition can find it, and not
at all, by a comment, which must pass.

WORD: only the cases whose title contains it. `make ci-check` runs this; it takes half an hour.
Exit: 0 as expected; 1 not; 2 no such case.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAST = 4  # lines: the failure, the command that repeats it, the numbers, and one to spare


class Case:
    """old: a regular expression for the text that is replaced in the file, once. narrowed: environment that
    limits the part to what was broken. named: a regular expression for the last lines. forgery: what
    forge.py changes instead. passes: whether the change is none that the CI may refuse."""

    def __init__(self, title, part, file, old, new, named, forgery=None, passes=False, **narrowed):
        self.title, self.part, self.file, self.old, self.new = title, part, file, old, new
        self.named, self.narrowed, self.forgery, self.passes = named, narrowed, forgery, passes


CASES = [
    Case("a unit test", "tests", "tests/unit/suite_test.c", r'\(exit_status_of\("good", NULL\), 0\)',
         '(exit_status_of("good", NULL), 1)',
         r"FAILED test unit/suite_test: .*exits with 0: tests/unit/suite_test\.c:\d+.*\n.*make test ONLY=unit/suite_test",
         ONLY="unit/suite_test"),
    Case("a recording", "tests", "tracepoints/README.md", r"\| wake_id \|", "| wake_number |",
         r"FAILED test integration/trace/catalogue_test: .*catalogue_test\.c:\d+", ONLY="trace/catalogue_test"),
    Case("a golden screen", "tests", "tests/integration/viewer/golden/lessons.txt", r"The four", "The none",
         r"FAILED test integration/viewer/lessons: .*not golden lessons:four-states", ONLY="viewer/lessons"),
    Case("a command of a README", "tests", "tracepoints/README.md", r"(?m)^(```console\n\$ .*\n(?:.*\\\n)*)", r"\1never shown\n",
         r"FAILED test integration/readme/check\.py: .*tracepoints/README\.md", ONLY="readme/check"),
    Case("a scenario of the explorer", "proofs", "labs/scenarios/litmus.c",
         r"EX_CHECK\(!\(r == 1 && da_load\(&g\.x, RLX\) == 2\)\)", "EX_CHECK(r == 7)",
         r"FAILED part proofs: record.tsv is of another source: labs/scenarios/litmus\.c \(1 programs.*run make proofs"),
    Case("a constant of the library", "proofs", "lib/sleep/rfc_variants.c", r"#define SPARE_IDLE 2", "#define SPARE_IDLE 3",
         r"FAILED part proofs: record.tsv is of another source: lib/sleep/rfc_variants\.c .*run make proofs"),
    Case("the record of a program", "proofs", "tests/proof/record.tsv", r"(?m)^(program\tpool\t)....", r"\g<1>0000",
         r"FAILED part proofs: record.tsv is of another source: .*run make proofs"),
    Case("a count in the record", "proofs", "", "", "", r"FAILED part proofs: \S+ .*: the record has .*, a repetition gives .*run make proofs",
         forgery="count"),
    Case("a mutant that is not caught", "proofs", "", "", "", r"FAILED part proofs: \S+: the record has FAILED.*, a repetition gives passed",
         forgery="mutant"),
    Case("a comment of the library", "proofs", "lib/sleep/jec.c", r"/\*\n", "/*\n * One more line.\n", r"0 failed", passes=True),
    Case("a mutant of a lab", "labs", "tests/integration/labs/mutants/04-core-latch.mutants", r"(?s)(== set-locks\n.*?fails: )\w+",
         r"\1no_such_test",
         r"FAILED part labs: .*set-locks", LABS="04-core-latch", LABS_DRAW="1", ONLY="storm_check"),
    Case("the format of a file", "lint", "lib/stats.c", r"(?m)^\t", "\t    ",
         r"FAILED part lint: .*lib/stats\.c:\d+.*", CI_BASE="HEAD"),
    Case("the patch of a mutant", "lint", "lib/sleep/rfc_variants.c", r"doze_counters_idle\(word\) < jobs->n &&", "doze_counters_idle(word) < (jobs->n) &&",
         r"FAILED part lint: .*rfc-variants\.mutants: block-idle-blind ", CI_BASE="HEAD"),
    Case("the ABI of the last tag", "lint", "lib/doze.h", r"\tunsigned num_threads;", "\tunsigned num_threads, more_threads;",
         r"FAILED part lint: lib/doze\.h: error: programs built with v0\.0-ci-check", CI_BASE="HEAD"),
]


def copy_tree(folder):
    """Copies the files of the tree, with their times, so that the objects in build/ stay valid."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=TOP, stdout=subprocess.PIPE,
                           text=True, check=True).stdout.splitlines()
    for name in names:
        if not os.path.exists(os.path.join(TOP, name)):
            continue
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        shutil.copy2(os.path.join(TOP, name), os.path.join(folder, name))
    subprocess.run(["cp", "-a", os.path.join(TOP, "build"), os.path.join(TOP, ".git"), folder], check=True)
    subprocess.run(["git", "tag", "v0.0-ci-check"], cwd=folder, check=True)


def run_part(folder, case, more):
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "CI_RESULTS", "AGAIN")}
    done = subprocess.run(["bash", ".ci/run", "--only", case.part], cwd=folder, env=dict(env, **case.narrowed, **more),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def problem_of(case, code, out):
    """Returns what is wrong with the output of the part that covers the broken thing, or ""."""
    last = "\n".join(out.splitlines()[-LAST:])
    if code != (0 if case.passes else 1):
        return "exit %d instead of %d" % (code, 0 if case.passes else 1)
    if case.passes:
        return ""
    if not re.search(case.named, last):
        return "the last lines do not name it"
    if "  to repeat: make " not in last and "  to repeat: .ci/" not in last:
        return "the last lines do not name a command that repeats it"
    if not re.fullmatch(r"\d+ passed, [1-9]\d* failed, \d+ skipped", out.splitlines()[-1]):
        return "the very last line does not count the failure"
    return ""


class Broken:
    """The tree with one thing broken, until the end of the with statement."""

    def __init__(self, folder, case):
        self.folder, self.case = folder, case
        self.path = os.path.join(folder, case.file)

    def __enter__(self):
        if self.case.forgery:
            shutil.copytree(os.path.join(self.folder, "tests/proof"), self.folder + ".kept")
            commit = subprocess.run(["tests/ci/forge.py", self.case.forgery], cwd=self.folder, stdout=subprocess.PIPE,
                                    text=True, check=True).stdout
            return dict(DRAW_FOR=commit.strip())
        with open(self.path, encoding="utf-8") as f:
            self.text = f.read()
        self.stat = os.stat(self.path)
        broken, found = re.subn(self.case.old, self.case.new, self.text, count=1)
        if not found:
            sys.exit("ci_check.py: %s: %s does not contain %s" % (self.case.title, self.case.file, self.case.old))
        with open(self.path, "w", encoding="utf-8") as f:
            f.write(broken)
        return {}

    def __exit__(self, *_):
        if self.case.forgery:
            shutil.copytree(self.folder + ".kept", os.path.join(self.folder, "tests/proof"), dirs_exist_ok=True)
            shutil.rmtree(self.folder + ".kept")
            return
        with open(self.path, "w", encoding="utf-8") as f:
            f.write(self.text)
        if not self.case.file.endswith((".c", ".h")):
            os.utime(self.path, ns=(self.stat.st_atime_ns, self.stat.st_mtime_ns))


def check(folder, case):
    began = time.monotonic()
    with Broken(folder, case) as more:
        code, out = run_part(folder, case, more)
    problem = problem_of(case, code, out)
    print("%s: %s: part %s, exit %d, %.0f s%s" % ("FAILED" if problem else "ok", case.title, case.part, code,
                                                time.monotonic() - began, ": " + problem if problem else ""))
    print("".join("    | %s\n" % line for line in out.splitlines()[-LAST:]), end="", flush=True)
    return not problem


def main():
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    cases = [case for case in CASES if word in case.title]
    if not cases:
        print("ci_check.py: no case has '%s' in its title; the titles are: %s" % (
            word, "; ".join(case.title for case in CASES)), file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="doze-ci-") as folder:
        copy_tree(folder)
        right = [check(folder, case) for case in cases]
    print("%d passed, %d failed" % (sum(right), len(right) - sum(right)))
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
