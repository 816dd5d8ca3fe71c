#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""futures_compare.py OLD NEW [TURNS] - compares two builds of futures_bench.

Runs each workload on both builds in turn, so that changes in the machine's speed affect both
equally, and prints the medians: wall time and CPU time in nanoseconds per task. A run that takes
20 s counts as hung.
"""
import statistics
import subprocess
import sys

WORKLOADS = ["own", "fanout", "fanout-task", "fib", "wavefront", "join"]
SECONDS = 20


def run(program, workload, workers):
    try:
        out = subprocess.run([program, workload, str(workers)], stdout=subprocess.PIPE, text=True,
                             timeout=SECONDS, check=True).stdout.split()
        return float(out[0]), float(out[1])
    except subprocess.TimeoutExpired:
        return None


def cell(runs):
    done = [r for r in runs if r]
    if not done:
        return "hangs"
    wall, cpu = (statistics.median(r[i] for r in done) for i in (0, 1))
    hung = len(runs) - len(done)
    return "%.0f (%.0f)%s" % (wall, cpu, ", %d of %d hang" % (hung, len(runs)) if hung else "")


def main():
    old, new = sys.argv[1:3]
    turns = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    print("| workload | workers | old: ns per task (CPU) | new |\n|---|---:|---:|---:|")
    for workload in WORKLOADS:
        for workers in (1, 2, 4):
            runs = {old: [], new: []}
            for _ in range(turns):
                for program in (old, new):
                    # A build that has hung twice usually hangs again, so skip its other runs.
                    if runs[program].count(None) < 2:
                        runs[program].append(run(program, workload, workers))
            print("| %s | %d | %s | %s |" % (workload, workers, cell(runs[old]), cell(runs[new])),
                  flush=True)


if __name__ == "__main__":
    main()
