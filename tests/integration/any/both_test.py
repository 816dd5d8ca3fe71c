#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# libdoze and the preload see the same pool at the same time: for every policy, each worker has the same wakes, made by
# the same threads, and the preload calls no wake futile that the pool's own events show to be useful. Runs in the top
# folder; $BUILD is the build folder.
import collections
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
import policies  # noqa: E402
import recorded_waits  # noqa: E402
from recorded_waits import DOZE, events, ok, record  # noqa: E402

# The preload's crews have numbers above this one if the program contains libdoze.
CREWS = 1000


def wakes_of(folder):
    """Returns, for the pools and for the crews, the wakes of each thread: [waker's thread, verdict]."""
    found = {False: collections.defaultdict(list), True: collections.defaultdict(list)}
    wakers, callers, open_wakes = {}, {}, {}
    for name, e in events(folder):
        if name not in ("post", "wake", "woken", "worker_state"):
            continue
        crew, tid = int(e["pool"]) > CREWS, int(e["vtid"])
        space = "crews" if crew else e["pool"]
        if name == "post" and crew:
            callers[e["decision_id"]] = tid
        elif name == "wake":
            # A wake may be emitted in the name of the call that made it.
            wakers[space, e["wake_id"]] = callers.get(e["decision_id"], tid) if crew else tid
        elif name == "woken" and e["wake_id"] != "0":
            wake = [wakers.get((space, e["wake_id"])), "open"]
            found[crew][tid].append(wake)
            open_wakes[crew, tid] = wake
        elif name == "worker_state" and e["from"] != "sleeping" and (crew, tid) in open_wakes:
            verdict = {"sleeping": "futile", "stopped": "stopped"}.get(e["to"], "active")
            open_wakes.pop((crew, tid))[1] = verdict
    return found


def same(top, policy):
    folder = f"{top}/{policy}"
    p, output = record(folder, DOZE, "demo", "trickle", "--jobs=30", "--workers=4", f"--policy={policy}")
    ok(f"{policy}: is recorded", p.returncode == 0, (p, output))
    found = wakes_of(folder)
    pool, crews = found[False], found[True]
    # The preload also sees the waits that are not sleeps, such as that for the start of the pool.
    pairs = {tid: (own, crews[tid][-len(own):]) for tid, own in pool.items()}
    ok("workers were woken" if policy != "spin" else "no worker was woken", bool(pairs) == (policy != "spin"), found)
    ok("each has the same number of wakes", all(len(a) == len(b) for a, b in pairs.values()),
       {tid: (len(a), len(b)) for tid, (a, b) in pairs.items()})
    wrong = [(tid, x, y) for tid, (a, b) in pairs.items() for x, y in zip(a, b) if x[0] != y[0]]
    ok("made by the same threads", not wrong, wrong[:3])
    wrong = [(tid, x, y) for tid, (a, b) in pairs.items() for x, y in zip(a, b) if y[1] == "futile" and x[1] == "active"]
    ok("none is called futile that was not", not wrong, wrong[:3])


def main():
    with tempfile.TemporaryDirectory() as top:
        for policy in policies.policies():
            same(top, policy)
    recorded_waits.finish()


main()
