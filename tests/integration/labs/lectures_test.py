#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Types the commands of labs/lectures.md in a terminal of 100x30 (tmux), as a lecturer does, and compares what the screen
shows with what the page promises. All commands of a page are typed in one shell.

The page marks blocks as a README does (tests/integration/readme/check.py explains "..."), and also by these comments
right above a block:

    <!-- test: exit N -->            the last command must exit with N (default 0)
    <!-- test: see TEXT -->          the command is a program for a terminal, whose screen then shows TEXT
    <!-- test: key KEY -->           then this key is pressed; these two may alternate
    <!-- test: shape -->             figures may differ
    <!-- test: wakes LOW HIGH -->    figures may differ, but not the number of wakes per job
    <!-- test: append FILE -->       the lines of the block are added to the file, as in an editor
    <!-- test: copy FROM TO -->      a file is replaced first, as if the lecturer had edited it

The output of each command must fit the screen. LTTng daemons belong to the test, as in tests/integration/viewer/daemons.sh.

Usage: lectures_test.py [PAGE]    Environment: BUILD, LABS_ARE_BUILT.
Exit: 0 all as promised; 1 not; 75 a wait ran out, or a recording has other figures; 77 cannot run here.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[:0] = [os.path.join(ROOT, "tests", "fixtures"), os.path.join(ROOT, "tests", "integration", "readme")]
from check import no_terminal, pattern_of, shape_of  # noqa: E402
from patience import Unstable, exit_code, wait_until  # noqa: E402
from signals import end_cleanly_on_signals  # noqa: E402

COLUMNS, ROWS = 100, 30
COMMAND_S, SCREEN_S = 120, 40  # limits for a command and for a text on the screen
TRIES = 3  # for a block with a recording, because the scheduler decides how many workers are asleep
SCENES = ("see", "key")
RECORDINGS = os.path.join("build", "lecture-")  # the page's recordings
problems = []


class Block:
    """A block of the page: commands with the lines that they print, or lines for a file."""

    def __init__(self, line, marks, is_console):
        self.line, self.steps, self.lines, self.is_console = line, [], [], is_console
        words = [mark.split(" ", 1) for mark in marks]
        self.scenes = [(word, rest) for word, *rest in words if word in SCENES]
        self.scenes = [(word, rest[0]) for word, rest in self.scenes]
        marks = {word: (rest or [""])[0] for word, *rest in words if word not in SCENES}
        self.exit = int(marks.pop("exit", 0))
        self.wakes = [float(n) for n in marks.pop("wakes", "").split()]
        self.varies = marks.pop("shape", None) is not None or bool(self.wakes)
        self.file, self.copy = marks.pop("append", ""), marks.pop("copy", "").split()
        if marks:
            raise ValueError("line %d: unknown marks: %s" % (line, " ".join(marks)))

    def add(self, line):
        if not self.is_console:
            self.lines.append(line)
        elif line.startswith("$ "):
            self.steps.append((line[2:], []))
        else:
            self.steps[-1][1].append(line.expandtabs(8))


def blocks_of(path):
    """Returns the page's blocks that are typed, in order."""
    blocks, marks, block = [], [], None
    with open(path, encoding="utf-8") as page:
        for number, line in enumerate(page, 1):
            line, mark = line.rstrip("\n"), re.match(r"<!-- test: (.*) -->$", line.rstrip("\n"))
            if block and line.startswith("```"):
                blocks.append(block)
                block = None
            elif block:
                block.add(line)
            elif mark:
                marks.append(mark.group(1))
            elif line.startswith("```"):
                block, marks = Block(number, marks, line == "```console"), []
            elif line.strip() and marks:
                raise ValueError("line %d: the marks above belong to no block" % number)
    return [b for b in blocks if b.is_console or b.file]


class Terminal:
    """A shell in a terminal of tmux. After each command, the shell writes the exit code to a file."""

    def __init__(self, folder):
        self.codes = os.path.join(folder, "codes")
        env = dict(os.environ, TMUX_TMPDIR=folder, LTTNG_HOME=folder, LABS_WORK=os.path.join(folder, "labs"), LC_ALL="C.UTF-8", PS1="$ ",
                   PROMPT_COMMAND="echo $? >>" + self.codes, LABS_ARE_BUILT="1", HOME=folder)
        for name in ("TMUX", "NO_COLOR", "COLUMNS", "LINES", "HISTFILE"):
            env.pop(name, None)
        self.env = env
        self.tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), "bash", "--norc", "--noprofile")
        self.wait_for_prompt(1)

    def tmux(self, *words):
        return subprocess.run(["tmux", "-L", "lectures", "-f", "/dev/null", *words], cwd=ROOT, env=self.env, stdout=subprocess.PIPE,
                              text=True, check=True).stdout

    def ended(self):
        """Returns the exit codes of the commands so far. The first line is that of the first prompt."""
        if not os.path.exists(self.codes):
            return []
        with open(self.codes, encoding="ascii") as file:
            return [int(line) for line in file if line.endswith("\n")]

    def wait_for_prompt(self, number):
        wait_until(lambda: len(self.ended()) >= number and self.screen().rstrip().endswith("$"), "the shell's prompt", COMMAND_S)

    def screen(self, *options):
        return self.tmux("capture-pane", "-p", *options)

    def type(self, command):
        """Types a command on an empty screen. Returns the number of the prompt after it."""
        number = len(self.ended()) + 1
        self.tmux("send-keys", "-R")
        self.tmux("clear-history")
        self.tmux("send-keys", "-l", "--", command)
        self.tmux("send-keys", "Enter")
        return number

    def output(self):
        """Returns the lines below the command, and the number of rows that they take."""
        lines = self.screen("-J", "-S", "-").rstrip().splitlines()[1:-1]
        rows = self.screen("-S", "-").rstrip().splitlines()
        first = self.screen("-J", "-S", "-").splitlines()[0].rstrip()
        return lines, len(rows) - 1 - max(1, -(-len(first) // COLUMNS))

    def close(self):
        subprocess.run(["tmux", "-L", "lectures", "kill-server"], env=self.env, stderr=subprocess.DEVNULL, check=False)


def in_scratch(text, terminal):
    """Returns the text with the scratch folder in place of the lecturer's work folders."""
    return re.sub(r"\blabs/(\d\d-[a-z-]+)/work\b", terminal.env["LABS_WORK"] + r"/\1", text)


def edit(block, terminal):
    """Makes the changes that a lecturer makes in an editor."""
    if block.copy:
        shutil.copy(os.path.join(ROOT, block.copy[0]), in_scratch(block.copy[1], terminal))
    if block.file:
        with open(in_scratch(block.file, terminal), "a", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in block.lines)


def play_scenes(block, terminal):
    for what, text in block.scenes:
        if what == "key":
            terminal.tmux("send-keys", text)
        else:
            wait_until(lambda text=text: text in terminal.screen(), "line %d: '%s' on the screen" % (block.line, text), SCREEN_S)


def differences(block, expected, lines, rows):
    """Returns what the output lacks of what the page promises."""
    shape = shape_of if block.varies else str
    text = "".join(line.rstrip() + "\n" for line in lines)
    found = []
    if expected and not pattern_of([shape(line) for line in expected]).fullmatch(shape(text)):
        found.append("the output differs")
    if rows > ROWS - 1:
        found.append("the output has %d rows, which do not fit the screen" % rows)
    counts = re.search(r"([\d,]+) wakes for ([\d,]+) jobs", text)
    if block.wakes and counts:
        wakes, jobs = (int(n.replace(",", "")) for n in counts.groups())
        if not block.wakes[0] <= wakes / jobs <= block.wakes[1]:
            found.append("%d wakes for %d jobs are not %g to %g for each" % (wakes, jobs, *block.wakes))
    return found


def run(block, terminal):
    """Types a block. Returns (command, what is wrong, lines of output) of the first command that does not keep its promise, or
    None."""
    edit(block, terminal)
    for i, (command, expected) in enumerate(block.steps):
        prompt = terminal.type(in_scratch(command, terminal))
        play_scenes(block, terminal)
        terminal.wait_for_prompt(prompt)
        lines, rows = terminal.output()
        wrong = [] if block.scenes else differences(block, expected, lines, rows)
        code, wanted = terminal.ended()[prompt - 1], block.exit if i == len(block.steps) - 1 else 0
        wrong += ["exit code %d, not %d" % (code, wanted)] if code != wanted else []
        if wrong:
            return command, wrong, lines
        print("ok: %s" % command, flush=True)
    return None


def recordings(blocks):
    """Returns the folders of the recordings that the blocks make."""
    commands = [command for block in blocks for command, _ in block.steps]
    return [os.path.join(ROOT, folder) for command in commands for folder in re.findall(r"-o (%s\S+)" % RECORDINGS, command)]


def forget(blocks):
    for folder in recordings(blocks):
        shutil.rmtree(folder, ignore_errors=True)


def leave_former_lecture(blocks, terminal):
    """Leaves what an earlier lecture would have left: recordings, and files of lab 2."""
    lab = os.path.join(terminal.env["LABS_WORK"], "02-lost-wakeup")
    for folder in recordings(blocks) + [lab]:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "schedule.txt" if folder == lab else "metadata"), "w", encoding="ascii") as file:
            file.write("worker\n")


def check(block, terminal):
    """Checks a block, several times if its figures come from a recording."""
    for attempt in range(TRIES if block.varies else 1):
        if attempt:
            forget([block])
        failed = run(block, terminal)
        if not failed:
            return
        print("line %d: %s: %s (attempt %d)" % (block.line, failed[0], "; ".join(failed[1]), attempt + 1))
        print("".join("  | %s\n" % line for line in failed[2]), end="", flush=True)
    if block.varies and all("exit code" not in text for text in failed[1]):
        raise Unstable("line %d: %s: %s" % (block.line, failed[0], "; ".join(failed[1])))
    problems.append(failed[0])


def left_behind(folder):
    """Returns the names of the processes that the lectures started and that still run."""
    found = []
    for environ in glob.glob("/proc/[1-9]*/environ"):
        try:
            with open(environ, "rb") as file, open(os.path.dirname(environ) + "/comm", encoding="utf-8") as name:
                found += [name.read().strip()] if b"TMUX_TMPDIR=" + folder.encode() + b"\0" in file.read() else []
        except OSError:
            continue
    return found


def types_everything(page):
    blocks = blocks_of(page)
    if not any(block.steps for block in blocks):
        print("%s: contains no console block" % page)
        return 2
    with tempfile.TemporaryDirectory(prefix="doze-lectures-") as folder:
        os.mkdir(os.path.join(folder, "labs"))
        terminal = Terminal(folder)
        try:
            leave_former_lecture(blocks, terminal)
            for block in blocks:
                check(block, terminal)
        except Unstable:
            print(terminal.screen(), terminal.ended())
            raise
        finally:
            terminal.close()
            forget(blocks)
        wait_until(lambda: not left_behind(folder), "the end of all programs, of which remain: %s" % left_behind(folder))
    print("%d commands, %d problems" % (sum(len(b.steps) for b in blocks), len(problems)))
    return 1 if problems else 0


def in_private_mounts():
    """As root, begins again with private mounts, in which the daemons' files are. Returns why that is impossible, or None."""
    if os.geteuid() != 0 or os.environ.get("LECTURES_OWN"):
        return None
    if subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL, check=False).returncode:
        return "root may not mount here, and the daemons of this test would be those of the system"
    os.environ.update(LECTURES_OWN="1", TMPDIR="/dev/shm")
    os.execvp("unshare", ["unshare", "-m", "--propagation", "private", "sh", "-c",
                          "mkdir -p /run/lttng && mount -t tmpfs t /run/lttng && mount -t tmpfs -o mode=1777 t /dev/shm && exec \"$@\"",
                          "sh", sys.executable, os.path.abspath(__file__)] + sys.argv[1:])
    return None


def main():
    end_cleanly_on_signals()
    for tool in ("tmux", "lttng-sessiond", "lttng-relayd"):
        if not shutil.which(tool):
            print("%s is missing: run make setup" % tool)
            return 1
    why = no_terminal() or (not shutil.which("clang") and "clang is missing") or in_private_mounts()
    if why:
        print("skipped: " + why)
        return 77
    if "LABS_ARE_BUILT" not in os.environ:
        subprocess.run(["make", "-s", "-C", ROOT, "labs-objects", "all"], check=True)
    return types_everything(sys.argv[1] if sys.argv[1:] else os.path.join(ROOT, "labs", "lectures.md"))


if __name__ == "__main__":
    sys.exit(exit_code(main, lambda: len(problems)))
