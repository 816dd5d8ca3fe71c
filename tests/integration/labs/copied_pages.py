# SPDX-License-Identifier: MIT
"""The files, sections and make targets that the pages of a students' copy name. A page marks what the copy lacks."""
import glob
import os
import re
import subprocess


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def parts(tree, page):
    """Returns the page's prose, and the text of its code blocks."""
    found = re.split(r"(?m)^ *```.*$", text_of(os.path.join(tree, page)))
    return "\n".join(found[::2]), "\n".join(found[1::2])


def anchors(tree, page):
    """Returns the names by which links refer to the sections of a page. Of several equal headings, the second one has -1
    at the end, and so on."""
    times, names = {}, set()
    for line in parts(tree, page)[0].splitlines():
        if line.startswith("#"):
            words = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", line.lstrip("#").strip()).lower()
            name = "".join("-" if c == " " else c for c in words if c.isalnum() or c in " -_")
            names.add("%s-%d" % (name, times[name]) if name in times else name)
            times[name] = times.get(name, 0) + 1
    return names


def leads_nowhere(tree, page, link):
    path, _, anchor = link.partition("#")
    target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not os.path.exists(os.path.join(tree, target)):
        return True
    return bool(anchor) and target.endswith(".md") and anchor not in anchors(tree, target)


def dead_links(tree, page):
    """Returns the page's links to files and sections that the tree lacks."""
    return [link for link in re.findall(r"\]\(([^):\s]+)\)", parts(tree, page)[0]) if leads_nowhere(tree, page, link)]


def named_targets(tree, page):
    """Returns the make targets that the page names, without those that it marks as absent."""
    prose, code = parts(tree, page)
    commands = re.findall(r"`make ([^`]*)`(?! \(not in this copy)", prose)
    commands += [line for line in re.findall(r"(?m)^(?:\$ )?make (.*)$", code) if "not in this copy" not in line]
    return {word for line in commands for word in line.split("#")[0].split() if re.fullmatch(r"[a-z][a-z0-9-]*", word)}


def targets(tree):
    """Returns the targets of the tree's makefile, without those that run tests."""
    rules = subprocess.run(["make", "-pq", "BUILD=build", "none"], cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                           text=True, check=False).stdout
    return set(re.findall(r"(?m)^([a-z][a-z0-9-]*):", rules)) - {"test", "unit-test", "script-test", "asan", "tsan"}


def lacking(tree):
    """Returns what the pages of the tree name although the tree lacks it."""
    pages = [os.path.relpath(p, tree) for p in glob.glob(tree + "/**/*.md", recursive=True)]
    found = ["%s: %s" % (page, link) for page in pages for link in dead_links(tree, page)]
    known = targets(tree)
    found += ["%s: make %s" % (page, target) for page in pages for target in sorted(named_targets(tree, page) - known)]
    return found if len(pages) > 30 and len(known) > 4 else found + ["only %d pages, %d targets" % (len(pages), len(known))]
