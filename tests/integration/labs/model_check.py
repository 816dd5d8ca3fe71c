#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks how lab 5 reads what Spin reports about a model: only a completed search without errors holds. Also checks that
a refusal names the line in model.pml, that correct models of another style are accepted, that a verdict says how many of its
lines it leaves out, and that no message gives away a row of the table of verdicts.

Usage: model_check.py     Exit: 0 passed; 1 not.
"""
import os
import sys
from types import SimpleNamespace

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.join(ROOT, "labs"))
from framework import fences, kinds, promela  # noqa: E402

SUMMARY = "State-vector 12 byte, depth reached 2, errors: %d\n"
LOST = "pan:1: invalid end state (at depth %d)\n"
OUTPUTS = [  # exit status, output, what the verdict must be
    (0, SUMMARY % 0, "holds"),
    (0, LOST % 7 + SUMMARY % 1, "loses"),
    (0, LOST % -1 + SUMMARY % 1, "loses"),
    (0, "pan:1: assertion violated (n==7) (at depth -1)\n" + SUMMARY % 1, "fails: assertion violated (n==7)"),
    (0, "pan:1: VECTORSZ is too small, edit pan.h\n" + SUMMARY % 1, "fails: VECTORSZ is too small, edit pan.h"),
    (0, LOST % 3 + "pan:2: assertion violated (n==7) (at depth 4)\n" + SUMMARY % 2, "fails: assertion violated (n==7)"),
    (0, SUMMARY % 1, "refused"),
    (0, "Warning: Search not completed\n" + SUMMARY % 0, "refused"),
    (1, SUMMARY % 0, "refused"),
    (0, "", "refused"),
    (0, "printf('errors: 0\\n')\n", "refused"),
    (0, "error: max search depth too small\n" + SUMMARY % 0, "limit"),
    (0, "pan: reached -DMEMLIM bound\n" + SUMMARY % 0, "limit"),
    (-24, "", "limit"),
]
OPTIONS = ("-DRMW_PUSH=0", "-DPUSH_FENCE=1", "-DSLEEP_FENCE=1")
FENCE = "#if PUSH_FENCE\n\tFENCE(POSTER);\n#endif\n"
REFUSED = {  # text in the place of the poster's fence: line and words of the refusal
    "\tFENCE(\\\nSLEEPER);\n": "model.pml:30: FENCE: a process uses only its own store buffer",
    "#if ME\\\nM == 1\n#endif\n": "model.pml:30: MEM belongs to the machine",
    "#define FENCE(p) skip\n": "model.pml:30: FENCE belongs to the grader",
    "#define PUSH_FENCE 1\n": "model.pml:30: PUSH_FENCE belongs to the grader",
    "#include \"other.pml\"\n": "model.pml:30: #include",
    "\tFENCE(n);\n": "model.pml:30: FENCE: the process and the address must be constants",
    "\tn = sleeper:n;\n": "model.pml:30: sleeper: a thread cannot look into another one",
    "\tn = sleeper@waits;\n": "model.pml:30: sleeper@waits looks into another process",
    "\n\tc_code { now.woken = 1; };\n": "model.pml:31: c_code is C, not Promela",
    "#define AND(a, b) a##b\n": "model.pml:30: remove ##",
    "\tatomic { FENCE(POSTER);\n\tLOAD(POSTER, SLEEPERS, n) };\n": "model.pml:30: this block makes FENCE, LOAD",
}
ACCEPTED = (FENCE, "\tFENCE(POSTER); /* MEM, mem, inline */ // buf_n never \\\n c_code\n", "#define ORDER FENCE(POSTER)\n\tORDER;\n",
            "\tatomic { FENCE(POSTER) };\n\tprintf(\"}\");\n")
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)
        print("FAILED: " + text)


def meaning(status, out):
    try:
        verdict = fences.verdict_of(status, out)
    except promela.Refused:
        return "refused"
    return "limit" if verdict is None else verdict.says()


def refusal(text):
    """Returns the message for the reference with this text in the place of the poster's fence, or ""."""
    with open(os.path.join(HERE, "references", "05-fences", "model.pml"), encoding="utf-8") as file:
        right = file.read()
    changed = right.replace(FENCE, text)
    expect(text == FENCE or changed != right, "the reference has the poster's fence")
    try:
        promela.check_source(changed)
        promela.Model(changed, OPTIONS)
    except promela.Refused as refused:
        return str(refused)
    return ""


def check_table():
    """A model with all verdicts wrong gets no message that names a configuration of the table of verdicts."""
    known, fences.truth = fences.truth, lambda lab, row: fences.LOSES if fences.may_be_asked(row) else fences.HOLDS
    errors = {True: None, False: fences.LOST_WAKEUP}
    rows = {row: fences.Verdict(errors[fences.may_be_asked(row)], [], []) for row in fences.ROWS}
    messages = fences.agrees(None, SimpleNamespace(rows=rows))
    fences.truth = known
    for row in fences.ROWS:
        named = any(message.startswith(row.words()) for message in messages)
        expect(named != fences.may_be_asked(row), "%s: is %s, although it may be in a table: %s" % (
            row.words(), "named" if named else "not named", fences.may_be_asked(row)))
    expect(sum("that lack a fence" in message for message in messages) == 1, "one message says that a configuration of the table is wrong")


def main():
    check_table()
    for status, out, right in OUTPUTS:
        expect(meaning(status, out) == right, "%d, %r is %s, not %s" % (status, out, meaning(status, out), right))
    for text, right in REFUSED.items():
        expect(right in refusal(text), "%r is refused with '%s', not with '%s'" % (text, refusal(text), right))
    for text in ACCEPTED:
        expect(refusal(text) == "", "%r is refused: %s" % (text, refusal(text)))
    lines = ["line %d" % i for i in range(8)]
    expect(kinds.first_of(lines, 6) == lines[:6] + ["… 2 more lines"], "a verdict of 8 lines says that it leaves out 2")
    expect(kinds.first_of(lines, 7)[-1] == "… 1 more line", "a verdict of 8 lines says that it leaves out 1")
    expect(kinds.first_of(lines, 8) == lines, "a verdict of 8 lines is shown whole")
    print("models: %d problems" % len(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
