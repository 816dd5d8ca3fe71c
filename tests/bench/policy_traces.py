#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""policy_traces.py [--runs N] [--workers N] [--detail LEVEL] [A B]

Records each demo under the policies A and B (default: jec demand) in turn, N times, and prints the
mean of each measure of `doze compare`, as A → B. Recording in turn exposes both policies to the
same load on the machine. Needs LTTng. Environment: BUILD.
Exit: 0; 1 a recording or a comparison failed; 2 usage.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fixtures"))
from names import check_names, refuse  # noqa: E402

DOZE = os.path.join(os.environ.get("BUILD", "build"), "doze")
DEMOS = {
    "trickle": ["--jobs=200", "--every-us=2000"],
    "burst": ["--work-us=20", "--silence-ms=20"],
    "phases": [],
    "latch": [],
    "fib": ["--n=36", "--repeat=5"],
}
LEVELS = ["states", "jobs", "all"]
# (name of the measure in doze compare, heading, divisor)
MEASURES = [
    ("wakes", "wakes", 1),
    ("futile", "futile", 1),
    ("herd excess", "herd excess", 1),
    ("futile search, all", "futile search ms", 1e6),
    ("burn", "burn", 1),
    ("under-wake time", "under-wake ms", 1e6),
    ("publish->job, p50", "publish→job p50 µs", 1e3),
    ("publish->job, p99", "p99 µs", 1e3),
    ("duration", "duration ms", 1e6),
]


def record(policy, demo, workers, detail, folder):
    done = subprocess.run([DOZE, "record", "-p", policy, "-w", str(workers), "-d", detail, "-o", folder, "--",
                           DOZE, "demo", demo] + DEMOS[demo], capture_output=True, text=True, check=False)
    if done.returncode == 2:  # no such policy; the message lists them
        refuse(done.stderr.strip())
    if done.returncode != 0:
        sys.exit("policy_traces: %s under %s: exit %d: %s" % (demo, policy, done.returncode, done.stderr))


def compared(a, b):
    done = subprocess.run([DOZE, "compare", "--json"] + a + ["vs"] + b, capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, 4):
        sys.exit("policy_traces: compare: exit %d: %s" % (done.returncode, done.stderr))
    return {m["measure"]: m for m in json.loads(done.stdout)["measures"]}


def value(measure, side, unit):
    mean = (measure or {}).get(side, {}).get("mean")
    return "–" if mean is None else "%.3g" % (mean / unit)


def main():
    parser = argparse.ArgumentParser(description="Compares two policies by their recordings of the demos.")
    parser.add_argument("policies", nargs="*", default=["jec", "demand"])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--detail", default="states")
    args = parser.parse_args()
    if len(args.policies) != 2:
        parser.error("give exactly two policies")
    check_names([args.detail], LEVELS, "level")
    top = tempfile.mkdtemp(prefix="doze-policy-traces-")
    print("%s → %s, %d workers, %d recordings of each (level %s), means\n" % (
        *args.policies, args.workers, args.runs, args.detail))
    print("| | %s |\n|---|%s" % (" | ".join(m[1] for m in MEASURES), "---|" * len(MEASURES)))
    try:
        for demo in DEMOS:
            folders = {p: [] for p in args.policies}
            for run in range(args.runs):
                for policy in args.policies:
                    folder = os.path.join(top, "%s-%s-%d" % (demo, policy, run))
                    record(policy, demo, args.workers, args.detail, folder)
                    folders[policy].append(folder)
            m = compared(*(folders[p] for p in args.policies))
            print("| `%s` | %s |" % (demo, " | ".join("%s → %s" % (value(m.get(k), "a", u), value(m.get(k), "b", u))
                                                    for k, _, u in MEASURES)), flush=True)
    finally:
        shutil.rmtree(top)
    return 0


if __name__ == "__main__":
    sys.exit(main())
