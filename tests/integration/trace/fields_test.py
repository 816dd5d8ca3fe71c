#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Records demos with real daemons and checks the fields that schema 1.1 added: job numbers, callers, CPU
times, the starts of queued jobs while a worker sleeps, the name of each thread, the callers of a post."""
import os
import subprocess
import sys
import tempfile
from collections import defaultdict

import bt2

BUILD = os.environ.get("BUILD", "build")
failed = []


def check(title, ok, detail=""):
    print("%s: %s%s" % (title, "ok" if ok else "FAILED", "" if ok else " " + str(detail)), flush=True)
    if not ok:
        failed.append(title)


def record(folder, detail, *demo):
    return record_program(folder, detail, f"{BUILD}/doze", "demo", *demo, options=["--workers=4"])


def record_program(folder, detail, *program, options=(), env=None):
    command = [f"{BUILD}/doze", "record", "-o", folder, *options, f"--detail={detail}", "--", *program]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=60,
                   env=dict(os.environ, **(env or {})))
    events = defaultdict(list)
    for message in bt2.TraceCollectionMessageIterator(folder):
        if type(message) is bt2._EventMessageConst and message.event.name.startswith("doze:"):
            e = message.event
            events[e.name[len("doze:"):]].append(
                ({k: v for k, v in e.payload_field.items()},
                 {k: v for k, v in e.common_context_field.items()}))
    return events


def label(field):
    return field.labels[0]


def check_states(events):
    posts = [p for p, _ in events["post"]]
    check("every post has a job number", posts and all(int(p["job"]) > 0 for p in posts))
    callers = {int(p["caller"]) for p in posts}
    check("all posts of one source line have the same caller", len(callers) == 1 and 0 not in callers,
          callers)
    posted = {int(p["job"]) for p in posts}
    taken = [int(t["job"]) for t, _ in events["job_taken"]]
    check("queued jobs that start while a worker sleeps are recorded", len(taken) > 10, len(taken))
    check("each of these jobs was posted, and started once",
          set(taken) <= posted and len(set(taken)) == len(taken))
    check("no job was skipped", all(int(t["skipped"]) == 0 for t, _ in events["job_taken"]))
    names = {str(c["procname"]) for _, c in events["woken"]}
    check("events carry the name of their thread", names == {f"doze-{i}" for i in range(4)}, names)
    check_cpu_times(events)


def check_cpu_times(events):
    asleep = defaultdict(list)
    for s, _ in events["worker_state"]:
        if label(s["to"]) == "sleeping":
            asleep[int(s["worker"])].append(int(s["cpu_ns"]))
        else:
            check_quietly("only a worker that falls asleep has a CPU time", int(s["cpu_ns"]) == 0)
    check("CPU times of a worker that falls asleep rise",
          len(asleep) == 4 and all(t == sorted(t) and t[0] > 0 for t in asleep.values()))
    check("a woken worker has a CPU time", all(int(w["cpu_ns"]) > 0 for w, _ in events["woken"]))


def check_callers(folder):
    program = f"{BUILD}/tests/integration/trace/callers"
    for wanted in "1", "3", "4":
        where = folder + wanted
        events = record_program(where, "all", program, env={"DOZE_TRACE_FRAMES": wanted})
        posts = [p for p, _ in events["post"]]
        with open(where + "/program.log", encoding="utf-8") as f:
            printed = [int(word, 16) for word in f.read().split()]
        right = [a if i + 2 <= int(wanted) else 0 for i, a in enumerate(printed)]
        found = [[int(p[f"caller{i}"]) for i in (2, 3, 4)] for p in posts]
        check(f"a post has its callers, with DOZE_TRACE_FRAMES={wanted}",
              len(right) == 3 and printed[0] > 0 and found == [right], (printed, found))


def check_quietly(title, ok):
    if not ok:
        check(title, ok)


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_states(record(folder + "/states", "states", "trickle", "--jobs=60"))
        events = record(folder + "/all", "all", "trickle", "--jobs=60")
        check_callers(folder + "/callers")
        check("level all records each start once, as job_start",
              len(events["job_start"]) >= 60 and not events["job_taken"])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
