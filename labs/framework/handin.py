# SPDX-License-Identifier: MIT
"""Reads the text of a source file that a student hands in, and refuses one that can distinguish the explorer from a real
machine, or that calls the explorer. The verdict of such a file would say nothing about the file without the explorer.
"""
import os
import re

from . import builds, objects
from .course import INPUT, BadFile

# A comment, a string or a character; only comments are removed, because a string may be the name of a header or a symbol.
LEXEME = re.compile(r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)
DIRECTIVE = re.compile(r"(?:#|%:)\s*(\w*)\s*(.*)")
EXPLORER = re.compile(r"DOZE_EXPLORE\w*|DOZE_TSAN|\bex_\w+|\bEX_\w+|\b__tsan_\w+|__SANITIZE_\w+|\b__has_\w+|\b__builtin_return_address\b")
CONDITIONS = ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif")
# Functions that find a symbol by its name, or that end the explorer with a verdict of their own.
ESCAPES = re.compile(r"\b(dlsym|dlopen|_?exit|_Exit|quick_exit|atexit|on_exit|execl\w*|execv\w*|syscall|__asm__|__asm|asm|weak|constructor|__weak__|__constructor__)\b")
WHY = "a file must do the same in the explorer and outside"


def without_comments(text):
    """Returns the text as the preprocessor sees its lines: continued lines are joined, and comments removed. Both leave the
    number of lines unchanged."""
    def joined(match):
        return match.group(1) + "\0"
    text = re.sub(r"()\\[ \t]*\n", joined, text)

    def shortened(match):
        lexeme = match.group()
        return lexeme if lexeme[0] in "\"'" else " " + "\0" * (lexeme.count("\n") + lexeme.count("\0"))
    text = LEXEME.sub(shortened, text)
    # A mark (\0) stands for a line break that does not end its line.
    return [(line.count("\0"), line.replace("\0", "")) for line in text.split("\n")]


def fault_of(line):
    """Returns why a line is refused, or None."""
    found = EXPLORER.search(line)
    if found:
        return "remove %s: %s" % (found.group(), WHY)
    directive = DIRECTIVE.match(line.strip())
    if directive and directive.group(1) in CONDITIONS:
        return "remove #%s: a file must not be compiled in two ways, because %s" % (directive.group(1), WHY)
    if directive and directive.group(1).startswith("include"):
        return fault_of_header(directive.group(2))
    if "##" in line or "%:%:" in line:
        return "remove ##: a name must be written as one word"
    found = ESCAPES.search(line)
    if found:
        return "remove %s: a file consists of C that runs in every program that it is linked with" % found.group()
    return None


def fault_of_header(name):
    if not re.match(r'["<]', name):
        return "name the included header itself, not a macro"
    if not re.search(r"\.h[\">]", name):
        return "include only headers: the file %s could be the library's own solution" % name.strip()
    if re.search(r"explore|scenarios|engine\.h", name):
        return "remove the header %s of the explorer: %s" % (name.strip(), WHY)
    return None


def fault(path):
    """Returns (line number, reason) for the first line that is refused, or None."""
    number = 1
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = without_comments(file.read().replace("\0", " "))
    for inner, line in lines:
        why = fault_of(line)
        if why:
            return number, why
        number += 1 + inner
    return None


def is_checked(lab):
    """Returns whether the lab's file is checked."""
    return bool(lab.file) and lab.has("explore")


def check(work):
    """Stops the grading of a file that is refused."""
    path = work.path(work.lab.file) if is_checked(work.lab) else ""
    if not os.path.exists(path):
        return
    found = fault(path)
    if found:
        raise BadFile("%s:%d: the file is not graded: %s" % (os.path.relpath(path), *found), INPUT)
    why = objects.fault(builds.compile_file(path, "lib", builds.headers_of(work.lab))[0], work.lab)
    if why:
        raise BadFile("%s: the file is not graded: %s" % (os.path.relpath(path), why), INPUT)
