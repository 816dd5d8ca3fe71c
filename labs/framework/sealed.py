#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hides the library files that are answers, and the hints in lab.ini, in a student's copy.

A student's tarball must build without showing them, so it contains them as compressed text in one
file, from which the makefile compiles them (labs/module.mk). A determined student can still read
the answers, because the library is public; sealing only prevents reading them by accident.

Usage: sealed.py list           prints the names of the files that are compiled
       sealed.py print FILE     prints one file
"""
import base64
import functools
import json
import os
import re
import sys
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SEALED = os.path.join(ROOT, "labs", "sealed.txt")


def seal(paths):
    """Returns the text of SEALED for these files, given relative to ROOT."""
    files = {}
    for path in paths:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            files[path] = file.read()
    packed = base64.encodebytes(zlib.compress(json.dumps(files).encode(), 9)).decode()
    return "# The parts of the library that the labs ask you to write. See labs/framework/sealed.py.\n" + packed


@functools.lru_cache
def opened():
    """Returns {path: text}, which is empty in a complete tree."""
    if not os.path.exists(SEALED):
        return {}
    with open(SEALED, encoding="utf-8") as file:
        text = "".join(line for line in file if not line.startswith("#"))
    return json.loads(zlib.decompress(base64.decodebytes(text.encode())))


def without_hints(text):
    """Returns the text of a lab.ini as a student's copy shows it. A hint may go on in indented lines."""
    head = "# Changes of this file have no effect: labs/lab uses its original, which is sealed, as are the hints (labs/lab hint).\n"
    return head + re.sub(r"(?m)^hint[123] = .*\n(?:[ \t]+.*\n)*", "", text)


def main(arguments):
    files = opened()
    if arguments == ["list"]:
        print(" ".join(sorted(name for name in files if name.endswith(".c"))))
        return 0
    if len(arguments) == 2 and arguments[0] == "print" and arguments[1] in files:
        print('#line 1 "%s"\n%s' % (arguments[1], files[arguments[1]]), end="")
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
