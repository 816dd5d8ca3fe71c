#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""any.py [--rounds N] [--only WORD]

Measures `doze record --any` on pools without libdoze: what it sees, and what it costs. Runs each program bare, with
the preload alone, and recorded, in turn, `rounds` times (default 9), and prints, per program, the numbers of wake
calls, of wakes and of wakes in vain, the lost events, and the ratios of CPU time to the bare run: median and quartiles.
The CPU time is that of the program's process, without LTTng's daemons. Then counts the instructions that a wait and its
wake take more, with callgrind. Leaves out what is not installed.

Environment: BUILD. Needs a session daemon, or the right to start one. Exit: 0; 1 a run failed; 2 usage.
"""
import argparse
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "any")
LIBRARY = f"{BUILD}/libdoze-any.so"
PEERS, POOLS = f"{BUILD}/tests/bench/peers", f"{BUILD}/tests/integration/any"
OMP = {"KMP_BLOCKTIME": "0"}  # LLVM's threads spin for 200 ms by default, so they would hardly ever wait

# name, command, environment
PROGRAMS = [
    ("Node, 4 threads", ["node", f"{HERE}/pool.js", "1500"], {"UV_THREADPOOL_SIZE": "4"}),
    ("Node, 16 threads", ["node", f"{HERE}/pool.js", "1500"], {"UV_THREADPOOL_SIZE": "16"}),
    ("textbook pool, C", [f"{POOLS}/pools", "textbook", "8", "1000", "broadcast"], {}),
    ("textbook pool, C++", [f"{POOLS}/cxx_pool"], {}),
    ("oneTBB", [f"{PEERS}/onetbb", "trickle", "4", "2000", "1"], {}),
    ("LLVM OpenMP", [f"{PEERS}/openmp-clang", "quicksort", "4", "20000", "100"], OMP),
    ("Rayon", [f"{PEERS}/rayon", "trickle", "4", "2000", "1"], {}),
    ("GLib", [f"{BUILD}/tests/bench/any/glib_pool", "4000"], {}),
    ("Python", ["/usr/bin/python3", f"{HERE}/pool.py", "1000"], {}),
]


class Failed(Exception):
    pass


def run(command, env):
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **env})
    if done.returncode:
        raise Failed(f"{' '.join(command)}: exit {done.returncode}: {done.stderr[-500:]}")


def measured(top, command, env, how):
    """Runs a program in one of three ways. Returns its CPU time in microseconds."""
    cpu, folder = f"{top}/cpu", f"{top}/trace"
    command = ["/usr/bin/python3", f"{HERE}/cpu_of.py", cpu, *command]
    if how == "preload":
        env = {**env, "LD_PRELOAD": LIBRARY, "DOZE_ANY": "follow", "DOZE_ANY_PRELOAD": LIBRARY}
    elif how == "recorded":
        shutil.rmtree(folder, ignore_errors=True)
        # The process that is measured is a child of the one that doze starts.
        command = [f"{BUILD}/doze", "record", "--any", "--follow", "-o", folder, "--", *command]
    run(command, env)
    with open(cpu, encoding="ascii") as f:
        return int(f.read())


def seen(folder):
    """Returns the numbers of the measured process, without those of cpu_of.py."""
    out = subprocess.run([f"{BUILD}/doze", "storms", "--json", folder], capture_output=True, text=True, check=False).stdout
    said = json.loads(out)
    crews, places = said["foreign"]["crews"], said["foreign"]["places"]
    pid = max(crews, key=lambda c: c["woken"])["vpid"]
    crews, places = ([x for x in part if x["vpid"] == pid] for part in (crews, places))
    futile = [c["futile_at_least"] for c in crews if c["futile_at_least"] is not None]
    return {
        "calls": sum(p["calls"] for p in places),
        "nobody": sum(p["nobody"] for p in places),
        "woken": sum(c["woken"] for c in crews),
        "futile": sum(futile) if futile else None,
        "lost": said["lost"],
    }


def quartiles(values):
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:.3f} ({low:.3f} to {high:.3f})"


def row(name, command, env, rounds):
    times = {"bare": [], "preload": [], "recorded": []}
    with tempfile.TemporaryDirectory() as top:
        for _ in range(rounds):
            for how, values in times.items():
                values.append(measured(top, command, env, how))
        found = seen(f"{top}/trace")
    ratio = {how: [t / b for t, b in zip(values, times["bare"])] for how, values in times.items()}
    futile = found["futile"]
    print(
        f"| {name} | {found['calls']:,} | {found['nobody']:,} | {found['woken']:,} "
        f"| {'not known' if futile is None else format(futile, ',')} | {found['lost']:,} "
        f"| {statistics.median(times['bare']) / 1000:.0f} | {quartiles(ratio['preload'])} | {quartiles(ratio['recorded'])} |",
        flush=True,
    )


def instructions(jobs, how):
    """Returns the number of instructions of a textbook pool with one thread, of which each job takes one wait."""
    with tempfile.TemporaryDirectory() as top:
        tool = ["valgrind", f"--log-file={top}/log", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        tool += [f"{POOLS}/pools", "textbook", "1", str(jobs), "signal"]
        if how != "bare":
            # Valgrind's own program is linked statically, so the preload would take itself out of the list.
            tool = ["env", f"LD_PRELOAD={LIBRARY}", "DOZE_ANY=follow", "DOZE_ANY_PRELOAD=none", "DOZE_ANY_RATE=0", *tool]
        if how == "recorded":
            tool = [f"{BUILD}/doze", "record", "--follow", "-o", f"{top}/trace", "--", *tool]
        run(tool, {})
        with open(f"{top}/log", encoding="utf-8") as f:
            return int(re.search(r"Collected : (\d+)", f.read())[1])


def cost_of_a_wake():
    bare, preload, recorded = ((instructions(600, how) - instructions(100, how)) / 500 for how in ("bare", "preload", "recorded"))
    print(f"\nInstructions that a wait and its wake take more: {preload - bare:,.0f} with the preload alone, "
          f"{recorded - bare:,.0f} recorded.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="", help="a word of the program's name; `instructions`")
    options = parser.parse_args()
    print(f"{platform.platform()}, {os.cpu_count()} CPUs, {options.rounds} rounds\n")
    print("| pool | wake calls | of nobody | wakes | at least in vain | events lost | bare, ms of CPU | preload | recorded |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, command, env in PROGRAMS:
        if options.only.lower() not in name.lower():
            continue
        if not shutil.which(command[0]):
            print(f"any.py: {name} is left out: {command[0]} is missing", file=sys.stderr)
            continue
        row(name, command, env, options.rounds)
    if shutil.which("valgrind") and options.only in ("", "instructions"):
        cost_of_a_wake()


if __name__ == "__main__":
    try:
        main()
    except Failed as failed:
        sys.exit(f"any.py: {failed}")
