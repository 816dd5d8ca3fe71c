#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that a source file that can detect the explorer is refused in every explorer lab, with its line and the reason,
and that stubs, references and the words of comments are not.

Usage: handin_check.py     Exit: 0 passed; 1 not.
"""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.join(ROOT, "labs"))
from framework import course, handin, kinds  # noqa: E402

LABS = (1, 2, 3, 4, 5, 6, 7, 8, 10)
REFUSED = {  # text: what the refusal names
    "#ifdef DOZE_EXPLORE\n#endif": "DOZE_EXPLORE",
    "  # if 1\n#endif": "#if",
    "%:ifdef malloc\n%:endif": "#ifdef",
    "/* a */ #ifndef __clang__\n#endif": "#ifndef",
    "#i\\\nfdef __clang__\n#endif": "#ifdef",
    "#ifdef /* a\n b */ __clang__\n#endif": "#ifdef",
    "int x = DOZE_EXPLORE;": "DOZE_EXPLORE",
    "#define P(a, b) a ## b": "##",
    "int x = __has_include(\"labs/explorer/explore.h\");": "__has_include",
    "#include \"labs/explorer/explore.h\"": "explore.h",
    "#include <labs/explorer/world.h>": "world.h",
    "#include \"lib/core_latch.c\"": "only headers",
    "#include \"../labs/scenarios/common.h\"": "common.h",
    "#define H \"atomic.h\"\n#include H": "not a macro",
    "extern void ex_permit_breaches(void);": "ex_permit_breaches",
    "const char *a = \"/*\"; extern int ex_rmws; const char *b = \"*/\";": "ex_rmws",
    "extern int other(void) __attribute__((weak));": "weak",
    "void *x = dlsym(0, \"name\");": "dlsym",
    "void f(void) { exit(0); }": "exit",
}
# What only the object file shows: text: what the refusal names.
OBJECTS = {
    "extern int puts(const char *text);\nvoid say(void);\nvoid say(void)\n{\n\tputs(\"passed\");\n}": "it uses puts",
    "extern void pthread_exit(void *);\nvoid say(void);\nvoid say(void)\n{\n\tpthread_exit(0);\n}": "it uses pthread_exit",
    "#include <string.h>\nvoid *find(void);\nvoid *find(void)\n{\n\treturn (void *)memcpy;\n}": "it takes the address of memcpy",
    "extern int usleep(unsigned us);\nvoid say(void);\nvoid say(void)\n{\n\tusleep(9);\n}": "it calls usleep, which waits in real time",
    "int mine __attribute__((section(\"own\"))) = 1;": "a section of its own, own",
}
ACCEPTED = ("/* #ifdef DOZE_EXPLORE */", "// ex_rmws() \\\n DOZE_EXPLORE", "#define TWICE(x) ((x) + (x))", "/* exit, asm, weak */ int an_index;",
            "#include <errno.h>")
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)
        print("FAILED: " + text)


def verdict(lab, text):
    """Returns the refusal of the lab's stub with the text in front, or "" if the check accepts it."""
    with tempfile.TemporaryDirectory(prefix="doze-handin-") as folder:
        work = course.Work(lab, folder, "seed")
        with open(os.path.join(lab.folder, lab.file), encoding="utf-8") as file:
            work.add(lab.file, "\n" + text + "\n" + file.read())
        try:
            handin.check(work)
        except course.Stop as stop:
            return str(stop)
        return ""


def check_lab(lab):
    for text, named in REFUSED.items():
        said = verdict(lab, text)
        expect(named in said, "%s: %r is refused, and the reason names %s: %s" % (lab.name, text, named, said))
        line = 3 if "\n#include H" in text else 2
        expect(not said or "%s:%d: " % (lab.file, line) in said, "%s: the refusal of %r names its line: %s" % (lab.name, text, said))
    for text, named in OBJECTS.items():
        said = verdict(lab, text)
        expect(named in said, "%s: %r is refused, and the reason names %s: %s" % (lab.name, text, named, said))
    said = verdict(lab, "\n".join(ACCEPTED))  # the check compiles what it accepts
    expect(not said, "%s: %r are accepted: %s" % (lab.name, ACCEPTED, said))
    own = os.path.join(ROOT, lab.replaces) if lab.replaces else os.path.join(HERE, "references", lab.name, lab.file)
    expect(handin.fault(own) is None, "%s: the reference is accepted: %s" % (lab.name, handin.fault(own)))


def check_grading():
    """Grading itself stops before it compiles anything."""
    lab = course.find("4")
    with tempfile.TemporaryDirectory(prefix="doze-handin-") as folder:
        work = course.Work(lab, folder, "seed")
        work.add(lab.file, "#ifdef DOZE_EXPLORE\n#endif\n")
        try:
            kinds.grade(work)
            expect(False, "a refused file is not graded")
        except course.Stop as stop:
            expect(stop.code == course.INPUT and "not graded" in str(stop), "grading stops with an input error: %s" % stop)


def main():
    for number in LABS:
        check_lab(course.find(str(number)))
    check_grading()
    print("hand-ins: %d labs, %d refused texts, %d problems" % (len(LABS), len(REFUSED), len(problems)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
