# SPDX-License-Identifier: MIT
"""The places that reports name in the student's files."""
import os
import re


def defined(name, text):
    """Returns the line number of the function's definition in the text of a C file, or None."""
    for found in re.finditer(r"^(?:\w[\w \t*]*[ \t*])?%s\s*\([^;{]*\)\s*\{" % re.escape(name), text, re.M):
        return text.count("\n", 0, found.start()) + 1
    return None


def named(message, path):
    """Returns FILE:LINE and name of each function of the file that the message names, in the order of the message."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    lines = {name: defined(name, text) for name in re.findall(r"[a-z]\w*_\w+", message)}
    return ["%s:%d %s" % (os.path.basename(path), line, name) for name, line in lines.items() if line]


def without_steps(steps, message, path):
    """Returns a line with these places, as a list, if no step of a schedule shows a line of the file."""
    found = [] if any(os.path.basename(path) + ":" in step for step in steps) else named(message, path)
    return ["in your file: " + ", ".join(found)] if found else []


def of_traceback(text, path):
    """Returns "FILE:LINE: " of the innermost line of the student's Python file in a traceback, or ""."""
    found = re.findall(r'File "%s", line (\d+)' % re.escape(path), text)
    return "%s:%s: " % (os.path.basename(path), found[-1]) if found else ""
