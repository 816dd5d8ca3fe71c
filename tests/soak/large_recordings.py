#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Records a long run at level `all`, and reads it with each command, for the first and the second time:
large_recordings.py JOBS...

Prints seconds and memory beside Babeltrace's dummy sink. A job makes about 1,300 events, 50 KB. Fails if
an answer with a summary differs from the one without. Runs in the top folder; $BUILD is the build folder."""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

DOZE = os.path.join(os.environ.get("BUILD", "build"), "doze")
SCREEN = ["--once", "--size=160x45"]
LOST, TRIES = 4, 3  # LOST: exit code of `doze record` when events were lost
# With shorter pauses, some worker always searches, and as many events per second are recorded as the CPUs can write;
# the disk does not keep up with that for minutes.
EVERY_US = 2500


def run(*command):
    """Returns the output, the seconds and the largest memory in MB."""
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as p:
        out = p.stdout.read()
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit code {p.returncode}: {out.decode()}")
    return out, time.monotonic() - begin, used.ru_maxrss / 1024


def show(name, *runs):
    print(f"{name:32}" + "".join(f"{seconds:10.2f} s {mb:5.0f} MB" for _, seconds, mb in runs), flush=True)


def record(folder, jobs):
    """Records until no event is lost. Returns the seconds."""
    strong, weak = (["nice", "-n", "-15"], ["nice", "-n", "8"]) if os.getuid() == 0 else ([], [])
    for _ in range(TRIES):
        begin = time.monotonic()
        done = subprocess.run([*strong, DOZE, "record", "-d", "all", "-o", folder, "--", *weak, DOZE, "demo", "trickle",
                               f"--jobs={jobs}", f"--every-us={EVERY_US}", "-p", "tickle", "-w", "8"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode == 0:
            return time.monotonic() - begin
        shutil.rmtree(folder)
        print(f"{jobs} jobs: {done.stdout.splitlines()[0]}", flush=True)
        if done.returncode != LOST:
            break
    sys.exit("cannot record")


def forget(folder):
    if os.path.exists(f"{folder}/.doze-summary"):
        os.unlink(f"{folder}/.doze-summary")


def length_of(folder):
    """Returns the seconds between the first and the last event."""
    return json.loads(run(DOZE, "storms", "--json", folder)[0])["duration"] / 1e9


def read(folder):
    """Returns the number of answers that differ."""
    differ = 0
    show("babeltrace2 -o dummy", run("babeltrace2", folder, "-o", "dummy"))
    for command in (["storms"], ["diagnose"], ["replay", *SCREEN]):
        forget(folder)
        show(f"{command[0]}: first, second", run(DOZE, *command, folder), run(DOZE, *command, folder))
    for command in (["check"], ["timeline"], ["report", "-o", "/dev/null"]):
        show(command[0], run(DOZE, *command, folder))
    middle = round(length_of(folder) / 2, 1)
    for keys in ("g", "++++++", f"t{middle}s\n"):
        show(f"replay, keys {keys!r}", run(DOZE, "replay", *SCREEN, f"--keys={keys}", folder))
    part = [f"--from={middle}", f"--to={middle + 2}", folder]
    for command in (["storms", folder], ["storms", *part], ["check", *part], ["timeline", *part], ["why", folder, str(middle)]):
        known, bare = run(DOZE, *command), run(DOZE, *command, "--no-summary")
        show(f"{command[0]}{' of 2 s' if part[0] in command else ''}: with, without summary", known, bare)
        if known[0] != bare[0]:
            differ += 1
            print(f"FAILED: {' '.join(command)} differs")
    return differ


def main():
    differ = 0
    for jobs in sys.argv[1:]:
        with tempfile.TemporaryDirectory(prefix="doze-large-") as top:
            folder = f"{top}/recording"
            seconds = record(folder, jobs)
            print(f"{jobs} jobs, about {int(jobs) * 1300e-6:.0f} million events, {seconds:.0f} s")
            differ += read(folder)
    return differ != 0


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
