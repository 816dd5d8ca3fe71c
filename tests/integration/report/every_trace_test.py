#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The page of `doze report` opens and all its keys work without an exception, on recordings of every
# policy and on traces whose wakes have no target, reach no sleeper, or belong to several pools.
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from browser import Browser  # noqa: E402
from page_fixture import DOZE, check, report, run, said, state, test, write_script  # noqa: E402
from policies import policies  # noqa: E402

POLICIES = list(policies())
WAKES_AT_ONCE = 30

# Signals without a target: the first signal of w0 wakes w1; its second signal and the signal from
# outside reach no sleeper.
SIGNALS = """0 x pool forkjoin 2
1 w0 none>active start
1 w1 none>active start
20 w1 active>idle no_work
22 w1 idle>sleeping rounds
30 w0 wake x id7 d7 push
40 w1 woken 7
41 w1 sleeping>idle woken
42 w1 idle>active found_stolen
50 w0 wake x id8 d8 push
60 x wake x id9 d9 inject
100 w0 active>stopped terminate
100 w1 active>stopped terminate
110 x pool stop
"""
# w1 sleeps; the first wake ends its sleep, and the next three are redundant.
AGAIN = """0 x pool rfc 2
1 w0 none>active start
1 w1 none>active start
20 w1 active>idle no_work 0.0.0>0.1.0
22 w1 idle>sleeping rounds 0.1.0>1.1.0
30 w0 wake w1 id7 d7 push
32 w0 wake w1 id8 d8 push
34 w0 wake w1 id9 d9 push
36 w0 wake w1 id10 d10 push
37 x mark the-first-of-two
39 x mark the-second-of-two
60 w1 woken 7
61 w1 sleeping>idle woken 1.1.0>0.1.0
62 w1 idle>active found_stolen 0.1.0>0.0.0
90 x mark far
100 w0 active>stopped terminate
100 w1 active>stopped terminate
110 x pool stop
"""
ODD = {
    "marks only": "0 x mark a\n10 x mark b\n",
    "a pool whose workers never appear": "0 x pool jec 4\n50 x pool stop\n",
    "an unknown policy": """0 x pool mine 2
1 w0 none>active start
5 w0 wake w1 id7 d7 push
9 w0 active>stopped terminate
50 x pool stop
""",
}
# Returns the texts written by one drawing, each with its left and right edge and its height.
TEXTS = """
const g = CanvasRenderingContext2D.prototype, draw = g.fillText, texts = [];
g.fillText = function (s, x, y) { texts.push([s.trim(), x, x + this.measureText(s).width, y]); };
const r = window.dozeReport;
r.show(0, r.meta.duration); r.draw(); g.fillText = draw;
return texts;
"""
# Counts the pixels in a box that have nearly the colour of wakes. The box is given by its middle x
# (ns), its lane, and its top and bottom as fractions of the lane.
WAKE_PIXELS = """
const [t, lane, high, low] = arguments, view = document.getElementById('view'), r = window.devicePixelRatio;
const s = window.dozeReport.state(), x = 92 + (t - s.from) / (s.to - s.from) * (view.clientWidth - 92);
const top = 22 + lane * 30, d = view.getContext('2d')
  .getImageData((x - 5) * r, (top + 26 * high) * r, 10 * r, 26 * (low - high) * r).data;
let n = 0;
for (let i = 0; i < d.length; i += 4) n += Math.abs(d[i] - 213) < 30 && Math.abs(d[i + 1] - 94) < 40 && d[i + 2] < 60;
return n;
"""


def opened(b, folder, page, ok=(0,)):
    report(folder, page, ok=ok)
    b.open("file://" + page)
    return page


def use_everything(b, what):
    try:
        press_everything(b)
        thrown = b.errors()
    except RuntimeError as e:
        thrown = e
    check(f"the page of {what} throws no exceptions", not thrown, thrown)
    empty = b.run("return ['verdicts', 'underwakes', 'nearmisses', 'paths', 'workers', 'bias']"
                  ".filter(i => document.getElementById(i).textContent.length < 14)")  # fmt: skip
    check(f"each section of the page of {what} has content", not empty, empty)


def press_everything(b):
    """Presses each key, selects each entry of the lists, and draws each wake at several zooms."""
    b.run("document.getElementById('view').focus()")
    b.press("0]]]][[.,..ejjkkhl+++]]]---sSssuuwwd?\ue00c0")
    b.run("document.querySelectorAll('li[tabindex], p.go').forEach(e => e.click())")
    # Runs in parts, because the browser aborts a script after 30 s, and on a busy machine a
    # thousand drawings take longer.
    for first in range(0, b.run("return Math.min(window.dozeReport.wakes.length, 300)"), WAKES_AT_ONCE):
        b.run("""const r = window.dozeReport;
for (const w of r.wakes.slice(arguments[0], arguments[1])) {
  for (const wide of [500, 50000, 5e6]) { r.show(w.at - wide, w.at + wide); r.draw(); }
  r.choose(w.target);
}""", first, first + WAKES_AT_ONCE)
    b.run("""const r = window.dozeReport;
for (let wide = r.meta.duration * 1.02; wide > 20; wide /= 8) { r.show(0, wide); r.draw(); }""")


def legend(b):
    return b.run("return document.getElementById('legend').textContent")


def signals(top, b):
    folder = os.path.join(top, "signals")
    write_script(folder, SIGNALS)
    opened(b, folder, folder + ".html", ok=(0, 4))
    use_everything(b, "signals that reach no sleeper")
    check("the legend explains the mark of redundant wakes", "× redundant" in legend(b), legend(b))
    b.run("const r = window.dozeReport; r.show(0, r.meta.duration); r.jump(0)")
    heard = []
    for _ in range(3):
        b.press("]")
        heard.append(said(b))
    check("] explains the useful wake", "w1 woken by w0" in heard[0], heard)
    good = "w0 signalled" in heard[1] and "decision 8" in heard[1] and state(b)["chosen"] >= 0
    check("] explains the worker's wake that reached no sleeper", good, heard)
    check("] explains the wake from outside", "an outside thread" in heard[2] and "decision 9" in heard[2], heard)
    marks = b.run("const r = window.dozeReport; r.show(0, r.meta.duration); r.choose(1); r.jump(80000, 110000); r.draw();"
                  + "return ((...arguments) => {" + WAKE_PIXELS + "})(50000, 0, 0.2, 0.8)")  # fmt: skip
    check("the worker's wake is marked in its lane", marks > 5, marks)


def redundant(top, b):
    folder = os.path.join(top, "again")
    write_script(folder, AGAIN)
    opened(b, folder, folder + ".html", ok=(0, 4))
    use_everything(b, "wakes of a worker that is already notified")
    b.run("const r = window.dozeReport; r.choose(0); r.show(0, 110000); r.jump(100000, 200000); r.show(0, 110000); r.draw()")
    useful = b.run(WAKE_PIXELS, 60000, 1, 0.7, 1)
    feet = [b.run(WAKE_PIXELS, t, 1, 0.75, 1) for t in (32000, 34000, 36000)]
    middles = [b.run(WAKE_PIXELS, t, 1, 0.3, 0.7) for t in (32000, 34000, 36000)]
    check("a useful wake is drawn as a filled triangle", useful > 20, useful)
    check("a redundant wake is not drawn as a triangle", max(feet) < 6, feet)
    check("a redundant wake is drawn as a cross", min(middles) > 5, middles)
    b.run("window.dozeReport.jump(40000); window.dozeReport.choose(1)")
    check("the explanation counts redundant notifications separately", "3 redundant notifications" in said(b), said(b))
    check("the JEC is not mentioned under a policy without one", "JEC" not in said(b), said(b))
    marks_are_legible(b)


def marks_are_legible(b):
    """Checks that a text is omitted in a narrow window if it would overlap an earlier text."""
    b.call("POST", "/window/rect", {"width": 520, "height": 800})
    texts = b.run(TEXTS)
    b.call("POST", "/window/rect", {"width": 1300, "height": 1000})
    over = [(s, t) for i, s in enumerate(texts) for t in texts[:i]
            if s[3] == t[3] and s[1] < t[2] and t[1] < s[2]]  # fmt: skip
    names = [t[0] for t in texts]
    check("no text overlaps another", not over, over)
    good = "the-first-of-two" in names and "the-second-of-two" not in names and "far" in names
    check("marks are labelled where there is space", good, names)


def odd(top, b):
    for i, (what, text) in enumerate(ODD.items()):
        folder = os.path.join(top, f"odd-{i}")
        write_script(folder, text)
        opened(b, folder, folder + ".html", ok=(0, 4))
        use_everything(b, what)


def record(folder, policy, *demo):
    run(DOZE, "record", f"--policy={policy}", "--workers=4", "--detail=jobs", "-o", folder, "--",
        DOZE, "demo", *demo)  # fmt: skip


def policies(top, b):
    for policy in POLICIES:
        folder = os.path.join(top, policy)
        record(folder, policy, "burst", "--bursts=4")
        opened(b, folder, folder + ".html")
        use_everything(b, f"burst under {policy}")


def record_both(both, times):
    os.mkdir(both)
    record(os.path.join(both, "quiet"), "jec", "trickle", "--jobs=10")
    record(os.path.join(both, "stormy"), "tickle", "trickle", f"--jobs={20 * times}")
    return both


def lacks_storms(folder):
    return "" if json.loads(run(DOZE, "storms", "--json", folder))["storms"] else "no storm"


def pools(top, b):
    """Checks a trace with the pools of two processes."""
    both = patience.enough(lambda times: record_both(os.path.join(top, f"both{times}"), times), lacks_storms)
    opened(b, both, both + ".html")
    use_everything(b, "two pools")
    lanes, titles = b.run("const r = window.dozeReport;"
                          "return [r.lanes.map(l => r.meta.pools[l.pool].policy), r.meta.pools.map(p => p.words)]")  # fmt: skip
    b.run("const r = window.dozeReport; r.choose(r.lanes.findIndex(l => r.meta.pools[l.pool].policy === 'jec'));"
          "r.show(0, r.meta.duration); r.jump(0)")  # fmt: skip
    b.press("s")
    check("s selects a lane of the storm's pool", lanes[state(b)["chosen"]] == "tickle", state(b))
    check("s explains the storm", "In the storm at" in said(b), said(b))
    first = b.run("return document.querySelector('#storms-list li').textContent")
    check("the list names the pool of each storm", any(f"{t} (tickle)" in first for t in titles), first)
    names = b.run("return [...document.querySelectorAll('#workers tr td:first-child')].map(t => t.textContent)")
    names = [n for n in names if "outside" not in n]
    check("each worker has its own name", len(set(names)) == len(names) == len(lanes), names)


def parts(top):
    with Browser() as b:
        signals(top, b)
        redundant(top, b)
        odd(top, b)
        policies(top, b)
        pools(top, b)


sys.exit(test(parts))
