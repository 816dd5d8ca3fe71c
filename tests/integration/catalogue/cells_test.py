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
#
# In the other cells, too, the expected kind may cost less than another one if the workers wait for CPUs
# that other programs use. A recording in which they spent more than BUSY of their time in run queues
# proves nothing unless the expected kind comes first, or is `crowded`. If all recordings of a cell are
# like that, the cell is not measured. A repetition would not help if the other programs keep running, so
# this makes the test unstable only if more than a third of the cells are not measured.
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bt2  # noqa: E402
import recordings  # noqa: E402
import run  # noqa: E402
from patience import Unstable, enough, exit_code  # noqa: E402

failed = 0
CELLS = ("hang-inject", "hang-blocked", "asleep-rfc", "storm-trickle", "outside-blocked", "serial-one-job",
         "crowded-tickle", "offcpu-lock", "offcpu-pipe")


BUSY = 0.4


def in_run_queues(folder, workers):
    """Returns the share of the workers' time that they spent waiting for a CPU."""
    waited, times = {}, []
    for message in bt2.TraceCollectionMessageIterator(folder):
        if type(message) is bt2._EventMessageConst:
            times.append(message.default_clock_snapshot.ns_from_origin)
            if message.event.name in ("doze:worker_stop", "doze:snapshot"):  # a pool that hangs does not stop
                waited[int(message.event["worker"])] = int(message.event["run_delay_ns"])
    return sum(waited.values()) / (workers * (times[-1] - times[0]))


def is_right(line, share, place, kinds):
    return place == 1 or share > BUSY and line.name == "offcpu-lock" and kinds[:2] == ["crowded", "offcpu"]


def try_cell(line, folder):
    """Returns the share of the time that the workers of the recording spent in run queues, the rank of the
    expected kind, and all kinds."""
    place, kinds = run.try_line(line, False, folder, {})
    return in_run_queues(folder, int(line.workers)), place, kinds


def lacks(line, share, place, kinds):
    if share <= BUSY or line.expected == "crowded" or is_right(line, share, place, kinds):
        return ""
    return f"{line.name}: the workers spent {share:.0%} of their time in run queues, and these come first: {kinds}"


def check_cell(line, folder):
    global failed
    share, place, kinds = enough(lambda _: try_cell(line, folder), lambda made: lacks(line, *made))
    right = is_right(line, share, place, kinds)
    failed += not right
    print(f"{'passed' if right else 'FAILED'}: {line.name}: {line.expected} comes first: "
          + " ".join(kinds) + f" ({share:.0%} of the time in run queues)", flush=True)


def main():
    top = tempfile.mkdtemp(prefix="doze-cells-")
    too_busy = []
    try:
        for line in recordings.catalogue():
            if line.name not in CELLS:
                continue
            try:
                check_cell(line, os.path.join(top, line.name))
            except Unstable as e:
                too_busy.append(line.name)
                print(f"not measured: {e}", flush=True)
    finally:
        shutil.rmtree(top, ignore_errors=True)
    if 3 * len(too_busy) > len(CELLS):
        raise Unstable("the machine is too busy for these cells: " + " ".join(too_busy))
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(exit_code(main, lambda: failed))
