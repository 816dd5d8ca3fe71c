#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""edges_test.py - .ci/edges finds every kind of violation. Each case breaks a scratch copy of the
tree in one way and expects a finding that names the violation; the unchanged copy has none."""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
CC = shlex.split(os.environ.get("CC", "cc"))


def scratch_copy(folder):
    """Copies the sources, and creates links to the files built from them."""
    for tree in (".ci", "lib", "tracepoints", "viz", "labs", "tests"):
        shutil.copytree(os.path.join(ROOT, tree), os.path.join(folder, tree), symlinks=True)
    build = os.path.join(folder, "build")
    os.mkdir(build)
    subprocess.run(["cp", "-rs", os.path.join(BUILD, "obj"), build], check=True)
    for archive in ("libdoze.a", "libdoze-viz.a"):
        shutil.copy(os.path.join(BUILD, archive), build)


def edges(folder):
    """Runs the copy's own script. Returns (exit code, output)."""
    done = subprocess.run(
        [os.path.join(folder, ".ci/edges"), "build"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )
    return done.returncode, done.stdout


def append(folder, path, text):
    with open(os.path.join(folder, path), "a", encoding="utf-8") as file:
        file.write(text)


def compile_into(folder, path, text):
    """Replaces the object of a C file, also in the archive, with one compiled from this text."""
    obj = os.path.join(folder, "build/obj", path[:-2] + ".o")
    os.unlink(obj)
    subprocess.run(CC + ["-x", "c", "-c", "-o", obj, "-"], input=text, text=True, check=True)
    subprocess.run(["ar", "r", os.path.join(folder, "build/libdoze-viz.a"), obj], check=True)


def upward_include(folder):
    append(folder, "viz/model/states.c", '#include "../viewer/terminal/tui.h"\n')


def observer_in_model(folder):
    append(folder, "viz/model/states.c", '#include "checker.h"\n')


def private_header(folder):
    append(folder, "viz/model/path.h", '#include "model_int.h"\n')


def member_of_another_file(folder):
    append(folder, "viz/model/states.c", "static void spoil(struct pool *p)\n{\n\tp->word.sum = 0;\n}\n")


def upward_symbol(folder):
    compile_into(folder, "viz/model/hist.c", "void doze_tui_run(void);\n"
                 "void doze_hist_add(void) { doze_tui_run(); }\n")


def labs_use_tests(folder):
    append(folder, "labs/grader/facts.c", '#include "tests/fixtures/suite.h"\n')


def stray_symbol(folder):
    compile_into(folder, "viz/model/hist.c", "int stray(void) { return 0; }\n")


def long_cycle(folder):
    names = ["complain", "event_text", "quote", "units", "wrap"]
    for name, other in zip(names, names[1:] + names[:1]):
        append(folder, f"viz/words/{name}.h", f'#include "{other}.h"\n')


def circle_of_scripts(folder):
    names = ["board", "gradebook", "terms", "threads", "values"]
    for name, other in zip(names, names[1:] + names[:1]):
        append(folder, f"labs/framework/{name}.py", f"\n\ndef late():\n    from . import {other}\n    return {other}\n")


def circle_in_explorer(folder):
    names = ["coro", "fail", "heap", "places", "share"]
    for name, other in zip(names, names[1:] + names[:1]):
        append(folder, f"labs/explorer/{name}.c", f'#include "{other}.c"\n')


def larger_circle_of_lib(folder):
    append(folder, "lib/pool.c", '#include "create.c"\n')


def smaller_circle(folder):
    append(folder, ".ci/edges.txt", "circle lib 12\n")


def games_in_course(folder):
    append(folder, "labs/framework/course.py", "\n\ndef late():\n    from .play import goals\n    return goals\n")


def upward_rule(folder):
    append(folder, ".ci/edges.txt", "allow viz/model viz/show\n")


def unused_rule(folder):
    append(folder, ".ci/edges.txt", "allow viz/predict viz/trace\nallow viz/predict viz/explain\n")


CASES = [
    (upward_include, "edge: viz/model/states.c -> viz/viewer/terminal/tui.h (include): viz/model may not use viz/viewer/terminal"),
    (observer_in_model, "edge: viz/model/states.c -> viz/model/checker.h (include): viz/model may not use viz/model/check"),
    (private_header, "private: viz/model/path.h includes viz/model/model_int.h, which is only for the files of viz/model"),
    (member_of_another_file, "opens word, which belongs to viz/model/word_chain.c"),
    (upward_symbol, "edge: viz/model/hist.c -> viz/viewer/terminal/run.c (doze_tui_run): viz/model may not use viz/viewer/terminal"),
    (labs_use_tests, "edge: labs/grader/facts.c -> tests/fixtures/suite.h (include): labs/grader may not use"),
    (stray_symbol, "symbol: viz/model/hist.c exports stray"),
    (long_cycle, "circle: 5 files use each other, at most 4 may: viz/words/complain.h viz/words/event_text.h"),
    (circle_of_scripts, "circle: 5 files use each other, at most 4 may: labs/framework/board.py labs/framework/gradebook.py"),
    (circle_in_explorer, "circle: 5 files use each other, at most 4 may: labs/explorer/coro.c labs/explorer/fail.c"),
    (larger_circle_of_lib, "files use each other, at most 11 may: lib/config.c lib/create.c"),
    (smaller_circle, "stale: edges.txt allows a circle of 12 files in lib, the largest has 11"),
    (games_in_course, "edge: labs/framework/course.py -> labs/framework/play/goals.py (import): labs/framework may not use labs/framework/play"),
    (upward_rule, "upward: edges.txt allows viz/model -> viz/show"),
    (unused_rule, "stale: edges.txt allows viz/predict -> viz/explain"),
]


def main():
    failed = 0
    with tempfile.TemporaryDirectory(prefix="doze-edges-") as folder:
        whole = os.path.join(folder, "whole")
        os.mkdir(whole)
        scratch_copy(whole)
        code, said = edges(whole)
        if code != 0:
            print(f"the unchanged tree: exit {code}, expected 0:\n{said}")
            failed += 1
        for case, wanted in CASES:
            copy = os.path.join(folder, case.__name__)
            shutil.copytree(whole, copy, symlinks=True)
            case(copy)
            code, said = edges(copy)
            if code != 1 or wanted not in said:
                print(f"{case.__name__}: exit {code}, expected 1 and '{wanted}':\n{said}")
                failed += 1
            shutil.rmtree(copy)
    print(f"{len(CASES) + 1} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
