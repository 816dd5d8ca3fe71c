#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Counts wakes, their verdicts and wakeup storms from the raw events of a trace.
#
#	count-wakes.py [--json] DIR
#
# Needs python3-bt2. Exit codes: see traces.py. Runs from any folder.
#
# A starting point for your own analysis with Babeltrace's Python bindings (package python3-bt2, which
# belongs to the distribution's own Python and so determines the first line). The script shares no code
# with doze. It reads the whole trace into memory before analysing it, so it is short, but slow and
# memory-hungry. It serves as an independent check of `doze storms`, which computes the same results in
# one pass.
import bisect
import json
import math
import sys
from collections import Counter, defaultdict

import traces

# The fields printed per storm: those of the decision that began it, then its size.
STORM = ("cause", "waker", "waker_vtid", "decision_id", "decisions", "woken", "futile")
SCHEMA_MAJOR = 1  # see tracepoints/README.md; changes when the meaning of a field changes
MERGE_NS = 1_000_000  # decisions at most this far apart form one storm


class Trace:
    """The events from which verdicts and storms are computed, ordered by time."""

    def __init__(self):
        self.wakes = []  # the wake events
        self.awoken = {}  # (pool, wake_id) -> worker, time of its `woken` event, its latch
        self.steps = defaultdict(list)  # worker -> [(time, to, reason, its latch)]
        self.latch = {}  # worker -> kind of the latch that was set for it since it was last active
        self.jobs = {}  # (pool, decision_id) -> number of jobs that it published
        self.workers = {}  # pool -> number of workers
        self.self_wakes = 0


def label(field):
    """Returns the label of an enumeration's value. Labels are stable, numbers may change."""
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
                traces.fail(3, f"{folder}: recorded by a newer doze: use that version's script")
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
                t.awoken[pool, int(e["wake_id"])] = me, ns, t.latch.get(me)
        elif name == "latch" and label(e["to"]) == "set":
            t.latch[pool + (int(e["owner"]),)] = label(e["kind"])
        elif name == "worker_state":
            t.steps[me].append((ns, label(e["to"]), label(e["reason"]), t.latch.get(me)))
            if label(e["to"]) == "active":
                t.latch.pop(me, None)
    return t


def goes_on(latch):
    """Returns whether a worker continues a job after this latch, rather than ending its thread."""
    return latch not in (None, "terminate")


def verdict(t, w):
    """Returns the verdict on a wake. Checks the verdicts in order of priority; the first that applies wins."""
    # Look up the wake by id, not by target: if a condition variable chooses the target, the field
    # is -1.
    target, awake, set_for_it = t.awoken.get((w["pool"], w["id"]), (None, None, None))
    if awake is None:
        return "redundant"  # the wake woke no worker: its target was awake or already notified
    if w["cause"] == "terminate":
        return "terminate"
    steps, latch = t.steps[target], w["cause"] == "latch" and w["scope"] != "all"
    if latch and goes_on(set_for_it):
        return "latch"
    for _, to, reason, found in steps[bisect.bisect_left(steps, (awake,)):]:
        if to == "stopped" or reason == "terminate":
            return "terminate"  # includes a worker that found the latch for its termination set
        if reason == "latch_set" and to == "active" and goes_on(found):
            return "latch"  # the worker continued a job, even if it stopped right after that job
        if latch and (to == "sleeping" or to == "active" and reason != "latch_set" or to == "idle" and reason != "woken"):
            return "latch"
        if to == "sleeping":
            return "futile"
        if to == "active" and w["cause"] == "call":
            return "went_on"  # a program without libdoze: whether the thread found what it waited for is not known
        if to == "active" and reason != "latch_set":
            return "useful"
        latch = latch or to == "active"
    if latch:
        return "latch"
    return "unresolved"  # the trace ends before the worker runs a job or sleeps again


def percentile(values, percent):
    """Returns the nearest-rank percentile: the smallest value with at least that share of values at or
    below it. doze uses a histogram, so its result may differ by up to 1/8."""
    ordered = sorted(values)
    return ordered[max(1, math.ceil(len(ordered) * percent / 100)) - 1] if ordered else 0


def latency(t):
    """Returns the latencies of all wakes, from the notification to the `woken` event, in ns."""
    awake = {(w["pool"], w["id"]): w["at"] for w in t.wakes}
    # Clamp negative values to 0: the clocks of two CPUs may differ.
    ns = [max(0, at - awake[k]) for k, (_, at, _) in t.awoken.items() if k in awake]
    return {"count": len(ns)} | {f"p{p}": percentile(ns, p) for p in (50, 90, 99)}


def storms(t):
    """Returns the storms: decisions that woke too many workers in vain. Merges decisions close together."""
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
    print(f"{result['wakes']} wakes, {result['woken']} wake-ups, {len(found)} storms")
    for name, n in sorted(result["verdicts"].items()):
        print(f"  {name:12} {n}")
    took = result["notify_awake"]
    print("notify to awake: " + ", ".join(f"p{p} {took[f'p{p}'] / 1000:.1f} us" for p in (50, 90, 99)))


if __name__ == "__main__":
    traces.run(main)
