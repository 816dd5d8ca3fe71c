#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# `doze why` on recordings of three pools: one with an injected delay, one that leaves a worker
# asleep while jobs wait, and one that hangs. The test compares the output with the events as
# Babeltrace's bindings read them.
import json
import os
import re
import sys

import bt2

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "catalogue"))
sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
import recordings  # noqa: E402
from patience import enough  # noqa: E402
from test_functions import expect, run_tests, test  # noqa: E402

DELAYED = os.path.join(recordings.BUILD, "tests/integration/why/delayed")


def plain(field):
    """Converts a field to a value that outlives its message: an enum's label, a number or a
    text."""
    if hasattr(field, "labels"):
        return next(iter(field.labels), "?")
    return str(field) if isinstance(field, bt2._StringFieldConst) else int(field)


class Trace:
    """The doze events of a recording. Times are in ns after the first event."""

    def __init__(self, folder):
        self.folder, self.events, start = folder, [], None
        for message in bt2.TraceCollectionMessageIterator(folder):
            if type(message) is not bt2._EventMessageConst or not message.event.name.startswith("doze:"):
                continue
            at = message.default_clock_snapshot.ns_from_origin
            start = at if start is None else start
            self.events.append((at - start, message.event.name[5:],
                                {k: plain(v) for k, v in message.event.payload_field.items()}))

    def of(self, *kinds):
        return [(at, kind, f) for at, kind, f in self.events if kind in kinds]

    def posts(self):
        """Returns {job id: time of its post}."""
        return {f["job"] + i: at for at, _, f in self.of("post") for i in range(f["jobs"]) if f["job"]}

    def starts(self):
        """Returns {job id: time and thread of its start}."""
        found = {}
        for at, _, f in self.of("job_start", "job_taken"):
            found.setdefault(f["job"], (at, f["worker"]))
        return found


def why(trace, *question, code=0):
    r = patience.run([recordings.DOZE, "why", "--json", trace.folder, *question], capture_output=True, text=True)
    expect(r.returncode == code, f"why {question}: exit {r.returncode}: {r.stderr}")
    return json.loads(r.stdout)


def record(top, name, program, arguments, policy, workers, level):
    folder = os.path.join(top, name)
    problem = recordings.record(folder, program, arguments, policy, workers, level)
    expect(not problem, problem)
    return Trace(folder)


def longest_delay(trace):
    """Returns the longest delay, its job, and when the job's worker was notified and when it woke:
    None if no wake came between the post and the start of the job. For a pool of one worker."""
    posts, starts = trace.posts(), trace.starts()
    delay, job = max(((starts[job][0] - posts[job], job) for job in posts if job in starts), default=(0, None))
    if job is None:
        return delay, job, None
    woken = [(at, f["wake_id"]) for at, _, f in trace.of("woken") if posts[job] < at < starts[job][0]]
    notified = [at for at, _, f in trace.of("wake") if woken and f["wake_id"] == woken[-1][1] and at >= posts[job]]
    return delay, job, (notified[0], woken[-1][0]) if notified else None


@test
def the_delay_of_a_woken_worker_is_blamed_for_the_delay_of_its_job(top):
    trace = enough(lambda times: record(top, "delayed", DELAYED, f"{5 * times}", "jec", 1, "jobs"),
                   lambda trace: "" if longest_delay(trace)[2] else "the job with the longest delay was not woken for")
    posts, starts = trace.posts(), trace.starts()
    delay, job, (notified, awake) = longest_delay(trace)
    started = starts[job][0]
    parts = {"did not run for": awake - notified, "from its wake to this job": started - awake,
             "from its post to the wake": notified - posts[job]}
    for question in ("w0", hex(job), f"{posts[job] + delay // 2}ns"):
        said = why(trace, question)
        expect(said["delay"] == delay, f"{question}: {said}")
        expect(f"Job {job:#x} started" in said["answer"], f"{question}: {said['answer']}")
        expect(max(parts, key=parts.get) in said["answer"], f"{parts}: {said['answer']}")
        times = {step["event"]: step["at"] for step in said["chain"]}
        expect(times["woken"] == awake and times["wake"] == notified, said["chain"])
        expect(times["post"] == posts[job], said["chain"])


def jobs_of(trace):
    return sorted(set(trace.posts()) & set(trace.starts()))


@test
def every_job_has_a_delay_and_a_chain_of_causes(top):
    trace = enough(lambda times: record(top, "loop", recordings.WORKLOAD,
                                        f"loop rounds={12 * times} serial=400 width=12 job=150", "jec", 3, "all"),
                   lambda trace: "" if len(jobs_of(trace)) > 40 else f"only {len(jobs_of(trace))} jobs")
    posts, starts, jobs = trace.posts(), trace.starts(), jobs_of(trace)
    for job in jobs[::len(jobs) // 40]:
        said = why(trace, hex(job))
        expect(said["delay"] == max(0, starts[job][0] - posts[job]), f"{job:#x}: {said['delay']}")
        expect(said["chain"][0]["worker"] == starts[job][1], said["chain"][0])
        if starts[job][0] < posts[job]:
            continue  # a worker took the job before its poster reported the post
        times = [step["at"] for step in said["chain"]]
        expect(times == sorted(times, reverse=True), f"{job:#x}: {times}")
        expect(posts[job] in times, f"{job:#x}: no post")


def slept_through(trace):
    """Returns the workers whose longest delay is that of a job that another worker started while this
    one slept, from before the post of the job, and was not notified."""
    posts, asleep, ran, notified = trace.posts(), {}, {}, {}
    missed, own = {0: 0, 1: 0}, {0: 0, 1: 0}
    for at, kind, f in trace.events:
        w = f["target"] if kind == "wake" else f.get("worker", -1)
        if kind == "worker_state" and f["to"] == "sleeping":
            asleep[w] = at
        elif kind in ("wake", "woken", "worker_state"):
            asleep.pop(w, None)
        if kind == "wake":
            notified[w] = at
        elif kind == "woken" and w in notified:
            own[w] = max(own[w], at - notified.pop(w))
        if kind not in ("job_taken", "job_start") or f["job"] not in posts:
            continue
        posted, delay = posts[f["job"]], at - posts[f["job"]]
        if ran.get(w, -1) <= posted:
            own[w] = max(own[w], delay)
        ran[w] = at
        if asleep.get(1 - w, at) <= posted:
            missed[1 - w] = max(missed[1 - w], delay)
    return [w for w in missed if missed[w] > own[w]]


@test
def the_post_explains_a_sleeper_that_no_thread_woke(top):
    trace = enough(lambda times: record(top, "asleep", recordings.WORKLOAD,
                                        f"flood jobs=40 job=1500 rounds={4 * times} pause=15000", "rfc", 2, "states"),
                   lambda trace: "" if slept_through(trace) else "no worker slept through the delay of a job")
    posts, starts = trace.posts(), trace.starts()
    for worker in slept_through(trace):
        s = why(trace, f"w{worker}")
        expect("slept and no thread woke it" in s["answer"], s["answer"])
        job = int(re.search(r"Job 0x([0-9a-f]+)", s["answer"]).group(1), 16)
        expect(s["delay"] == starts[job][0] - posts[job], s)
        expect(s["chain"][0]["worker"] != s["question"][1:], s)


def latches_of_sleepers(trace):
    return [e for e in trace.of("latch") if e[2]["to"] == "set" and e[2]["from"] == "sleeping"]


@test
def the_answer_about_a_hang_names_the_worker_that_set_the_latch(top):
    program = recordings.build_mutant("latch-wakes-on-sleepy")
    # The owner of the latch falls asleep in one of the rounds, and the program hangs in it until it dies.
    trace = enough(lambda times: record(top, "hang", program, f"loop rounds={20 * times} width=4 job=500 longest=60000"
                                        f" dies={2500 * times}", "jec", 2, "states"),
                   lambda trace: "" if latches_of_sleepers(trace) else "no worker slept when its latch was set")
    at, _, latch = latches_of_sleepers(trace)[-1]
    owner, setter = latch["owner"], latch["worker"]
    said = why(trace, f"w{owner}", code=4)
    expect(f"Worker {owner} sleeps for" in said["answer"] and "until the trace ends" in said["answer"], said["answer"])
    expect(f"worker {setter} set latch" in said["answer"], said["answer"])
    expect(said["chain"][0]["at"] == at and said["chain"][0]["event"] == "latch", said["chain"][0])
    expect("must wake the owner" in said["chain"][0]["rule"], said["chain"][0])


@test
def the_sink_prints_the_same_answer(top):
    folder = os.path.join(top, "delayed")
    text = patience.run([recordings.DOZE, "why", folder, "w0"], capture_output=True, text=True, check=True).stdout
    sink = patience.run(["babeltrace2", f"--plugin-path={recordings.BUILD}", folder, "-c", "sink.doze.why",
                         '--params=what="w0"'], capture_output=True, text=True, check=True).stdout
    # Only the command knows the folder and therefore the recording's number of CPUs.
    texts = [re.sub(r"(active on )\d+ CPUs?", r"\1n CPUs", " ".join(t.replace(folder, "babeltrace2").split())) for t in (text, sink)]
    expect(texts[0] == texts[1], sink)


@test
def malformed_questions_are_refused(top):
    folder = os.path.join(top, "delayed")
    for question, code, words in (("soon", 2, "give a time"), ("0x123456", 2, "contains neither the post nor the start"),
                                  ("--worker=1", 2, "name the worker as the question"),
                                  ("--from=1ms 5ms", 2, "selects among the delays of one worker")):
        r = patience.run([recordings.DOZE, "why", folder, *question.split()], capture_output=True, text=True)
        expect(r.returncode == code and words in r.stdout + r.stderr, f"{question}: {r.returncode} {r.stdout}{r.stderr}")


if __name__ == "__main__":
    raise SystemExit(run_tests("doze-why-"))
