# SPDX-License-Identifier: MIT
#
# tables.py - the generated parts of README.md: each stands between two comment lines,
# <!-- NAME --> and <!-- end -->.
import os
import re
import sys

README = os.path.join(os.path.dirname(os.path.abspath(__file__)), "README.md")


def _pattern(name):
    return re.compile(r"(<!-- %s -->\n)(.*?)(<!-- end -->)" % name, re.S)


def _part(name):
    with open(README, encoding="utf-8") as f:
        text = f.read()
    found = _pattern(name).search(text)
    if not found:
        sys.exit("explore: README.md has no place for '%s'" % name)
    return text, found.group(2)


def write(name, new):
    """Replaces the part."""
    text, _old = _part(name)
    with open(README, "w", encoding="utf-8") as f:
        f.write(_pattern(name).sub(lambda m: m.group(1) + new + "\n" + m.group(3), text))


def _rows(text, ignored):
    """Each line's cells without the ignored ones."""
    return [tuple(cell.strip() for i, cell in enumerate(line.strip("|").split(" | "))
                  if i not in ignored) for line in text.strip().splitlines()]


def check(name, new, ignored):
    """Is the part what it should be, but for the columns in `ignored`? Says the first difference."""
    _text, old = _part(name)
    was, now = _rows(old, ignored), _rows(new, ignored)
    differ = [(a, b) for a, b in zip(was, now) if a != b]
    if not differ and len(was) == len(now):
        return True
    if len(was) != len(now):
        differ.append((("%d lines" % len(was),), ("%d lines" % len(now),)))
    print("explore: README.md is out of date: its %s say '%s', this run '%s': run make explore and "
          "commit the tables" % (name, " ".join(differ[0][0]), " ".join(differ[0][1])), flush=True)
    return False
