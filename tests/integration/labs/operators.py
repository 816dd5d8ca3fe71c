#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Changes the solution of each code lab by operators, forty times, and checks that each change loses points or is equivalent.

The operators: drop or duplicate a statement; reorder two; weaken a memory order; off by one; negate or replace a guard. Which of all
possible changes are checked depends only on the two files' texts. A change does not count if it does not compile, gives the same
machine code, or is in a function that students get complete. operators/NN-name.tsv lists the changes with their verdicts. One that passes all tests is an
equivalent program, and the file gives the reason.

Usage: operators.py [--write] [LAB...]    --write: writes the files, and keeps the reasons; `UNEXPLAINED` needs one.
Exit: 0 every change loses points or is explained; 1 not.
"""
import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [os.path.join(ROOT, "labs"), os.path.join(ROOT, "tests", "fixtures")]
import labs_check  # noqa: E402
from chosen_labs import chosen  # noqa: E402
from framework import builds, course, kinds  # noqa: E402
from framework.budget import Budget  # noqa: E402
from signals import end_cleanly_on_signals  # noqa: E402

COUNT = 40
LOST, EQUIVALENT, UNEXPLAINED = "lost", "equivalent", "UNEXPLAINED"
DECIDES = ("explore", "threads", "contest")  # kinds of tests whose verdict on the file depends on the file alone
STATEMENT = re.compile(r"^\t+(?!return\b|goto\b|break\b|continue\b|else\b|if\b|for\b|while\b|do\b|}|case\b|/?\*)[^{}]*;(?:\s*/\*.*\*/)?$", re.S)
DECLARATION = re.compile(r"^\t+(?:(?:const|static|struct|enum|unsigned)\s+)*\w+(?:\s+\**|\s*\*+)\w+(?:\[[^]]*\])?\s*(?:=.*)?;")
# What the operators put in the place of a part of a line.
WEAKEN = {r"\bSC\b": ("RLX", "ACQ", "REL"), r"\bACQ\b": ("RLX",), r"\bREL\b": ("RLX",), r"\bACQ_REL\b": ("RLX", "ACQ", "REL")}
OFF_BY_ONE = {r"(?<![\w.])\d+(?![\w.])": (lambda found: str(int(found.group()) + 1),), r" < ": (" <= ",), r" > ": (" >= ",), r" <= ": (" < ",), r" >= ": (" > ",),
              r"\+\+": ("--",), r"(?<=\w)--": ("++",), r" \+= ": (" -= ", " = "), r" -= ": (" += ",), r" \+ ": (" - ",), r" - ": (" + ",),
              r"(?<=\w)(?= \?| < | > )": (" + 1",), r"(?<=[\w)])(?=;$)": (" + 1",)}
GUARD = {r" == ": (" != ",), r" != ": (" == ",), r" && ": (" || ",), r" \|\| ": (" && ",), r"\btrue\b": ("false",), r"\bfalse\b": ("true",),
         r"\bwhile \(": ("if (",), r"\bif \(!": ("if (",), r"\bif \((?!!)": ("if (!",), r"return !": ("return ",), r"return (?=\w+\()": ("return !",),
         r"\bif \((.*)\)(?=( \{)?$)": ("if (true)", "if (false)"), r"(?s)(?<== )[^;?]+\?([^:]*):([^;]*)(?=;)": (lambda f: f.group(1).strip(), lambda f: f.group(2).strip())}

Change = namedtuple("Change", "operator line old new text")


def key(change):
    return (change.operator, change.old, change.new)


Unit = namedtuple("Unit", "begin end text")  # a statement, or the head of a block: its first line, the line after it, its text


def units(text):
    """Returns the statements and heads of blocks in the functions of a file."""
    found, inside, comment, begin = [], False, False, None
    lines = text.split("\n")
    for number, line in enumerate(lines):
        comment = comment or line.strip().startswith("/*")
        if inside and not comment and line.strip() not in ("", "}", "{"):
            begin = number if begin is None else begin
            if re.search(r"[;{})]\s*(/\*.*\*/)?$|\belse$|\bdo$", line) and balanced(lines[begin:number + 1]):
                found.append(Unit(begin, number + 1, "\n".join(lines[begin:number + 1])))
                begin = None
        if "*/" in line:
            comment = False
        inside = line == "{" or inside and line != "}"
    return found


def balanced(lines):
    text = "".join(lines)
    return text.count("(") == text.count(")")


def replaced(text, table):
    """Yields the text with one part replaced, in each way."""
    code = text.split("/*")[0]
    for pattern, others in table.items():
        for found in re.finditer(pattern, code):
            for other in others:
                new = other(found) if callable(other) else other
                yield text[:found.start()] + new + text[found.end():]


def siblings(text, names):
    """Yields the text with one enumerator replaced by another of the same enumeration that the file names."""
    for found in re.finditer(r"\bDOZE_[A-Z]+_[a-z_]+\b", text):
        family = found.group()[:re.match(r"DOZE_[A-Z]+_", found.group()).end()]
        for other in sorted(names):
            if other != found.group() and other.startswith(family):
                yield text[:found.start()] + other + text[found.end():]


def swapped(text):
    """Yields the text with two neighbouring arguments of a call exchanged."""
    for found in re.finditer(r"(?<=[(,])\s*([\w>*&.-]+),\s*([\w>*&.-]+)(?=[,)])", text):
        first, second = found.groups()
        if first != second:
            yield text[:found.start()] + found.group().replace(first, "\0", 1).replace(second, first, 1).replace("\0", second) + text[found.end():]


def is_statement(text):
    return STATEMENT.match(text) and not DECLARATION.match(text)


def indent(text):
    return re.match(r"\t*", text).group()


def changes_of(unit, after, names):
    """Yields (operator, the line after the replaced ones, new text) for a unit, which `after` follows."""
    text = unit.text
    if is_statement(text):
        yield "drop", unit.end, indent(text) + ";"
        yield "duplicate", unit.end, text + "\n" + text
        if after and after.begin == unit.end and is_statement(after.text) and indent(after.text) == indent(text):
            yield "reorder", after.end, after.text + "\n" + text
    for operator, table in (("weaken", WEAKEN), ("off by one", OFF_BY_ONE), ("guard", GUARD)):
        for new in replaced(text, table):
            yield operator, unit.end, new
    for new in siblings(text, names):
        yield "guard", unit.end, new
    for new in swapped(text):
        yield "reorder", unit.end, new


def changes(text):
    """Returns all changes of a solution, in an order that depends on each of them alone."""
    lines, found, all_units = text.split("\n"), [], units(text)
    names = set(re.findall(r"\bDOZE_[A-Z]+_[a-z_]+\b", text))
    for unit, after in zip(all_units, all_units[1:] + [None]):
        for operator, end, new in changes_of(unit, after, names):
            whole = "\n".join(lines[:unit.begin] + [new] + lines[end:])
            old, shown = (" ".join(part.split()) for part in ("\n".join(lines[unit.begin:end]), new))
            found.append(Change(operator, unit.begin + 1, old, shown, whole))
    return sorted(found, key=lambda c: hashlib.sha256(repr(key(c)).encode()).hexdigest())


def machine_code(lab, path):
    """Returns the object's code, or None if the file does not compile."""
    try:
        target = builds.compile_file(path, "lib", builds.headers_of(lab))[0]
    except course.BadFile:
        return None
    code = subprocess.run(["objdump", "-dr", "-j.text", "-j.data", "-j.rodata", target], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return code.stdout.split("\n", 3)[3]


def functions(text):
    """Returns {number of the first line: code} of the functions of a file; the code is without comments and white space."""
    text = re.sub(r"/\*.*?\*/", lambda comment: re.sub(r"[^\n]", "", comment.group()), text, flags=re.S)
    found, begin, inside, lines = {}, 0, False, text.split("\n")
    for number, line in enumerate(lines):
        begin = begin if line or inside else number + 1
        inside = line != "}" and (inside or line == "{")
        if line == "}":
            found[begin + 1] = " ".join("".join(lines[begin:number + 1]).split())
            begin = number + 1
    return found


def is_given(change, own, given):
    """Returns whether the change is in one of the functions `own` that is also one of `given`."""
    return own[max((begin for begin in own if begin <= change.line), default=min(own))] in given.values()


def drawn(lab, text, folder):
    """Returns the changes that are checked."""
    with open(os.path.join(lab.folder, lab.file), encoding="utf-8") as file:
        own, given = functions(text), functions(file.read())
    def code_of(content):
        name = hashlib.sha256(content.encode()).hexdigest()[:12]
        path = os.path.join(folder, name + ".c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        return machine_code(lab, path)
    taken, seen = [], {code_of(text), None}
    for change in (c for c in changes(text) if not is_given(c, own, given)):
        code = code_of(change.text) if len(taken) < COUNT else None
        if code not in seen:
            seen.add(code)
            taken.append(change)
    return taken


def first_lost(lab, change):
    """Returns the name of the first test that the changed file loses, or ""."""
    with tempfile.TemporaryDirectory(prefix="doze-operators-") as folder:
        work = course.Work(lab, folder, "operators")
        work.add(lab.file, change.text)
        work.budget = Budget()
        for test in lab.tests:
            if test.kind in DECIDES and not kinds.is_noisy(test):
                try:
                    if kinds.GRADERS[test.kind](work, test, True).status != kinds.GOOD:
                        return test.name
                except course.BadFile:
                    return test.name
    return ""


def listing(lab):
    return os.path.join(HERE, "operators", lab.name + ".tsv")


def known(lab):
    """Returns {key: (verdict, test or reason)} of the lab's file."""
    if not os.path.exists(listing(lab)):
        return {}
    with open(listing(lab), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return {(operator, old, new): (verdict, why) for verdict, operator, _line, old, new, why in rows}


def write(lab, rows):
    with open(listing(lab), "w", encoding="utf-8") as file:
        file.write("# SPDX-License-Identifier: MIT\n# verdict, operator, line, old, new, the test that it loses or the reason why it is equivalent; see operators.py\n")
        for change, verdict, why in sorted(rows, key=lambda row: (row[0].line, key(row[0]))):
            file.write("\t".join([verdict, change.operator, str(change.line), change.old, change.new, why]) + "\n")


def judged(lab, change, before):
    """Returns (change, verdict, test or reason)."""
    test = first_lost(lab, change)
    if test:
        return change, LOST, test
    verdict, why = before.get(key(change), ("", ""))
    return change, EQUIVALENT if verdict == EQUIVALENT else UNEXPLAINED, why if verdict == EQUIVALENT else ""


def check(lab, writes):
    """Returns the number of problems."""
    with open(labs_check.reference(lab), encoding="utf-8") as file:
        text = file.read()
    before = known(lab)
    builds.how()
    with tempfile.TemporaryDirectory(prefix="doze-operators-") as folder:
        todo = drawn(lab, text, folder)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        rows = list(pool.map(lambda change: judged(lab, change, before), todo))
    if writes:
        write(lab, rows)
    problems = ["%s:%d: %s: %s -> %s: passes every test" % (lab.name, c.line, *key(c)) for c, verdict, _ in rows if verdict == UNEXPLAINED]
    if not writes and {key(c) for c in todo} != set(before):
        problems.append("%s: the file lists other changes: run operators.py --write %s" % (lab.name, lab.name))
    problems += ["%s: %s: %s -> %s: is no longer equivalent: loses %s" % (lab.name, *key(c), why) for c, verdict, why in rows
                 if not writes and verdict == LOST and before.get(key(c), ("",))[0] == EQUIVALENT]
    print("\n".join(problems + ["%s: %d changes, %d lose points, %d are equivalent, %d unexplained" % (
        lab.name, len(rows), *(sum(v == verdict for _, v, _ in rows) for verdict in (LOST, EQUIVALENT, UNEXPLAINED)))]), flush=True)
    return len(problems)


def main():
    end_cleanly_on_signals()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("labs", nargs="*")
    args = parser.parse_args()
    builds.programs = os.path.join(course.BUILD, "labs", "operators")
    labs = chosen(args.labs, [lab for lab in course.labs() if lab.is_code() and lab.file], "code")
    return 1 if sum(check(lab, args.write) for lab in labs) else 0


if __name__ == "__main__":
    sys.exit(main())
