#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# doze why TIME: the answer from a part of a large recording is that of the whole recording. Runs in
# the top folder; $BUILD is the build folder.
import ctypes
import os
import random
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from synthetic import DOZE, ok, run_all  # noqa: E402

IN_OPEN = 0x20
TIMES = 12


def doze(*args):
    p = patience.run([DOZE, *args], capture_output=True)
    return p.returncode, p.stdout, p.stderr


def openings(recording, *args):
    """Returns the command's result, and how often it opens a stream."""
    libc = ctypes.CDLL(None)
    fd = libc.inotify_init1(os.O_NONBLOCK)
    assert libc.inotify_add_watch(fd, os.fsencode(f"{recording}/ust/uid/{os.getuid()}/64-bit"), IN_OPEN) >= 0
    result = doze(*args)
    try:
        return result, os.read(fd, 1 << 16).count(b"doze_0\0")
    except BlockingIOError:
        return result, 0
    finally:
        os.close(fd)


def same_answers(recording, length):
    draw = random.Random(33)
    alone = 0
    for i in range(TIMES):
        question = ["why", *(["--json"] if i % 2 else []), recording, f"{draw.uniform(0, length):.6f}"]
        whole, all_openings = openings(recording, *question, "--no-summary")
        part, few_openings = openings(recording, *question)
        ok(f"why {question[-1]}", part == whole and not whole[0], (part, whole))
        alone += few_openings < all_openings
    ok("most answers need only a part", alone > TIMES / 2, alone)


def main():
    with tempfile.TemporaryDirectory(prefix="doze-why-") as top:
        recording = f"{top}/recording"
        made = doze("record", "-d", "all", "-o", recording, "--", DOZE, "demo", "trickle", "--jobs=6000", "--every-us=300",
                    "-p", "jec", "-w", "8")
        ok("a program is recorded", made[0] == 0, made)
        doze("storms", recording)
        ok("  the recording has a summary", os.path.exists(f"{recording}/.doze-summary"), os.listdir(recording))
        same_answers(recording, 2)
    return 0


sys.exit(run_all(main))
