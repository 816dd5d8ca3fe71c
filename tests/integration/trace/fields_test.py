#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Records demos with real daemons and checks the fields that schemas 1.1 and 1.3 added: job
numbers, callers, CPU times, the starts of queued jobs while a worker sleeps, the name of each
thread, the callers of a post, and the time that threads waited for a CPU."""
import os
import sys
import tempfile
from collections import defaultdict

import bt2

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from patience import enough, exit_code, whole  # noqa: E402

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
    recorded = whole(patience.run(command, capture_output=True, text=True, env=dict(os.environ, **(env or {}))))
    if recorded.returncode:
        raise SystemExit(f"{program} was not recorded: {recorded.stderr}")
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


def few_states(events):
    """Returns what a recording of level states lacks for check_states."""
    taken, names = len(events["job_taken"]), {str(c["procname"]) for _, c in events["woken"]}
    if taken <= 10:
        return f"only {taken} jobs start while a worker sleeps"
    return "" if len(names) >= 4 else f"only these workers were woken: {sorted(names)}"


def check_states(events):
    posts = [p for p, _ in events["post"]]
    check("every post has a job number", posts and all(int(p["job"]) > 0 for p in posts))
    callers = {int(p["caller"]) for p in posts}
    check("all posts of one source line have the same caller", len(callers) == 1 and 0 not in callers,
          callers)
    posted = {int(p["job"]) for p in posts}
    taken = [int(t["job"]) for t, _ in events["job_taken"]]
    check("each job that is recorded as taken was posted and starts once",
          set(taken) <= posted and len(set(taken)) == len(taken))
    check("no job is skipped", all(int(t["skipped"]) == 0 for t, _ in events["job_taken"]))
    names = {str(c["procname"]) for _, c in events["woken"]}
    check("events contain the name of their thread", names == {f"doze-{i}" for i in range(4)}, names)
    check_cpu_times(events)


def check_cpu_times(events):
    times = defaultdict(list)
    for s, _ in events["worker_state"]:
        if label(s["to"]) in ("sleeping", "stopped") or label(s["reason"]) == "start":
            times[int(s["worker"])].append(int(s["cpu_ns"]))
        else:
            check_quietly("only a worker that starts, falls asleep or stops has a CPU time", int(s["cpu_ns"]) == 0)
    check("a worker's CPU time does not decrease from its start to its stop",
          len(times) == 4 and all(t == sorted(t) and t[0] > 0 for t in times.values()))
    check("a woken worker has a CPU time", all(int(w["cpu_ns"]) > 0 for w, _ in events["woken"]))


def check_thread_times(folder):
    """Each of 120 jobs on 2 workers sleeps for 10 ms, so for nearly all of 600 ms each worker
    neither has nor wants a CPU."""
    def record_sleeps(times):
        return times, record_program(folder + str(times), "states", f"{BUILD}/tests/integration/catalogue/workload", "sleeps",
                                     f"rounds={12 * times}", "jobs=10", "job=100", "sleep=10000", options=["--workers=2"])

    # The first snapshot may precede the first job.
    times, events = enough(record_sleeps, lambda recorded: "" if len(recorded[1]["snapshot"]) >= 4 else "too few snapshots")
    stops = {int(s["worker"]): int(s["run_delay_ns"]) for s, _ in events["worker_stop"]}
    totals = {int(s["worker"]): int(s["cpu_ns"]) for s, _ in events["worker_state"] if label(s["to"]) == "stopped"}
    check("a worker that stops reports how long it waited for a CPU", len(stops) == 2 and min(stops.values()) > 0, stops)
    late = [s for s, _ in events["snapshot"] if int(s["cpu_ns"])]
    check("snapshots report each worker's CPU time", {int(s["worker"]) for s in late} == {0, 1}, len(late))
    check("no time in a snapshot exceeds the final time",
          all(int(s["cpu_ns"]) <= totals[int(s["worker"])]
                       and 0 < int(s["run_delay_ns"]) <= stops[int(s["worker"])] for s in late), (totals, stops))
    check("sleep is neither CPU time nor a wait for a CPU", sum(totals.values()) < 400e6 * times, totals)


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
        check(f"a post has its callers if DOZE_TRACE_FRAMES is {wanted}",
              len(right) == 3 and printed[0] > 0 and found == [right], (printed, found))


def check_quietly(title, ok):
    if not ok:
        check(title, ok)


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_states(enough(lambda times: record(f"{folder}/states{times}", "states", "trickle", f"--jobs={60 * times}"),
                            few_states))
        events = record(folder + "/all", "all", "trickle", "--jobs=60")
        check_callers(folder + "/callers")
        check_thread_times(folder + "/times")
        check("level all records each start of a job once, as job_start",
              len(events["job_start"]) >= 60 and not events["job_taken"])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(exit_code(main, lambda: len(failed)))
