#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""overhead.py [--rounds N] [--results FILE]

Measures the overhead of each pool when the work itself dominates: the cost of a repetition on one
worker beyond the cost of the same code with plain calls (peers/serial). CPU time: the smallest of
`rounds` interleaved runs; it also depends on caches and on where the linker places the loops.
Instructions: counted by valgrind, the same on every run; a second repetition minus the first, so
that starting the pool does not count.

Environment: BUILD. Exit: 0; 1 a peer failed or valgrind is missing.
"""
import argparse
import os
import re
import subprocess
import sys
import time

import compare_peers as bench

# Only the builds with -O3: valgrind 3.19 cannot read what clang and lld write with -flto.
PEERS = ["doze", "rayon", "onetbb", "openmp-gcc", "openmp-clang"]
WORKLOADS = [("mergesort", 1000000), ("quicksort", 1000000), ("queens", 12)]


def program(peer):
    return f"{bench.BUILD}/tests/bench/peers/{peer}"


def instructions(peer, name, size, reps):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program(peer), name, "1",
               str(size), str(reps)]
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, DOZE_TRACE="0"), check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        raise bench.Failed(f"{' '.join(command)}: exit {done.returncode}: {done.stderr.strip()[-200:]}")
    return int(found.group(1))


def one_repetition(peer, name, size):
    return instructions(peer, name, size, 2) - instructions(peer, name, size, 1)


def least_cpu(peers, name, size, rounds):
    runs = bench.measure((name, size, 3, None), 1, peers, rounds)
    return {peer: bench.least_cpu(results) for peer, results in runs.items()}


def row(name, size, peers, rounds):
    cpu = least_cpu(peers, name, size, rounds)
    counts = {peer: one_repetition(peer, name, size) for peer in peers}
    cells = ["%.3f ms, %s" % (cpu["serial"] / 1e6, f"{counts['serial']:,}")]
    for peer in peers[1:]:
        cells.append("%+.2f %%, %s" % (100 * (cpu[peer] / cpu["serial"] - 1), f"{counts[peer] - counts['serial']:+,}"))
    ratio = "–"
    if "rayon" in peers:
        ratio = "%.2f" % ((counts["doze"] - counts["serial"]) / (counts["rayon"] - counts["serial"]))
    return "| %s %d | %s | %s |" % (name, size, " | ".join(cells), ratio)


def main():
    parser = argparse.ArgumentParser(description="Measures the overhead of doze and its peers.")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--results", help="also write the table to FILE")
    args = parser.parse_args()
    peers = ["serial"] + [p for p in PEERS if os.access(program(p), os.X_OK)]
    report = bench.Report(args.results, "`make bench-overhead`")
    report.add("%s, %s, %s, load average %.0f, %d rounds, one worker. Serial: CPU time and instructions of one "
               "repetition. Peers: CPU time and instructions beyond those. Last column: the instructions of doze's "
               "overhead / Rayon's.\n" % (time.strftime("%Y-%m-%d"), bench.platform.machine(), bench.system(),
                                           os.getloadavg()[0], args.rounds))
    report.add("| workload | %s | doze / rayon |" % " | ".join(peers))
    report.add("|---|%s---|" % ("---|" * len(peers)))
    try:
        for name, size in WORKLOADS:
            report.add(row(name, size, peers, args.rounds))
    except (bench.Failed, FileNotFoundError) as e:
        print("bench: %s" % e, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
