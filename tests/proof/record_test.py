#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""record.tsv and its module: what makes a record stale, what a commit draws, and what a damaged file
says. Nothing is searched here; tests/ci/ci_check.py breaks sources and records and sees the CI fail.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fixtures"))
import record  # noqa: E402
from test_functions import expect, run_tests, test  # noqa: E402


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


def hash_of(folder, text):
    return record.digest(record.without_comments(put(folder, "code.c", text)))


@test
def other_comments_leave_the_hash_as_it_is(folder):
    other = CODE.replace("words", "other, longer words").replace("int f", "\n// said\n\nint f")
    expect(hash_of(folder, other) == hash_of(folder, CODE), record.without_comments(put(folder, "code.c", other)))


@test
def another_constant_gives_another_hash(folder):
    expect(hash_of(folder, CODE.replace("LIMIT 3", "LIMIT 4")) != hash_of(folder, CODE), "LIMIT 4")


@test
def text_in_a_string_is_no_comment(folder):
    expect(hash_of(folder, CODE.replace("// no", "// a")) != hash_of(folder, CODE), "// a comment")


@test
def flags_without_effect_do_not_count(_folder):
    found = record.relevant(["-O2", "-Wall", "-g", '-DDOZE_VERSION="1"', "-DX"])
    expect(found == ["-O2", "-DX"], found)


@test
def a_program_depends_on_the_files_of_the_tree_that_its_objects_name(folder):
    put(folder, "one.d", "one.o: tests/proof/record.py \\\n  tests/proof/tables.py /usr/include/stdio.h\n\nstdio.h:\n")
    found = record.dependencies([os.path.join(folder, "one.o")])
    expect(found == ["tests/proof/record.py", "tests/proof/tables.py"], found)


def recorded_seconds():
    old = record.read()
    seconds = {name: line.seconds for name, line in old.runs.items()}
    seconds.update({name: line.seconds for name, (_hash, line) in old.mutants.items()})
    return seconds


@test
def a_commit_draws_the_same_each_time(_folder):
    seconds = recorded_seconds()
    drawn = record.draw("a", seconds, 120)
    expect(drawn == record.draw("a", dict(reversed(list(seconds.items()))), 120), "the order of the lines decides")
    expect(set(drawn) != set(record.draw("b", seconds, 120)), "another commit draws the same")


@test
def a_draw_takes_the_time_that_it_may(_folder):
    seconds = recorded_seconds()
    total = sum(seconds[name] for name in record.draw("a", seconds, 120))
    expect(110 <= total <= 120, total)


@test
def no_line_is_out_of_reach(_folder):
    seconds = recorded_seconds()
    hit = set().union(*[record.draw(str(commit), seconds, 120) for commit in range(500)])
    expect(hit == set(seconds), sorted(set(seconds) - hit)[:5])


@test
def the_committed_record_reads_and_writes_as_it_is(folder):
    path = os.path.join(folder, "again.tsv")
    record.read().write(path)
    expect(get(path) == get(record.PATH), "the file differs")


@test
def no_file_is_an_empty_record(folder):
    expect(record.read(os.path.join(folder, "none.tsv")).runs == {}, "runs")


@test
def a_wrong_line_is_an_error_that_names_it(folder):
    run = next(iter(record.read().runs))
    for line, says in [("run\t%s\tpassed\t0\t7\t9\t0.1\n" % run, "values to unpack"),
                       ("run\t%s\tpassed\t0\tmany\t9\t0.1\t\n" % run, "many"),
                       ("runs\tx\n", "unknown kind 'runs'"), ("\n", "missing")]:
        path = put(folder, "bad.tsv", record.HEAD + "compiler\tcc\n" + line)
        try:
            record.read(path)
            message = "no error"
        except ValueError as error:
            message = str(error)
        expect("bad.tsv:3: " in message and says in message, message)


@test
def a_time_is_renewed_only_if_it_is_far_off(_folder):
    old = record.Line("passed", 0, 7, 9, 4.0, "")
    kept = [old._replace(seconds=s).with_seconds_of(old).seconds for s in (2.5, 7.9, 1.5, 9.0)]
    expect(kept == [4.0, 4.0, 1.5, 9.0], kept)
    short = old._replace(seconds=0.1)
    expect(old._replace(seconds=0.02).with_seconds_of(short).seconds == 0.1, "a short one, by a tenth of a second")


@test
def new_changed_and_removed_files_are_named(_folder):
    old = record.read()
    now = record.Now.__new__(record.Now)  # only what changed() needs: hashing the tree needs its objects
    now.files = dict(old.files)
    expect(now.changed(old) == [], now.changed(old))
    now.files["lib/new.c"] = "1"
    now.files["lib/sleep/jec.c"] = "2"
    del now.files["lib/pool.c"]
    found = now.changed(old)
    expect(found == ["lib/new.c", "lib/pool.c", "lib/sleep/jec.c"], found)


if __name__ == "__main__":
    sys.exit(run_tests("doze-t-"))
