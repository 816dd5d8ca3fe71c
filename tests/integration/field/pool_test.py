#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Recordings of programs whose trouble lies outside the pool's protocol: jobs that wait for each other, long naps,
# CPU masks, a CPU quota, a pool that is created in a shared object's constructor, closed descriptors, and preloaded
# wrappers of LTTng. Runs in the top folder;
# $BUILD is the build folder.
import json
import os
import re
import shutil
import sys
import tempfile
import time

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
import quota  # noqa: E402
from patience import Unstable, exit_code  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DOZE = f"{BUILD}/doze"
FIELD = f"{BUILD}/tests/integration/field"
failures = 0


def ok(title, condition, detail=""):
    global failures
    print(f"{'passed' if condition else 'FAILED'}: {title}")
    if not condition:
        failures += 1
        print(f"  {detail}")


def run(*args):
    return patience.run(args, capture_output=True, text=True, timeout=100)


def record(folder, *command, detail="all"):
    p = run(DOZE, "record", "-o", folder, f"--detail={detail}", "--", *command)
    ok(f"{' '.join(command[-2:])} is recorded", p.returncode in (0, 4, 142), p)
    return folder


def trial(top, name, *args, detail="all"):
    return record(f"{top}/{name}-{'-'.join(args)}-{detail}", f"{FIELD}/trials", name, *args, detail=detail)


def diagnose(folder):
    p = run(DOZE, "diagnose", "--json", folder)
    ok(f"diagnose {os.path.basename(folder)} exits with 0", p.returncode == 0, p)
    return json.loads(p.stdout)


def first(said):
    return said["causes"][0] if said["causes"] else {"kind": "", "cause": said["verdict"], "share": 0, "change": ""}


def share(said, kind):
    return sum(c["share"] for c in said["causes"] if c["kind"] == kind)


# ---- jobs that never end or never begin ----


def stands_still(top, name, workers, detail, waiting):
    folder = trial(top, name, workers, detail=detail)
    cause = first(diagnose(folder))
    ok(f"{name} with {workers} workers at {detail}: a standstill comes first", cause["kind"] == "standstill", cause)
    ok("its remedy names waits for queued jobs and locks held across a nested loop",
       "queued behind it" in cause["change"] and "hold no lock across a nested loop" in cause["change"], cause)
    if waiting:
        ok("it counts the jobs that wait, and says since when", f"; {waiting} in queues, the first since 0." in cause["cause"], cause)
    return folder


def why(folder, *question):
    p = run(DOZE, "why", "--json", folder, *question)
    return p.returncode, json.loads(p.stdout) if p.stdout else {"answer": p.stderr}


def never_starts(folder):
    for question in (), ("1s",):
        code, said = why(folder, *question)
        answer = json.dumps(said)
        ok(f"why {' '.join(question)} answers with the job that never started and what its worker runs",
           code in (0, 4) and "and never started: worker 0 has been running job 0x" in answer and "trials.c" in answer,
           (code, said))


def standstills(top):
    folder = stands_still(top, "selfwait", "1", "all", "1 job")
    never_starts(folder)
    stands_still(top, "selfwait", "1", "states", "")
    cause = first(diagnose(stands_still(top, "nested", "2", "all", "")))
    ok("the answer says that the job began in a wait of another job", "in a wait of another job" in cause["evidence"], cause)


def long_nap(top):
    said = diagnose(trial(top, "nap", "2", detail="states"))
    cause = first(said)
    longest = re.search(r"jobs took ([\d.]+) s,.*the longest time off the CPU was ([\d.]+) s,", cause.get("evidence", ""))
    took, longest = map(float, longest.groups()) if longest else (0, 0)
    ok("a job that sleeps for 2.5 s comes first, not the worker that had nothing to do", cause["kind"] == "offcpu", said)
    ok("its longest time off the CPU is not cut into the intervals between snapshots", 2.5 <= longest <= took, cause)
    ok("the time that the only job slept is not called serial work", share(said, "serial") < 0.04, said)


# ---- workers without a CPU ----


def is_pinned(top, name, workers, least):
    cause = first(diagnose(trial(top, name, workers, detail="states")))
    ok(f"{name}: the masks come first", cause["kind"] == "pinned", cause)
    ok("the cause names the CPUs", "on 1 CPU, while the machine has" in cause["cause"] and "CPU 0" in cause["evidence"], cause)
    # On a busy machine, other programs take more of the only CPU than of the others.
    ok("about half of the time is lost", cause["share"] >= least, cause)


def masks(top):
    if len(os.sched_getaffinity(0)) != 2:
        print("skipped: masks: the trials are made for a machine with two CPUs")
        return
    is_pinned(top, "pinned", "2", 0.3)
    is_pinned(top, "pinself", "2", 0.2)
    is_pinned(top, "pinned", "8", 0.3)
    said = diagnose(trial(top, "apart", "2", detail="states"))
    ok("a mask that leaves each worker a CPU is not blamed", share(said, "pinned") == 0, said)


def quotas(top):
    group = quota.group()
    if not group:
        print("skipped: quotas: no control group with a CPU quota can be made here")
        return
    tasks = os.path.join(group, "cgroup.procs")
    waited, began = patience.pressure(), time.monotonic()
    try:
        folder = record(f"{top}/quota", "sh", "-c", f"echo $$ > {tasks}; exec {FIELD}/trials loops 2", detail="states")
    finally:
        os.rmdir(group)
    said = diagnose(folder)
    cause = first(said)
    busy = (patience.pressure() - waited) / (time.monotonic() - began)
    if cause["kind"] != "throttled" and busy > 0.9:
        raise Unstable(f"the group hardly used its quota on a busy machine: {cause}")
    ok("a quota of half a CPU comes first", cause["kind"] == "throttled", said)
    ok("the cause names the quota", "may use 0.5 of the machine's" in cause["cause"], cause)
    ok("other programs are not blamed", "other threads or programs" not in said["verdict"], said)
    free = diagnose(trial(top, "loops", "2", detail="states"))
    ok("without a quota, none is blamed", share(free, "throttled") == 0, free)


# ---- a pool that is created while a shared object is being loaded ----


def constructor(top):
    folder = record(f"{top}/constructor", f"{FIELD}/plugin", f"{FIELD}/constructor")
    with open(f"{folder}/program.log", encoding="utf-8") as f:
        text = f.read()
    took = float(text.partition("created in ")[2].partition(" s")[0] or 99)
    ok("a pool created in a constructor does not wait for the tracer, which could not be loaded", took < 2, text)
    ok("a message says why the first events are missing", "created while a shared object is being loaded" in text, text)
    events = [json.loads(line)["event"] for line in run(DOZE, "export", "--format=json", folder).stdout.splitlines()]
    ok("what runs after the constructor is recorded", "post" in events, events[:20])


# ---- LTTng inside the program ----


def descriptors(top):
    folder = trial(top, "closes", "2", detail="states")
    with open(f"{folder}/program.log", encoding="utf-8") as f:
        ok("a program that closes all descriptors runs to its end, as it does bare", f.read() == 2 * "all jobs have run\n", folder)
    p = run(DOZE, "record", "-o", f"{top}/closerange", "--", f"{FIELD}/trials", "closerange")
    ok("if LTTng aborts a program that closes its descriptors otherwise, the message says so",
       p.returncode == 0 or (p.returncode == 134 and "LTTng aborted it, probably because it closed LTTng's" in p.stderr), p)


def preloaded(top):
    for wrapper in "fork", "fd", "dl", "libc-wrapper", "pthread-wrapper":
        library = f"liblttng-ust-{wrapper}.so.1"
        env = dict(os.environ, LD_PRELOAD=library)
        p = patience.run([DOZE, "record", "-o", f"{top}/{wrapper}", "--", DOZE, "demo", "trickle", "--jobs=3"],
                         capture_output=True, text=True, env=env)
        ok(f"with {library} preloaded, a program is recorded", p.returncode == 0 and p.stdout.startswith("recorded: "), p)
    p = patience.run([DOZE, "doctor"], capture_output=True, text=True, env=env)
    ok("doctor mentions the preloaded library", f"LD_PRELOAD is {library}" in p.stdout, p)


def main():
    top = tempfile.mkdtemp(prefix="doze-field-")
    try:
        for part in standstills, long_nap, masks, quotas, constructor, descriptors, preloaded:
            part(top)
    finally:
        shutil.rmtree(top, ignore_errors=True)
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(exit_code(main, lambda: failures))
