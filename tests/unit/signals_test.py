#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/fixtures/signals.py refuses every process and group that this test has not started.
Refusals are tested with signal 0, so that a missing refusal kills nothing."""
import os
import signal
import subprocess
import sys

sys.path.insert(0, "tests/fixtures")
from signals import signal_child, signal_group  # noqa: E402

failed = 0


def check(sentence, good):
    global failed
    failed += not good
    print(f"{'passed' if good else 'FAILED'}: {sentence}")


def sleeper(**options):
    return subprocess.Popen(["sleep", "100"], **options)


for number in (1, 0, -1, -2, -os.getpgrp()):
    check(f"process id {number} is refused", not signal_child(number, 0))
    check(f"process group {number} is refused", not signal_group(number, 0))
check("the parent process is refused", not signal_child(os.getppid(), 0))
check("the caller's own group is refused", not signal_group(os.getpgrp(), 0))

child = sleeper()
check("a child that leads no group is refused as a group", not signal_group(child.pid, 0))
check("a child receives the signal", signal_child(child.pid, signal.SIGTERM))
check("the signal terminates the child", child.wait(10) == -signal.SIGTERM)
check("a child that has been waited for is refused", not signal_child(child.pid, 0))

leader = sleeper(start_new_session=True)
check("a group that a child leads receives the signal", signal_group(leader.pid, signal.SIGTERM))
check("the signal terminates the group", leader.wait(10) == -signal.SIGTERM)
check("a group whose leader has been waited for is refused", not signal_group(leader.pid, 0))
sys.exit(1 if failed else 0)
