#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Is the page of `doze report` whole, right, and usable? Records (where LTTng can) or makes traces,
# opens the page in headless Chromium, presses keys, clicks, and compares with the other views.
# With --bench: how long a frame takes on a trace of a million events.
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DOZE = f"{BUILD}/doze"
passed, failed = 0, 0


def check(question, good, why=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    print(f"  {'ok  ' if good else 'FAIL'} {question}" + (f": {why}" if not good else ""))


def run(*command, ok=(0,)):
    p = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if p.returncode not in ok:
        raise SystemExit(f"{' '.join(command)}: exit {p.returncode}\n{p.stdout}{p.stderr}")
    return p.stdout


def report(folder, page, ok=(0,)):
    run(DOZE, "report", folder, "-o", page, ok=ok)
    with open(page, encoding="utf-8") as f:
        return f.read()


def is_self_contained(text):
    check("Does the page load nothing?", not re.search(r'(src|href)\s*=|@import|url\(', text))
    meta = json.loads(re.search(r'<script id="meta"[^>]*>(.*?)</script>', text, re.S).group(1))
    check("Is there a lane for each worker?", len(meta["lanes"]) == 8, meta["lanes"])
    return meta


def state(b):
    return b.run("return window.dozeReport.state()")


def agrees(b, storms):
    check("Does it run without an error?", not b.errors(), b.errors())
    n = b.run("return document.querySelectorAll('#storms-list li:not(.none)').length")
    check("Does it list the storms of doze storms?", n == storms["storm_count"], n)
    n = b.run("return window.dozeReport.wakes.length")
    check("Has it every wake?", n == storms["wakes"], (n, storms["wakes"]))
    spans = b.run(
        "return window.dozeReport.lanes.map(l => [...l.start].every((t, i, a) => !i || t >= a[i-1]))"
    )
    check("Do the lanes go forward in time?", all(spans), spans)


def answers_first(b, folder):
    said_there = b.run("return document.getElementById('summary').textContent")
    brief = run(DOZE, "storms", "--brief", folder)
    check("Is the answer that of doze storms?", said_there.split() == brief.split(), said_there)
    lines = said_there.splitlines()
    check("Is it broken at sentences only?", all(x.endswith(".") for x in lines), lines)


# Steps of the counters are lost between 31 and 70 us; the next one is told at 80 us.
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
# How many pixels of the JEC lane's middle, where its line does not run, are not the ground's colour.
MARKED = """
const [a, b] = arguments, view = document.getElementById('view'), r = window.devicePixelRatio;
const s = window.dozeReport.state(), x = (t) => 92 + (t - s.from) / (s.to - s.from) * (view.clientWidth - 92);
const d = view.getContext('2d').getImageData(x(a) * r, (view.clientHeight - 24 - 4 - 25) * r,
  (x(b) - x(a)) * r, 4 * r).data;
let n = 0;
for (let i = 0; i < d.length; i += 4) n += d[i] < 250;
return n;
"""


def hatches(top):
    folder, page = os.path.join(top, "lossy"), os.path.join(top, "lossy.html")
    subprocess.run([f"{BUILD}/tests/views/make-story", folder], input=LOSSY, text=True, check=True)
    report(folder, page, ok=(4,))
    with Browser() as b:
        b.open("file://" + page)
        check("Does it run without an error on a lossy trace?", not b.errors(), b.errors())
        marked = [b.run(MARKED, 1000 * t, 1000 * (t + 3)) for t in (24, 52, 74, 104)]
        good = marked[1] and marked[2] and not marked[0] and not marked[3]
        check("Are counters hatched until they are told again?", good, marked)


def keys_work(b):
    whole = state(b)
    b.run("document.getElementById('view').focus()")
    b.press("+++")
    zoomed = state(b)
    share = (zoomed["to"] - zoomed["from"]) / (whole["to"] - whole["from"])
    check("Does + zoom in?", 0.1 < share < 0.3, share)
    b.press("l")
    check("Does l move on?", state(b)["from"] > zoomed["from"])
    b.press("0")
    check("Does 0 show all again?", state(b)["to"] - state(b)["from"] > share * whole["to"] * 2)
    b.press("jj")
    check("Does j choose the next worker?", state(b)["chosen"] == 2, state(b))
    b.press("s")
    at = b.run("return JSON.parse(document.getElementById('storms').textContent).storms[0]?.at")
    check("Does s go to the first storm?", at is None or state(b)["cursor"] == at, state(b))
    b.press("]")
    check("Does ] go to a wake and explain it?", "woken by" in said(b), said(b))
    b.press("?")
    check("Does ? show the keys?", b.run("return !document.getElementById('help').hidden"))
    b.press("\ue00c")
    check("Does Esc take them away?", b.run("return document.getElementById('help').hidden"))
    b.press("d")
    check("Does d change the colours?", b.run("return !!document.documentElement.dataset.theme"))


def said(b):
    return b.run("return document.getElementById('explain').textContent")


def mouse_works(b):
    b.press("0")
    b.click("#view", 100, -60)
    check("Does a click explain?", re.match(r"w\d+ (is|was)", said(b)), said(b))
    b.run("document.querySelector('#storms-list li').click()")
    s = state(b)
    check("Does a click on a storm go there?", s["to"] - s["from"] < s["to"], s)


def has_pixels(b):
    """The drawing: are the colours of the states in the picture?"""
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
        check(f"Is {name} drawn in its colour?", colours.get(rgb, 0) > 50)


def trace(top):
    folder = os.path.join(top, "trace")
    run(DOZE, "record", "--policy=tickle", "--workers=8", "-o", folder, "--", DOZE, "demo",
        "trickle", "--jobs=60")  # fmt: skip
    return folder


def usable(top):
    folder, page = trace(top), os.path.join(top, "report.html")
    storms = json.loads(run(DOZE, "storms", "--json", folder))
    is_self_contained(report(folder, page))
    with Browser() as b:
        b.open("file://" + page)
        agrees(b, storms)
        answers_first(b, folder)
        keys_work(b)
        mouse_works(b)
        has_pixels(b)
        check("Is there still no error?", not b.errors(), b.errors())


def doubts(top):
    """Nothing found is no praise where events were lost, or the end is not there."""
    for kind, why in (("lossy", "events were lost"), ("cut", "ends before its pool stopped")):
        folder, page = os.path.join(top, f"doubt-{kind}"), os.path.join(top, f"doubt-{kind}.html")
        run(f"{BUILD}/tests/made/make-trace", folder, "3000", "4", "1", "1", kind)
        report(folder, page, ok=(4,))
        with Browser() as b:
            b.open("file://" + page)
            for part in ("findings-list", "storms-list", "notice", "answer"):
                text = " ".join(b.run(f"return document.getElementById('{part}').textContent").split())
                sure = "nconclusive" not in text or why not in text
                check(f"Does the {part} of a {kind} trace say so?", not sure, text)


def big(top, events):
    folder, page = os.path.join(top, "big"), os.path.join(top, "big.html")
    run(f"{BUILD}/tests/made/make-trace", folder, str(events), "8")
    report(folder, page, ok=(0, 4))
    with Browser() as b:
        b.open("file://" + page + "#bench")
        took = json.loads(b.run("return document.body.dataset.bench"))
        print(f"       {events:,} events, {os.path.getsize(page) / 1e6:.1f} MB: a frame takes {took}")
        check("Does a big trace open and pan?", took["frames"] == 240 and not b.errors(), took)


def main():
    if not shutil.which("chromedriver"):
        print("no chromedriver: make setup installs it where the distribution has Chromium as a package")
        return 77
    top = tempfile.mkdtemp(prefix="doze-report-")
    try:
        if "--bench" not in sys.argv:
            usable(top)
            hatches(top)
            doubts(top)
        big(top, 1_000_000 if "--bench" in sys.argv else 100_000)
    finally:
        shutil.rmtree(top, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
