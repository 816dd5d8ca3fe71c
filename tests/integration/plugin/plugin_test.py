#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The Babeltrace plug-in, the scripts and doze report the same results for the same trace. Runs in
# the top folder; $BUILD is the build folder. The traces are synthetic; where LTTng can record,
# recordings are compared as well.
import json
import os
import shutil
import sys
import tempfile
from collections import Counter

import bt2

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from patience import enough, exit_code  # noqa: E402
from synthetic import ASLEEP, script_trace  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DOZE = f"{BUILD}/doze"
SCRIPTS = "viz/scripts"
failures = 0


def run(*command, ok=(0,)):
    p = patience.run(command, capture_output=True, text=True, timeout=120)
    if p.returncode not in ok:
        raise SystemExit(f"FAILED: {' '.join(command)}: exit {p.returncode}\n{p.stderr}")
    return p.stdout


def bt(folder, *args):
    return run("babeltrace2", f"--plugin-path={BUILD}", folder, *args)


def same(title, a, b):
    global failures
    if a == b:
        print(f"passed: {title}")
    else:
        failures += 1
        print(f"FAILED: {title}\n  one:   {a!r}\n  other: {b!r}"[:2000])


def python_agrees(name, folder, ours):
    counted = json.loads(run(f"{SCRIPTS}/count-wakes.py", "--json", folder))
    same(f"{name}: the script and doze count the same wakes", counted["wakes"], ours["wakes"])
    same(f"{name}: the script and doze count the same woken workers", counted["woken"], ours["woken"])
    verdicts = {k: v for k, v in ours["verdicts"].items() if v}
    same(f"{name}: the script and doze count the same verdicts", {k: v for k, v in counted["verdicts"].items() if v}, verdicts)
    # Both compute the same rank. The value of doze is the middle of a bucket, which is an eighth of
    # a power of two wide.
    exact, about = counted["notify_awake"], ours["latency"]["notify_awake"]
    same(f"{name}: the script and doze count the same number of wake latencies", exact["count"], about["count"])
    for p in ("p50", "p90", "p99"):
        same(f"{name}: {p} of the wake latency, {exact[p]} ns and {about[p]} ns, agrees within 1/8",
             8 * abs(exact[p] - about[p]) <= exact[p], True)
    keys = ("cause", "waker", "waker_vtid", "decision_id", "decisions", "woken", "futile")
    same(
        f"{name}: the script and doze find the same storms with the same triggers",
        counted["storms"],
        [{k: s[k] for k in keys} for s in ours["storms"]],
    )


def sinks_agree(name, folder, ours):
    theirs = json.loads(bt(folder, "-c", "sink.doze.storms", "--params=json=yes"))
    theirs["trace"] = ours["trace"]
    # The sink does not know the folder and therefore lacks the manifest with the number of CPUs.
    ok_verdicts = bool(theirs.pop("diagnosis")) and "diagnosis" in ours
    same(f"{name}: sink.doze.storms also prints a verdict", ok_verdicts, True)
    ours = {k: v for k, v in ours.items() if k != "diagnosis"}
    same(f"{name}: sink.doze.storms reports what doze storms reports", theirs, ours)
    checked = json.loads(bt(folder, "-c", "sink.doze.check", "--params=json=yes"))
    checked["trace"] = folder
    same(
        f"{name}: sink.doze.check reports what doze check reports",
        checked,
        json.loads(run(DOZE, "check", "--json", folder, ok=(0, 1, 4))),
    )
    same(
        f"{name}: sink.doze.timeline draws what doze timeline draws",
        bt(folder, "-c", "sink.doze.timeline", "--params=columns=90,ascii=yes"),
        run(DOZE, "timeline", "--ascii", "--color=never", "--width=90", folder, ok=(0, 4)),
    )


def filter_agrees(name, folder, ours, scratch):
    total = sum(ours["verdicts"].values())
    pretty = bt(folder, "-c", "filter.doze.wakes", "-c", "sink.text.pretty")
    same(f"{name}: the filter adds one event per verdict", pretty.count("doze_verdict:wake"), total)
    copy = os.path.join(scratch, "copy")
    bt(folder, "-c", "filter.doze.wakes", "-c", "sink.ctf.fs", f"--params=path=\"{copy}\"")
    again = run("babeltrace2", copy)
    same(f"{name}: the added events survive a round trip", again.count("doze_verdict:wake"), total)
    shutil.rmtree(copy)
    same(
        f"{name}: each futile wake has its waker in the report",
        sum(w["futile_sent"] for w in ours["workers"] + ours["outside"]),
        ours["verdicts"]["futile"],
    )
    table = run(f"{SCRIPTS}/top-wakers.py", f"--plugin-path={BUILD}", folder).splitlines()[1:]
    same(
        f"{name}: the futile wakes of all wakers add up to the total",
        sum(int(line.split()[-1]) for line in table),
        ours["verdicts"]["futile"],
    )


def check_trace(name, folder, scratch):
    ours = json.loads(run(DOZE, "storms", "--json", folder, ok=(0, 4)))
    python_agrees(name, folder, ours)
    sinks_agree(name, folder, ours)
    filter_agrees(name, folder, ours, scratch)
    return ours


def made(scratch, *numbers):
    folder = os.path.join(scratch, "made" + "-".join(numbers))
    run(f"{BUILD}/tests/fixtures/make-trace", folder, *numbers)
    return folder


REPEATS = {"trickle": ("--jobs", 400), "burst": ("--bursts", 12), "latch": ("--rounds", 20)}


def recorded(scratch, policy, workload, times):
    folder = os.path.join(scratch, f"{policy}-{workload}-{times}")
    option, count = REPEATS[workload]
    run(DOZE, "record", "-o", folder, f"--policy={policy}", "--workers=8", "--", DOZE, "demo", workload,
        f"{option}={count * times}")
    return folder


def lacks(policy, workload, folder):
    """Returns what a recording lacks for the checks. On a busy machine, the eight workers may still be searching
    when the next post comes."""
    if workload == "trickle":
        posts = posts_that_woke(folder)
        if len(posts) <= 200:
            return f"only {len(posts)} posts come while workers sleep"
        if policy == "tickle" and len(herds(posts)) <= 20:
            return f"only {len(herds(posts))} posts come while half of the workers sleep"
    return "" if json.loads(run(DOZE, "storms", "--json", folder))["wakes"] else "no worker was woken"


def bad_parameter(folder):
    for sink, params in (
        ("timeline", "columns=3"),
        ("timeline", "colums=80"),
        ("storms", "storm-share=2.0"),
        ("storms", "brief=3"),
    ):
        p = patience.run(
            ["babeltrace2", f"--plugin-path={BUILD}", folder, "-c", f"sink.doze.{sink}"]
            + [f"--params={params}"],
            capture_output=True,
            text=True,
            timeout=60,
        )
        word = params.split("=")[0]
        same(f"sink.doze.{sink} rejects {params} by name", (p.returncode != 0, word in p.stderr),
             (True, True))


def parts_agree(folder):
    """Checks that sinks and commands report the same for a selection, and that sinks reject an
    invalid selection."""
    ask = (("from", "2ms"), ("to", "9ms"), ("worker", "0-3"))
    params = ",".join(f'{name}="{value}"' for name, value in ask)
    options = [f"--{name}={value}" for name, value in ask]
    for command in ("storms", "check"):
        theirs = json.loads(bt(folder, "-c", f"sink.doze.{command}", f"--params={params},json=yes"))
        ours = json.loads(run(DOZE, command, "--json", *options, folder, ok=(0, 1, 4)))
        theirs["trace"] = ours["trace"]
        same(f"sink.doze.{command} reports what doze {command} reports on a selection", theirs, ours)
        same(f"{command}: the selection is the requested one", (ours["from"], ours["to"], ours["worker"]), (2000000, 9000000, "0-3"))
    one = bt(folder, "-c", "sink.doze.timeline", "--params=worker=2,ascii=yes")
    same("worker=2 without quotes is read as a list of workers", ("\nw2 " in one, "\nw1 " in one), (True, False))
    for sink in ("timeline", "storms", "check"):
        for params, word in (
            ("from=1000000000,to=500000000", "from"), ("from=5000000000000", "from"),
            ('worker="99"', "worker"), ("worker=99", "worker"), ('worker="x"', "worker"),
        ):
            p = patience.run(["babeltrace2", f"--plugin-path={BUILD}", folder, "-c", f"sink.doze.{sink}",
                              f"--params={params}"], capture_output=True, text=True, timeout=60)
            same(f"sink.doze.{sink} rejects {params} by name, and prints nothing",
                 (p.returncode != 0, word in p.stderr, p.stdout), (True, True, ""))


def posts_that_woke(folder):
    """Returns [(decision, vtid, workers that woke, workers that slept again without a job)] for
    each outside post that found sleepers. Counts the events without doze's code."""
    posts, wakes, woken, vain, now = {}, {}, Counter(), Counter(), {}
    for m in bt2.TraceCollectionMessageIterator(folder):
        if not isinstance(m, bt2._EventMessageConst):
            continue
        e = m.event
        if e.name == "doze:post" and int(e["worker"]) == -1 and int(e["wakes"]) > 0:
            posts[int(e["decision_id"])] = int(e["vtid"])
        elif e.name == "doze:wake":
            wakes[int(e["wake_id"])] = int(e["decision_id"])
        elif e.name == "doze:woken":
            now[int(e["worker"])] = wakes.get(int(e["wake_id"]))
            woken[now[int(e["worker"])]] += 1
        elif e.name == "doze:worker_state" and e["to"].labels[0] in ("active", "sleeping"):
            vain[now.pop(int(e["worker"]), None)] += e["to"].labels[0] == "sleeping"
    return [(d, vtid, woken[d], vain[d]) for d, vtid in posts.items()]


def herds(posts):
    """Returns the posts that found half of the workers asleep and woke them, most of them in vain."""
    return {(d, vtid) for d, vtid, n, vain in posts if n >= 4 and 2 * vain >= n}


def every_post_or_none(policy, folder, storms):
    """Checks recordings of trickle, which posts a no-op every 5 ms. Under tickle, each post that
    finds half of the workers asleep triggers a storm; under jec, no post does. On a busy machine,
    some posts come before the workers sleep, some workers wake so late that the next job makes
    their wakes useful, and under tickle, finished jobs also wake many workers."""
    posts = posts_that_woke(folder)
    if policy == "jec":
        same("trickle under jec: there is no storm", storms["storm_count"], 0)
        return
    found = herds(posts)
    alone = {(s["decision_id"], s["waker_vtid"]) for s in storms["storms"]
             if (s["cause"], s["waker"]) == ("inject", -1)}
    same("trickle under tickle: the trigger of each storm by a post finds half of the workers asleep", alone - found, set())
    # Decisions within a millisecond form one storm, which is named after the first of them.
    merged = sum(s["decisions"] - 1 for s in storms["storms"])
    missing = sorted(found - alone)
    same("trickle under tickle: each post that finds half of the workers asleep triggers a storm",
         len(missing) <= merged, True)
    print(f"        {len(posts)} posts found sleepers, {len(found)} of them half of the workers; {len(alone)} storms"
          f" by posts, {storms['storm_count']} in all; {len(missing)} posts merged into another storm")


# A wake for a latch. The worker resumes the job that waited for the latch, and then stops without searching,
# because its termination latch was set in the meantime.
ENDS = (
    ASLEEP
    + """50 w0 latch sleeping>set w1 id4{kind}
52 w0 wake w1 id1 d1 latch 1.1.0>1.1.0
55 w1 woken 1
56 w1 sleeping>idle woken 1.1.0>0.1.0
57 w1 idle>active latch_set 0.1.0>0.0.0
58 w0 latch sleepy>set w1 id5 terminate
59 w1 active>stopped terminate 0.0.0>0.0.0
60 w0 active>stopped terminate 0.0.0>0.0.0
90 x pool stop
"""
)


def last_latches(scratch):
    """Checks that the latch for which a worker is woken determines the verdict, even if the worker
    then stops."""
    for kind, verdict in (("", "latch"), (" terminate", "terminate")):
        folder = script_trace(scratch, verdict, ENDS.format(kind=kind))
        ours = json.loads(run(DOZE, "storms", "--json", folder, ok=(0, 4)))["verdicts"]
        counted = json.loads(run(f"{SCRIPTS}/count-wakes.py", "--json", folder))["verdicts"]
        want = {verdict: 1}
        same(f"doze and the script agree on a wake for a latch{kind} before the worker stops",
             [{k: v for k, v in d.items() if v} for d in (ours, counted)], [want, want])


SINKS = ("check", "storms", "timeline")


def bt_fails(folder, sink):
    p = patience.run(
        ["babeltrace2", f"--plugin-path={BUILD}", folder, "-c", f"sink.doze.{sink}"],
        capture_output=True, text=True, timeout=60,
    )
    return p.returncode != 0, p.stdout, "no doze events" in p.stderr


def doubts(scratch):
    """Checks that no sink reports an incomplete trace as correct."""
    for kind in ("lossy", "cut"):
        folder = made(scratch, "3000", "4", "1", "1", kind)
        for sink in SINKS:
            text = bt(folder, "-c", f"sink.doze.{sink}")
            same(f"sink.doze.{sink} calls a {kind} trace inconclusive", "nconclusive" in text, True)
    foreign = made(scratch, "3000", "4", "1", "1", "foreign")
    for sink in SINKS:
        same(f"sink.doze.{sink} rejects a trace without doze events", bt_fails(foreign, sink), (True, "", True))


def main():
    scratch = tempfile.mkdtemp(prefix="doze-plugin-")
    try:
        storms = check_trace("many woken for few jobs", made(scratch, "40000", "8", "6", "1"),
                             scratch)
        same("the synthetic storms are found", storms["storm_count"] > 100, True)
        calm = check_trace("as many woken as jobs", made(scratch, "40000", "8", "2", "2"), scratch)
        same("the calm trace has no storm", calm["storm_count"], 0)
        for policy, workload in (
            ("tickle", "trickle"), ("jec", "trickle"), ("tickle", "burst"), ("jec", "burst"),
            ("rfc", "latch"), ("forkjoin", "burst"),
        ):
            folder = enough(lambda times: recorded(scratch, policy, workload, times),
                            lambda folder: lacks(policy, workload, folder))
            storms = check_trace(f"{workload} under {policy}", folder, scratch)
            if workload == "trickle":
                every_post_or_none(policy, folder, storms)
        last_latches(scratch)
        doubts(scratch)
        bad_parameter(made(scratch, "1000"))
        parts_agree(made(scratch, "5000", "8", "6", "2"))
    finally:
        shutil.rmtree(scratch)
    print(f"{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(exit_code(main, lambda: failures))
