#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Records a few of the catalogue's cells again: diagnose must name the expected kind first. `make
# catalogue` records all of them.
#
# In offcpu-lock, the workers wait for a mutex. Each unlock wakes one of them, which needs a CPU
# before it can take the mutex or wait again. If other programs keep the CPUs busy, soon all four
# workers wait for a CPU instead of for the mutex. Six busy loops on two CPUs are enough: the
# workers then spend half of their time in run queues, and `crowded` costs as much as `offcpu`. So
# in a recording in which they spend more than BUSY of their time there, `crowded` may come first.
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bt2  # noqa: E402
import recordings  # noqa: E402
import run  # noqa: E402

CELLS = ("hang-inject", "hang-blocked", "asleep-rfc", "storm-trickle", "outside-blocked", "serial-one-job",
         "crowded-tickle", "offcpu-lock", "offcpu-pipe")


BUSY = 0.4


def in_run_queues(folder, workers):
    """Returns the share of the workers' time that they spent waiting for a CPU."""
    waited, times = 0, []
    for message in bt2.TraceCollectionMessageIterator(folder):
        if type(message) is bt2._EventMessageConst:
            times.append(message.default_clock_snapshot.ns_from_origin)
            if message.event.name == "doze:worker_stop":
                waited += int(message.event["run_delay_ns"])
    return waited / (workers * (times[-1] - times[0]))


def is_right(line, folder, place, kinds):
    if line.name == "offcpu-lock" and kinds[:2] == ["crowded", "offcpu"]:
        share = in_run_queues(folder, int(line.workers))
        print(f"  {line.name}: the workers spent {share:.0%} of their time in run queues")
        return share > BUSY
    return place == 1


def main():
    top = tempfile.mkdtemp(prefix="doze-cells-")
    failed = 0
    try:
        for line in recordings.catalogue():
            if line.name not in CELLS:
                continue
            folder = os.path.join(top, line.name)
            place, kinds = run.try_line(line, False, folder, {})
            right = is_right(line, folder, place, kinds)
            failed += not right
            print(f"{'passed' if right else 'FAILED'}: {line.name}: {line.expected} comes first: "
                  + " ".join(kinds), flush=True)
    finally:
        shutil.rmtree(top, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
