#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The page of `doze report` is complete, correct and usable. Opens the page of recorded and
# synthetic traces in headless Chromium, presses keys, clicks, and compares the page with the other
# views. --bench measures how long a page with a million events takes to open, and how long it takes
# to draw at several zooms.
import json
import math
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from browser import Browser  # noqa: E402
from page_fixture import BUILD, DOZE, check, report, run, said, state, test, write_script  # noqa: E402
from phases_and_jobs import phases_and_jobs  # noqa: E402


def is_self_contained(text):
    check("the page loads no other files", not re.search(r'(src|href)\s*=|@import|url\(', text))
    meta = json.loads(re.search(r'<script id="meta"[^>]*>(.*?)</script>', text, re.S).group(1))
    check("there is a lane for each worker", len(meta["lanes"]) == 8, meta["lanes"])
    return meta


def agrees(b, storms):
    check("the page runs without an error", not b.errors(), b.errors())
    n = b.run("return document.querySelectorAll('#storms-list li:not(.none)').length")
    check("the page lists the same storms as doze storms", n == storms["storm_count"], n)
    n = b.run("return window.dozeReport.wakes.length")
    check("the page contains every wake", n == storms["wakes"], (n, storms["wakes"]))
    spans = b.run(
        "return window.dozeReport.lanes.map(l => [...l.start].every((t, i, a) => !i || t >= a[i-1]))"
    )
    check("the lanes are in order of time", all(spans), spans)


def outsider(storms, vtid):
    name = next((o["name"] for o in storms["outside"] if o["vtid"] == vtid), None)
    return f"outside '{name}' ({vtid})" if name else f"outside ({vtid})"


def tables_agree(b, storms):
    """Checks the sections below the histograms."""
    rows = b.run("return [...document.querySelectorAll('#verdicts tr')].map(r => [...r.cells].map(c => c.textContent))")
    want = [f"{storms['verdicts'][k]:,}" for k in rows[0][1:]]
    check("the wakes by verdict match doze storms", rows[-1][1:] == want and len(want) == 7, rows)
    text = {i: b.run("return document.getElementById(arguments[0]).textContent", i)
            for i in ("underwakes", "nearmisses", "paths", "bias")}  # fmt: skip
    spans = (storms["underwake"] or {}).get("spans")
    want = "Not measured" if spans is None else f"{spans:,} span" if spans else "None."
    check("the under-wakes are listed", want in text["underwakes"], text["underwakes"])
    near = [n for n in storms["near_misses"].values() if n]
    want = f"{sum(near):,} sleep" if near else "No sleep"
    check("the near misses are listed", want in text["nearmisses"], text["nearmisses"])
    bars = b.run("return [...document.querySelectorAll('.bar')].map(r => r.children.length)")
    check("each critical path has a bar", len(bars) == len(storms["critical_paths"]) and all(bars), bars)
    names = [f"w{w['worker']} " if w["worker"] >= 0 else outsider(storms, w["vtid"]) + " " for p in
             storms["critical_paths"] for w in p["work"] if w["time"] > (p["end"] - p["at"]) / 1000]  # fmt: skip
    check("every thread on the critical paths is named", names and all(n in text["paths"] for n in names), (names, text["paths"]))
    low = sum(w["woken"] for w in storms["workers"] if w["worker"] < len(storms["workers"]) // 2)
    check("the wakee bias is shown", f"{100 * low / storms['woken']:.1f} %" in text["bias"], text["bias"])


def percent(part, whole):
    """Rounds as JavaScript's toFixed does: away from zero at a half, where Python would round to
    even."""
    return f"{math.floor(1000 * part / whole + 0.5) / 10:.1f} %"


def numbers_agree(b, folder, storms):
    """Checks that every number on the page equals the model's number in doze storms --json."""
    shown = b.run("return [...document.querySelectorAll('#histograms figure')].map(f => ["
                  "f.textContent, [...f.querySelectorAll('title')].map(t => t.textContent)])")  # fmt: skip
    unit = "return arguments[0].map(window.dozeReport.unit)"
    check("there is a histogram of each latency", len(shown) == len(storms["latency"]), shown)
    names = "publish_job publish_notify useful_notify_awake awake_found found_job notify_awake futile_search".split()
    for (text, bars), name in zip(shown, names):
        h = storms["latency"][name]
        if not h["count"]:
            check(f"an empty histogram of {name} is marked as empty", text.endswith(": none"), text)
            continue
        p50, p90, p99, most = b.run(unit, [h["p50"], h["p90"], h["p99"], h["max"]])
        want = f": {h['count']:,}; p50 {p50}, p90 {p90}, p99 {p99}, max {most}"
        check(f"the percentiles of {name} match doze storms", text.endswith(want), (text, want))
        counts = [int(bar.split(": ")[1]) for bar in bars]
        check(f"the bars of {name} match doze storms", counts == [row["count"] for row in h["log2"]], counts)
    rows = b.run("return [...document.querySelectorAll('#workers tr')].map(r => [...r.cells].map(c => c.textContent))")
    states = ("active", "idle", "sleepy", "sleeping", "blocked", "suspended")
    for w, row in zip(sorted(storms["workers"], key=lambda w: w["worker"]), rows[1:]):
        want = [f"w{w['worker']}"] + b.run(unit, [w["time"][s] for s in states])
        want += [f"{w['woken']:,}", percent(w["woken"], storms["woken"])]
        want += [f"{w[k]:,}" for k in ("wakes_sent", "futile_sent", "jobs_run")]
        check(f"the row of {want[0]} matches doze storms", row == want, (row, want))
    tables_agree(b, storms)
    for o, row in zip(storms["outside"], rows[1 + len(storms["workers"]):], strict=True):
        want = [outsider(storms, o["vtid"]), f"{o['wakes_sent']:,}", f"{o['futile_sent']:,}"]
        check(f"{want[0]} has a row", [row[0], *row[9:11]] == want, (row, want))
    total = {s: sum(w["time"][s] for w in storms["workers"]) for s in states}
    check("the times of the workers add up to the totals", total == storms["time"], (total, storms["time"]))
    lanes = b.run("return window.dozeReport.lanes.map(l => l.worker)")
    check("the lanes are in the order of the workers", lanes == sorted(lanes), lanes)
    starts = b.run("return window.dozeReport.wakes.map(w => w.at)")
    check("times are whole nanoseconds", all(t == int(t) for t in starts) and len({t % 256 for t in starts}) > 1, starts[:5])
    inside = b.run("return [...document.querySelectorAll('#histograms svg')].every(s => {"
                   "const r = s.getBoundingClientRect(); return [...s.querySelectorAll('text')].every(t =>"
                   "t.getBoundingClientRect().right <= r.right); })")  # fmt: skip
    check("the labels of the histograms are not clipped", inside)


def positions_agree(b, folder, storms):
    """Checks that positions have the same form as in the other views, and that --from accepts
    them."""
    texts = b.run("return [...document.querySelectorAll('#storms-list li')].map(l => l.textContent)")
    places = [t.split(":")[0] for t in texts]
    check("each storm has its own position", len(set(places)) == len(places), places[:5])
    order = sorted(storms["storms"], key=lambda s: -s["burnt"])  # the order in which the page lists them
    part = json.loads(run(DOZE, "storms", "--json", f"--from={places[0]}", folder))
    check("--from accepts a storm's position", part["storms"][0]["at"] == order[0]["at"], part["storms"][:1])
    cases = [[0, 1000], [2065512999, 1000], [2065512999, 1], [2065512999, 5e7], [2065512999, 5e9],
             [9000000000, 2e-0], [-1500000, 1e5]]  # fmt: skip
    said = b.run("return arguments[0].map(([t, step]) => window.dozeReport.position(t, step))", cases)
    want = ["0.000000s", "2.065512s", "2.065512999s", "2.06s", "2s", "9.000000000s", "-0.0015s"]
    check("positions are written as in the other views", said == want, said)


def answers_first(b, folder):
    said_there = b.run("return document.getElementById('summary').textContent")
    brief = run(DOZE, "storms", "--brief", folder)
    check("the answer is the same as in doze storms", said_there.split() == brief.split(), said_there)
    lines = said_there.splitlines()
    check("the answer has line breaks only between sentences", all(x.endswith(".") for x in lines), lines)


# Changes of the counters are lost between 31 and 70 us; the next event that reports the word is at
# 80 us.
LOSSY = """0 x pool jec 2
1 w0 none>active start
1 w1 none>active start
20 w1 active>idle no_work 0.0.0>0.1.0
30 w1 jec sleepy 0.1.0>0.1.1
31 w1 jec sleepy 0.1.1>0.1.2
70 lost 45 3
80 w1 jec sleepy 0.1.2>0.1.3
130 w0 active>stopped terminate
130 w1 active>stopped terminate
140 x pool stop
"""
# Counts the non-background pixels in the middle of the JEC lane, away from its line.
MARKED = """
const [a, b] = arguments, view = document.getElementById('view'), r = window.devicePixelRatio;
const s = window.dozeReport.state(), x = (t) => 92 + (t - s.from) / (s.to - s.from) * (view.clientWidth - 92);
const d = view.getContext('2d').getImageData(x(a) * r, (view.clientHeight - 24 - 4 - 25) * r,
  (x(b) - x(a)) * r, 4 * r).data;
let n = 0;
for (let i = 0; i < d.length; i += 4) n += d[i] < 250;
return n;
"""


def hatches(top, b):
    folder, page = os.path.join(top, "lossy"), os.path.join(top, "lossy.html")
    write_script(folder, LOSSY)
    report(folder, page, ok=(4,))
    b.open("file://" + page)
    check("the page of a lossy trace runs without an error", not b.errors(), b.errors())
    marked = [b.run(MARKED, 1000 * t, 1000 * (t + 3)) for t in (24, 52, 74, 104)]
    good = marked[1] and marked[2] and not marked[0] and not marked[3]
    check("after lost events, counters are hatched until an event records the word", good, marked)


# A worker that changes threads twice; the changes take 20 and 10 us.
SUSPENDED = """
0 x pool jec 1
1 w0 none>active start
10 w0 active>suspended must_not_help
30 w0 suspended>active takes_over
60 w0 active>suspended gives_back
70 w0 suspended>active takes_over
80 w0 active>stopped terminate
81 w0 stop
82 x pool stop
"""


def suspended_time(top, b):
    folder, page = os.path.join(top, "suspended"), os.path.join(top, "suspended.html")
    write_script(folder, SUSPENDED)
    report(folder, page)
    time = json.loads(run(DOZE, "storms", "--json", folder))["time"]
    check("the time for which a wait suspends a worker is counted", time["suspended"] == 30000, time)
    b.open("file://" + page)
    check("the page of a trace with a suspended wait runs without an error", not b.errors(), b.errors())
    rows = b.run("return [...document.querySelectorAll('#workers tr')].map(r => [...r.cells].map(c => c.textContent))")
    want = b.run("return arguments[0].map(window.dozeReport.unit)", [time["suspended"]])
    check("the worker's row shows the time in state suspended", rows[1][rows[0].index("suspended")] == want[0], rows)


def keys_work(b):
    whole = state(b)
    b.run("document.getElementById('view').focus()")
    b.press("+++")
    zoomed = state(b)
    share = (zoomed["to"] - zoomed["from"]) / (whole["to"] - whole["from"])
    check("+ zooms in", 0.1 < share < 0.3, share)
    b.press("l")
    check("l moves right", state(b)["from"] > zoomed["from"])
    b.press("0")
    check("0 shows the whole run", state(b)["to"] - state(b)["from"] > share * whole["to"] * 2)
    b.press("jj")
    check("j selects the next worker", state(b)["chosen"] == 2, state(b))
    b.press("s")
    at = b.run("return JSON.parse(document.getElementById('storms').textContent).storms[0]?.at")
    check("s goes to the first storm", at is None or state(b)["cursor"] == at, state(b))
    b.press("]")
    check("] goes to a wake and explains it", "woken by" in said(b), said(b))
    b.press("?")
    check("? shows the keys", b.run("return !document.getElementById('help').hidden"))
    b.press("\ue00c")
    check("Esc hides the keys", b.run("return document.getElementById('help').hidden"))
    b.press("d")
    check("d changes the colours", b.run("return !!document.documentElement.dataset.theme"))


def mouse_works(b):
    b.press("0")
    b.click("#view", 100, -60)
    check("a click explains the event", re.match(r"w\d+ (is|was)", said(b)), said(b))
    b.run("document.querySelector('#storms-list li').click()")
    s = state(b)
    storm = b.run("return JSON.parse(document.getElementById('storms').textContent)"
                  ".storms.reduce((a, b) => b.burnt > a.burnt ? b : a)")  # fmt: skip
    wide = storm["end"] - storm["at"]
    there = s["from"] < storm["at"] and storm["end"] < s["to"] < s["from"] + max(2001, 2 * wide)
    check("clicking a storm jumps to it", there and s["cursor"] == storm["at"], (s, storm))


def cards_and_search_work(b, storms):
    cards = dict(reversed(c) for c in b.run("return [...document.querySelectorAll('#cards div')].map(c => "
                                            "[...c.children].map(e => e.textContent))"))  # fmt: skip
    check("a card shows the number of storms", cards["storms"] == f"{storms['storm_count']:,}", cards)
    check("a card shows the p99 of publish->job",
          cards["publish->job, p99"] == b.run("return window.dozeReport.unit(arguments[0])",
                                              storms["latency"]["publish_job"]["p99"]), cards)  # fmt: skip
    burnt = b.run("return [...document.querySelectorAll('#storms-list li')].map(l => l.textContent)")
    worst = max(storms["storms"], key=lambda s: s["burnt"])["at"]
    first = b.run("return window.dozeReport.position(arguments[0])", worst)
    check("the most expensive storm is the first of its list", burnt[0].startswith(first), burnt[0])
    b.run("const s = document.getElementById('search'); s.value = arguments[0]; s.oninput({target: s})", first)
    left = b.run("return [...document.querySelectorAll('#storms-list li')].filter(l => !l.hidden).length")
    check("the search shows only the storms whose lines contain the text", 1 <= left < len(burnt), left)
    b.run("const s = document.getElementById('search'); s.value = ''; s.oninput({target: s});"
          "window.dozeReport.show(1e6, 3e6)")  # fmt: skip
    b.wait_for("from=1000000&to=3000000", "return location.hash")  # the address links to the view
    said_now = b.run("return document.getElementById('inview').textContent")
    check("the numbers cover the part in view", "0.001000s to 0.003000s" in said_now, said_now)
    b.press("0")


def fits_a_phone(b):
    b.call("POST", "/window/rect", {"width": 400, "height": 800})
    wide = b.run("const d = document.documentElement; return [d.scrollWidth, d.clientWidth]")
    check("the page fits a phone's screen", wide[0] <= wide[1], wide)
    b.call("POST", "/window/rect", {"width": 1300, "height": 1000})


def has_pixels(b):
    """Checks that the canvas has the colours of the states."""
    b.press("0")
    colours = b.run(
        "window.dozeReport.show(0, window.dozeReport.meta.duration);"
        "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {"
        "const c = document.getElementById('view'), d = c.getContext('2d')"
        ".getImageData(0, 0, c.width, c.height).data, seen = {};"
        "for (let i = 0; i < d.length; i += 4) {"
        "const k = d[i] + ',' + d[i+1] + ',' + d[i+2]; seen[k] = (seen[k] || 0) + 1; }"
        "done(seen); })))"
    )
    for name, rgb in {"sleeping": "86,180,233", "idle": "230,159,0"}.items():
        check(f"{name} is drawn in its colour", colours.get(rgb, 0) > 50)


def trace(top, times):
    """Records storms. Returns the folder and the output of doze storms."""
    folder = os.path.join(top, f"trace{times}")
    run(DOZE, "record", "--policy=tickle", "--workers=8", "-o", folder, "--", DOZE, "demo",
        "trickle", f"--jobs={60 * times}")  # fmt: skip
    return folder, json.loads(run(DOZE, "storms", "--json", folder))


def lacks(recorded):
    """Returns what the recording lacks for the checks."""
    _, storms = recorded
    if storms["storm_count"] < 2:
        return f"{storms['storm_count']} storms"
    if not sum(o["futile_sent"] for o in storms["outside"]):
        return "no wake by an outside thread is futile"
    whole = storms["duration"] * len(storms["workers"])
    rare = [s for s in ("sleeping", "idle") if storms["time"][s] < whole / 1000]
    return f"the states {rare} are too short to be drawn" if rare else ""


def usable(top, b):
    folder, storms = patience.enough(lambda times: trace(top, times), lacks)
    page = os.path.join(top, "report.html")
    is_self_contained(report(folder, page))
    b.open("file://" + page)
    agrees(b, storms)
    answers_first(b, folder)
    numbers_agree(b, folder, storms)
    positions_agree(b, folder, storms)
    keys_work(b)
    mouse_works(b)
    has_pixels(b)
    cards_and_search_work(b, storms)
    fits_a_phone(b)
    check("no error occurred during the test", not b.errors(), b.errors())


def doubts(top, b):
    """Checks that the page of a lossy or truncated trace does not claim that all is well."""
    for kind, why in (("lossy", "events were lost"), ("cut", "ends before its pool stopped")):
        folder, page = os.path.join(top, f"doubt-{kind}"), os.path.join(top, f"doubt-{kind}.html")
        run(f"{BUILD}/tests/fixtures/make-trace", folder, "3000", "4", "1", "1", kind)
        report(folder, page, ok=(4,))
        b.open("file://" + page)
        for part in ("findings-list", "storms-list", "notice", "answer"):
            text = " ".join(b.run(f"return document.getElementById('{part}').textContent").split())
            sure = "nconclusive" not in text or why not in text
            check(f"the {part} of a {kind} trace states that it is inconclusive", not sure, text)


def big(top, b, events):
    folder, page = os.path.join(top, "big"), os.path.join(top, "big.html")
    run(f"{BUILD}/tests/fixtures/make-trace", folder, str(events), "8")
    report(folder, page, ok=(0, 4))
    b.open("file://" + page + "#bench")
    took = json.loads(patience.wait_until(lambda: b.run("return document.body.dataset.bench"),
                                          "the page reports its measurements", 240))
    print(f"       {events:,} events, {os.path.getsize(page) / 1e6:.1f} MB: "
          f"open after {took['opened'] / 1000:.2f} s")  # fmt: skip
    print("       panning over      frames   between frames, ms         drawing a frame, ms")
    print("                                       p50      p99           p50      p99")
    for z in took["zooms"]:
        print(f"       {z['width'] / 1e6:10.3f} ms {z['frames']:8} {z['p50']:12.1f} {z['p99']:8.1f}"
              f" {z['draw50']:13.1f} {z['draw99']:8.1f}")  # fmt: skip
    deep = len(took["zooms"]) > 3 and all(z["frames"] == 60 for z in took["zooms"])
    check("a big trace can be opened and panned", deep and not b.errors(), took)
    same_near_and_far(b)


COLUMN = """
const [a, b] = arguments, r = window.dozeReport, view = document.getElementById('view');
r.show(a, b); r.draw();
const d = view.getContext('2d').getImageData(200, 0, 600, view.height / 2).data, n = {};
for (let i = 0; i < d.length; i += 4) {
  const k = [d[i], d[i + 1], d[i + 2]].join(); n[k] = (n[k] || 0) + 1; }
return n;
"""


def same_near_and_far(b):
    """Checks that drawings from the pyramid and from the intervals have the same share of each
    colour, because the synthetic trace repeats itself."""
    b.press("w")  # hides the wakes in front of the lanes
    lanes = b.run("const l = window.dozeReport.lanes[0]; return [l.count, l.start[0], l.start[l.count]]")
    span, width = lanes[2] - lanes[1], b.run("return document.getElementById('view').clientWidth - 92")
    middle = lanes[1] + span / 2
    # The page draws single intervals if at most two of them share a pixel.
    near, far = (span / lanes[0] * 2 * width * f / 2 for f in (0.8, 1.4))
    views = [b.run(COLUMN, middle - w, middle + w) for w in (near, far)]
    for name, rgb in {"sleeping": "86,180,233", "idle": "230,159,0", "active": "0,158,115"}.items():
        a, z = (v.get(rgb, 0) for v in views)
        check(f"state {name} has the same share at near and far zooms", abs(a - z) <= 0.3 * max(a, z, 600), (a, z))


def parts(top):
    with Browser() as b:
        if "--bench" not in sys.argv:
            usable(top, b)
            hatches(top, b)
            suspended_time(top, b)
            doubts(top, b)
            phases_and_jobs(top, b)
        big(top, b, 1_000_000 if "--bench" in sys.argv else 100_000)


sys.exit(test(parts))
