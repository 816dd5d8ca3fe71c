#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Series of mutants: what their texts contain, and which malformed series are errors."""
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "../fixtures"), os.path.join(HERE, "../../labs")]
from framework.mutantfile import read_series  # noqa: E402
from test_functions import expect, run_tests, test  # noqa: E402

GOOD = """# A mechanism.

== one
what: a mistake
# why: a reason
file: a.c
run: waits
run: pool

old:
# no comment

new:
==

== two
what: another
old:
half a
\\ no newline
new:
a
half
\\ no newline
old:
b
new:
c
==
"""


def read(folder, **texts):
    """Reads series with these texts, and no others."""
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    for name, text in texts.items():
        with open(os.path.join(folder, name + ".mutants"), "w", encoding="utf-8") as f:
            f.write(text)
    return read_series(os.path.join(folder, "*.mutants"))


def error_of(folder, **texts):
    try:
        read(folder, **texts)
    except ValueError as error:
        return str(error)
    return "no error"


@test
def texts_are_exact(folder):
    found = read(folder, s=GOOD)
    expect(list(found) == ["one", "two"], found)
    expect(found["one"].fields == [("what", "a mistake"), ("file", "a.c"), ("run", "waits"), ("run", "pool")], found["one"].fields)
    expect(found["one"].edits == [("# no comment\n\n", "")], found["one"].edits)
    expect(found["two"].edits == [("half a", "a\nhalf"), ("b\n", "c\n")], found["two"].edits)


@test
def blank_lines_between_mutants_belong_to_no_text(folder):
    found = read(folder, s=GOOD.replace("==\n\n==", "==\n\n\n\n# A comment.\n\n=="))
    expect(found["one"].edits == [("# no comment\n\n", "")], found["one"].edits)


@test
def a_malformed_series_is_an_error_that_names_the_place(folder):
    for old, new, says in [
            ("== two", "== one", "s.mutants: a mutant named one is already in"),
            ("new:\n==\n", "new:\n", "s.mutants:15: two begins, but one has no line `==`"),
            ("c\n==\n", "c\n", "two has no line `==` at its end"),
            ("== one\n", "", "s.mutants:3: this line is outside a mutant"),
            ("c\n==\n", "c\n==\n\n==\n", "s.mutants:31: this line is outside a mutant"),
            ("old:\nb\n", "", "s.mutants:25: two: `old:` and `new:` must alternate"),
            ("new:\nc\n", "", "two: the last `old:` has no `new:`"),
            ("file: a.c", "file a.c", "s.mutants:6: one: neither `KEY: VALUE` nor a comment: file a.c")]:
        expect(old in GOOD, old)
        message = error_of(folder, s=GOOD.replace(old, new))
        expect(says in message, "%r: %s" % (old, message))


@test
def two_series_cannot_have_one_name(folder):
    message = error_of(folder, r=GOOD, s=GOOD)
    expect("s.mutants: a mutant named one is already in" in message and "r.mutants" in message, message)


@test
def a_folder_without_series_is_an_error(folder):
    expect("there is no series" in error_of(folder), error_of(folder))


if __name__ == "__main__":
    sys.exit(run_tests("doze-t-"))
