# SPDX-License-Identifier: MIT
"""The edits of one recipe and their expected results; recipes_test.py uses it."""
import os
import re
import sys

MOST_FILES = 4
problems = []


def expect(condition, text):
    print("%s: %s" % ("ok" if condition else "FAILED", text), flush=True)
    if not condition:
        problems.append(text)


class Recipe:
    """The edits of one recipe, and the files that they touch."""

    def __init__(self, root, title, readme):
        self.root, self.title, self.files = root, title, set()
        with open(os.path.join(root, readme), encoding="utf-8") as f:
            self.text = f.read()
        expect("## To add " + title in self.text, "%s has the recipe to add %s" % (readme, title))

    def path(self, name):
        self.files.add(name)
        return os.path.join(self.root, name)

    def create(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    def insert(self, name, pattern, text):
        """Inserts the text after the first match of the pattern."""
        with open(self.path(name), encoding="utf-8") as f:
            old = f.read()
        found = re.search(pattern, old)
        if not found:
            sys.exit("recipes_test: %s: nothing matches %r" % (name, pattern))
        with open(os.path.join(self.root, name), "w", encoding="utf-8") as f:
            f.write(old[:found.end()] + text + old[found.end():])

    def done(self):
        names = sorted(f for f in self.files if not f.startswith("tests/"))
        expect(len(names) <= MOST_FILES, "adding %s takes %d files: %s" % (
            self.title, len(names), ", ".join(names)))
