#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare_peers.py [--only WORD] [--rounds N] [--threads N,N] [--quick] [--json FILE]
[--results FILE]

Runs every workload on doze and on each peer that was built, in turn, `rounds` times, so that changes in the machine's
speed affect all of them equally. Each exists in two builds (peers/module.mk); those named NAME-lto are compared with
doze-lto. For each workload and number of threads it prints the median times of doze and, for each peer, the median of
the ratios doze / peer within one round, with the quartiles, and "cpu", the ratio of the smallest CPU times of the
processes, which is less sensitive to other load. A ratio below 1 means that doze is faster. Checksums must agree; a
peer that has no such workload shows a dash. Wake workloads also print other figures (medians).

Environment: BUILD. Exit: 0; 1 a checksum differs or a peer failed; 2 usage.
"""
import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fixtures"))
from names import check_word  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
# Each peer twice, as in peers/module.mk. A build NAME-lto is compared with doze-lto.
DOZE = ["doze", "doze-lto"]
PEERS = DOZE + [name + build for name in ("rayon", "onetbb", "openmp-gcc", "openmp-clang") for build in ("", "-lto")]
PEERS += ["chase-lev-lto", "futex"]
# These measure waking and not code, so each peer runs once.
WAKES = ("pingpong", "burst", "trickle")

# name, size, repetitions per process, numbers of threads (None: as requested)
WORKLOADS = [
    ("fib", 30, 3, None),
    ("recursion", 16, 20, None),
    ("mergesort", 1000000, 2, None),
    ("quicksort", 1000000, 2, None),
    ("queens", 12, 10, None),
    ("tree", 0, 5, None),
    ("scope", 100000, 8, None),
    ("bulk", 100000, 8, None),
    ("fanout", 100000, 8, None),
    ("increment", 102400, 20, None),
    ("nbody", 1000, 1, None),
    ("pingpong", 2000, 5, [1]),
    ("burst", 200, 1, None),
    ("trickle", 1000, 1, [2, 8, 32]),
    ("trickle", 10000, 1, [2, 8, 32]),
]


class Failed(Exception):
    pass


def once(peer, workload, threads):
    """Runs a workload once. Returns the fastest repetition in ns, its checksum, and the other
    figures, or None if the peer lacks the workload."""
    name, size, reps, _ = workload
    command = [f"{BUILD}/tests/bench/peers/{peer}", name, str(threads), str(size), str(reps)]
    env = dict(os.environ, DOZE_TRACE="0")
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    if done.returncode == 77:
        return None
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)}: exit {done.returncode}: {done.stderr.strip()}")
    rows = [line.split() for line in done.stdout.splitlines()]
    best = min(rows, key=lambda row: int(row[0]))
    figures = {k: float(v) for k, v in (cell.split("=") for cell in best[2:])}
    return int(best[0]), best[1], figures


def ours(peer):
    """Returns the build of doze that is compared with a peer."""
    return "doze-lto" if peer.endswith("-lto") else "doze"


def measure(workload, threads, peers, rounds):
    runs = {peer: [] for peer in peers if not (peer.endswith("-lto") and workload[0] in WAKES)}
    for _ in range(rounds):
        for peer in list(runs):
            result = once(peer, workload, threads)
            if result is None:
                del runs[peer]
            else:
                runs[peer].append(result)
    sums = {result[1] for results in runs.values() for result in results}
    if len(sums) > 1:
        raise Failed(f"{workload[0]}: checksums differ: {', '.join(sorted(sums))}")
    return runs


def spread(values):
    ordered = sorted(values)
    quartiles = statistics.quantiles(ordered, n=4) if len(ordered) > 1 else ordered * 3
    return {"median": statistics.median(ordered), "q1": quartiles[0], "q3": quartiles[2]}


def least_cpu(results):
    return min(r[2]["cpu_ns"] for r in results)


def row_of(workload, threads, runs):
    row = {"workload": workload[0], "size": workload[1], "threads": threads, "ratio": {}, "figures": {}}
    for doze in DOZE:
        if doze in runs:
            row[doze + "_ns"] = spread([r[0] for r in runs[doze]])
    for peer, results in runs.items():
        if peer not in DOZE:
            own = runs[ours(peer)]
            row["ratio"][peer] = spread([a[0] / b[0] for a, b in zip(own, results)])
            if "cpu_ns" in results[0][2]:
                row["ratio"][peer]["cpu"] = least_cpu(own) / least_cpu(results)
        for key in results[0][2].keys() - {"cpu_ns"}:
            row["figures"].setdefault(key, {})[peer] = statistics.median(r[2][key] for r in results)
    return row


def cell(ratio):
    if not ratio:
        return "–"
    cpu = ", cpu %.2f" % ratio["cpu"] if "cpu" in ratio else ""
    return "%.2f (%.2f–%.2f)%s" % (ratio["median"], ratio["q1"], ratio["q3"], cpu)


def lines_of(row, peers):
    ms = ["%.3f" % (row[d + "_ns"]["median"] / 1e6) if d + "_ns" in row else "–" for d in DOZE]
    yield "| %s %d | %d | %s | %s |" % (
        row["workload"], row["size"], row["threads"], " | ".join(ms),
        " | ".join(cell(row["ratio"].get(p)) for p in peers if p not in DOZE))
    for key, values in sorted(row["figures"].items()):
        yield "| · %s | | %s |" % (key, " | ".join("%.3g" % values[p] if p in values else "–" for p in peers))


class Report:
    """Prints each line, and writes all lines so far to the file of --results."""

    def __init__(self, path, what="`make bench`"):
        self.what = what
        self.lines = []
        self.path = path

    def add(self, line):
        self.lines.append(line)
        print(line, flush=True)
        if not self.path:
            return
        with open(self.path, "w", encoding="utf-8") as f:
            f.write("# Results of %s\n\nWritten by `--results`; do not edit.\n\n" % self.what)
            f.write("\n".join(self.lines) + "\n")


def system():
    with open("/etc/os-release", encoding="utf-8") as f:
        names = dict(line.rstrip().split("=", 1) for line in f if "=" in line)
    return "%d cores, Debian %s" % (os.cpu_count(), names.get("VERSION_ID", "?").strip('"'))


def arguments():
    parser = argparse.ArgumentParser(description="Compares doze with other pools.")
    parser.add_argument("--only", default="", help="run only the workloads whose names contain this word")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--quick", action="store_true", help="run a smaller fib and fewer repetitions")
    parser.add_argument("--json", help="also write the figures to FILE")
    parser.add_argument("--results", help="also write the table to FILE")
    args = parser.parse_args()
    check_word(args.only, [workload[0] for workload in WORKLOADS], "workload", "--only")
    return args


def main():
    args = arguments()
    peers = [p for p in PEERS if os.access(f"{BUILD}/tests/bench/peers/{p}", os.X_OK)]
    threads = [int(t) for t in args.threads.split(",")]
    if args.quick:
        WORKLOADS[:] = [(name, 24 if name == "fib" else size, min(reps, 2), on)
                        for name, size, reps, on in WORKLOADS]
    rows = []
    report = Report(args.results)
    report.add("%s, %s, %s, load average %.0f, %d rounds%s. Columns: ms of doze, and of doze with doze_inline.h "
               "and -flto; then for each peer the ratio doze / peer (NAME-lto: doze-lto / peer): median (quartiles) of the "
               "times, and the ratio of the smallest CPU times. chase-lev-lto is the floor of a join: a deque per worker and "
               "nothing else; futex that of a wake: threads that wait on one futex. Lines that begin with a dot: other figures of each pool.\n" % (time.strftime("%Y-%m-%d"), platform.machine(), system(),
                                      os.getloadavg()[0], args.rounds,
                                      " (--quick: smaller fib)" if args.quick else ""))
    report.add("| workload | threads | doze ms | doze-lto ms | %s |" % " | ".join(p for p in peers if p not in DOZE))
    report.add("|---|---|%s" % ("---|" * len(peers)))
    try:
        for workload in WORKLOADS:
            if args.only not in workload[0]:
                continue
            for n in workload[3] or threads:
                rows.append(row_of(workload, n, measure(workload, n, peers, args.rounds)))
                for line in lines_of(rows[-1], peers):
                    report.add(line)
    except Failed as e:
        print("bench: %s" % e, file=sys.stderr)
        return 1
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump({"date": time.strftime("%Y-%m-%d"), "cpus": os.cpu_count(), "rows": rows}, f,
                      indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
