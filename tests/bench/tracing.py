#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tracing.py [--rounds N] [--only WORD] [--threads N,N] [--results FILE]

Measures the price of tracing: runs the workloads of `make bench` on doze without hooks (a build with TRACE=0),
with hooks but no recording session, and recorded at each level of detail, in turn, `rounds` times. Prints, per
workload and number of workers, the ratios of the smallest CPU times to the one without a session, the numbers
of recorded and lost events, and the cost of a job that left its poster and of an event of level all. Counts
the CPU time of the process itself, without LTTng's daemons.

Environment: BUILD. Needs a session daemon, or the right to start one. Exit: 0; 1 a run failed; 2 usage.
"""
import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fixtures"))
from names import check_word  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
LEVELS = ["states", "jobs", "all"]

# name, size, repetitions; then size and repetitions for level all, which records every job
WORKLOADS = [
    ("fib", 27, 6, 18, 6),
    ("recursion", 16, 6, 11, 6),
    ("mergesort", 1000000, 3, 100000, 6),
    ("quicksort", 1000000, 3, 100000, 6),
    ("queens", 11, 3, 8, 6),
    ("scope", 30000, 4, 3000, 6),
    ("bulk", 30000, 4, 3000, 6),
    ("fanout", 30000, 4, 3000, 6),
]
COARSE = ["mergesort", "quicksort", "queens"]  # workloads whose jobs take over 1 us
FLOOD = ["scope", "bulk", "fanout"]


class Failed(Exception):
    pass


def run(command, **kw):
    return subprocess.run(command, capture_output=True, text=True, check=False, **kw)


def least_cpu(text):
    return min(int(line.split("cpu_ns=")[1].split()[0]) for line in text.splitlines())


def plain(build, arguments):
    done = run([f"{build}/tests/bench/peers/doze", *arguments], env=dict(os.environ, DOZE_TRACE="0"))
    if done.returncode != 0:
        raise Failed(f"{build}: {' '.join(arguments)}: exit {done.returncode}: {done.stderr}")
    return least_cpu(done.stdout)


def recorded(level, arguments, top):
    """Returns the smallest CPU time and the numbers of lost events, recorded events and recorded
    job starts."""
    folder = os.path.join(top, "t")
    done = run([f"{BUILD}/doze", "record", "-o", folder, f"--detail={level}", "--",
                f"{BUILD}/tests/bench/peers/doze", *arguments])
    if done.returncode not in (0, 4):
        raise Failed(f"{level}: {' '.join(arguments)}: exit {done.returncode}: {done.stderr}")
    try:
        with open(folder + "/program.log", encoding="utf-8") as f:
            cpu = least_cpu(f.read())
        lost = json.loads(run([f"{BUILD}/doze", "storms", "--json", "--brief", folder]).stdout)["lost"]
        text = run([f"{BUILD}/doze", "export", "--format=json", folder]).stdout
    finally:
        shutil.rmtree(folder)
    return cpu, lost, text.count("\n"), text.count('"job_start"')


class Row:
    def __init__(self, name, threads):
        self.name, self.threads = name, threads
        self.cpu = {}  # variant -> smallest CPU time
        self.events, self.starts, self.lost = {}, {}, {}

    def add(self, variant, cpu, lost=0, events=0, starts=0):
        if cpu <= self.cpu.get(variant, cpu):
            self.cpu[variant], self.events[variant], self.starts[variant] = cpu, events, starts
        self.lost[variant] = max(self.lost.get(variant, 0), lost)

    def ratio(self, variant, base="none"):
        return self.cpu[variant] / self.cpu[base]


def measure(row, workload, top):
    name, size, reps, small, small_reps = workload
    full = [name, str(row.threads), str(size), str(reps)]
    part = [name, str(row.threads), str(small), str(small_reps)]
    row.add("off", plain(f"{BUILD}/notrace", full))
    row.add("none", plain(BUILD, full))
    row.add("none-small", plain(BUILD, part))
    for level in ("states", "jobs"):
        row.add(level, *recorded(level, full, top))
    row.add("all", *recorded("all", part, top))


def per_event(row, variant, base, reps, count):
    """Returns the cost per recorded event or job of a whole run, in ns, or '-' if there are too
    few."""
    return f"{reps * (row.cpu[variant] - row.cpu[base]) / count:.0f}" if count >= 100 else "-"


HEAD = ("| workload | workers | hooks / TRACE=0 | states | jobs | recorded jobs | ns per such job | all "
        "| ns per event of all | lost: states, jobs, all |\n|---|---|---|---|---|---|---|---|---|---|")


def line(row, workload):
    reps, small_reps = workload[2], workload[4]
    crossing = per_event(row, "jobs", "none", reps, row.starts["jobs"]) if row.name in FLOOD else "-"
    return (f"| {row.name} | {row.threads} | {row.ratio('none', 'off'):.3f} | {row.ratio('states'):.2f} "
            f"| {row.ratio('jobs'):.2f} | {row.starts['jobs']} | {crossing} | {row.ratio('all', 'none-small'):.1f} "
            f"| {per_event(row, 'all', 'none-small', small_reps, row.events['all'])} "
            f"| {', '.join(str(row.lost[v]) for v in LEVELS)} |")


def goals(rows):
    """Returns the missed goals, in words."""
    missed = []
    for row in rows:
        where = f"{row.name} with {row.threads}"
        if row.name in COARSE and row.ratio("none", "off") > 1.01:
            missed.append(f"{where}: hooks cost a factor of {row.ratio('none', 'off'):.3f}; the limit is 1.01")
        if row.name not in FLOOD and row.ratio("states") > 1.05:
            missed.append(f"{where}: level states costs a factor of {row.ratio('states'):.2f}; the limit is 1.05")
        if row.name not in FLOOD and row.ratio("jobs") > 2:
            missed.append(f"{where}: level jobs costs a factor of {row.ratio('jobs'):.2f}; the limit is 2")
        for level in ("states", "jobs"):
            if row.lost[level]:
                missed.append(f"{where}: level {level} lost {row.lost[level]} events")
    return missed


def about():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        model = [x.split(":")[1].strip() for x in f if x.startswith("model name")]
    return (f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} CPUs ({model[0] if model else platform.machine()}), "
            f"load {os.getloadavg()[0]:.0f}")


def report(rows, rounds):
    text = [f"Measured {about()}; the smallest CPU time of {rounds} rounds.", "", HEAD]
    text += [line(r, w) for r, w in rows]
    missed = goals([r for r, _ in rows])
    text += ["", "All goals are met." if not missed else "Goals that this run missed:"] + [f"- {m}" for m in missed]
    return "\n".join(text) + "\n"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--only", default="")
    p.add_argument("--threads", default="1,2")
    p.add_argument("--results")
    a = p.parse_args()
    check_word(a.only, [w[0] for w in WORKLOADS], "workload", "--only")
    rows = [(Row(w[0], int(t)), w) for w in WORKLOADS if a.only in w[0] for t in a.threads.split(",")]
    with tempfile.TemporaryDirectory(prefix="doze-bench-") as top:
        try:
            for _ in range(a.rounds):
                for row, workload in rows:
                    measure(row, workload, top)
        except Failed as e:
            print(e, file=sys.stderr)
            return 1
    text = report(rows, a.rounds)
    print(text, end="")
    if a.results:
        with open(a.results, "w", encoding="utf-8") as f:
            f.write("# The price of tracing\n\n" + text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
