#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Output and exit codes of timeline, storms, check and compare on synthetic traces (correct, wrong,
# truncated, lossy) and on folders without a trace.
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from synthetic import ASLEEP, BUILD, HEALTHY, HEALTHY_AGAIN, STOP, WOKEN, WRONG, doze, exits, ok, run_all, script_trace, storms_of  # noqa: E402


def exit_codes(where):
    healthy = script_trace(where, "healthy", HEALTHY)
    wrong = script_trace(where, "wrong", WRONG)
    cut = script_trace(where, "cut", ASLEEP + WOKEN)
    execs = script_trace(where, "execs", ASLEEP + "45 x pool jec 2\n" + HEALTHY_AGAIN)
    lossy = script_trace(where, "lossy", ASLEEP + "45 lost 41 3\n" + WOKEN + STOP)
    early, gone = "ends before its pool stopped", "at least 3 events were"
    # execs: the traced program replaces itself with exec.
    doubtful = {cut: early, execs: early, lossy: gone}
    empty = f"{where}/empty"
    os.mkdir(empty)
    for command in ("timeline", "storms", "check"):
        exits(f"{command} exits with 0 on a correct trace", 0, command, healthy)
        for trace, why in doubtful.items():
            out = exits(f"{command} exits with 4 on {os.path.basename(trace)}", 4, command, trace)
            flat = " ".join(out.split())
            ok("the output states that the result is inconclusive, and why", "nconclusive" in flat and why in flat, out)
            ok("the explanation fits into 80 columns", all(len(x) <= 80 for x in out.splitlines()), out)
        exits(f"{command} exits with 3 on an empty folder", 3, command, empty)
        exits(f"{command} exits with 3 on a missing folder", 3, command, f"{where}/none")
        exits(f"{command} without a trace is a usage error", 2, command)
    exits("compare with one trace is a usage error", 2, "compare", healthy)
    exits("compare exits with 0 on two complete traces", 0, "compare", healthy, wrong)
    out = exits("compare exits with 4 when a trace is truncated", 4, "compare", healthy, cut)
    ok("the output names the truncated recording", "Inconclusive: recording 1 of B: the trace ends" in out, out)
    out = exits("whatif exits with 4 on a lossy trace", 4, "whatif", "--posts", lossy)
    ok("the output of whatif explains why it is inconclusive", "Inconclusive: at least 3 events were lost" in out, out)
    out = exits("check exits with 1 when a rule is broken", 1, "check", wrong)
    both = script_trace(where, "both", ASLEEP + "45 lost 41 3\n" + WRONG[len(ASLEEP) :])
    flat = " ".join(doze("check", both)[1].split())
    ok("check warns that there may be more findings", "There may be more: at least 3" in flat, flat)
    ok("the finding names its rule", "1. post-wakes, pool 1, worker 0" in out, out)
    ok("the output fits into 80 columns", all(len(x) <= 80 for x in out.splitlines()), out)
    ok("the output explains the brackets", "[sleeping/inactive/JEC]" in out, out)
    ok("one job is written in the singular", " 1 job, with 0 idle" in " ".join(out.split()), out)
    exits("--fail-if exits with 1 when the condition holds", 1, "storms", "--fail-if", "wakes>=1", healthy)
    exits("--fail-if exits with 0 when the condition does not hold", 0, "storms", "--fail-if", "futile>0.5", healthy)
    exits("--fail-if rejects a bad condition", 2, "storms", "--fail-if", "fatigue>1", healthy)


def everywhere(where):
    """Checks that no command reports a pool as correct if the pool's start is missing."""
    nameless = script_trace(where, "nameless", HEALTHY.split("\n", 3)[3])
    formats = [("export", f"--format={f}") for f in ("perfetto", "csv", "json", "svg", "trace-compass")]
    ways = [("storms",), ("check",), ("timeline",), ("whatif", "--posts"), ("report", "-o", f"{where}/nameless.html"), *formats]
    for way in ways:
        exits(f"{' '.join(way)} exits with 4 on a trace that lacks the pool's start", 4, *way, nameless)
    exits("compare exits with 4 on a trace that lacks the pool's start", 4, "compare", f"{where}/healthy", nameless)
    exits("--fail-if exits with 4 on a trace that lacks the pool's start", 4, "storms", "--fail-if=futile>0.5", nameless)
    out = doze("storms", "--brief", nameless)[1]
    verdict, answer = out.split("\n\n")[:2]
    ok("the answer states that it is inconclusive", answer.startswith("No wakeup storm, but inconclusive"), out)
    ok("the verdict is inconclusive, too", "Inconclusive: " in verdict, out)


def counterexamples():
    """Checks that `doze check` marks the decisive event of each of the explorer's findings."""
    for name, event in (("injector-take-two-steps", "post 1 job, injector"), ("rfc-no-last-look", "post 1 job, injector"),
                        ("tickle-store", "clears the word (tickle)")):
        out = doze("check", f"tests/proof/findings/{name}")[1]
        marked = [line for line in out.splitlines() if line.startswith("  > ")]
        ok(f"check marks the event of the finding in {name}", len(marked) == 1 and event in marked[0], out)
        ok("check explains the mark", "Below, > marks the event that the finding is about." in out, out)


def conditions(where):
    """Checks that `storms --fail-if` is inconclusive if a measure is unknown."""
    healthy, wrong = f"{where}/healthy", f"{where}/wrong"
    fail_if = lambda condition, trace: ("storms", "--brief", "--fail-if", condition, trace)
    exits("--fail-if counts findings of all rules", 1, *fail_if("findings>0", wrong))
    exits("a correct trace has no findings", 0, *fail_if("findings>0", healthy))
    exits("under-wakes are unknown at level states", 4, *fail_if("under-wakes>0", healthy))
    exits("a condition that unknown under-wakes would satisfy is also inconclusive", 4, *fail_if("under-wakes==0", healthy))
    jobs = script_trace(where, "jobs", HEALTHY.replace("80 w0 act", "70 w1 job stolen\n80 w0 act"))
    exits("under-wakes are known at level jobs", 0, *fail_if("under-wakes>0", jobs))
    jobless = script_trace(where, "jobless", ASLEEP + WOKEN.split("\n", 1)[1] + STOP)
    exits("amplification is unknown without jobs", 4, *fail_if("amplification>2", jobless))
    exits("the latency from post to job is unknown without posts", 4, *fail_if("job-p99>1s", jobless))
    code, _, err = doze(*fail_if("under-wakes>0", healthy)[:-1], "--fail-if=wakes>0", healthy)
    ok("a condition that holds takes precedence over an unknown one", code == 1 and err.count("\n") == 2, err)
    for bad in ("futile>nan", "futile<inf", "futile<-infinity", "wakes<1e999", "wakes>1 2", "wakes>",
                "wakes>1 h", "", ">1", "wakes 1"):
        exits(f"the condition {bad!r} is rejected", 2, *fail_if(bad, healthy))
    for good in (" wakes > 100 ", "wakes >100", "wakes> 100", "awake-p99 >= 10 s", "futile > 100 %"):
        exits(f"the condition {good!r} is accepted", 0, *fail_if(good, healthy))


def numbers(where):
    stormy = f"{where}/stormy"
    patience.run(
        [f"{BUILD}/tests/fixtures/make-trace", stormy, "5000", "8", "6", "2"], check=True, timeout=60
    )
    storms = json.loads(doze("storms", "--json", stormy)[1])
    n = storms["storm_count"]
    ok("every post of the trace is a storm", n > 0 and len(storms["storms"]) == n, storms)
    ok(
        "each storm has six woken workers, two useful and four futile wakes",
        all((s["woken"], s["useful"], s["futile"]) == (6, 2, 4) for s in storms["storms"]),
        storms["storms"][:2],
    )
    ok("four of six wakes are futile", abs(storms["futile_ratio"] - 4 / 6) < 0.01, storms)
    again = json.loads(doze("storms", "--json", "--storm-wakes", "7", stormy)[1])
    ok("no storm is found with a higher threshold", again["storm_count"] == 0, again["storm_count"])
    text = doze("storms", stormy)[1]
    verdict = " ".join(json.loads(doze("diagnose", "--json", stormy)[1])["verdict"].split())
    begins = " ".join(text.split("\n\n")[0].split())
    ok("the output begins with the verdict of diagnose", verdict and begins == verdict, text[:300])
    ok("the answer follows the verdict", text.split("\n\n")[1].startswith(f"{n} wakeup storm"), text[:300])
    ok("the output fits into 80 columns", all(len(x) <= 80 for x in text.splitlines()), text)


def formats(where):
    healthy, wrong = f"{where}/healthy", f"{where}/wrong"
    check = json.loads(doze("check", "--json", wrong)[1])
    ok("the JSON of check counts findings by rule", check["by_rule"] == {"post-wakes": 1}, check)
    ok("a finding has at most 12 events", 0 < len(check["findings"][0]["events"]) <= 12, check)
    compare = json.loads(doze("compare", "--json", healthy, "vs", wrong)[1])
    ok("the JSON of compare has runs and measures", compare["runs_a"] == 1 and compare["measures"], compare)
    picture = doze("timeline", healthy, env={"LC_ALL": "C.UTF-8"})[1]
    ok("a piped timeline has no escape sequences", "\033" not in picture and "█" in picture, picture)
    ok("a piped timeline is 80 columns wide", max(map(len, picture.splitlines())) == 80, picture)
    colored = doze("timeline", "--color=always", "--ascii", healthy)[1]
    ok("--color=always colours a piped timeline", "\033[" in colored and colored.isascii(), colored)
    exits("a range beyond the end is rejected", 2, "timeline", "--from=9", healthy)
    one = doze("timeline", "--worker", "1", healthy)[1]
    ok("--worker shows only that worker", "w1 " in one and "\nw0 " not in one, one)


def limits(where):
    for width in ("10001", "100000", "19", "0", "wide"):
        exits(f"a width of {width} is rejected", 2, "timeline", "-W", width, f"{where}/healthy")
    out = exits("a width of 10000 is accepted", 0, "timeline", "-W", "10000", f"{where}/healthy")
    ok("the timeline is 10000 columns wide", 9990 <= max(map(len, out.splitlines())) <= 10000, max(map(len, out.splitlines())))
    healthy = f"{where}/healthy"
    for typo in ("VS", "vs.", "versus"):
        code, _, err = doze("compare", healthy, typo, healthy)
        ok(f"compare prints its syntax if 'vs' is misspelt as '{typo}'", code == 2 and "A1 A2 vs B1 B2" in err, err)
    code, _, err = doze("compare", healthy, "vs")
    ok("compare prints its syntax if no trace follows 'vs'", code == 2 and "A1 A2 vs B1 B2" in err, err)


def ranges(where):
    stormy, wrong = f"{where}/stormy", f"{where}/wrong"
    whole = storms_of(stormy)
    same = storms_of(stormy, "--from=0", "--to=9s", "--worker=0-7")
    unlike = {k for k in whole if whole[k] != same[k]}
    # The selection of all workers may differ in these members: jobs are published to all workers,
    # critical paths lead through all workers, and diagnose judges all workers together.
    allowed = {"diagnosis", "to", "worker", "amplification", "critical_paths", "jobs_published"}
    ok("a selection of everything reports the same as no selection", unlike <= allowed, unlike)
    cuts = [int(whole["duration"] * i / 7) for i in range(7)]
    cuts = [f"--from={a}ns" for a in cuts], [f"--to={b - 1}ns" for b in cuts[1:]] + ["--to=9s"]
    parts = [storms_of(stormy, a, b) for a, b in zip(*cuts)]
    for name in ("storm_count", "wakes", "woken", "jobs_published", "herd_excess"):
        total = sum(p[name] for p in parts)
        ok(f"{name}: the parts add up to the whole", total == whole[name] > 0, f"{total} {whole[name]}")
    for verdict, n in whole["verdicts"].items():
        ok(f"{verdict} wakes: the parts add up to the whole", sum(p["verdicts"][verdict] for p in parts) == n)
    for state, ns in whole["time"].items():
        total = sum(p["time"][state] for p in parts)
        cut = 8 * 6  # one nanosecond per worker and cut, for rounding
        ok(f"the time in state {state}: the parts add up to the whole", ns - cut <= total <= ns, f"{total} {ns}")
    lists = [s for p in parts for s in p["storms"]]
    ok("each storm is in exactly one part and is unchanged", lists == whole["storms"], lists[:1])
    check = ("check", wrong)
    out = exits("check exits with 0 when the finding is outside the range", 0, *check, "--to=40us")
    ok("the output mentions the finding outside the selection", "1 more outside this selection" in out, out)
    out = exits("check exits with 1 when the finding is inside the range", 1, *check, "--from=45us", "--to=55us")
    ok("the heading states the range", out.startswith("1 finding between 0.000045s and"), out)
    exits("--fail-if ignores wakes outside the range", 0, "storms", "--fail-if=wakes>=1", "--to=40us", wrong)
    exits("--fail-if counts wakes inside the range", 1, "storms", "--fail-if=wakes>=1", "--from=40us", wrong)
    exits("losses outside the range make check inconclusive", 4, "check", "--to=20us", f"{where}/lossy")
    for command in ("timeline", "storms", "check"):
        exits(f"{command} rejects a range beyond the end", 2, command, "--from=9", wrong)
        exits(f"{command} rejects a range that ends before it begins", 2, command, "--from=9us", "--to=8us", wrong)
        exits(f"{command} rejects a malformed time", 2, command, "--from=soon", wrong)


def positions(where):
    """Checks that --from and --to accept every position that doze prints."""
    stormy, wrong = f"{where}/stormy", f"{where}/wrong"
    table = doze("storms", stormy)[1].split("\nStorms")[1].split("\n\n")[0]
    places = [row.split()[0] for row in table.splitlines()[2:]]
    ok("each storm has its own position", 1 < len(places) == len(set(places)), places)
    starts = sorted(s["at"] for s in storms_of(stormy)["storms"])
    for place in places[:4]:
        first = storms_of(stormy, f"--from={place}")["storms"][0]["at"]
        at = float(place.rstrip("s"))
        want = next(s for s in starts if s / 1e9 >= at)
        ok(f"--from={place} begins with the storm at that position", first == want and first / 1e9 - at < 1e-6, first)
    check = doze("check", wrong)[1]
    place = re.search(r"at (\S+s): ", check).group(1)
    out = exits(f"check reports the finding at its position {place}", 1, "check", f"--from={place}", f"--to={place}", wrong)
    ok("check reports no other finding at that position", out.startswith("1 finding"), out)
    axis = doze("timeline", "--ascii", "--from=55us", "--to=55500ns", wrong)[1].splitlines()[1]
    ticks = re.findall(r"'(\S+)", axis)
    ok("all tick labels differ from each other", len(ticks) > 2 and len(set(ticks)) == len(ticks), axis)
    exits("tick labels are accepted as times", 0, "timeline", f"--from={ticks[0]}", f"--to={ticks[1]}", wrong)


def workers(where):
    stormy, wrong = f"{where}/stormy", f"{where}/wrong"
    whole = storms_of(stormy)
    each = [storms_of(stormy, f"--worker={i}") for i in range(8)]
    total = sum(e["wakes"] for e in each)
    ok("the wakes of the workers add up to all wakes", total == whole["wakes"], f"{total} {whole['wakes']}")
    ok(
        "each worker has only its own row",
        [e["workers"] for e in each] == [[w] for w in whole["workers"]],
        each[0]["workers"],
    )
    total, woken = sum(e["storm_count"] for e in each), 6 * whole["storm_count"]
    ok("a storm of six wakes is listed for each of the six workers", total == woken, f"{total} {woken}")
    text = doze("storms", "--worker=1", "--from=1ms", stormy)[1]
    ok("the output lists the measures that are not shown for a single worker", "Not shown, because" in text, text)
    ok("the output fits into 80 columns", all(len(x) <= 80 for x in text.splitlines()), text)
    out = exits("another worker's finding is not shown", 0, "check", "--worker=1", wrong)
    ok("the output mentions the finding outside the selection", "1 more outside this selection" in out, out)
    exits("the worker's own finding is shown", 1, "check", "--worker=0", wrong)
    half = json.loads(doze("check", "--json", "--worker=1", wrong)[1])
    ok("the JSON counts the finding outside the selection", half["elsewhere_count"] == 1 and half["worker"] == "1", half)
    bad = ("--fail-if=amplification>1", "--worker=1")
    exits("a condition on the whole pool is rejected with --worker", 2, "storms", *bad, wrong)
    for command in ("timeline", "storms", "check"):
        for some in ("2", "0,9", "5-7"):
            title = f"{command} rejects --worker={some} in a pool of two"
            exits(title, 2, command, f"--worker={some}", wrong)
        exits(f"{command} accepts a list that continues beyond the last worker", 0, command, "--worker=1-99", f"{where}/healthy")
        exits(f"{command} rejects a malformed list", 2, command, "--worker=two", wrong)


def large_pool(where):
    """Checks a pool of 65 workers, in which w0 wakes w64 for the job that ends the run."""
    n = 65
    lines = [f"0 x pool rfc {n}"] + [f"1 w{i} none>active start" for i in range(n)]
    lines.append("2 w64 active>idle no_work 0.0.0>0.1.0")
    lines.append("3 w64 idle>sleeping rounds 0.1.0>1.1.0")
    lines.append("50 w0 post local 1 empty wakes 1 d1 1.1.0>1.1.0")
    lines.append("50.5 w0 wake w64 id1 d1 push 1.1.0>1.1.0")
    lines.append("51 w64 woken 1\n51.5 w64 sleeping>idle woken 1.1.0>0.1.0")
    lines.append("52 w64 idle>active found_stolen 0.1.0>0.0.0")
    lines += [f"60 w{i} active>stopped terminate" for i in range(64)]
    lines.append("90 w64 active>idle no_work 0.0.0>0.1.0")
    lines.append("91 w64 idle>active latch_set 0.1.0>0.0.0")
    lines.append("92 w64 active>stopped terminate\n95 x pool stop")
    folder = script_trace(where, "large", "\n".join(lines) + "\n")
    exits("check exits with 0 on a correct pool of 65 workers", 0, "check", folder)
    out = exits("storms exits with 0 on a pool of 65 workers", 0, "storms", folder)
    ok("a pool of 65 workers has a critical path", "w0 55%, w64 42%, waiting 3%" in out, out)
    paths = json.loads(doze("storms", "--json", folder)[1])
    ok("no critical path is missing", paths["critical_paths_missing"] == 0 and paths["critical_paths"], paths)


def main():
    with tempfile.TemporaryDirectory() as where:
        exit_codes(where)
        everywhere(where)
        counterexamples()
        conditions(where)
        numbers(where)
        formats(where)
        limits(where)
        ranges(where)
        positions(where)
        large_pool(where)
        workers(where)


if __name__ == "__main__":
    sys.exit(run_all(main))
