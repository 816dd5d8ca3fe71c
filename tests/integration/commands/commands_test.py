#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# What do timeline, storms, check and compare say, and how do they exit, on made traces: healthy,
# wrong, cut off, with losses, and on what is no trace at all?
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
from synthetic import ASLEEP, BUILD, HEALTHY, HEALTHY_AGAIN, STOP, WOKEN, WRONG, doze, end, exits, ok, script_trace, storms_of  # noqa: E402


def exit_codes(where):
    healthy = script_trace(where, "healthy", HEALTHY)
    wrong = script_trace(where, "wrong", WRONG)
    cut = script_trace(where, "cut", ASLEEP + WOKEN)
    execs = script_trace(where, "execs", ASLEEP + "45 x pool jec 2\n" + HEALTHY_AGAIN)
    lossy = script_trace(where, "lossy", ASLEEP + "45 lost 41 3\n" + WOKEN + STOP)
    early, gone = "ends before its pool stopped", "at least 3 events were"
    # execs: its program ran another (exec).
    doubtful = {cut: early, execs: early, lossy: gone}
    empty = f"{where}/empty"
    os.mkdir(empty)
    for command in ("timeline", "storms", "check"):
        exits(f"Is a healthy trace fine for {command}?", 0, command, healthy)
        for trace, why in doubtful.items():
            out = exits(f"Is {trace} inconclusive for {command}?", 4, command, trace)
            flat = " ".join(out.split())
            ok("Does its output say so, and why?", "nconclusive" in flat and why in flat, out)
            ok("In 80 columns?", all(len(x) <= 80 for x in out.splitlines()), out)
        exits(f"Is an empty folder no trace for {command}?", 3, command, empty)
        exits(f"Is a missing folder no trace for {command}?", 3, command, f"{where}/none")
        exits(f"Does {command} want a trace?", 2, command)
    exits("Does compare want two?", 2, "compare", healthy)
    exits("Are two healthy ones compared?", 0, "compare", healthy, wrong)
    out = exits("Is a comparison with a cut one inconclusive?", 4, "compare", healthy, cut)
    ok("Does its output say of which?", "Inconclusive: recording 1 of B: the trace ends" in out, out)
    out = exits("Is a model of a lossy trace inconclusive?", 4, "whatif", lossy)
    ok("Does its output say so?", "Inconclusive: at least 3 events were lost" in out, out)
    out = exits("Is a broken rule a finding?", 1, "check", wrong)
    both = script_trace(where, "both", ASLEEP + "45 lost 41 3\n" + WRONG[len(ASLEEP) :])
    flat = " ".join(doze("check", both)[1].split())
    ok("May there be more findings than those told?", "There may be more: at least 3" in flat, flat)
    ok("Is the rule named?", "1. post-wakes, pool 1, worker 0" in out, out)
    ok("Does it fit into 80 columns?", all(len(x) <= 80 for x in out.splitlines()), out)
    ok("Is it said what the brackets are?", "[sleeping/inactive/JEC]" in out, out)
    ok("Is one job one job?", " 1 job, 0 idle" in " ".join(out.split()), out)
    exits("Does a condition that holds fail?", 1, "storms", "--fail-if", "wakes>=1", healthy)
    exits("Does one that does not hold pass?", 0, "storms", "--fail-if", "futile>0.5", healthy)
    exits("Is a bad condition refused?", 2, "storms", "--fail-if", "fatigue>1", healthy)


def everywhere(where):
    """Where nobody can know, no command says that all is well: a pool that is not seen to start."""
    nameless = script_trace(where, "nameless", HEALTHY.split("\n", 3)[3])
    formats = [("export", f"--format={f}") for f in ("perfetto", "csv", "json", "svg", "trace-compass")]
    ways = [("storms",), ("check",), ("timeline",), ("whatif",), ("report", "-o", f"{where}/nameless.html"), *formats]
    for way in ways:
        exits(f"Is a pool without its start inconclusive for {' '.join(way)}?", 4, *way, nameless)
    exits("Is it for compare?", 4, "compare", f"{where}/healthy", nameless)
    exits("Is it for a condition?", 4, "storms", "--fail-if=futile>0.5", nameless)
    out = doze("storms", "--brief", nameless)[1]
    ok("Does the answer begin so?", out.startswith("No wakeup storm, but inconclusive"), out)


def counterexamples():
    """What the explorer found: each finding shows, with a mark, the event that nothing good came of."""
    for name, event in (("injector-take-two-steps", "post 1 job, injector"), ("rfc-no-last-look", "post 1 job, injector"),
                        ("tickle-store", "clears the word (tickle)")):
        out = doze("check", f"tests/proof/findings/{name}")[1]
        marked = [line for line in out.splitlines() if line.startswith("  > ")]
        ok(f"Is the event behind {name} marked?", len(marked) == 1 and event in marked[0], out)
        ok("Is there something about the mark?", "Below, > is the event that the finding is about." in out, out)


def conditions(where):
    """What `storms --fail-if` says must be known, or is not fine."""
    healthy, wrong = f"{where}/healthy", f"{where}/wrong"
    fail_if = lambda condition, trace: ("storms", "--brief", "--fail-if", condition, trace)
    exits("Do all rules count as findings?", 1, *fail_if("findings>0", wrong))
    exits("Has a healthy trace none?", 0, *fail_if("findings>0", healthy))
    exits("Are under-wakes unknown at the level of states?", 4, *fail_if("under-wakes>0", healthy))
    exits("Whatever the condition says?", 4, *fail_if("under-wakes==0", healthy))
    jobs = script_trace(where, "jobs", HEALTHY.replace("80 w0 act", "70 w1 job stolen\n80 w0 act"))
    exits("Are they known at the level of jobs?", 0, *fail_if("under-wakes>0", jobs))
    jobless = script_trace(where, "jobless", ASLEEP + WOKEN.split("\n", 1)[1] + STOP)
    exits("Is amplification unknown without a job?", 4, *fail_if("amplification>2", jobless))
    exits("Is the way to a job unknown without a post?", 4, *fail_if("job-p99>1s", jobless))
    code, _, err = doze(*fail_if("under-wakes>0", healthy)[:-1], "--fail-if=wakes>0", healthy)
    ok("Is what holds more than what is unknown?", code == 1 and err.count("\n") == 2, err)
    for bad in ("futile>nan", "futile<inf", "futile<-infinity", "wakes<1e999", "wakes>1 2", "wakes>",
                "wakes>1 h", "", ">1", "wakes 1"):
        exits(f"Is {bad!r} refused?", 2, *fail_if(bad, healthy))
    for good in (" wakes > 100 ", "wakes >100", "wakes> 100", "awake-p99 >= 10 s", "futile > 100 %"):
        exits(f"Is {good!r} understood?", 0, *fail_if(good, healthy))


def numbers(where):
    stormy = f"{where}/stormy"
    subprocess.run(
        [f"{BUILD}/tests/fixtures/make-trace", stormy, "5000", "8", "6", "2"], check=True, timeout=60
    )
    storms = json.loads(doze("storms", "--json", stormy)[1])
    n = storms["storm_count"]
    ok("Is every post a storm?", n > 0 and len(storms["storms"]) == n, storms)
    ok(
        "Has each storm six woken, two useful, four futile?",
        all((s["woken"], s["useful"], s["futile"]) == (6, 2, 4) for s in storms["storms"]),
        storms["storms"][:2],
    )
    ok("Are four of six wakes futile?", abs(storms["futile_ratio"] - 4 / 6) < 0.01, storms)
    again = json.loads(doze("storms", "--json", "--storm-wakes", "7", stormy)[1])
    ok("Does a higher threshold find none?", again["storm_count"] == 0, again["storm_count"])
    text = doze("storms", stormy)[1]
    ok("Does the answer come first?", text.startswith(f"{n} wakeup storm"), text[:80])
    ok("Does it fit into 80 columns?", all(len(x) <= 80 for x in text.splitlines()), text)


def formats(where):
    healthy, wrong = f"{where}/healthy", f"{where}/wrong"
    check = json.loads(doze("check", "--json", wrong)[1])
    ok("Is check's JSON right?", check["by_rule"] == {"post-wakes": 1}, check)
    ok("Has a finding at most 12 events?", 0 < len(check["findings"][0]["events"]) <= 12, check)
    compare = json.loads(doze("compare", "--json", healthy, "vs", wrong)[1])
    ok("Is compare's JSON right?", compare["runs_a"] == 1 and compare["measures"], compare)
    picture = doze("timeline", healthy, env={"LC_ALL": "C.UTF-8"})[1]
    ok("Is a piped timeline without escapes?", "\033" not in picture and "█" in picture, picture)
    ok("Is it 80 columns wide?", max(map(len, picture.splitlines())) == 80, picture)
    colored = doze("timeline", "--color=always", "--ascii", healthy)[1]
    ok("Has it colours on demand?", "\033[" in colored and colored.isascii(), colored)
    exits("Is a range behind the end refused?", 2, "timeline", "--from=9", healthy)
    one = doze("timeline", "--worker", "1", healthy)[1]
    ok("Is one worker shown on demand?", "w1 " in one and "\nw0 " not in one, one)


def limits(where):
    for width in ("10001", "100000", "19", "0", "wide"):
        exits(f"Is a width of {width} refused?", 2, "timeline", "-W", width, f"{where}/healthy")
    out = exits("Is the widest drawn as wide?", 0, "timeline", "-W", "10000", f"{where}/healthy")
    ok("Is it?", 9990 <= max(map(len, out.splitlines())) <= 10000, max(map(len, out.splitlines())))
    healthy = f"{where}/healthy"
    for typo in ("VS", "vs.", "versus"):
        code, _, err = doze("compare", healthy, typo, healthy)
        ok(f"Does compare say its syntax to {typo}?", code == 2 and "A1 A2 vs B1 B2" in err, err)
    code, _, err = doze("compare", healthy, "vs")
    ok("Does compare with nothing behind vs?", code == 2 and "A1 A2 vs B1 B2" in err, err)


def ranges(where):
    stormy, wrong = f"{where}/stormy", f"{where}/wrong"
    whole = storms_of(stormy)
    same = storms_of(stormy, "--from=0", "--to=9s", "--worker=0-7")
    unlike = {k for k in whole if whole[k] != same[k]}
    # Jobs are published to all, and paths lead through all.
    allowed = {"to", "worker", "amplification", "critical_paths", "jobs_published"}
    ok("Does the part that is all say the same as no part?", unlike <= allowed, unlike)
    cuts = [int(whole["duration"] * i / 7) for i in range(7)]
    cuts = [f"--from={a}ns" for a in cuts], [f"--to={b - 1}ns" for b in cuts[1:]] + ["--to=9s"]
    parts = [storms_of(stormy, a, b) for a, b in zip(*cuts)]
    for name in ("storm_count", "wakes", "woken", "jobs_published", "herd_excess"):
        total = sum(p[name] for p in parts)
        ok(f"Do the parts' {name} add up?", total == whole[name] > 0, f"{total} {whole[name]}")
    for verdict, n in whole["verdicts"].items():
        ok(f"Do the {verdict} add up?", sum(p["verdicts"][verdict] for p in parts) == n)
    for state, ns in whole["time"].items():
        total = sum(p["time"][state] for p in parts)
        cut = 8 * 6  # a nanosecond of each worker at each cut
        ok(f"Does the time {state} add up?", ns - cut <= total <= ns, f"{total} {ns}")
    lists = [s for p in parts for s in p["storms"]]
    ok("Is each storm in one part, as it was?", lists == whole["storms"], lists[:1])
    check = ("check", wrong)
    out = exits("Is a finding behind the range none?", 0, *check, "--to=40us")
    ok("Is it said that there is one?", "1 more outside this selection" in out, out)
    out = exits("Is a finding in the range one?", 1, *check, "--from=45us", "--to=55us")
    ok("Does the heading say the range?", out.startswith("1 finding between 0.000045s and"), out)
    exits("Is what holds elsewhere no matter here?", 0, "storms", "--fail-if=wakes>=1", "--to=40us", wrong)
    exits("Does what holds here matter?", 1, "storms", "--fail-if=wakes>=1", "--from=40us", wrong)
    exits("Do losses count, though elsewhere?", 4, "check", "--to=20us", f"{where}/lossy")
    for command in ("timeline", "storms", "check"):
        exits(f"Is a range behind the end refused by {command}?", 2, command, "--from=9", wrong)
        exits(f"Is a range that ends first refused?", 2, command, "--from=9us", "--to=8us", wrong)
        exits(f"Is no time refused by {command}?", 2, command, "--from=soon", wrong)


def positions(where):
    """What is printed as a place in time can be handed to --from and --to as it stands."""
    stormy, wrong = f"{where}/stormy", f"{where}/wrong"
    table = doze("storms", stormy)[1].split("\nStorms")[1].split("\n\n")[0]
    places = [row.split()[0] for row in table.splitlines()[2:]]
    ok("Has each storm a place of its own?", 1 < len(places) == len(set(places)), places)
    starts = sorted(s["at"] for s in storms_of(stormy)["storms"])
    for place in places[:4]:
        first = storms_of(stormy, f"--from={place}")["storms"][0]["at"]
        at = float(place.rstrip("s"))
        want = next(s for s in starts if s / 1e9 >= at)
        ok(f"Does --from={place} begin with that storm?", first == want and first / 1e9 - at < 1e-6, first)
    check = doze("check", wrong)[1]
    place = re.search(r"at (\S+s): ", check).group(1)
    out = exits(f"Is the finding at {place} there?", 1, "check", f"--from={place}", f"--to={place}", wrong)
    ok("Is it the only one?", out.startswith("1 finding"), out)
    axis = doze("timeline", "--ascii", "--from=55us", "--to=55500ns", wrong)[1].splitlines()[1]
    ticks = re.findall(r"'(\S+)", axis)
    ok("Do all ticks differ?", len(ticks) > 2 and len(set(ticks)) == len(ticks), axis)
    exits("Are ticks times?", 0, "timeline", f"--from={ticks[0]}", f"--to={ticks[1]}", wrong)


def workers(where):
    stormy, wrong = f"{where}/stormy", f"{where}/wrong"
    whole = storms_of(stormy)
    each = [storms_of(stormy, f"--worker={i}") for i in range(8)]
    total = sum(e["wakes"] for e in each)
    ok("Is each wake one worker's?", total == whole["wakes"], f"{total} {whole['wakes']}")
    ok(
        "Has each worker just its own row?",
        [e["workers"] for e in each] == [[w] for w in whole["workers"]],
        each[0]["workers"],
    )
    total, woken = sum(e["storm_count"] for e in each), 6 * whole["storm_count"]
    ok("Is a storm of six wakes that of six workers?", total == woken, f"{total} {woken}")
    text = doze("storms", "--worker=1", "--from=1ms", stormy)[1]
    ok("Is said what cannot be told of one worker?", "Not shown, because" in text, text)
    ok("Does it fit into 80 columns?", all(len(x) <= 80 for x in text.splitlines()), text)
    out = exits("Is another's finding none of hers?", 0, "check", "--worker=1", wrong)
    ok("Is it said that there is one?", "1 more outside this selection" in out, out)
    exits("Is her own finding one?", 1, "check", "--worker=0", wrong)
    half = json.loads(doze("check", "--json", "--worker=1", wrong)[1])
    ok("Does the JSON say so?", half["elsewhere_count"] == 1 and half["worker"] == "1", half)
    bad = ("--fail-if=amplification>1", "--worker=1")
    exits("Is a condition on all refused for one worker?", 2, "storms", *bad, wrong)
    for command in ("timeline", "storms", "check"):
        for some in ("2", "0,9", "5-7"):
            question = f"Does {command} complain of --worker={some} of two?"
            exits(question, 2, command, f"--worker={some}", wrong)
        exits(f"May a list go on behind the last one for {command}?", 0, command, "--worker=1-99", f"{where}/healthy")
        exits(f"Is a list that is none refused by {command}?", 2, command, "--worker=two", wrong)


def large_pool(where):
    """65 workers: w0 works, wakes w64 for a job, which ends the run."""
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
    exits("Is a healthy pool of 65 workers fine?", 0, "check", folder)
    out = exits("Are its storms?", 0, "storms", folder)
    ok("Has it a critical path?", "w0 55%, w64 42%, waiting 3%" in out, out)
    paths = json.loads(doze("storms", "--json", folder)[1])
    ok("Is none missing?", paths["critical_paths_missing"] == 0 and paths["critical_paths"], paths)


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
    sys.exit(end())


if __name__ == "__main__":
    main()
