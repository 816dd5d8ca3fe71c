#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# recorded.py [--part=K/N] - records the demos under every policy, with 8 workers, and checks each
# recording. With --part, only the K-th of every N policies, because the demos mostly wait.
#
#   - `doze check` has no findings.
#   - All transitions and reasons are in the policy's descriptor.
#   - The thread that the descriptor names decrements the count of sleepers.
#   - tickle, burst: each post into a sleeping pool wakes all workers.
#   - jec, trickle: there are at most 2.1 futile wakes per job.
#
# The expected transitions are in the policies' descriptors (viz/trace/policies.h), which are written
# from the READMEs in lib/sleep and lib/forkjoin, not from the library's code.
import argparse
import os
import shutil
import sys
import tempfile

import bt2

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from patience import enough, exit_code  # noqa: E402
from policies import policies  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
WORKERS = 8

DEMOS = {  # the number of repetitions can be multiplied
    "trickle": (["--every-us=5000"], "--jobs", 200),
    "burst": ([], "--bursts", 12),
    "latch": ([], "--rounds", 6),
}
PASSED, FAILED = [], []


def verdict(good, title, why=""):
    (PASSED if good else FAILED).append(title)
    print(f"  {'ok  ' if good else 'FAIL'} {title}{': ' + why if why and not good else ''}")


def run(*command):
    done = patience.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


def events(folder):
    for msg in bt2.TraceCollectionMessageIterator(folder):
        if isinstance(msg, bt2._EventMessageConst) and msg.event.name.startswith("doze:"):
            yield msg.event.name[5:], msg.event, msg.default_clock_snapshot.ns_from_origin


def label(field):
    return field.labels[0] if field.labels else "?"


def transitions(folder):
    return {
        f"{label(e['from'])}>{label(e['to'])}:{label(e['reason'])}"
        for name, e, _ in events(folder)
        if name == "worker_state"
    }


def counted_out(folder):
    """Counts how often the waker and how often the sleeper decrements the count of sleepers for a
    woken worker."""
    bits, by = 0, {"waker": 0, "sleeper": 0}
    for name, e, _ in events(folder):
        if name == "pool_start" and label(e["word"]) == "counters":
            bits = int(e["bits_sleeping"])
        woken = name == "worker_state" and label(e["reason"]) == "woken"
        if not bits or not (woken or name == "wake"):
            continue
        mask = (1 << bits) - 1
        fewer = (int(e["old"]) & mask) - (int(e["new"]) & mask)
        by["sleeper" if woken else "waker"] += fewer
    return by


def first_posts(folder):
    """Returns the number of workers that each post into a sleeping pool woke."""
    state, woke, decisions = {}, {}, []
    for name, e, _ in events(folder):
        if name == "worker_state":
            state[int(e["worker"])] = label(e["to"])
        elif name == "post" and label(e["queue"]) == "injector":
            if len(state) == WORKERS and set(state.values()) == {"sleeping"}:
                decisions.append(int(e["decision_id"]))
        elif name == "wake":
            woke[int(e["decision_id"])] = woke.get(int(e["decision_id"]), 0) + 1
            state[int(e["target"])] = "notified"  # it no longer sleeps, even if it has no CPU yet
    return [woke.get(d, 0) for d in decisions]


def futile_per_job(folder):
    """Returns the number of wakes after which the worker slept again without being active, and the
    number of jobs."""
    since_wake, futile, jobs = {}, 0, 0
    for name, e, _ in events(folder):
        if name == "woken":
            since_wake[int(e["worker"])] = False
        elif name == "worker_state":
            who = int(e["worker"])
            if label(e["to"]) == "active":
                since_wake[who] = True
            elif label(e["to"]) == "sleeping":
                futile += since_wake.get(who) is False
        elif name == "post":
            jobs += int(e["jobs"])
    return futile, jobs


def record(folder, policy, demo, times):
    """Records the demo. Returns the folder, or None after a failure."""
    options, repeat, count = DEMOS[demo]
    shutil.rmtree(folder, ignore_errors=True)
    code, said = run(
        f"{BUILD}/doze", "record", f"--policy={policy}", f"--workers={WORKERS}", "-o", folder, "--",
        f"{BUILD}/doze", "demo", demo, *options, f"{repeat}={count * times}",
    )
    verdict(code == 0, f"{demo} is recorded under {policy}", said)
    return folder if code == 0 else None


def lacks(folder, policy, demo):
    """Returns what the recording lacks for the checks."""
    if not folder:
        return ""  # has been reported
    if policy.counted_out_by != "nobody" and not any(name == "woken" for name, _, _ in events(folder)):
        return f"no worker was woken in {demo} under {policy.name}"
    if (policy.name, demo) == ("tickle", "burst") and len(first_posts(folder)) < 10:
        return "fewer than 10 posts into a sleeping pool"
    return ""


def ask(folder, policy, demo):
    code, said = run(f"{BUILD}/doze", "check", folder)
    verdict(code == 0, f"check reports no finding for {demo} under {policy.name}", said)
    more = transitions(folder) - policy.transitions
    verdict(not more, f"all transitions of {demo} are legal under {policy.name}", " ".join(more))
    by = counted_out(folder)
    verdict(
        {who for who in by if by[who]} == {policy.counted_out_by} - {"nobody"},
        f"under {policy.name}, the count of sleepers is decremented by: {policy.counted_out_by}",
        by,
    )


def count(folder, policy, demo):
    if (policy, demo) == ("tickle", "burst"):
        woken = first_posts(folder)
        print(f"       posts into the sleeping pool woke {woken}")
        verdict(set(woken) == {WORKERS}, "each post into the sleeping pool wakes all workers")
    if (policy, demo) == ("jec", "trickle"):
        futile, jobs = futile_per_job(folder)
        print(f"       {futile} futile wakes for {jobs} jobs: {futile / max(jobs, 1):.2f} per job")
        verdict(jobs > 0 and futile <= 2.1 * jobs, "there are at most 2.1 futile wakes per job")


def chosen():
    """Returns the policies of this part of the test."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", default="1/1")
    part, parts = map(int, parser.parse_args().part.split("/"))
    return list(policies().items())[part - 1 :: parts]


def main():
    top = tempfile.mkdtemp(prefix="doze-policies-")
    try:
        for name, policy in chosen():
            for demo in DEMOS:
                folder = os.path.join(top, f"{name}-{demo}")
                if enough(lambda times: record(folder, name, demo, times), lambda made: lacks(made, policy, demo)):
                    ask(folder, policy, demo)
                    count(folder, name, demo)
    finally:
        shutil.rmtree(top, ignore_errors=True)
    print(f"{len(PASSED)} passed, {len(FAILED)} failed")
    return 1 if FAILED else 0


sys.exit(exit_code(main, lambda: len(FAILED)))
