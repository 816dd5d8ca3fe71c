#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands that a README shows and compares their output with the one shown.

Every fenced block marked ``console`` is run, from the root of the tree, in one bash for the block:

    $ command           a command; a line that ends with \\ goes on in the next
    text                what it prints; "..." stands for anything within the line,
                        and a line that is only "..." for any lines

If LABS_WORK is set, commands use $LABS_WORK/NN-name where the README has labs/NN-name/work.

A comment right above a block changes how it is run:

    <!-- test: skip: REASON -->     not run; the reason is printed
    <!-- test: fresh PATH... -->    these folders below build/ are removed first
    <!-- test: keys KEYS -->        run on its own terminal; KEYS are typed when it has drawn something
    <!-- test: shape -->            numbers, times and lanes (between two bars) may differ
    <!-- test: exit N -->           the last command must exit with N (default 0)

Usage: check.py [README...]    Exit: 0 all as shown; 1 a difference; 2 a README does not exist or has no block to run.
"""
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "tests/fixtures"))
from names import refuse  # noqa: E402
from patience import UNSTABLE, Patience, Unstable  # noqa: E402
from signals import signal_child, signal_group  # noqa: E402

LIMIT_S = 120  # time limit, in seconds, for one command
TRIES = 4  # for a block whose output depends on the scheduler
wrong = []  # commands whose output or status differs from the README
READMES = ["README.md", "viz/any.md", "tracepoints/README.md", "viz/scripts/README.md"]


class Differs(Unstable):
    """The output of a block of recordings has another shape: the scheduler decides what they contain."""


class Block:
    def __init__(self, line):
        self.line = line
        self.steps = []  # list of [command, [expected lines]]
        self.skip = None
        self.fresh = []
        self.keys = None
        self.exit = 0
        self.shape = False

    def mark(self, text):
        word, _, rest = text.partition(" ")
        if word == "skip:":
            self.skip = rest
        elif word == "fresh":
            self.fresh = rest.split()
        elif word == "keys":
            self.keys = rest
        elif word == "shape":
            self.shape = True
        elif word == "exit":
            self.exit = int(rest)
        else:
            raise ValueError(f"unknown mark: {text}")

    def add(self, line):
        if self.steps and self.steps[-1][0].endswith("\\"):
            self.steps[-1][0] += "\n" + line
        elif line.startswith("$ "):
            self.steps.append([line[2:], []])
        elif self.steps:
            self.steps[-1][1].append(line)


def blocks_of(path):
    blocks, marks, block = [], [], None
    with open(path, encoding="utf-8") as readme:
        for number, line in enumerate(readme, 1):
            line = line.rstrip("\n")
            mark = re.match(r"<!-- test: (.*) -->$", line)
            if block:
                if line.startswith("```"):
                    blocks.append(block)
                    block = None
                else:
                    block.add(line)
            elif mark:
                marks.append(mark.group(1))
            elif line == "```console":
                block = Block(number)
                for text in marks:
                    block.mark(text)
                marks = []
            elif line.strip():
                marks = []
    return blocks


def shape_of(text):
    """Returns the text without the parts that differ from run to run. Three dots are not a number,
    so they stay."""
    text = re.sub("│[^│\n]*│", "│lane│", text)
    text = re.sub(r"\d[\d,.]*\d|\d", "#", text)
    text = re.sub(r"# (ns|us|ms|s)\b", "# time", text)
    text = re.sub(r"(╵#s *)+", "axis", text)
    return re.sub("[ \t]+", " ", text)


def pattern_of(lines):
    parts = []
    for line in lines:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(p) for p in line.rstrip().split("...")) + r"[ \t]*\n")
    return re.compile("".join(parts))


def end(process):
    signal_group(process.pid, signal.SIGTERM)
    time.sleep(1)  # the leader has not been waited for yet, so its group's number cannot be reused
    signal_group(process.pid, signal.SIGKILL)


def run_plain(command):
    """Runs a command. Returns (exit status, output). Kills a command that runs too long, and raises
    Unstable."""
    limit = Patience(LIMIT_S)
    with subprocess.Popen(["bash", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          start_new_session=True) as process:
        while True:
            try:
                output, _ = process.communicate(timeout=max(limit.left(), 0.01))
                return process.returncode, output
            except subprocess.TimeoutExpired:
                if limit.is_over():
                    end(process)
                    raise Unstable(f"{command}: killed after {LIMIT_S} s") from None


def no_terminal():
    """Returns why no command can run on a pseudo-terminal, or None."""
    try:
        for fd in os.openpty():
            os.close(fd)
    except OSError as e:
        return f"this system has no pseudo-terminals: {e.strerror}"
    return None


def run_on_terminal(command, keys):
    """Runs a command like run_plain, but on a pseudo-terminal of 100 columns and 30 rows. Types the
    keys one by one after 3 s, when a viewer has drawn its screen."""
    pid, fd = os.forkpty()
    if pid == 0:
        os.chdir(ROOT)
        os.environ["TERM"] = "xterm-256color"
        os.execvp("bash", ["bash", "-c", f"stty cols 100 rows 30; {command}"])
    began, typed, seen, limit = time.monotonic(), 0, b"", Patience(LIMIT_S)
    while not limit.is_over():
        ready, _, _ = select.select([fd], [], [], 0.2)
        if ready:
            try:
                piece = os.read(fd, 65536)
            except OSError:  # the last process that used the terminal has exited
                piece = b""
            if not piece:
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                return status, seen.decode(errors="replace")
            seen += piece
        if typed < len(keys) and seen and time.monotonic() - began > 3 + typed * 0.5:
            os.write(fd, keys[typed].encode())
            typed += 1
    signal_child(pid, signal.SIGTERM)
    os.waitpid(pid, 0)
    raise Unstable(f"{command}: killed after {LIMIT_S} s")


def remove(folder):
    """Removes a folder. A README may only name products of the build."""
    path = os.path.realpath(os.path.join(ROOT, folder))
    if not path.startswith(os.path.realpath(os.path.join(ROOT, "build")) + os.sep):
        raise ValueError(f"test: fresh {folder}: not below build/")
    shutil.rmtree(path, ignore_errors=True)


def check(path, block):
    """Runs a block, and appends to `wrong`."""
    where = f"{os.path.relpath(path, ROOT)}:{block.line}"
    reason = block.skip or (block.keys and no_terminal())
    if reason:
        print(f"{where}: skipped: {reason}")
        return
    for fresh in block.fresh:
        remove(fresh)
    for i, (shown, expected) in enumerate(block.steps):
        command = re.sub(r"\blabs/(\d\d-[a-z-]+)/work\b", r"$LABS_WORK/\1", shown) if "LABS_WORK" in os.environ else shown
        wanted = block.exit if i == len(block.steps) - 1 else 0
        if block.keys:
            status, output = run_on_terminal(command, block.keys)
            matches = True  # a screen has no lines to compare; tests/integration/viewer tests screens
        else:
            status, output = run_plain(command)
            shape = shape_of if block.shape else str
            matches = not expected or pattern_of(map(shape, expected)).fullmatch(shape(output))
        good = status == wanted and matches
        print(f"{where}: {'ok' if good else 'WRONG'}: {command}")
        if not good:
            print(f"  exit {status}, expected {wanted}; the output was:")
            print("".join(f"  | {line}\n" for line in output.splitlines()[-40:]), end="")
            if not matches:
                print("  the README shows:")
                print("".join(f"  | {line}\n" for line in expected), end="")
            if block.shape and status == wanted:
                raise Differs(f"{where}: {command}")
            wrong.append(command)


def check_with_patience(path, block):
    """Checks a block, several times if its output has another shape. Returns 1 if the block proves
    nothing, else 0."""
    for _ in range(TRIES):
        try:
            check(path, block)
            return 0
        except Differs as e:
            unstable = e
        except Unstable as e:
            unstable = e
            break
    print(f"UNSTABLE: {unstable}")
    return 1


def main(paths):
    unstable = 0
    for path in paths:
        if not os.path.isfile(path):
            refuse(f"there is no README '{path}'; the READMEs with commands are: {' '.join(READMES)}")
    os.environ["LC_ALL"] = "C.UTF-8"  # the READMEs show output in a UTF-8 locale
    for path in paths:
        blocks = blocks_of(path)
        if not any(not b.skip and b.steps for b in blocks):
            print(f"{path}: contains no console block to run", file=sys.stderr)
            return 2
        unstable += sum(check_with_patience(path, b) for b in blocks)
    return 1 if wrong else UNSTABLE if unstable else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or [os.path.join(ROOT, p) for p in READMES]))
