#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# `doze export` writes files that the readers of each format accept. The files must agree with
# Babeltrace's Python bindings on the events and with `doze storms --json` on the verdicts.
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict

import bt2

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from patience import enough, exit_code  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DOZE = f"{BUILD}/doze"
failures = 0


def check(title, ok, detail=""):
    global failures
    if ok:
        print(f"passed: {title}")
    else:
        failures += 1
        print(f"FAILED: {title} {str(detail)[:500]}")


def doze(*args, ok=(0,)):
    p = patience.run([DOZE, *args], capture_output=True, text=True, timeout=120)
    if p.returncode not in ok:
        raise SystemExit(f"FAILED: doze {' '.join(args)}: exit {p.returncode}: {p.stderr}")
    return p.stdout


def plain(field):
    """Converts a Babeltrace field to its JSON value."""
    if isinstance(field, bt2._EnumerationFieldConst):
        return field.labels[0] if field.labels else "?"
    if isinstance(field, bt2._StringFieldConst):
        return str(field)
    return int(field)


# The fields that schemas 1.1, 1.3 and 1.4 added. The export omits them while they carry no information.
NEWER = {"name", "cpu_ns", "left_in_deques", "left_injected", "caller", "skipped", "caller2", "caller3", "caller4",
         "run_delay_ns", "cpus_online", "cpus", "cpu_mask", "quota_milli", "throttled_ns"}


def is_newer(event, name):
    """Returns whether schema 1.0 lacks the field. Field job is new only in posts: `steal` has
    always had it, with the value 0 if the thief must try again."""
    return event != "job_taken" and (name in NEWER or (event, name) == ("post", "job"))


def test_json(folder):
    lines = [json.loads(line) for line in doze("export", "--format=json", folder).splitlines()]
    events = [
        m for m in bt2.TraceCollectionMessageIterator(folder)
        if isinstance(m, bt2._EventMessageConst) and m.event.name.startswith("doze:")  # without the events of libraries
    ]
    check("json: there is one line per event", len(lines) == len(events), (len(lines), len(events)))
    check("json: only the first line has its time since the epoch", [i for i, x in enumerate(lines) if "ts" in x] == [0])
    times = [lines[0]["ts"] + line.pop("at") for line in lines]
    check("json: the lines of all streams are in order of time", times == sorted(times))
    # The reader chooses the order of events with equal timestamps, so compare multisets.
    ours, theirs = Counter(), Counter()
    for line, ts in zip(lines, times):
        line["ts"] = ts
        ours[tuple(sorted((k, int(v) if isinstance(v, bool) else v) for k, v in line.items()
                          if k not in ("host", "cpu")))] += 1
    for m in events:
        e = {"ts": m.default_clock_snapshot.ns_from_origin, "event": m.event.name[5:]}
        e["vpid"], e["vtid"] = int(m.event["vpid"]), int(m.event["vtid"])
        if int(m.event["worker"]) == -1 and "procname" in (m.event.common_context_field or {}):
            e["procname"] = str(m.event["procname"])
        e.update({name: plain(f) for name, f in m.event.payload_field.items()})
        e = {name: v for name, v in e.items() if v or not is_newer(e["event"], name)}
        theirs[tuple(sorted(e.items()))] += 1
    check("json: each field has the value that Babeltrace's bindings read", ours == theirs,
          (list((ours - theirs))[:1], list((theirs - ours))[:1]))


def test_csv(folder, storms):
    text = patience.run([DOZE, "export", "--format=csv", folder], capture_output=True).stdout
    rows = list(csv.DictReader(io.StringIO(text.decode(), newline=""), strict=True))
    width = len(rows[0])
    check("csv: each row has all columns", all(None not in r and None not in r.values() for r in rows)
          and width == 28, width)
    first = min(int(r["from"]) for r in rows)
    check("csv: column `at` has the time since the first event", all(int(r["at"]) == int(r["from"]) - first for r in rows))
    verdicts = Counter(r["verdict"] for r in rows if r["row"] == "wake")
    check("csv: the verdicts match doze storms",
          verdicts == Counter({k: v for k, v in storms["verdicts"].items() if v}), verdicts)
    check("csv: the number of storms matches doze storms", sum(r["row"] == "storm" for r in rows) == storms["storm_count"])
    spans = defaultdict(list)
    for r in rows:
        if r["row"] == "state":
            spans[r["vpid"], r["pool"], r["worker"]].append((int(r["from"]), int(r["to"])))
    gaps = [1 for s in spans.values() for a, b in zip(sorted(s), sorted(s)[1:]) if a[1] != b[0]]
    check("csv: each worker's states follow each other without a gap", spans and not gaps, len(gaps))


def slices_of(items):
    by_track = defaultdict(list)
    for i in items:
        if i["ph"] == "X":
            by_track[i["pid"], i["tid"]].append((i["ts"], i["ts"] + i["dur"]))
    return {track: sorted(spans, key=lambda s: (s[0], -s[1])) for track, spans in by_track.items()}


def overlapping(items):
    """Returns the consecutive states that overlap for a reader that adds ts and dur."""
    by_track = defaultdict(list)
    for i in items:
        if i["ph"] == "X" and i["cat"] == "state":
            by_track[i["pid"], i["tid"]].append(i)
    return [(a, b) for track in by_track.values() for a, b in zip(track, track[1:])
            if a["ts"] + a["dur"] > b["ts"]]


def properly_nested(spans):
    stack = []
    for begin, end in spans:
        while stack and stack[-1] <= begin + 1e-6:
            stack.pop()
        if stack and end > stack[-1] + 1e-3:
            return False
        stack.append(end)
    return True


def test_perfetto(folder, storms):
    trace = json.loads(doze("export", "--format=perfetto", folder))
    items = trace["traceEvents"]
    phases = Counter(i["ph"] for i in items)
    needed = {"X": ("ts", "dur", "name", "pid", "tid"), "s": ("ts", "id", "pid", "tid", "name", "cat"),
              "f": ("ts", "id", "pid", "tid", "name", "cat", "bp"), "C": ("ts", "name", "args", "pid"),
              "i": ("ts", "name", "s"), "M": ("name", "args", "pid")}
    lacking = [i for i in items if i["ph"] not in needed or any(k not in i for k in needed[i["ph"]])]
    check("perfetto: each item has the fields of its phase", not lacking, lacking[:2])
    check("perfetto: no duration is negative", all(i["dur"] >= 0 for i in items if i["ph"] == "X"))
    tracks = slices_of(items)
    check("perfetto: slices of a track nest", all(properly_nested(s) for s in tracks.values()),
          [t for t, s in tracks.items() if not properly_nested(s)][:3])
    check("perfetto: states follow each other without overlap", not overlapping(items),
          overlapping(items)[:2])
    named = {(i["pid"], i["tid"]) for i in items if i["ph"] == "M" and i["name"] == "thread_name"}
    check("perfetto: each track has a name", set(tracks) <= named, set(tracks) - named)
    starts = Counter(i["id"] for i in items if i["ph"] == "s")
    ends = Counter(i["id"] for i in items if i["ph"] == "f")
    woke = storms["wakes"] - storms["verdicts"]["redundant"] - storms["verdicts"]["unresolved"]
    check("perfetto: each wake has one arrow, with both ends", starts == ends and
          max(starts.values()) == 1 and len(starts) >= woke, (len(starts), len(ends), woke))
    alone = [i for i in items if i["ph"] == "i" and i["cat"] == "wake"]
    check("perfetto: each wake is an arrow or, without a target, an instant",
          len(starts) + len(alone) == storms["wakes"], (len(starts), len(alone), storms["wakes"]))
    check("perfetto: redundant wakes are instants",
          Counter(i["args"]["verdict"] for i in alone)["redundant"] == storms["verdicts"]["redundant"])
    check("perfetto: each instant is on a named track", {(i["pid"], i["tid"]) for i in alone} <= named, alone[:1])
    loose = [i for i in items if i["ph"] in "sf" and not any(
        b - 0.002 <= i["ts"] <= e + 0.002 for b, e in tracks.get((i["pid"], i["tid"]), ()))]
    check("perfetto: each end of an arrow is on a slice", not loose, loose[:2])
    jobs = Counter(i["args"]["job"] for i in items if i.get("cat") == "job")
    ended = Counter(f"{int(e['job']):#x}" for e in (
        m.event for m in bt2.TraceCollectionMessageIterator(folder)
        if isinstance(m, bt2._EventMessageConst)) if e.name == "doze:job_end")
    check("perfetto: each recorded job has a slice", jobs == ended, (len(jobs), len(ended)))
    counts = [(i["args"]["sleeping"], i["args"]["inactive"]) for i in items if i["ph"] == "C"]
    check("perfetto: every policy has worker counters, and each of their items is a change",
          max(s for s, _ in counts) > 0 and all(s <= n for s, n in counts) and
          all(a != b for a, b in zip(counts, counts[1:])), counts[:4])
    check("perfetto: there are slices and arrows", phases["X"] > 0 and phases["s"] > 0, phases)


def boxes(path):
    """Yields (x, y, width, height) of each box of a path that svg.c wrote."""
    for x, y, w, h in re.findall(r"M(\d+) ([\d.]+)h(\d+)v([\d.]+)h-\d+z", path):
        yield float(x), float(y), float(w), float(h)


def test_svg_marks(scratch):
    folder, file = os.path.join(scratch, "phases"), os.path.join(scratch, "marks.svg")
    doze("record", "-o", folder, "--workers=2", "--", DOZE, "demo", "phases")
    doze("export", "--format=svg", "-o", file, folder)
    marks = [e["text"] for e in map(json.loads, doze("export", "--format=json", folder).splitlines()) if e["event"] == "mark"]
    space = "{http://www.w3.org/2000/svg}"
    root = ET.parse(file).getroot()
    lines = [p for p in root.iter(space + "path") if p.get("class") == "mark"]
    texts = {t.text for t in root.iter(space + "text")}
    check("svg: each mark is drawn as a line with its text", marks and len(lines) == len(marks) and set(marks[:3]) <= texts, texts)


def test_svg(folder, workers, scratch):
    file = os.path.join(scratch, "x.svg")
    doze("export", "--format=svg", "-o", file, folder)
    root = ET.parse(file).getroot()
    space = "{http://www.w3.org/2000/svg}"
    check("svg: the file is SVG and has a size", root.tag == space + "svg" and "viewBox" in root.attrib)
    _, _, page_w, page_h = map(float, root.attrib["viewBox"].split())
    lanes = [g for g in root.iter(space + "g") if g.get("id", "").startswith("lane")]
    check("svg: each worker has a lane", len(lanes) == workers, (len(lanes), workers))
    bad, thin = [], []
    for g in lanes:
        columns = defaultdict(float)
        for path in g.iter(space + "path"):
            for x, y, w, h in boxes(path.get("d")):
                if x + w > page_w or y + h > page_h or w <= 0:
                    bad.append((x, y, w, h))
                for c in range(int(w)):
                    columns[int(x) + c] += h
        # A lane is empty before the worker's first event; after it, every column must be filled to
        # the top.
        thin += [h for h in columns.values() if abs(h - 16) > 0.2]
    check("svg: every box is on the page", not bad, bad[:2])
    check("svg: each column is empty or full", len(thin) < 20, len(thin))
    if shutil.which("xmllint"):
        check("svg: xmllint accepts it", patience.run(["xmllint", "--noout", file]).returncode == 0)


def depth_of(entry, path):
    """Returns the number of nested entries from this path down to an entry with a display, or 0 if no
    entry has a display."""
    if entry is None or entry.get("path") != path:
        return 0
    if entry.find("display") is not None:
        return 1
    below = depth_of(entry.find("entry"), "*")
    return below + 1 if below else 0


def test_trace_compass(folder):
    root = ET.fromstring(doze("export", "--format=trace-compass", folder).encode())
    view, provider = root.find("timeGraphView"), root.find("stateProvider")
    check("trace-compass: the view names the provider's analysis",
          view.find("head/analysis").get("id") == provider.get("id"))
    values = {v.get("name"): v.get("value") for v in provider.findall("definedValue")}
    check("trace-compass: the view and the provider define the same values", values ==
          {v.get("name"): v.get("value") for v in view.findall("definedValue")})
    used = {v.get("value") for v in provider.iter("stateValue") if v.get("type") == "int" and not v.get("increment")}
    check("trace-compass: each $value is defined", used <= {"$" + n for n in values}, used)
    named = [e.get("path") for e in view.iter("entry") if e.find("name") is not None
             and e.find("name").get("type") == "self"]
    check("trace-compass: no lane is named after its own state", not named, named)
    counters = root.find("xyView")
    check("trace-compass: the view of counters uses the same analysis", counters is not None and
          counters.find("head/analysis").get("id") == provider.get("id"))
    check("trace-compass: the entries of the view of counters are the counters", counters is not None and
          depth_of(counters.find("entry"), "counters/*") == 3)
    steps = Counter()
    for change in provider.iter("stateChange"):
        value = change.find("then/stateValue")
        if value.get("increment"):
            label = change.find("if/condition/stateValue").get("value")
            counted = change.findall("then/stateAttribute")[1].get("value")
            steps[counted, label, change.find("if/condition/field").get("name"), value.get("value")] += 1
    check("trace-compass: entering and leaving a state change its count", steps == Counter(
        (s, s, field, step) for s in set(values) - {"none"} for field, step in (("to", "1"), ("from", "-1"))),
          steps)
    places = {loc.get("id") for loc in provider.findall("location")}
    check("trace-compass: each location is defined", places >= {
        a.get("value") for a in provider.iter("stateAttribute") if a.get("type") == "location"})
    labels = {c.find("stateValue").get("value") for c in provider.iter("condition")}
    seen = {str(e["to"].labels[0]) for e in (
        m.event for m in bt2.TraceCollectionMessageIterator(folder)
        if isinstance(m, bt2._EventMessageConst)) if e.name == "doze:worker_state"}
    check("trace-compass: every state in the trace is handled", seen and seen <= labels,
          seen - labels)


def test_errors(folder, scratch):
    def outcome(*args, **more):
        p = patience.run([DOZE, "export", *args], capture_output=True, text=True, **more)
        return p.returncode, p.stderr.count("\n"), p.stderr

    check("an unknown format is a usage error", outcome("--format=pdf", folder)[:2] == (2, 1))
    check("a missing --format is a usage error", outcome(folder)[:2] == (2, 1))
    nowhere = os.path.join(scratch, "no", "x.json")
    check("a missing output folder is an error", outcome("--format=json", "-o", nowhere, folder)[:2] == (3, 1))
    out = os.path.join(scratch, "x.json")
    check("a folder without a trace is an error", outcome("--format=json", "-o", out, scratch)[:2] == (3, 1))
    check("a failed export leaves nothing behind", os.listdir(scratch) == [], os.listdir(scratch))
    with open("/dev/full", "w") as full:
        p = patience.run([DOZE, "export", "--format=json", folder], stdout=full,
                         stderr=subprocess.PIPE, text=True)
        check("a full disk is reported once", p.returncode == 3 and "No space" in p.stderr and
              p.stderr.count("\n") == 1, p.stderr)


def test_all(name, folder, scratch):
    print(f"{name}:")
    storms = json.loads(doze("storms", "--json", folder))
    test_json(folder)
    test_csv(folder, storms)
    test_perfetto(folder, storms)
    test_svg(folder, storms["pools"][0]["workers"], scratch)
    test_trace_compass(folder)


def record(scratch, policy, detail, times):
    folder = os.path.join(scratch, f"{policy}-{times}")
    doze("record", "-o", folder, f"--policy={policy}", "--workers=4", f"--detail={detail}",
         "--", DOZE, "demo", "burst", f"--bursts={12 * times}")
    return folder


def lacks(folder):
    return "" if json.loads(doze("storms", "--json", folder))["woken"] else "no worker slept and was woken"


def main():
    scratch = tempfile.mkdtemp(prefix="doze-export-")
    try:
        made = os.path.join(scratch, "made")
        patience.run([f"{BUILD}/tests/fixtures/make-trace", made, "5000", "8", "6", "1"], check=True)
        test_all("a synthetic trace with storms", made, scratch)
        empty = os.path.join(scratch, "empty")
        os.mkdir(empty)
        test_errors(made, empty)
        test_svg_marks(scratch)
        # Under rfc, a wake may be sent to a worker that is already awake; wakes of forkjoin and
        # condvar have no target.
        for policy, detail in (("tickle", "states"), ("rfc", "states"), ("forkjoin", "states"), ("condvar", "all")):
            test_all(f"burst under {policy}", enough(lambda times: record(scratch, policy, detail, times), lacks), scratch)
    finally:
        shutil.rmtree(scratch)
    print(f"{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(exit_code(main, lambda: failures))
