#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Counts wakes, what became of them, and wakeup storms, straight from the trace's events.
#
#	count-wakes.py [--json] DIR
#
# Needs python3-bt2. Exit codes: traces.py. Runs from any folder.
#
# A start for an analysis of your own with Babeltrace's Python bindings (package python3-bt2, of the
# distribution's own Python: hence the first line). It shares nothing with doze: it remembers what
# each worker did, and looks at it when everything has been read. That makes it short, slow and
# hungry, and a good check of `doze storms`, which does the same while it reads.
import bisect
import json
import math
import sys
from collections import Counter, defaultdict

import traces

# What is told of a storm: its trigger, then how large it was.
STORM = ("cause", "waker", "waker_vtid", "decision_id", "decisions", "woken", "futile")
SCHEMA_MAJOR = 1  # of tracepoints/README.md; a change of meaning would count it up
MERGE_NS = 1_000_000  # decisions that follow each other closer than this are one storm


class Trace:
    """What the definitions need, by worker, in the order of time."""

    def __init__(self):
        self.wakes = []  # each wake event
        self.awoken = {}  # (pool, wake_id) -> worker, time of its `woken` event
        self.steps = defaultdict(list)  # worker -> [(time, from, to, reason)]
        self.jobs = {}  # (pool, decision_id) -> jobs published by it
        self.workers = {}  # pool -> how many
        self.self_wakes = 0


def label(field):
    """The label of an enumeration's value: labels are the contract, numbers are not."""
    return field.labels[0] if field.labels else "?"


def read(folder):
    t = Trace()
    for msg in traces.events(folder):
        e = msg.event
        if not e.name.startswith("doze:"):
            continue
        ns = msg.default_clock_snapshot.ns_from_origin
        pool = (int(e["vpid"]), int(e["pool"]))
        me = pool + (int(e["worker"]),)
        name = e.name[len("doze:"):]
        if name == "pool_start":
            if int(e["schema_major"]) > SCHEMA_MAJOR:
                traces.fail(3, f"{folder}: of a newer doze: use the script that came with it")
            t.workers[pool] = int(e["workers"])
        elif name == "post" and int(e["decision_id"]) != 0:
            t.jobs[pool, int(e["decision_id"])] = int(e["jobs"])
        elif name == "wake":
            t.wakes.append(
                {
                    "at": ns,
                    "pool": pool,
                    "id": int(e["wake_id"]),
                    "decision": int(e["decision_id"]),
                    "cause": label(e["cause"]),
                    "waker": int(e["worker"]),
                    "waker_vtid": int(e["vtid"]),
                    "scope": label(e["scope"]),
                }
            )
        elif name == "woken":
            if int(e["wake_id"]) == 0:
                t.self_wakes += 1
            else:
                t.awoken[pool, int(e["wake_id"])] = me, ns
        elif name == "worker_state":
            t.steps[me].append((ns, label(e["from"]), label(e["to"]), label(e["reason"])))
    return t


def verdict(t, w):
    """What a wake was good for: the first that fits, in this order."""
    # By its id and not by its target: a condition variable chooses the target (-1) itself.
    target, awake = t.awoken.get((w["pool"], w["id"]), (None, None))
    if awake is None:
        return "redundant"  # nobody ever woke by it: its target was awake, or another was first
    if w["cause"] == "terminate":
        return "terminate"
    if w["cause"] == "latch" and w["scope"] != "all":
        return "latch"
    steps = t.steps[target]
    for _, _, to, reason in steps[bisect.bisect_left(steps, (awake,)):]:
        if to == "stopped" or reason == "terminate":
            return "terminate"
        if to == "sleeping":
            return "futile"
        if to == "active":
            return "latch" if reason == "latch_set" else "useful"
    return "unresolved"  # the trace ended first


def percentile(values, percent):
    """By nearest rank: the smallest value with at least so many percent at or below it. doze does
    the same on a histogram, so its value is off by up to 1/8."""
    ordered = sorted(values)
    return ordered[max(1, math.ceil(len(ordered) * percent / 100)) - 1] if ordered else 0


def latency(t):
    """From the notification until the wakee says that it is awake, ns, of all wakes."""
    awake = {(w["pool"], w["id"]): w["at"] for w in t.wakes}
    # Clocks of two CPUs may differ: never less than 0.
    ns = [max(0, at - awake[k]) for k, (_, at) in t.awoken.items() if k in awake]
    return {"count": len(ns)} | {f"p{p}": percentile(ns, p) for p in (50, 90, 99)}


def storms(t):
    """Decisions that woke too many for nothing; those close together are one storm."""
    decisions = defaultdict(list)
    for w in t.wakes:
        if w["decision"] != 0 and w["verdict"] != "redundant":
            decisions[w["pool"], w["decision"]].append(w)
    found = []
    for (pool, decision), wakes in sorted(decisions.items(), key=lambda d: d[1][0]["at"]):
        futile = sum(w["verdict"] == "futile" for w in wakes)
        if len(wakes) < max(4, math.ceil(t.workers.get(pool, 0) / 2)):
            continue
        if len(wakes) <= t.jobs.get((pool, decision), 0) or 2 * futile < len(wakes):
            continue
        last = next((s for s in reversed(found) if s["pool"] == pool), None)
        if last is None or wakes[0]["at"] - last["last_wake"] > MERGE_NS:
            trigger = {k: wakes[0][k] for k in ("cause", "waker", "waker_vtid")}
            last = {"pool": pool, "decision_id": decision, "woken": 0, "futile": 0, "decisions": 0}
            last.update(trigger)
            found.append(last)
        last["last_wake"] = wakes[-1]["at"]
        last["decisions"] += 1
        last["woken"] += len(wakes)
        last["futile"] += futile
    return found


def main():
    args = traces.Arguments(description="count wakes and storms of a doze trace")
    args.add_argument("--json", action="store_true")
    args.add_argument("folder")
    args = args.parse_args()
    t = read(args.folder)
    for w in t.wakes:
        w["verdict"] = verdict(t, w)
    found = storms(t)
    result = {
        "wakes": len(t.wakes),
        "woken": len(t.awoken) + t.self_wakes,
        "verdicts": Counter(w["verdict"] for w in t.wakes),
        "notify_awake": latency(t),
        "storms": [{k: s[k] for k in STORM} for s in found],
        "lost": traces.lost,
    }
    result["verdicts"]["self"] = t.self_wakes
    if args.json:
        json.dump(result, sys.stdout, indent=1)
        print()
        return
    print(f"{result['wakes']} wakes, {result['woken']} times woken, {len(found)} storms")
    for name, n in sorted(result["verdicts"].items()):
        print(f"  {name:12} {n}")
    took = result["notify_awake"]
    print("notify to awake: " + ", ".join(f"p{p} {took[f'p{p}'] / 1000:.1f} us" for p in (50, 90, 99)))


if __name__ == "__main__":
    traces.run(main)
