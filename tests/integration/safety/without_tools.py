#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests while a tool that they need is missing or cannot start. The tests must fail, and every
process outside of them must survive.

    without_tools.py [--tool=NAME]... [--how=missing|failing]... [--only=WORD]

Default: each of tmux, lttng-sessiond and lttng-relayd, both ways, and the whole of `make test`; --only=WORD
becomes make's ONLY=. Prints one row per run. As root, it runs in its own PID and mount namespaces, so
that a test which kills everything kills only what this script has started, and so that the list of
outside processes is exact. Otherwise, processes that exit in the meantime are only counted.
Exit: 0 as expected; 1 not; 2 no test has WORD in its name.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

from canaries import TOP, Canaries
from names import refuse

TOOLS = ("tmux", "lttng-sessiond", "lttng-relayd")
INSIDE = "DOZE_SAFETY_INSIDE"


def enter_namespaces():
    """If run as root, runs this script again as the second process of a PID namespace with its own
    /run/lttng."""
    wrapper = ["unshare", "--mount", "--pid", "--fork", "--mount-proc"]
    if os.geteuid() != 0 or INSIDE in os.environ:
        return
    if subprocess.run([*wrapper, "true"], check=False, stderr=subprocess.DEVNULL).returncode != 0:
        return
    os.environ[INSIDE] = "1"
    mounts = "mkdir -p /run/lttng && mount -t tmpfs -o mode=755 canary /run/lttng && \"$@\""
    os.execvp(wrapper[0], [*wrapper, "sh", "-c", mounts, "sh", sys.executable, *sys.argv])


def processes():
    """Returns {pid: start time} of all processes that run a program, except zombies."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
                fields = f.read().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z" and fields[1] != "2" and pid != "2":  # pid 2 and its children are kernel threads
            found[pid] = fields[19]
    return found


def path_without(tool, how, folder):
    """Returns a PATH without the tool, or with a substitute for it that exits with 1."""
    parts = []
    for i, part in enumerate(os.environ["PATH"].split(":")):
        if not os.path.lexists(os.path.join(part, tool)):
            parts.append(part)
            continue
        copy = os.path.join(folder, str(i))
        os.mkdir(copy)
        for name in os.listdir(part):
            if name != tool:
                os.symlink(os.path.join(part, name), os.path.join(copy, name))
        parts.append(copy)
    if how == "failing":
        stub = os.path.join(folder, "stub")
        os.mkdir(stub)
        with open(os.path.join(stub, tool), "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\nexit 1\n")
        os.chmod(f.name, 0o755)
        parts.insert(0, stub)
    os.chmod(folder, 0o755)
    return ":".join(parts)


def run_tests(tool, how, only, env):
    """Returns (exit status, summary of the output, names of the failed tests, seconds)."""
    with tempfile.TemporaryDirectory(prefix="doze-path-") as folder:
        env = dict(env, PATH=path_without(tool, how, folder))
        began = time.monotonic()
        done = subprocess.run(["make", "-C", TOP, "test", *(["ONLY=" + only] if only else [])],
                              env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace", check=False)
    nothing = re.search(r"^tests/run: (no test ran: .*)", done.stdout, re.M)
    if nothing:
        refuse("--only: " + nothing[1])
    found = re.search(r"^(\d+ passed, \d+ failed, \d+ skipped)$", done.stdout, re.M)
    names = " ".join(re.findall(r"^FAILED (\S+(?: \d+/\d+)?): ", done.stdout, re.M))
    return (done.returncode, found[1] if found else "no summary:\n" + done.stdout[-2000:],
            names or "none", time.monotonic() - began)


def row(tool, how, only):
    """Runs the tests once among new canaries. Returns whether the outcome was the expected one."""
    canaries = Canaries()
    try:
        before = processes()
        status, summary, names, took = run_tests(tool, how, only, canaries.env)
        after = processes()
        gone = [pid for pid, began in before.items() if after.get(pid) != began]
        harmed = canaries.harmed()
    finally:
        canaries.remove()
    print(f"{tool} {how}: {summary} in {took:.0f} s, exit {status}; "
          f"{len(canaries.processes)} canaries and the user's session: "
          f"{', '.join(harmed) + ' HARMED' if harmed else 'unharmed'}; "
          f"{len(before)} processes outside, {len(gone)} exited\n    failed: {names}", flush=True)
    exact = INSIDE in os.environ
    return status != 0 and "failed" in summary and not harmed and not (exact and gone)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", action="append", choices=TOOLS)
    parser.add_argument("--how", action="append", choices=("missing", "failing"))
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    enter_namespaces()
    rows = [row(tool, how, asked.only) for tool in asked.tool or TOOLS
            for how in asked.how or ("missing", "failing")]
    return 0 if all(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
