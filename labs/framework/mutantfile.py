# SPDX-License-Identifier: MIT
"""Reads mutants: files that describe a mistake as exact replacements in one source file.

  # comment
  KEY: VALUE          what the mistake is, the file, where it must be caught; a key may be repeated
  old:                exact text, which occurs once
  new:                its replacement; old and new may be repeated
"""


class MutantFile:
    def __init__(self, path, text=None):
        """`text` is the file's content; without it, the file is read."""
        if text is None:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        head, *edits = text.split("old:\n")
        self.path = path
        self.edits = [edit.split("new:\n", 1) for edit in edits]
        self.fields = [tuple(line.split(": ", 1)) for line in head.splitlines()
                       if line and not line.startswith("#")]

    def all(self, key):
        return [value for name, value in self.fields if name == key]

    def get(self, key, default=None):
        return next(iter(self.all(key)), default)

    def apply(self, text):
        """Returns the changed text. Raises ValueError if an old text does not occur exactly
        once."""
        for old, new in self.edits:
            if text.count(old) != 1:
                raise ValueError("the text to replace occurs %d times instead of once: update %s" % (text.count(old), self.path))
            text = text.replace(old, new)
        return text
