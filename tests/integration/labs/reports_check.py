#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the reports on a use after free and on a crash in a student's file of lab 4.

Usage: reports_check.py     Environment: BUILD.     Exit: 0 passed; 1 not; 77 without clang.
"""
import os
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
from lab_test import HERE, LAB, ROOT, MutantFile, Student, expect, problems, text_of  # noqa: E402
from signals import end_cleanly_on_signals  # noqa: E402


def check_freed(student):
    """Checks that the report of a use after free shows the field, the line of the access, and the values of each step."""
    student.lab("start", "4")
    mutant = MutantFile(os.path.join(HERE, "mutants", LAB, "touches-when-sleepy.mutant"))
    student.write("core_latch.c", mutant.apply(text_of(os.path.join(ROOT, "lib", "core_latch.c"))))
    rc, text = student.lab("grade", "4", "-t", "freed")
    expect(rc == 1 and "use after free: owner may free the latch's kind (latch->kind)" in text, "a use after free names the field: " + text)
    expect(re.search(r"setter +core_latch\.c:\d+  kind = .*latch->kind;  \[the access to freed memory\]", text),
           "a use after free shows the line of the access: " + text)
    values = ["[UNSET -> SLEEPY]", "[SLEEPY -> SET]", "[fails, it is SET]"]
    at = [text.find(v) for v in values]
    expect(-1 not in at and at == sorted(at), "the schedule shows the values of each step: " + text)
    rc, text = student.lab("grade", "4", "-t", "wakes")
    expect(rc == 1 and "[the access to freed memory]" in text and "(latch->kind)" in text, "so does a use after free in a pool: " + text)
    rc, text = student.lab("replay", "4", "freed")
    expect(rc == 0 and "cas latch->state: UNSET -> SLEEPY" in text, "replay names the states: " + text)


def check_crash(student):
    """Checks that a crash costs points; a verdict of `inconclusive` would not."""
    right = text_of(os.path.join(ROOT, "lib", "core_latch.c"))
    begin = "enum doze_latch_state doze_core_latch_set(struct doze_core_latch *latch, int32_t by)\n{\n"
    for crash in ("*(volatile int *)8 = 0;", "extern void abort(void);\n\tabort();"):
        student.write("core_latch.c", right.replace(begin, begin + "\t" + crash + "\n"))
        rc, text = student.lab("grade", "4", "-t", "wakes")
        expect(rc == 1 and re.search("WRONG +wakes", text) and "crash" in text, "a crash costs the test's points: " + text)


def main():
    end_cleanly_on_signals()
    if not shutil.which("clang"):
        print("skipped: clang is missing")
        return 77
    with tempfile.TemporaryDirectory(prefix="doze-reports-") as folder:
        student = Student(folder)
        check_freed(student)
        check_crash(student)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
