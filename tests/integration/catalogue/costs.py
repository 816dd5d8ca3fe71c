#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# costs.py [--json] DIR... - computes where the workers' time went, from the raw events of a recording.
#
# A recording is healthy if each kind of cost takes less than 2 % of the worker-seconds and the pool
# has no more workers than CPUs. This script uses no code of doze, so that tests can check `doze
# diagnose` against it. It is simpler than `doze diagnose`: it counts each moment of a worker as
# only one kind of cost.
#
#   active    runs jobs
#   storm     searches after a futile wake by a decision that woke many workers, most of them in vain
#   chain     searches after another futile wake
#   small     searches after a useful wake whose jobs took less time than the wake and the search
#   burn      any other search
#   asleep    sleeps although more jobs wait than workers search or are notified
#   serial    sleeps, or waits marked as blocked, while another worker runs
#   outside   sleeps, or waits, while no worker runs
#   hang      the end of a pool that never stopped, from its last event
#   losses    a span for which events were discarded, multiplied by the number of workers
#   crowded   runs jobs while more workers run jobs than there are CPUs; counts the excess
#
# This script cannot detect a breach of the protocol, but healthy recordings are made with the
# unchanged library.
# Exit: 0 healthy, 1 not, 3 unreadable.
import argparse
import json
import os
import sys
from collections import defaultdict

import bt2

KINDS = ("hang", "losses", "asleep", "storm", "chain", "small", "burn", "crowded", "serial", "outside")
LIMIT = 0.02  # share of the worker-seconds
SEARCHING = ("idle", "sleepy")
WAITING = ("sleeping", "blocked", "suspended")


def label(field):
    return field.labels[0] if field.labels else "?"


class Pool:
    def __init__(self):
        self.workers = 0
        self.start = self.stop = self.last = None
        self.changes = []  # (ns, worker, kind of change, value)
        self.wakes = {}  # wake_id -> (ns, decision, cause)
        self.published = {}  # decision -> jobs
        self.stretches = defaultdict(list)  # worker -> its Stretch objects


class Stretch:
    """The time from a wake of a worker to its next sleep."""

    def __init__(self, at, wake):
        self.at, self.wake = at, wake
        self.search = self.active = 0
        self.ran = self.ended = False


def read(folder):
    pools, lost = {}, []
    for m in bt2.TraceCollectionMessageIterator(folder):
        if type(m) in (bt2._DiscardedEventsMessageConst, bt2._DiscardedPacketsMessageConst):
            at = [m.beginning_default_clock_snapshot.ns_from_origin,
                  m.end_default_clock_snapshot.ns_from_origin]
            lost.append(at)
        if type(m) is not bt2._EventMessageConst or not m.event.name.startswith("doze:"):
            continue
        e, ns = m.event, m.default_clock_snapshot.ns_from_origin
        number = int(e["pool"])
        if number:
            read_event(pools.setdefault((int(e["vpid"]), number), Pool()), e.name[5:], e, ns)
    return [p for p in pools.values() if p.start], lost


def read_event(p, name, e, ns):
    if name == "pool_start":
        p.start, p.workers = ns, int(e["workers"])
    elif name == "pool_stop":
        p.stop = ns
    if name != "snapshot":
        p.last = ns
    w = int(e["worker"])
    if name == "worker_state":
        left = int(e["left_in_deques"]) + int(e["left_injected"])
        p.changes.append((ns, w, "state", (label(e["to"]), label(e["reason"]), left)))
    elif name == "post" and label(e["queue"]) != "broadcast":
        p.changes.append((ns, w, "post", int(e["jobs"])))
        p.published[int(e["decision_id"])] = int(e["jobs"])
    elif name in ("job_start", "job_taken") and label(e["source"]) not in ("inline", "broadcast"):
        p.changes.append((ns, w, "taken", 1))
    elif name == "wake":
        p.wakes[int(e["wake_id"])] = ns, int(e["decision_id"]), label(e["cause"])
        p.changes.append((ns, int(e["target"]), "wake", int(e["wake_id"])))
    elif name == "woken":
        p.changes.append((ns, w, "woken", int(e["wake_id"])))


def find_stretches(p):
    """Finds the outcome of each wake, in a first pass over the events."""
    since, now = {}, {}
    for ns, w, what, v in p.changes:
        if what == "woken":
            p.stretches[w].append(Stretch(ns, p.wakes.get(v)))
        if what != "state":
            continue
        s = p.stretches[w][-1] if p.stretches[w] else None
        if s and not s.ended and w in since:
            spent = ns - max(since[w], s.at)
            s.search += spent if now[w] in SEARCHING else 0
            s.active += spent if now[w] == "active" else 0
        if s and v[0] == "active":
            s.ran = True
        if s and v[0] in ("sleeping", "stopped"):
            s.ended = True
        since[w], now[w] = ns, v[0]


def find_storms(p):
    """Finds the decisions that woke many workers, at least half of them in vain."""
    woken, futile = defaultdict(int), defaultdict(int)
    for all_of in p.stretches.values():
        for s in all_of:
            if s.wake:
                woken[s.wake[1]] += 1
                futile[s.wake[1]] += not s.ran
    return {d for d, n in woken.items()
            if n >= max(4, (p.workers + 1) // 2) and n > p.published.get(d, 0) and 2 * futile[d] >= n}


def kind_of_search(s, storms):
    if s is None or s.wake is None or s.wake[2] == "terminate":
        return "burn"
    if not s.ran:
        return "storm" if s.wake[1] in storms else "chain"
    return "small" if s.active < s.search + s.at - s.wake[0] else "burn"


class Sweep:
    """Adds up the time between two changes, in a second pass over the events."""

    def __init__(self, p, cpus):
        self.p, self.cpus = p, cpus
        self.state = {}
        self.queued, self.notified = 0, set()
        self.next_stretch = defaultdict(int)
        self.current = {}
        self.cost = defaultdict(float)
        self.storms = find_storms(p)

    def add(self, ns):
        state = list(self.state.items())
        count = defaultdict(int)
        for _, s in state:
            count[s] += 1
        active = count["active"]
        searching = count["idle"] + count["sleepy"]
        unserved = self.queued - searching - len(self.notified)
        asleep = max(0, min(unserved, count["sleeping"] - len(self.notified)))
        self.cost["asleep"] += asleep * ns
        rest = count["sleeping"] + count["blocked"] + count["suspended"] - asleep
        self.cost["serial" if active else "outside"] += rest * ns
        self.cost["crowded"] += max(0, active - self.cpus) * ns
        self.cost["active"] += min(active, self.cpus) * ns
        for w, s in state:
            if s in SEARCHING:
                self.cost[kind_of_search(self.current.get(w), self.storms)] += ns

    def change(self, w, what, v):
        if what == "post":
            self.queued += v
        elif what == "taken":
            self.queued = max(0, self.queued - 1)
        elif what == "wake" and self.state.get(w) == "sleeping":
            self.notified.add(w)
        elif what == "woken":
            all_of = self.p.stretches[w]
            self.current[w] = all_of[self.next_stretch[w]]
            self.next_stretch[w] += 1
        elif what == "state":
            self.state[w] = v[0]
            self.notified.discard(w)
            if v[0] == "sleeping":
                self.queued = v[2]


def costs(p, cpus):
    find_stretches(p)
    s = Sweep(p, cpus)
    before = p.start
    for ns, w, what, v in p.changes:
        s.add(ns - before)
        before = ns
        s.change(w, what, v)
    if p.stop is None:
        s.cost["hang"] = s.cost["hang"] + 1
    return s.cost


def judge(folder, cpus):
    pools, lost = read(folder)
    if not pools:
        raise ValueError("it contains no pool_start event")
    total, cost, workers = 0, defaultdict(float), 0
    for p in pools:
        for kind, ns in costs(p, cpus).items():
            cost[kind] += ns
        total += p.workers * (p.last - p.start)
        workers = max(workers, p.workers)
        cost["losses"] += sum(p.workers * max(1, min(b, p.last) - max(a, p.start)) for a, b in lost
                              if b >= p.start and a <= p.last)
    share = {k: cost[k] / total for k in KINDS + ("active",)}
    bad = [k for k in KINDS if share[k] >= LIMIT or (k in ("hang", "losses") and cost[k])]
    return {"trace": folder, "worker_seconds": total / 1e9, "workers": workers, "cpus": cpus,
            "share": {k: round(v, 4) for k, v in share.items()},
            "worst": max(KINDS, key=lambda k: share[k]),
            "healthy": not bad and workers <= cpus}


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--json", action="store_true")
    args.add_argument("--cpus", type=int, default=len(os.sched_getaffinity(0)))
    args.add_argument("folder", nargs="+")
    args = args.parse_args()
    healthy = True
    for folder in args.folder:
        try:
            r = judge(folder, args.cpus)
        except (bt2._Error, ValueError, RuntimeError) as e:
            print(f"costs.py: {folder}: cannot be read: {e}", file=sys.stderr)
            raise SystemExit(3)
        healthy = healthy and r["healthy"]
        if args.json:
            print(json.dumps(r))
            continue
        print(f"{folder}: {'healthy' if r['healthy'] else 'not healthy'}: "
              f"{r['worker_seconds']:.3f} worker-seconds, {r['workers']} workers on {r['cpus']} CPUs: "
              + ", ".join(f"{k} {100 * v:.1f} %" for k, v in r["share"].items() if v >= 0.0005))
    raise SystemExit(not healthy)


if __name__ == "__main__":
    main()
