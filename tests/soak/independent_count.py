#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# independent_count.py [--number N] [--keep FOLDER] [DIR]... - counts the events of N (20) recordings, made under
# all policies, twice: with `doze storms --json`, and from the raw events without doze (Babeltrace's bindings
# and viz/scripts/count-wakes.py). Prints a table, and each value that differs.
#
# Values: wakes, verdicts and their causes, storms with their triggers, near misses, jobs run; and per worker
# its wakes, jobs and time in each state, per outside thread its wakes. The recordings alternate between the
# demos, the levels of detail and 2 to 8 workers. With DIR, counts these recordings instead.
# Exit status: 1 if a value differs, if a recording lost events, or if fewer than N could be made.
import argparse
import importlib.machinery
import importlib.util
import json
import os
import shutil
import sys
import tempfile
from collections import Counter, defaultdict

sys.dont_write_bytecode = True
TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
SCRIPTS = os.path.join(TOP, "viz/scripts")
sys.path[:0] = [SCRIPTS, os.path.join(TOP, "tests/fixtures")]
import patience  # noqa: E402
import traces  # noqa: E402
from policies import policies  # noqa: E402

DOZE = os.path.join(TOP, os.environ.get("BUILD", "build"), "doze")
DEMOS = (("trickle", "--jobs=150", "--every-us=2000"), ("burst",), ("latch", "--rounds=4"), ("phases",))
LEVELS = ("states", "jobs", "all")
WORKERS = (4, 8, 2)
STATES = ("active", "idle", "sleepy", "sleeping", "blocked", "suspended")
STORM = ("cause", "waker", "waker_vtid", "decision_id", "decisions", "woken", "futile")


def load_count_wakes():
    loader = importlib.machinery.SourceFileLoader("count_wakes", os.path.join(SCRIPTS, "count-wakes.py"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("count_wakes", loader))
    loader.exec_module(module)
    return module


count_wakes = load_count_wakes()
results = []  # of compare


class Worker:
    def __init__(self):
        self.state = self.since = None
        self.time = Counter()
        self.jobs_run = self.wakes_sent = self.woken = 0

    def enter(self, ns, state):
        if self.state:
            self.time[self.state] += ns - self.since
        self.state, self.since = state, ns


def add_event(e, ns, workers, outside, misses):
    name, who = e.name[5:], (int(e["vpid"]), int(e["pool"]), int(e["worker"]))
    if name == "worker_state":
        workers[who].enter(ns, count_wakes.label(e["to"]))
        workers[who].jobs_run = int(e["jobs_run"])
    elif name == "wake" and who[2] >= 0:
        workers[who].wakes_sent += 1
    elif name == "wake":
        outside[who[0], who[1], int(e["vtid"])] += 1
    elif name == "woken":
        workers[who].woken += 1
    elif name == "sleep_abort":
        misses[count_wakes.label(e["by"])] += 1


def verdicts_of(folder, values):
    t = count_wakes.read(folder)
    for w in t.wakes:
        w["verdict"] = count_wakes.verdict(t, w)
        values[f"by_cause {w['cause']} {w['verdict']}"] += 1
        values[f"verdict {w['verdict']}"] += 1
    values["verdict self"] += t.self_wakes
    values["wakes"], values["woken"] = len(t.wakes), len(t.awoken) + t.self_wakes
    values["latencies"] = count_wakes.latency(t)["count"]
    storms = count_wakes.storms(t)
    values["storms"] = len(storms)
    for i, s in enumerate(storms):
        dict.update(values, {f"storm {i} {k}": s[k] for k in STORM})


def count_raw(folder):
    """Returns the values by name, counted from the raw events."""
    workers, outside, misses, values = defaultdict(Worker), Counter(), Counter(), Counter()
    for m in traces.events(folder):
        if m.event.name.startswith("doze:"):
            add_event(m.event, m.default_clock_snapshot.ns_from_origin, workers, outside, misses)
    verdicts_of(folder, values)
    dict.update(values, {f"near miss {k}": n for k, n in misses.items()})
    dict.update(values, {f"outside {k} wakes_sent": n for k, n in outside.items()})
    for who, w in workers.items():
        values["jobs_run"] += w.jobs_run
        dict.update(values, {f"worker {who} {s}": w.time[s] for s in STATES})
        dict.update(values, {f"worker {who} {k}": getattr(w, k) for k in ("jobs_run", "wakes_sent", "woken")})
    values["lost"] = traces.lost
    return values


def count_by_doze(folder):
    """Returns the same values as counted by `doze storms`."""
    r = patience.run([DOZE, "storms", "--json", folder], capture_output=True, text=True, timeout=100, check=True)
    d, values = json.loads(r.stdout), Counter()
    dict.update(values, {k: d[k] for k in ("wakes", "woken", "jobs_run", "lost")})
    values["storms"], values["latencies"] = d["storm_count"], d["latency"]["notify_awake"]["count"]
    dict.update(values, {f"verdict {k}": n for k, n in d["verdicts"].items()})
    for cause, row in d["by_cause"].items():
        dict.update(values, {f"by_cause {cause} {k}": n for k, n in row.items()})
    for i, s in enumerate(d["storms"]):
        dict.update(values, {f"storm {i} {k}": s[k] for k in STORM})
    dict.update(values, {f"near miss {k}": n for k, n in d["near_misses"].items()})
    dict.update(values, {f"outside {o['vpid'], o['pool'], o['vtid']} wakes_sent": o["wakes_sent"] for o in d["outside"]})
    for w in d["workers"]:
        who = w["vpid"], w["pool"], w["worker"]
        dict.update(values, {f"worker {who} {s}": w["time"][s] for s in STATES})
        dict.update(values, {f"worker {who} {k}": w[k] for k in ("jobs_run", "wakes_sent", "woken")})
    return values


def compare(title, folder):
    """Prints a row of the table, and the differences. Returns the number of values and how many of
    them differ."""
    traces.lost = 0
    raw, ours = count_raw(folder), count_by_doze(folder)
    names = sorted(n for n in raw.keys() | ours.keys() if raw[n] or ours[n])
    wrong = [n for n in names if raw[n] != ours[n]]
    print(f"{title:34}{raw['wakes']:>8} wakes{raw['storms']:>5} storms{len(names):>6} values{len(wrong):>5} differ",
          flush=True)
    for n in wrong:
        print(f"    {n}: {raw[n]} from the raw events, {ours[n]} by doze storms")
    if raw["lost"]:
        print(f"    {raw['lost']} events were lost: nothing can be compared")
    return len(names), len(wrong) + bool(raw["lost"])


def make(top, number):
    """Makes the recordings. Yields the title and folder of each."""
    names = list(policies())
    for i in range(number):
        policy, demo = names[i % len(names)], DEMOS[(i + i // len(names)) % len(DEMOS)]
        level, workers = LEVELS[i % len(LEVELS)], WORKERS[i // 2 % len(WORKERS)]
        folder = os.path.join(top, f"{i}-{policy}-{demo[0]}")
        patience.whole(patience.run([DOZE, "record", "-o", folder, f"--policy={policy}", f"--workers={workers}",
                                     f"--detail={level}", "--", DOZE, "demo", *demo], timeout=120, capture_output=True)
                       ).check_returncode()
        yield f"{policy:9}{demo[0]:9}{workers} {level}", folder


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--number", type=int, default=20)
    args.add_argument("--keep", metavar="FOLDER")
    args.add_argument("folder", nargs="*")
    args = args.parse_args()
    top = args.keep or tempfile.mkdtemp(prefix="doze-count-")
    os.makedirs(top, exist_ok=True)
    recordings = ((f, f) for f in args.folder) if args.folder else make(top, args.number)
    try:
        for recording in recordings:
            results.append(compare(*recording))
    finally:
        if not args.keep:
            shutil.rmtree(top, ignore_errors=True)
    wrong = sum(w for _, w in results)
    print(f"{len(results)} recordings, {sum(n for n, _ in results)} values, {wrong} differ")
    return 1 if wrong or len(results) < (len(args.folder) or args.number) else 0


if __name__ == "__main__":
    raise SystemExit(patience.exit_code(main, lambda: sum(w for _, w in results)))
