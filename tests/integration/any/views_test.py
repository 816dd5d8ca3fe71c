#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Every view of a program without libdoze: its first line, and the words that no view may use, because nothing is known
# of the program's work. Runs in the top folder; $BUILD is the build folder.
import json
import os
import re
import sys
import tempfile

import recorded_waits
from recorded_waits import ANY, BUILD, DOZE, ok, patience, record, truth

sys.path.insert(0, "tests/fixtures")
from synthetic import script_trace  # noqa: E402

# A share of the wakes in vain would not be known, so no view of the wakes prints a percent sign.
FORBIDDEN = re.compile(r"\bjobs?\b|starv|polic(?!e)|\buseful\b|\binjector\b|\bdeque", re.I)
PANES = 15
HEAD = "0 x pool foreign 0\n0 x crew 77\n"


def begin(worker, us, kind="cond"):
    return (
        f"{us} w{worker} begin\n{us + 1} w{worker} none>active start\n"
        f"{us + 2} w{worker} wait {kind} a5 c6\n{us + 3} w{worker} active>sleeping waits\n"
    )


CALL = "50 x post none 0 full wakes 2 d1 by9\n51 x wake x id1 d1 call all\n52 x wake x id2 d1 call all\n"
WOKEN = "60 w0 woken 1\n61 w0 sleeping>idle woken\n70 w1 woken 2\n71 w1 sleeping>idle woken\n"
AGAIN = "62 w0 wait cond a5 c6\n63 w0 idle>sleeping waits\n"
ENDS = "80 x site cond c9 10 7\n95 x pool stop\n"
IN_VAIN = HEAD + begin(0, 1) + begin(1, 11) + "".join(
    sorted((CALL + WOKEN + AGAIN + "72 w1 idle>active went_on\n").splitlines(True), key=lambda s: int(s.split()[0]))
) + ENDS
NOT_KNOWN = HEAD + begin(0, 1, "sem") + begin(1, 11, "sem") + CALL + (
    "60 w0 woken 1\n61 w0 sleeping>active woken\n62 w1 woken 2\n63 w1 sleeping>active woken\n"
) + ENDS
LOST = IN_VAIN.replace(ENDS, "75 lost 73 900\n76 w0 totals 500 400 300 1\n77 w1 totals 50 40 30 1\n" + ENDS)
WRONG = IN_VAIN.replace("call all\n52", "push all\n52")


def doze(*args, code=0):
    env = {**os.environ, "XDG_STATE_HOME": "/dev/null/none", "COLUMNS": "130", "LINES": "40"}
    p = patience.run([DOZE, *args], capture_output=True, text=True, timeout=120, env=env)
    ok(f"doze {' '.join(a for a in args if '/' not in a)} exits with {code}", p.returncode == code, p.stdout + p.stderr)
    return p.stdout + p.stderr


def flat(text):
    return " ".join(text.split())


def begins(title, text, pattern):
    ok(title, re.match(pattern, flat(text)), flat(text)[:300])


def clean(title, text, percent=False):
    """Checks that the text has none of the forbidden words."""
    found = [line for line in text.splitlines() if FORBIDDEN.search(line) or (not percent and "%" in line)]
    ok(f"{title}: nothing is said of work", not found, found[:3])


def texts(folder):
    for view in (["diagnose"], ["storms"], ["storms", "--histogram"], ["check"], ["why"], ["timeline"]):
        yield " ".join(view), doze(view[0], folder, *view[1:])
    yield "why TIME", doze("why", folder, "0.05s")


def screens(folder):
    for pane in range(PANES):
        for enter in "", "<Enter>":
            keys = "<Tab>" * pane + enter
            yield f"pane {pane}{enter}", doze("replay", "--once=0.1s", "--size=130x40", f"--keys={keys}", folder)


def first_lines(folder, want):
    vain = rf"At least {want['again']:,} of {want['woken']:,} wakes in vain, (all|most) by \w+ \(pools\.c:\d+\)\."
    begins("diagnose: wakes in vain, and where they come from", doze("diagnose", folder), vain)
    begins("storms: the same", doze("storms", folder), vain)
    begins("check: a crew of threads", doze("check", folder), r"No finding in [\d,]+ events .*crew '\w+' of \d+ threads")
    begins("why: the slowest return from a wait", doze("why", folder), r"Thread \d+ .*returned from its wait")
    ok("timeline: the state has the right words", "not in a wait that doze sees" in doze("timeline", folder))
    # With the plug-in's sink, the storm report is the same.
    p = patience.run(["babeltrace2", f"--plugin-path={BUILD}", folder, "-c", "sink.doze.storms"], capture_output=True, text=True)
    begins("plug-in: the same", p.stdout, vain)


def as_json(folder, want):
    foreign = json.loads(doze("storms", "--json", folder))["foreign"]
    ok("storms --json has the same numbers", foreign["futile_at_least"] == want["again"], foreign)
    ok("and the places that wake", any(p["futile_at_least"] == want["again"] for p in foreign["places"]), foreign["places"])
    foreign = json.loads(doze("diagnose", "--json", folder))
    ok("diagnose --json lists no cause, and does not call the program healthy", not foreign["causes"] and not foreign["healthy"])
    clean("check --json", doze("check", "--json", folder))


def files(folder, top):
    doze("report", "-o", f"{top}/r.html", folder)
    page = open(f"{top}/r.html", encoding="utf-8").read()
    for part in "answer", "storms", "causes":
        text = re.search(rf'<script id="{part}"[^>]*>(.*?)</script>', page, re.S)
        ok(f"report has its {part}", text)
        clean(f"report: {part}", text[1].replace('"useful"', "") if text else "", percent=True)
    for form in "perfetto", "csv", "json", "svg", "trace-compass":
        doze("export", "-f", form, "-o", f"{top}/e", folder)
    doze("export", "-f", "svg", "-o", f"{top}/e", folder)
    clean("export -f svg", open(f"{top}/e", encoding="utf-8").read(), percent=True)


def refusals(folder):
    for options in [], ["--posts"], ["--json"]:
        out = doze("whatif", folder, *options, code=2)
        ok("whatif refuses in one line", out.count("\n") == 1 and "does not use libdoze" in out, out)
    doze("storms", "--brief", "--fail-if=futile>0.5", folder, code=1)
    doze("storms", "--brief", "--fail-if=futile<0.5", folder, code=4)
    doze("storms", "--brief", "--fail-if=burn>0.5", folder, code=4)
    doze("diagnose", "--fail-if=hang", folder, code=4)


def compared(a, b, few, many):
    out = doze("replay", "--once", "--size=130x40", a, b)
    ok("duel: counts of both, which are bounds, and no winner", re.search(r": at least \d+ of [\d,]+ wakes in vain; .*: at least", out)
       and "wins" not in out and "best" not in out, out[:400])
    clean("duel", out)
    out = doze("compare", a, b)
    want = "Woken in vain, threads per wake call: " + ", ".join(
        rf"{side} at least [\d.]+ of [\d.]+ \({w['again']:,} of {w['woken']:,} wakes\)" for side, w in (("A", few), ("B", many))
    )
    begins("compare: threads woken in vain per wake call", out, want)
    # Shares of the difference between two known numbers are known.
    clean("compare", out, percent=True)


def synthetic(top):
    out = doze("diagnose", script_trace(top, "vain", IN_VAIN))
    begins("one of two in vain", out, r"At least 1 of 2 wakes in vain, all by ")
    ok("calls that found no waiter", "7 of 10 wake calls found no waiter" in flat(out), out)
    trace = script_trace(top, "unknown", NOT_KNOWN)
    out = doze("diagnose", trace) + doze("storms", trace)
    begins("nothing is known of semaphores", out, "Whether wakes were in vain is not known: none of the 2 wakes ")
    ok("never zero", not re.search(r"\b0 of 2\b|at least 0\b|%", out), out)
    begins("compare: not known", doze("compare", trace, trace), ".*A not known of 2 wakes, B not known of 2 wakes")
    doze("storms", "--brief", "--fail-if=futile>0", trace, code=4)
    out = doze("diagnose", script_trace(top, "lost", LOST))
    begins("lost events: the program's own counts", out,
           r"At least 330 of 440 wakes in vain, .*counted in the program, because events were lost\.")
    out = doze("check", script_trace(top, "wrong", WRONG), code=1)
    begins("check finds a cause that no call has", out, "1 finding")
    clean("check with a finding", out)


def main():
    with tempfile.TemporaryDirectory() as top:
        wants = {}
        for threads in 4, 8:
            p, output = record(f"{top}/{threads}", f"{ANY}/pools", "textbook", str(threads), "100", "broadcast")
            ok(f"{threads} threads are recorded", p.returncode == 0, (p, output))
            wants[threads] = truth(output)
        folder = f"{top}/4"
        first_lines(folder, wants[4])
        for title, text in texts(folder):
            clean(title, text)
        for title, text in screens(folder):
            clean(title, text, percent=True)
        as_json(folder, wants[4])
        files(folder, top)
        refusals(folder)
        compared(folder, f"{top}/8", wants[4], wants[8])
        synthetic(top)
    recorded_waits.finish()


main()
