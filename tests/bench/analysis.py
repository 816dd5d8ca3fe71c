#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Compares the speed of the analyses with `babeltrace2 -o dummy`, which only decodes. The commands take
# turns on the same synthetic trace, and the best run of each counts. The goal is at most 1.3 times the
# CPU time of babeltrace2, and at most 150 MB for a trace of any length, except for report, whose page
# contains the trace. Exits with 1 if the goal is missed.
#
# 	analysis.py [--events=5000000,20000000] [--runs=3] [--keep=FOLDER]
#
# The goal is for CPU time. Wall-clock time and its ratio are printed as well: the analyses use two
# threads, so their wall-clock time is shorter than their CPU time unless another program uses the
# second CPU.
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

BUILD = os.environ.get("BUILD", "build")
LIMIT, LIMIT_MB = 1.3, 150


def measure(command):
    """Runs a command. Returns (CPU seconds, wall seconds, MB, exit code)."""
    begin = time.monotonic()
    with open(os.devnull, "w") as null:
        p = subprocess.Popen(command, stdout=null, stderr=null)
        _, status, used = os.wait4(p.pid, 0)
    return (
        used.ru_utime + used.ru_stime,
        time.monotonic() - begin,
        used.ru_maxrss / 1024,
        os.waitstatus_to_exitcode(status),
    )


def bench(folder, events, runs):
    commands = {
        "babeltrace2 -o dummy": ["babeltrace2", "-o", "dummy", folder],
        "doze storms": [f"{BUILD}/doze", "storms", "--json", "--no-summary", folder],
        "doze check": [f"{BUILD}/doze", "check", "--json", folder],
        "doze timeline": [f"{BUILD}/doze", "timeline", folder],
        "doze diagnose": [f"{BUILD}/doze", "diagnose", "--json", "--no-summary", folder],
        "doze report": [f"{BUILD}/doze", "report", "-o", "/dev/null", folder],
    }
    best = {}
    for _ in range(runs):
        for name, command in commands.items():
            m = measure(command)
            if m[3] == 2:  # this build of doze does not have the command
                continue
            if m[3] not in (0, 1):  # check exits with 1 if it has findings, as it does on a synthetic storm under jec
                raise SystemExit(f"analysis.py: {name} exited with {m[3]}: nothing to compare")
            best[name] = min(best.get(name, m), m)
    base, base_wall = best["babeltrace2 -o dummy"][:2]
    missed = False
    print(f"{events:,} events")
    print(f"  {'':22} {'cpu s':>7} {'wall s':>7} {'MB':>6} {'ns/event':>9} {'ratio':>6} {'wall':>6}")
    for name, (cpu, wall, mb, _) in best.items():
        large = mb > LIMIT_MB and name != "doze report"
        bad = name != "babeltrace2 -o dummy" and (cpu / base > LIMIT or large)
        missed = missed or bad
        print(
            f"  {name:22} {cpu:7.2f} {wall:7.2f} {mb:6.0f} {cpu / events * 1e9:9.0f}"
            f" {cpu / base:6.2f} {wall / base_wall:6.2f}{'  MISSED' if bad else ''}"
        )
    return missed


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--events", default="5000000,20000000")
    args.add_argument("--runs", type=int, default=3)
    args.add_argument("--keep", help="folder for the traces, which is kept and reused")
    args = args.parse_args()
    where = args.keep or tempfile.mkdtemp(prefix="doze-bench-")
    missed = False
    try:
        for events in args.events.split(","):
            folder = os.path.join(where, f"made-{events}")
            if not os.path.isdir(folder):
                subprocess.run(
                    [f"{BUILD}/tests/fixtures/make-trace", folder, events, "8", "3", "3"], check=True
                )
            missed = bench(folder, int(events), args.runs) or missed
            if not args.keep:
                shutil.rmtree(folder)
    finally:
        if not args.keep:
            shutil.rmtree(where, ignore_errors=True)
    print("missed" if missed else f"goal met: at most {LIMIT} times, at most {LIMIT_MB} MB")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
