# SPDX-License-Identifier: MIT
"""The Markdown pages of a students' copy: marks what a page says about files, sections and make targets that the copy
lacks."""
import os
import re

ABSENT = " (not in this copy)"
LINK = re.compile(r"\[([^\]]*)\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")  # words, file, section
TARGET = re.compile(r"(?m)^(\S[^:=#\n]*):(?![:=])")
OF_TESTS = {"test", "unit-test", "script-test", "asan", "tsan"}  # declared in the copy's makefile, but they run tests


def targets(makefiles):
    """Returns the names of the targets that the texts of the copy's makefiles declare."""
    names = {name for text in makefiles for line in TARGET.findall(text) for name in line.split()}
    return names - OF_TESTS


def lacking(command, known):
    """Returns whether a command `make …` names a target that the copy lacks."""
    words = command.split("#")[0].split()[1:]
    return any(re.fullmatch(r"[a-z][a-z0-9-]*", word) and word not in known for word in words)


def without_code(text):
    """Returns the lines of a page outside its code blocks."""
    return "".join(re.split(r"(?m)^ *```.*\n", text)[::2])


def sections(text):
    """Returns the anchors of a page's headings."""
    found = []
    for heading in re.findall(r"(?m)^#+ +(.*?) *$", without_code(text)):
        anchor = re.sub(r"[^\w -]", "", LINK.sub(r"\1", heading).lower()).replace(" ", "-")
        same = sum(re.fullmatch(re.escape(anchor) + r"(-\d+)?", other) is not None for other in found)
        found.append("%s-%d" % (anchor, same) if same else anchor)
    return set(found)


class Copy:
    """`names`: the files of the copy. `known`: the targets of its makefiles. `texts`: {name: text} of its pages."""

    def __init__(self, names, known, texts):
        self.known, self.paths = known, {"."}
        self.sections = {name: sections(text) for name, text in texts.items()}
        for name in names:
            while name not in self.paths and name:
                self.paths.add(name)
                name = os.path.dirname(name)

    def in_prose(self, page, line):
        def link(found):
            path = os.path.normpath(os.path.join(os.path.dirname(page), found[2])) if found[2] else page
            has_section = not found[3] or path not in self.sections or found[3] in self.sections[path]
            return found[0] if path in self.paths and has_section else found[1] + ABSENT

        def command(found):
            return found[0] + (ABSENT if lacking(found[1], self.known) else "")
        return LINK.sub(link, re.sub(r"`(make [^`]*)`", command, line))

    def in_code(self, line):
        command = re.fullmatch(r"(?:\$ )?(make .*)", line)
        if not command or not lacking(command[1], self.known):
            return line
        return line + ("" if "#" in line else "  #") + ABSENT

    def page(self, name, text):
        """Returns the page with its links to absent files and sections replaced by their words, and absent targets marked."""
        lines, code = [], False
        for line in text.split("\n"):
            if line.lstrip().startswith("```"):
                code = not code
            lines.append(self.in_code(line) if code else self.in_prose(name, line))
        return "\n".join(lines)
