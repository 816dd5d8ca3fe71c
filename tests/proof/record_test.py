#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""record.tsv and its module: what makes a record stale, what a commit draws, and what a damaged file
says. Nothing is searched here; tests/ci/ci_check.py breaks sources and records and sees the CI fail.
"""
import os
import sys
import tempfile

sys.dont_write_bytecode = True
import record  # noqa: E402

failed = 0


def check(sentence, good, why=""):
    global failed
    failed += not good
    print(f"{'passed' if good else 'FAILED'}: {sentence}" + ("" if good else f"\n{why}"))


def put(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def get(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


CODE = """#define LIMIT 3 // words
/* more
   words */
int f(int x)
{
    const char *s = "// no comment";
    return x < LIMIT ? s[x] : 0;
}
"""


def hashes(folder):
    def hash_of(text):
        return record.digest(record.without_comments(put(folder, "code.c", text)))

    plain = hash_of(CODE)
    check("other words and lines in comments leave the hash as it is",
          hash_of(CODE.replace("words", "other, longer words").replace("int f", "\n// said\n\nint f")) == plain)
    check("another constant gives another hash", hash_of(CODE.replace("LIMIT 3", "LIMIT 4")) != plain)
    check("text in a string is no comment", hash_of(CODE.replace("// no", "// a")) != plain)
    check("a warning, -g and the version change nothing; another flag does",
          record.relevant(["-O2", "-Wall", "-g", '-DDOZE_VERSION="1"', "-DX"]) == ["-O2", "-DX"],
          record.relevant(["-O2", "-Wall", "-g", '-DDOZE_VERSION="1"', "-DX"]))


def objects(folder):
    inside = os.path.relpath(record.__file__, record.TOP)
    put(folder, "one.d", "one.o: %s \\\n  tests/proof/tables.py /usr/include/stdio.h\n\nstdio.h:\n" % inside)
    found = record.dependencies([os.path.join(folder, "one.o")])
    check("a program depends on the files of the tree that its objects name, and on no others",
          found == ["tests/proof/record.py", "tests/proof/tables.py"], found)


def draws(old):
    seconds = {name: line.seconds for name, line in old.runs.items()}
    seconds.update({name: line.seconds for name, (_hash, line) in old.mutants.items()})
    first = record.draw("a", seconds, 120)
    total = sum(seconds[name] for name in first)
    check("a commit draws the same each time, whatever the order of the lines",
          first == record.draw("a", dict(reversed(list(seconds.items()))), 120))
    check("it draws no more than 120 s, and no less than 110 s", 110 <= total <= 120, total)
    check("another commit draws others", set(first) != set(record.draw("b", seconds, 120)))
    hit = set().union(*[record.draw(str(commit), seconds, 120) for commit in range(500)])
    check("no line is out of reach: 500 commits draw each at least once", hit == set(seconds),
          sorted(set(seconds) - hit)[:5])


def files(folder, old):
    path = os.path.join(folder, "again.tsv")
    old.write(path)
    check("the committed record reads and writes as it is", get(path) == get(record.PATH))
    check("no file is an empty record", record.read(os.path.join(folder, "none.tsv")).runs == {})
    run = next(name for name in old.runs)
    for what, line, says in [("a line with a field too few", "run\t%s\tpassed\t0\t7\t9\t0.1\n" % run, "values to unpack"),
                             ("a count that is no number", "run\t%s\tpassed\t0\tmany\t9\t0.1\t\n" % run, "many"),
                             ("a line of no kind", "runs\tx\n", "unknown kind 'runs'"), ("an empty line", "\n", "missing")]:
        path = put(folder, "bad.tsv", record.HEAD + "compiler\tcc\n" + line)
        try:
            record.read(path)
            message = "no error"
        except ValueError as error:
            message = str(error)
        check("%s is an error that names its line" % what, "bad.tsv:3: " in message and says in message, message)


def times():
    old = record.Line("passed", 0, 7, 9, 4.0, "")
    kept = [old._replace(seconds=s).with_seconds_of(old).seconds for s in (2.5, 7.9, 1.5, 9.0)]
    check("a time is renewed only if it is off by a factor of two", kept == [4.0, 4.0, 1.5, 9.0], kept)
    short = old._replace(seconds=0.1)
    check("nor is a short one for a tenth of a second", old._replace(seconds=0.02).with_seconds_of(short).seconds == 0.1)


def changes(old):
    now = record.Now.__new__(record.Now)  # only what changed() needs: hashing the tree needs its objects
    now.files = dict(old.files)
    check("a tree like the record has no changed files", now.changed(old) == [])
    now.files["lib/new.c"] = "1"
    now.files["lib/sleep/jec.c"] = "2"
    del now.files["lib/pool.c"]
    found = now.changed(old)
    check("new, changed and removed files are named", found == ["lib/new.c", "lib/pool.c", "lib/sleep/jec.c"], found)


def main():
    old = record.read()
    with tempfile.TemporaryDirectory(prefix="doze-t-") as folder:
        hashes(folder)
        objects(folder)
        files(folder, old)
    draws(old)
    times()
    changes(old)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
