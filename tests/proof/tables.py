# SPDX-License-Identifier: MIT
#
# tables.py - the generated parts of a README.md. Each part is located between two comment lines,
# <!-- NAME --> and <!-- end -->. Also used in tests/proof/spin.
import os
import re
import sys


def _pattern(name):
    return re.compile(r"(<!-- %s -->\n)(.*?)(<!-- end -->)" % name, re.S)


def _part(readme, name):
    with open(readme, encoding="utf-8") as f:
        text = f.read()
    found = _pattern(name).search(text)
    if not found:
        sys.exit("%s has no place for '%s'" % (readme, name))
    return text, found.group(2)


def read(readme, name):
    """Returns the current text of this part of the README."""
    return _part(readme, name)[1]


def write(readme, name, new):
    """Replaces this part of the README."""
    text, _old = _part(readme, name)
    with open(readme, "w", encoding="utf-8") as f:
        f.write(_pattern(name).sub(lambda m: m.group(1) + new + "\n" + m.group(3), text))


def _rows(text, blank):
    """Returns the cells of each line, without the text that `blank` matches."""
    return [tuple(re.sub(blank, "", cell.strip()) if blank else cell.strip()
                  for cell in line.strip("|").split(" | "))
            for line in text.strip().splitlines()]


def check(readme, name, new, blank=None):
    """Returns whether the part equals the expected text, apart from the text that `blank`
    matches. Otherwise prints the first difference in one line."""
    _text, old = _part(readme, name)
    was, now = _rows(old, blank), _rows(new, blank)
    differ = [(a, b) for a, b in zip(was, now) if a != b]
    if not differ and len(was) == len(now):
        return True
    if not differ:
        differ = [(("%d lines" % len(was),), ("%d lines" % len(now),))]
    folder = os.path.dirname(os.path.abspath(readme))
    print("%s is out of date: under '%s' it has '%s', this run gives '%s'; run make %s and commit it" % (
        os.path.relpath(readme), name, ", ".join(differ[0][0]), ", ".join(differ[0][1]),
        "model" if folder.endswith("spin") else "proofs"), flush=True)
    return False
