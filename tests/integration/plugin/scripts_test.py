#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The scripts of viz/scripts report bad arguments, bad traces, lost events and missing packages in
# one line, with doze's exit code and without a Python traceback. The test starts them in the root
# folder /, so they must find all files themselves. It runs in the top folder; $BUILD is the build
# folder.
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
SCRIPTS = os.path.abspath("viz/scripts")
PYTHON = ("count-wakes.py", "top-wakers.py")
ALL = (*PYTHON, "worst-storm.sh")
ENV = {**os.environ, "BABELTRACE_PLUGIN_PATH": BUILD}
checks = failures = 0


def ask(what, code, words, *command, env=ENV):
    """Expects one line on stderr that contains the words; for exit code 0, expects no line."""
    global checks, failures
    p = patience.run(command, capture_output=True, text=True, timeout=100, cwd="/", env=env,
                     stdin=subprocess.DEVNULL)
    name = os.path.basename(command[0])
    problem = ""
    if p.returncode != code:
        problem = f"exit {p.returncode}, not {code}"
    elif p.stderr.count("\n") != (code != 0) or "Traceback" in p.stderr:
        problem = f"{p.stderr.count(chr(10))} lines on stderr"
    elif code and not (".py: " in p.stderr or ".sh: " in p.stderr) or words not in p.stderr:
        problem = f"`{words}` is missing"
    elif code in (0, 4) and not p.stdout:
        problem = "no result"
    checks += 1
    failures += bool(problem)
    if problem:
        print(f"FAILED: {name} on {what}: {problem}: {p.stderr.strip()[:300]}")


def make(folder, kind="healthy"):
    patience.run([f"{BUILD}/tests/fixtures/make-trace", folder, "3000", "8", "6", "1", kind], check=True)
    return folder


def cut(folder, file, size):
    os.truncate(f"{make(folder)}/{file}", size)
    return folder


def traces(s):
    """Creates the traces. Returns a list of (description, folder, exit code, words that the line
    must contain)."""
    os.mkdir(f"{s}/empty")
    os.makedirs(f"{s}/files")
    open(f"{s}/files/notes.txt", "w").close()
    return [
        ("a healthy trace", make(f"{s}/healthy"), 0, ""),
        ("a missing folder", f"{s}/missing", 3, "not a folder"),
        ("a file", f"{s}/files/notes.txt", 3, "not a folder"),
        ("an empty folder", f"{s}/empty", 3, f"{s}/empty"),
        ("a folder without a trace", f"{s}/files", 3, f"{s}/files"),
        ("a truncated stream", cut(f"{s}/cut", "stream", 3000), 3, "index"),
        ("truncated metadata", cut(f"{s}/meta", "metadata", 500), 3, f"{s}/meta"),
        ("empty metadata", cut(f"{s}/nometa", "metadata", 0), 3, f"{s}/nometa"),
        ("another program's trace", make(f"{s}/foreign", "foreign"), 3, "no doze events"),
        ("a newer schema", make(f"{s}/future", "future"), 3, "newer"),
        ("lost events", make(f"{s}/lossy", "lossy"), 4, "lost"),
    ]


def lanes(s):
    """Checks that lanes.py and lanes.sh draw one lane per worker, and the errors of lanes.py, which
    reads raw events itself."""
    for what, folder, code, words in traces_for_lanes(s):
        ask(what, code, words, f"{SCRIPTS}/lanes.py", folder)
    ask("a healthy trace", 0, "", f"{SCRIPTS}/lanes.sh", f"{s}/healthy")
    ask("no argument", 2, "usage", f"{SCRIPTS}/lanes.py")
    ask("no argument", 2, "usage", f"{SCRIPTS}/lanes.sh")
    ask("wide", 2, "COLUMNS", f"{SCRIPTS}/lanes.py", f"{s}/healthy", "wide")
    raw, through_doze = (patience.run([f"{SCRIPTS}/lanes.{kind}", f"{s}/healthy", "60"], capture_output=True,
                                      text=True, timeout=100, env=ENV).stdout for kind in ("py", "sh"))
    workers = [sum("|" in line and f"w{i} " in line for line in raw.splitlines()) for i in range(8)]
    same = [sum(line.startswith(f"w{i} ") for line in through_doze.splitlines()) for i in range(8)]
    ask("both draw each worker once", 0 if workers == same == [1] * 8 else 99, "", "/bin/echo", "compared")


def traces_for_lanes(s):
    return [
        ("a healthy trace", f"{s}/healthy", 0, ""),
        ("a missing folder", f"{s}/missing", 3, "not a folder"),
        ("a folder without a trace", f"{s}/files", 3, f"{s}/files"),
        ("another program's trace", f"{s}/foreign", 3, "no doze events"),
        ("lost events", f"{s}/lossy", 4, "lost"),
    ]


def main():
    scratch = tempfile.mkdtemp(prefix="doze-bad-")
    try:
        for what, folder, code, words in traces(scratch):
            for name in ALL:
                ask(what, code, words, f"{SCRIPTS}/{name}", folder)
        healthy = f"{scratch}/healthy"
        lanes(scratch)
        for name in ALL:
            ask("no argument", 2, name, f"{SCRIPTS}/{name}")
            ask("too many arguments", 2, "", f"{SCRIPTS}/{name}", healthy, "80", "3")
        for columns in ("19", "10000", "wide", ""):
            ask(f"{columns!r} columns", 2, "COLUMNS", f"{SCRIPTS}/worst-storm.sh", healthy, columns)
        for name in PYTHON:
            ask("an unknown option", 2, "--fast", f"{SCRIPTS}/{name}", "--fast", healthy)
            # -S omits the folder of installed packages from the path.
            ask("no bt2", 3, "python3-bt2", "/usr/bin/python3", "-S", f"{SCRIPTS}/{name}", healthy)
        elsewhere = f"--plugin-path={scratch}/empty"
        ask("no plug-in there", 3, "plug-in", f"{SCRIPTS}/top-wakers.py", elsewhere, healthy)
        nothing = {**ENV, "PATH": f"{scratch}/empty"}
        ask("no babeltrace2", 3, "babeltrace2", "/bin/sh", f"{SCRIPTS}/worst-storm.sh", healthy, env=nothing)
    finally:
        shutil.rmtree(scratch)
    print(f"{checks} checks, {failures} failed")
    return 1 if failures or not checks else 0


if __name__ == "__main__":
    sys.exit(patience.exit_code(main, lambda: failures))
