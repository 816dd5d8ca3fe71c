#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the reports on a use after free, a crash, an endless loop and a search that gives up, and that results for other
grading systems are complete whatever the file does.

Usage: reports_check.py     Environment: BUILD.     Exit: 0 passed; 1 not; 77 without clang.
"""
import glob
import json
import os
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
from lab_test import LAB, ROOT, Student, expect, problems, text_of  # noqa: E402
from framework import budget  # noqa: E402
from lab_mutants import mutants_of  # noqa: E402
from signals import end_cleanly_on_signals  # noqa: E402

BEGIN = "enum doze_latch_state doze_core_latch_set(struct doze_core_latch *latch, int32_t by)\n{\n"


def check_freed(student):
    """Checks that the report of a use after free shows the field, the line of the access, and the values of each step."""
    student.lab("start", "4")
    mutant = mutants_of(LAB)["touches-when-sleepy"]
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


def check_names(student):
    """Checks that schedules name the states of latches, and say what a notify does."""
    student.lab("start", "4")
    mutant = mutants_of(LAB)["wake-up-from-sleeping-only"]
    student.write("core_latch.c", mutant.apply(text_of(os.path.join(ROOT, "lib", "core_latch.c"))))
    student.lab("grade", "4", "-t", "steps")
    rc, text = student.lab("replay", "4", "steps")
    expect(rc == 0 and "store latch.state = SLEEP" in text, "replay names a state that a scenario stores: " + text)
    student.lab("start", "2")
    rc, text = student.lab("grade", "2", "-t", "wakes")
    expect(rc == 1 and re.search(r"doze_cond_signal.*\[lost, because nobody waits\]\n", text) and "[load " not in text,
           "a verdict says that a notify is lost: " + text)
    rc, text = student.lab("run", "2")
    expect(rc == 0 and "tiny_close: notify: wakes worker\n" in text and "tiny_post: notify: lost, because nobody waits\n" in text,
           "run says whom a notify wakes: " + text)


def check_places(student):
    """Checks that a failure names a line of the student's file, even if no step of a schedule is in that file."""
    for lab, file, source, name, test, place in (
            ("08-deadlock", "deadlock_counts.c", "lib/deadlock_counts.c", "unblock-no-event", "lastout", "doze_counts_unblock"),
            ("07-storm", "targets.c", "lib/sleep/targets.c", "wakes-one", "count", "doze_targets_for"),
            (LAB, "core_latch.c", "lib/core_latch.c", "ids-repeat", "steps", "doze_core_latch_init")):
        student.lab("start", lab)
        text = mutants_of(lab)[name].apply(text_of(os.path.join(ROOT, source)))
        with open(os.path.join(student.folder, lab, file), "w", encoding="utf-8") as target:
            target.write(text)
        rc, said = student.lab("grade", lab, "-t", test)
        line = next(i + 1 for i, line in enumerate(text.splitlines()) if re.match(r"\w.*\b%s\(" % place, line))
        expect(rc == 1 and "in your file: %s:%d %s" % (file, line, place) in said, "lab %s names the function's line: %s" % (lab, said))
    with open(os.path.join(student.folder, "07-storm", "analysis.py"), "w", encoding="utf-8") as target:
        target.write("def f():\n    return [][1]\n\n\nf()\n")
    rc, said = student.lab("grade", "7", "-t", "analysis")
    expect(rc == 1 and "an error: analysis.py:2: IndexError" in said, "an error of a Python program names its line: " + said)


def with_code(code):
    """Returns the library's file of lab 4 with code at the beginning of doze_core_latch_set."""
    return text_of(os.path.join(ROOT, "lib", "core_latch.c")).replace(BEGIN, BEGIN + "\t" + code + "\n")


def check_crash(student):
    """Checks that a crash costs points, and is reported as one."""
    for crash in ("*(volatile int *)8 = 0;", "extern void abort(void);\n\tabort();"):
        student.write("core_latch.c", with_code(crash))
        rc, text = student.lab("grade", "4", "-t", "wakes")
        expect(rc == 1 and re.search("WRONG +wakes", text) and "crash" in text, "a crash costs the test's points: " + text)


def check_endless(student):
    """Checks that loops, real sleeps and searches that give up are wrong, with the reason, and soon."""
    for loop in ("while (1)\n\t\t;", "for (volatile int i = 1; i;)\n\t\t;"):
        student.write("core_latch.c", with_code(loop))
        rc, text = student.lab("grade", "4", "-t", "wakes")
        expect(rc == 1 and "WRONG        wakes" in text and "loops without making a step" in text and "core_latch.c:" in text,
               "an endless loop is wrong, and its place is shown: " + text)
    student.write("core_latch.c", with_code("extern int usleep(unsigned);\n\t(void)usleep(200);"))
    rc, text = student.lab("grade", "4", "-t", "wakes")
    expect(rc == 3 and "it calls usleep, which waits in real time" in text, "a real sleep is refused: " + text)
    student.lab("start", "2")
    pairs = "for (int i = 0; i < 10001; i++) {\n\t\tdoze_mutex_lock(&pool->lock);\n\t\tdoze_mutex_unlock(&pool->lock);\n\t}\n"
    stub = text_of(os.path.join(ROOT, "labs", "02-lost-wakeup", "pool.c"))
    head = re.search(r"^void tiny_post\(.*?\)\n{\n", stub, re.M | re.S).group()
    with open(os.path.join(student.folder, "02-lost-wakeup", "pool.c"), "w", encoding="utf-8") as file:
        file.write(stub.replace(head, head + "\t" + pairs))
    rc, text = student.lab("grade", "2", "--brief")
    expect(rc == 1 and "GOOD" not in text.replace("GOOD         hang", "") and "gave up" in text and "not decided" not in text.lower(),
           "a search that gives up is wrong: " + text)


def check_complete(student):
    """Checks that results for other systems are complete, with the same maximum, whatever the file does."""
    totals = set()
    for name, text in (("right", with_code("")), ("crash", with_code("extern void abort(void);\n\tabort();")), ("loop", with_code("while (1)\n\t\t;")),
                       ("sleep", with_code("extern int usleep(unsigned);\n\t(void)usleep(200);")), ("broken", "int x = ;\n"),
                       ("shell", with_code("#if 1\n#endif")), ("gone", None)):
        if text is None:
            os.remove(student.path("core_latch.c"))
        else:
            student.write("core_latch.c", text)
        out = {name: os.path.join(student.folder, name) for name in ("gradescope", "classroom50")}
        rc, said = student.lab("grade", "4", "--brief", "--ci", *("--%s=%s" % pair for pair in out.items()))
        if rc != 0:
            expect(False, "%s: --ci exits with %d: %s" % (name, rc, said))
            continue
        gradescope, classroom = (json.loads(text_of(path)) for path in out.values())
        totals |= {sum(t["max_score"] for t in gradescope["tests"]), classroom["max-score"]}
        own = {t["name"]: t for t in gradescope["tests"] if t["tags"] == ["explore"]}
        lost = [t for t in own.values() if t["status"] == "failed"]
        expect(len(own) > 4 and (not lost if name == "right" else len(lost) >= len(own) - 1) and all("\n" in t["output"] for t in lost),
               "%s: each test of the file has its verdict and a reason: %s" % (name, own))
    expect(len(totals) == 1, "the maximum is always the same: %s" % totals)


def check_handouts():
    """Checks that each handout and the README state the time limit of a grading."""
    limit = "at most %d\\s+minutes" % (budget.SECONDS // 60)
    pages = glob.glob(os.path.join(ROOT, "labs", "[0-9]*", "README.md")) + [os.path.join(ROOT, "labs", "README.md")]
    lacking = [page for page in pages if not re.search(limit, text_of(page))]
    expect(not lacking, "each handout states the time limit of a grading: " + ", ".join(lacking))


def main():
    end_cleanly_on_signals()
    if not shutil.which("clang"):
        print("skipped: clang is missing")
        return 77
    with tempfile.TemporaryDirectory(prefix="doze-reports-") as folder:
        student = Student(folder)
        check_freed(student)
        check_names(student)
        check_places(student)
        check_crash(student)
        check_endless(student)
        check_complete(student)
        check_handouts()
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
