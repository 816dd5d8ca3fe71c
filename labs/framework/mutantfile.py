# SPDX-License-Identifier: MIT
"""Reads mutants: mistakes, each described as exact replacements in one source file. A series (NAME.mutants)
contains the mutants of one mechanism:

  # comment           the mechanism, and what a correct implementation guarantees
  == NAME             begins a mutant
  KEY: VALUE          what the mistake is, the file, where it must be caught; a key may be repeated
  old:                exact text, which occurs once in the file
  new:                its replacement; old and new may be repeated
  ==                  ends the mutant

A text consists of whole lines. As in a diff, a line `\\ no newline` after a text means that the text ends
before the end of its last line. Comments and blank lines may precede a mutant's first `old:`, and are the
only lines allowed between mutants.

A fault of lab 9 (NAME.fault) is a file of its own, with what a series has between the two lines with `==`.
"""
import glob
import os
import re

NO_NEWLINE = "\\ no newline"


class Mutant:
    def __init__(self, name, path):
        self.name, self.path, self.fields, self.edits = name, path, [], []

    def all(self, key):
        return [value for name, value in self.fields if name == key]

    def get(self, key, default=None):
        return next(iter(self.all(key)), default)

    def apply(self, text):
        """Returns the changed text. Raises ValueError if an old text does not occur exactly
        once."""
        for old, new in self.edits:
            if text.count(old) != 1:
                raise ValueError("the text to replace occurs %d times instead of once: update %s in %s" % (
                    text.count(old), self.name, self.path))
            text = text.replace(old, new)
        return text


def _fill(mutant, lines):
    """Adds the fields and edits in the lines, which are pairs (number, text), to the mutant."""
    texts = []
    for number, line in lines:
        if line in ("old:", "new:"):
            if (line == "new:") != len(texts) % 2:
                raise ValueError("%s:%d: %s: `old:` and `new:` must alternate" % (mutant.path, number, mutant.name))
            texts.append([])
        elif texts:
            texts[-1].append(line + "\n")
        elif line and not line.startswith("#"):
            key, colon, value = line.partition(": ")
            if not colon:
                raise ValueError("%s:%d: %s: neither `KEY: VALUE` nor a comment: %s" % (mutant.path, number, mutant.name, line))
            mutant.fields.append((key, value))
    if len(texts) % 2:
        raise ValueError("%s: %s: the last `old:` has no `new:`" % (mutant.path, mutant.name))
    whole = ["".join(text[:-1]).removesuffix("\n") if text[-1:] == [NO_NEWLINE + "\n"] else "".join(text) for text in texts]
    mutant.edits = list(zip(whole[::2], whole[1::2]))
    return mutant


def _numbered(text):
    return enumerate(text.removesuffix("\n").split("\n"), 1)


def read_fault(path, text):
    """Returns the mutant in the text of a file that contains nothing else."""
    return _fill(Mutant(os.path.basename(path).removesuffix(".fault"), path), _numbered(text))


def _series(path):
    """Yields the mutants of one series."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    mutant, inside = None, []
    for number, line in _numbered(text):
        begins = re.fullmatch(r"== ([a-z0-9-]+)", line)
        if mutant is None and begins:
            mutant, inside = Mutant(begins[1], path), []
        elif mutant is None and line and not line.startswith("#"):
            raise ValueError("%s:%d: this line is outside a mutant, which begins with `== NAME`: %s" % (path, number, line))
        elif begins:
            raise ValueError("%s:%d: %s begins, but %s has no line `==` at its end" % (path, number, begins[1], mutant.name))
        elif line == "==":
            yield _fill(mutant, inside)
            mutant = None
        elif mutant:
            inside.append((number, line))
    if mutant:
        raise ValueError("%s: %s has no line `==` at its end" % (path, mutant.name))


def read_series(pattern):
    """Reads the series whose paths match the pattern. Returns {name: Mutant}, sorted by name. Raises
    ValueError if there is no such series, one is malformed, or two mutants have one name."""
    found, paths = {}, sorted(glob.glob(pattern))
    if not paths:
        raise ValueError("there is no series %s" % pattern)
    for path in paths:
        for mutant in _series(path):
            if mutant.name in found:
                raise ValueError("%s: a mutant named %s is already in %s" % (path, mutant.name, found[mutant.name].path))
            found[mutant.name] = mutant
    return dict(sorted(found.items()))
