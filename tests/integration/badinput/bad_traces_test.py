#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Every command that reads traces reports each kind of bad trace in one line, with the right exit
# code: 3 for unreadable, 4 for inconclusive. Runs in the top folder; $BUILD is the build folder.
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DOZE = f"{BUILD}/doze"
failures = 0

COMMANDS = {
    "storms": lambda d, s: ["storms", d],
    "check": lambda d, s: ["check", d],
    "timeline": lambda d, s: ["timeline", d],
    "compare": lambda d, s: ["compare", d, d],
    "report": lambda d, s: ["report", d, "-o", f"{s}/out.html"],
    "export": lambda d, s: ["export", "--format=csv", d],
    "replay": lambda d, s: ["replay", "--once", d],
}


def make(folder, kind="healthy"):
    patience.run(
        [f"{BUILD}/tests/fixtures/make-trace", folder, "3000", "4", "1", "1", kind], check=True
    )
    return folder


def damaged(scratch, name, change, kind="healthy"):
    folder = make(f"{scratch}/{name}", kind)
    change(folder)
    return folder


def patch(path, offset, data):
    with open(path, "r+b") as f:
        f.seek(offset)
        f.write(data)


def ctf2(folder):
    """Makes a trace of another program in CTF 2, with four events."""
    byte = {"type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian"}
    payload = {"type": "structure", "member-classes": [{"name": "x", "field-class": byte}]}
    fragments = ({"type": "preamble", "version": 2}, {"type": "trace-class"}, {"type": "data-stream-class"},
                 {"type": "event-record-class", "name": "other:event", "payload-field-class": payload})
    os.mkdir(folder)
    with open(f"{folder}/metadata", "w", encoding="utf-8") as f:
        f.writelines("\x1e" + json.dumps(fragment) + "\n" for fragment in fragments)
    with open(f"{folder}/stream", "wb") as f:
        f.write(b"abcd")
    return folder


def reads_ctf2():
    version = patience.run(["babeltrace2", "--version"], capture_output=True, text=True).stdout
    return [int(n) for n in re.search(r"(\d+)\.(\d+)", version).groups()] >= [2, 1]


def bad_traces(s):
    """Creates the bad traces. Returns a list of (description, folder, exit code, words that the
    line must contain)."""
    os.mkdir(f"{s}/empty")
    os.makedirs(f"{s}/files")
    open(f"{s}/files/notes.txt", "w").close()
    half = lambda p: os.truncate(p, os.path.getsize(p) // 2 + 3)
    return [
        ("a missing folder", f"{s}/missing", 3, "No such file"),
        ("a file", f"{s}/files/notes.txt", 3, "not a folder"),
        ("an empty folder", f"{s}/empty", 3, "is empty"),
        ("a folder that contains no trace", f"{s}/files", 3, "metadata"),
        ("a truncated stream", damaged(s, "cut", lambda d: half(f"{d}/stream-0")), 3, "is truncated"),
        ("truncated metadata", damaged(s, "meta", lambda d: half(f"{d}/metadata")), 3, "corrupted"),
        ("empty metadata", damaged(s, "nometa", lambda d: os.truncate(f"{d}/metadata", 0)), 3,
         "empty"),
        ("packets of length 0",
         damaged(s, "zero", lambda d: patch(f"{d}/stream", 36, bytes(16))), 3, "lengths"),
        ("random bytes in a packet header",
         damaged(s, "noise", lambda d: patch(f"{d}/stream", 0, b"\xff" * 16)), 3, "corrupted"),
        ("another program's trace", make(f"{s}/foreign", "foreign"), 3, "doze"),
        ("another program's trace in CTF 2", ctf2(f"{s}/ctf2"), 3,
         "no doze events" if reads_ctf2() else "not a trace of doze"),
        ("another program's damaged trace",
         damaged(s, "alien", lambda d: patch(f"{d}/stream", 36, bytes(16)), "foreign"), 3, "not a trace of doze"),
        ("a newer schema", make(f"{s}/future", "future"), 3, "newer"),
        ("lost events", make(f"{s}/lossy", "lossy"), 4, "lost"),
        ("a pool that never stops", make(f"{s}/unstopped", "cut"), 4, ""),
    ]


def check(what, name, command, code, words):
    global failures
    p = patience.run([DOZE, *command], capture_output=True, text=True, timeout=60,
                     stdin=subprocess.DEVNULL)
    lines = [line for line in p.stderr.splitlines() if line]
    problem = None
    if p.returncode != code:
        problem = f"exit {p.returncode}, not {code}"
    elif len(lines) != 1:
        problem = f"{len(lines)} lines on stderr"
    elif words not in lines[0]:
        problem = f"`{words}` is missing"
    if problem:
        failures += 1
        print(f"FAILED: {name} on {what}: {problem}: {p.stderr.strip()[:300]}")


def main():
    known = patience.run([DOZE, "help"], capture_output=True, text=True).stdout
    scratch = tempfile.mkdtemp(prefix="doze-bad-")
    checks = 0
    try:
        for what, folder, code, words in bad_traces(scratch):
            for name, command in COMMANDS.items():
                # The viewer draws no conclusion, so lost events cannot make one invalid.
                if f"  {name} " not in known or (name == "replay" and code == 4):
                    continue
                check(what, name, command(folder, scratch), code, words)
                checks += 1
    finally:
        shutil.rmtree(scratch)
    print(f"{checks} checks, {failures} failed")
    return 1 if failures or not checks else 0


if __name__ == "__main__":
    sys.exit(patience.exit_code(main, lambda: failures))
