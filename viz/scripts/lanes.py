#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Draws a lane per worker from the raw events, without using any code of doze. A starting point for
# your own script.
#
#	lanes.py DIR [COLUMNS]
#
# Each column shows the state that fills most of it. Exit codes: 2 wrong arguments, 3 unreadable
# trace, 4 events were lost. Needs python3-bt2.
import os
import sys
from collections import Counter, defaultdict

GLYPHS = {"none": " ", "active": "#", "idle": "~", "sleepy": "-", "sleeping": ".", "blocked": "b",
          "suspended": "s", "stopped": " "}


def fail(code, text):
    print(f"lanes.py: {' '.join(str(text).split())}", file=sys.stderr)
    sys.exit(code)


try:
    import bt2
except ImportError:
    fail(3, "no module bt2: install python3-bt2")


def read(folder):
    """Returns {(vpid, pool, worker): [(ns, state)]}, the times of the first and last event, and the
    number of lost events."""
    steps, times, lost = defaultdict(list), [], 0
    for msg in bt2.TraceCollectionMessageIterator(folder):
        if isinstance(msg, bt2._DiscardedEventsMessageConst):
            lost += msg.count or 1
        if not isinstance(msg, bt2._EventMessageConst) or not msg.event.name.startswith("doze:"):
            continue
        ns, e = msg.default_clock_snapshot.ns_from_origin, msg.event
        times = [times[0] if times else ns, ns]
        if e.name == "doze:worker_state":
            to = e.payload_field["to"].labels  # an unknown value has no label
            key = int(e["vpid"]), int(e["pool"]), int(e["worker"])
            steps[key].append((ns, to[0] if to else "?"))
    return steps, times, lost


def lane(steps, begin, end, columns):
    """Returns one character per column: the state that fills most of it."""
    cell, share = -(-(end - begin + 1) // columns), [Counter() for _ in range(columns)]  # rounded up
    for (at, state), (until, _) in zip([(begin, "none")] + steps, steps + [(end, "")]):
        while at < until:
            i = (at - begin) // cell
            stop = min(until, begin + (i + 1) * cell)
            share[i][state] += stop - at
            at = stop
    return "".join(GLYPHS.get(c.most_common(1)[0][0], "?") if c else " " for c in share)


def main(folder, columns="60"):
    if not columns.isdecimal() or not 20 <= int(columns) <= 9999:
        fail(2, f"COLUMNS is {columns}: give a number from 20 to 9999")
    if not any("metadata" in files for _, _, files in os.walk(folder)):
        fail(3, f"{folder}: not a folder with a trace: give the one that doze record wrote")
    try:
        steps, times, lost = read(folder)
    except (bt2._Error, ValueError, RuntimeError, KeyError) as e:
        fail(3, f"{folder}: cannot be read: {e[0].message if isinstance(e, bt2._Error) else e}")
    if not times:
        fail(3, f"{folder}: the trace has no doze events: record one with doze record")
    for (vpid, pool, worker), own in sorted(steps.items()):
        print(f"pool {pool} w{worker:<3} |{lane(own, *times, int(columns))}|")
    print(f"{(times[1] - times[0]) / 1e6:.3f} ms; # active, ~ idle, - sleepy, . sleeping")
    if lost:
        fail(4, f"inconclusive, at least {lost} events were lost")


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) in (2, 3) else fail(2, "usage: lanes.py DIR [COLUMNS]")
