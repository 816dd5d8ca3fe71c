#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Pools and outside threads are shown by name. The test records the pools "render" and "load" and a
# thread named "feeder". Runs in the top folder; $BUILD is the build folder.
import csv
import io
import json
import re
import shutil
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
from patience import enough  # noqa: E402
from synthetic import BUILD, doze, ok, run_all  # noqa: E402

PROGRAM = f"{BUILD}/tests/integration/commands/two_pools"


def record(where, times):
    trace = f"{where}/t{times}"
    code, out, err = doze("record", "-o", trace, "--detail=all", "--", PROGRAM, str(times))
    ok("the program is recorded", code == 0, out + err)
    return trace


def lacks(trace):
    """Returns which of the wakes and causes are missing whose names the test looks for."""
    events = [json.loads(line) for line in doze("export", "--format=json", trace)[1].splitlines()]
    woken_from_outside = {e["pool"] for e in events if e["event"] == "wake" and e["worker"] == -1}
    if woken_from_outside != {1, 2}:
        return f"wakes from outside reached only the pools {woken_from_outside}"
    causes = json.loads(doze("diagnose", "--json", "--pool=render", "--to=110ms", trace)[1])["causes"]
    return "" if "outside" in {c["kind"] for c in causes} else f"waiting for a thread cost too little: {causes}"


def main():
    where = tempfile.mkdtemp(prefix="doze-names-")
    try:
        trace = enough(lambda times: record(where, times), lacks)
        names(trace)
        exports(trace)
        by_name(trace)
    finally:
        shutil.rmtree(where)


def flat(text):
    return " ".join(text.split())


def names(trace):
    text = doze("timeline", trace)[1]
    ok("timeline names both pools", re.search(r"^pool \d+ 'render', ", text, re.M) and re.search(r"^pool \d+ 'load', ", text, re.M), text)
    text = doze("storms", trace)[1]
    ok("storms names both pools", "'render'" in text and "'load'" in text, text)
    ok("storms names the outside thread among the wakers", re.search(r"feeder \(\d+\)", text), text)
    outside = json.loads(doze("storms", "--json", trace)[1])["outside"]
    ok("storms --json names the outside thread", "feeder" in {o["name"] for o in outside}, outside)
    text = flat(doze("diagnose", "--pool=render", "--to=110ms", trace)[1])
    ok("diagnose names the outside thread that the pool waited for", re.search(r"waited for the outside thread 'feeder' \(vtid \d+\)", text), text)
    text = flat(doze("diagnose", trace)[1])
    ok("diagnose names the pools", "pool 1 'render'" in text or "pool 2 'load'" in text, text)
    text = flat(doze("whatif", "--workers=2", trace)[1])
    ok("whatif names the pool that it simulates", re.search(r"Simulated from .* of pool \d+ '(render|load)', .* other pools are not simulated", text), text)
    text = flat(doze("whatif", "--workers=2", "--pool=load", trace)[1])
    ok("whatif simulates only the selected pool", "Simulated from" in text and "other pools" not in text, text)
    lines = doze("export", "--format=json", "--phase=asking", trace)[1].splitlines()
    posts = [e for e in map(json.loads, lines) if e["event"] == "post" and e["worker"] == -1]
    calls = [e for e in posts if e["pool"] == 2]
    text = flat(doze("why", trace, hex(calls[3]["job"]))[1])
    ok("why names a worker of the other pool that posted the job", re.search(r"[Ww]orker [01] of pool 1 'render'", text), text)
    page = f"{trace}.html"
    ok("the report is written", doze("report", "-o", page, trace)[0] == 0)
    with open(page, encoding="utf-8") as f:
        text = f.read()
    ok("the page names both pools", "pool 1 'render'" in text and "pool 2 'load'" in text)


def exports(trace):
    events = [json.loads(line) for line in doze("export", "--format=json", trace)[1].splitlines()]
    ok("export json names the outside thread", "feeder" in {e.get("procname") for e in events if e["worker"] == -1})
    rows = list(csv.DictReader(io.StringIO(doze("export", "--format=csv", trace)[1])))
    pools = {(r["pool"], r["pool_name"]) for r in rows if r["row"] in ("state", "wake", "storm")}
    ok("export csv names the pools", pools == {("1", "render"), ("2", "load")}, pools)
    wakers = {r["waker_name"] for r in rows if r["row"] == "wake" and r["waker"] == "-1"}
    ok("export csv names outside wakers, and workers of another pool",
       "feeder" in wakers and any(re.match("worker [01] of pool 1", w) for w in wakers), wakers)
    items = json.loads(doze("export", "--format=perfetto", trace)[1])["traceEvents"]
    tracks = {i["args"]["name"] for i in items if i["ph"] == "M" and i["name"] == "thread_name"}
    ok("export perfetto names the tracks of the pools", {"pool 1 'render' worker 0", "pool 2 'load' worker 0"} <= tracks, tracks)
    ok("export perfetto names the track of the outside thread", any(re.match(r"pool 1 'render' outside 'feeder' \d+", n) for n in tracks), tracks)
    text = doze("export", "--format=svg", trace)[1]
    ok("export svg names the lanes after their pools", ">render/w0<" in text and ">load/w0<" in text)


def by_name(trace):
    for command in ("storms", "check"):
        a, b = (doze(command, "--json", f"--pool={p}", trace)[1] for p in ("load", "2"))
        a, b = json.loads(a), json.loads(b)
        a.pop("pool", None), b.pop("pool", None)
        ok(f"{command} treats --pool=NAME like --pool=NUMBER", a == b, str(a)[:300])
    text = doze("replay", "--once", "--pool=load", trace)[1]
    pane = doze("replay", "--once", "--size=100x40", "--keys=" + "<Tab>" * 13, trace)[1]
    ok("the viewer's list of pools shows their names", "render: " in pane and "load: " in pane, pane)
    ok("replay --pool=NAME shows one pool", "1 worker " in text or "1 workers" in text, text)
    code, out, err = doze("timeline", "--pool=lod", trace)
    ok("an unknown name is an error that lists the names", code == 2 and "'lod'" in err and "render, load" in err, err)


if __name__ == "__main__":
    sys.exit(run_all(main))
