#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Records the program `jobs` at each level of detail. Level jobs must contain exactly the jobs that
ran on a worker other than their poster, that were in the injector or in a broadcast queue, or for
which a worker was woken, and must count all others. Level all must contain every job. Tools must
reject questions that the level cannot answer."""
import itertools
import json
import os
import shutil
import sys
import tempfile
from collections import Counter, defaultdict

import bt2

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from patience import enough, exit_code, whole  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DOZE = f"{BUILD}/doze"
NOTED = 16  # the largest number of jobs that a worker notes (lib/job_records.h)
failed = []


def check(title, ok, detail=""):
    print("%s: %s%s" % (title, "ok" if ok else "FAILED", "" if ok else " " + str(detail)[:2000]), flush=True)
    if not ok:
        failed.append(title)


def run(*command):
    p = whole(patience.run(command, capture_output=True, text=True, timeout=60, check=False))
    return p.returncode, p.stdout, p.stderr


def record(folder, level, policy, workers, times=1):
    """Records the program. Returns the events and the number of jobs that the program counted."""
    shutil.rmtree(folder, ignore_errors=True)
    code, _, err = run(DOZE, "record", "-o", folder, f"--detail={level}", f"--policy={policy}", "--",
                       f"{BUILD}/tests/integration/trace/jobs", str(workers), str(5 * times))
    check(f"a trace of {policy} can be recorded at level {level}", code == 0, err)
    events, places = defaultdict(list), itertools.count()
    for message in bt2.TraceCollectionMessageIterator(folder):
        if type(message) is bt2._EventMessageConst and message.event.name.startswith("doze:"):
            e = {k: v for k, v in message.event.payload_field.items()}
            e["at"] = next(places)
            events[message.event.name[len("doze:"):]].append(e)
        elif type(message) is bt2._DiscardedEventsMessageConst:
            events["lost"].append(message)
    with open(folder + "/program.log", encoding="utf-8") as f:
        return events, int(f.read())


def label(field):
    return field.labels[0] if field.labels else "?"


def poster(job):
    return (int(job) >> 44) - 1


def check_totals(name, events, jobs):
    run_by, published = {}, {}
    for e in events["worker_state"]:
        run_by[int(e["worker"])], published[int(e["worker"])] = int(e["jobs_run"]), int(e["jobs_published"])
    check(f"{name}: the workers' totals match the program's", sum(run_by.values()) == jobs, (run_by, jobs))
    check(f"{name}: no event was lost", not events["lost"])
    return run_by


def check_pairs(name, events):
    starts = Counter((int(e["worker"]), int(e["job"])) for e in events["job_start"])
    ends = Counter((int(e["worker"]), int(e["job"])) for e in events["job_end"])
    check(f"{name}: each recorded start of a job has an end", starts == ends, (starts - ends, ends - starts))
    jobs = [int(e["job"]) for e in events["job_start"]]
    check(f"{name}: no job starts twice", len(jobs) == len(set(jobs)))


def not_recorded(woken_for, started, events):
    """Returns the jobs for which workers were woken and whose start is missing, although their poster
    had room for a note. Under rfc, many posts in a row may wake the same worker before that gets a CPU;
    after NOTED of them there is no room."""
    ended = {int(e["job"]): e["at"] for e in events["job_end"]}
    missing = set()
    for worker, jobs in woken_for.items():
        # A note lasts until another worker starts the job, or until the poster has run it. It is made
        # just before the post is recorded, so count those that lasted beyond the previous post.
        until = {j: ended[j] if int(started[j]["worker"]) == worker else started[j]["at"] for j in jobs if j in started}
        for job, (before, at) in jobs.items():
            if job not in started and sum(jobs[j][1] < at and until[j] > before for j in until) < NOTED:
                missing.add(job)
    return missing


def run_at_home(started):
    """Returns the starts, by id, of jobs that their poster ran, except those that any worker could take, and
    those that it stole back from a thief that had moved them."""
    return [e for e in started.values() if poster(e["job"]) == int(e["worker"])
            and label(e["source"]) not in ("injected", "broadcast", "stolen")]


def starts(events):
    return {int(e["job"]): e for e in events["job_start"]}


def unusual(name, events, jobs):
    """Returns what a recording of level jobs lacks for check_jobs. Under spin no worker is woken, and forkjoin
    signals for every job. With one worker, no other worker can be woken."""
    if name.split()[0] in ("jec", "rfc") and not name.endswith(" 1") and not run_at_home(starts(events)):
        return "no job for which a worker was woken is run by its poster"
    if name.split()[0] not in ("spin", "forkjoin") and len(starts(events)) >= jobs / 2:
        return f"{len(starts(events))} of {jobs} jobs are recorded, because they were stolen or woke a worker"
    return ""


def check_jobs(name, events):
    """Checks which starts of jobs level jobs records."""
    woken_for = defaultdict(dict)  # worker -> {job: (place of the worker's previous post, place of its post)}
    for e in events["post"]:
        if label(e["queue"]) == "local":
            jobs = woken_for[int(e["worker"])]
            before = max((at for _, at in jobs.values()), default=0)
            for i in range(min(int(e["wakes"]), int(e["jobs"]), NOTED)):
                jobs[int(e["job"]) + i] = before, e["at"]
    started = starts(events)
    home = run_at_home(started)
    check(f"{name}: each recorded job left its poster, or a worker was woken for the job",
          all(int(e["job"]) in woken_for[int(e["worker"])] for e in home), home)
    # forkjoin signals for every job, and a worker notes only some of the waiting jobs, so none is
    # required.
    missing = set() if name.startswith("forkjoin") else not_recorded(woken_for, started, events)
    check(f"{name}: each job for which a worker was woken is recorded, if its poster had room for a note", not missing, missing)
    stolen = {int(e["job"]) for e in events["steal"] if label(e["result"]) == "success"} - {0}  # excludes the tokens of FIFOs
    check(f"{name}: each stolen job is recorded", stolen <= set(started), stolen - set(started))
    posts = [e for e in events["post"] if label(e["queue"]) in ("injector", "broadcast")]
    taken = [e for e in started.values() if label(e["source"]) in ("injected", "broadcast")]
    check(f"{name}: each job that all workers may take is recorded, as is its post",
          sum(int(e["jobs"]) for e in posts) == len(taken) > 0, (len(posts), len(taken)))
    return len(started)


def rejects(folder, level):
    every = level == "all"
    code, out, err = run(DOZE, "storms", "--brief", "--fail-if=under-wakes>1000000", folder)
    check(f"level {level}: under-wakes are {'known' if every else 'rejected'}",
          code == (0 if every else 4) and ("--detail all" in err) != every, (code, err))
    code, out, err = run(DOZE, "check", folder)
    check(f"level {level}: check reports no finding", code == 0, out + err)
    check(f"level {level}: the output states what was not checked", ("Not checked: job-lost" in out) != every, out)
    storms = json.loads(run(DOZE, "storms", "--json", folder)[1])
    check(f"level {level}: the storm report names the level",
          (storms["detail"], storms["every_job"]) == (level, every), storms["detail"])
    check(f"level {level}: the JSON has {'a' if every else 'no'} value for under-wakes", (storms["underwake"] is not None) == every)
    check(f"level {level}: critical paths are {'exact' if every else 'estimates'}",
          all(p["estimated"] != every for p in storms["critical_paths"]), storms["critical_paths"])
    check(f"level {level}: what-if states whether it has every post",
          json.loads(run(DOZE, "whatif", "--posts", "--json", folder)[1])["every_post"] == every)
    code, out, err = run(DOZE, "whatif", folder)
    check(f"level {level}: what-if {'simulates' if every else 'refuses to simulate'}",
          (code == 4 and "--detail=all" in err) != every, (code, err))


def main():
    with tempfile.TemporaryDirectory() as folder:
        for policy, workers in (("jec", 1), ("jec", 2), ("tickle", 4), ("forkjoin", 3), ("rfc", 3), ("spin", 2)):
            name = f"{policy} with {workers}"
            where = f"{folder}/{policy}-{workers}"
            events, jobs = enough(lambda times: record(where, "jobs", policy, workers, times),
                                  lambda recorded: unusual(name, *recorded))
            check_totals(name, events, jobs)
            check_pairs(name, events)
            n = check_jobs(name, events)
            print(f"  {n} of {jobs} jobs recorded")
        for level in ("states", "jobs", "all"):
            where = f"{folder}/{level}"
            events, jobs = record(where, level, "jec", 2)
            check_totals(level, events, jobs)
            check_pairs(level, events)
            check(f"level {level} is in the trace", label(events["pool_start"][0]["level"]) == level)
            rejects(where, level)
        check("level all contains every job", len(events["job_start"]) == jobs, (len(events["job_start"]), jobs))
        check("at level all, each job is recorded only once", not events["job_taken"])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(exit_code(main, lambda: len(failed)))
