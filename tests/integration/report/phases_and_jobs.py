# SPDX-License-Identifier: MIT
#
# phases_and_jobs.py - part of report_test.py: the table of phases, the causes, the jobs, a selected
# range, and the printed page.
import json
import os

import patience
from page_fixture import DOZE, check, report, run, said


def rows_of(b, table):
    return b.run("return [...document.querySelectorAll(arguments[0] + ' tr')].map(r => [...r.cells].map(c => c.textContent))", table)


def phases_agree(b, folder, marks):
    rows = rows_of(b, "#phases")
    check("each phase has a row", [r[0] for r in rows[1:] if r[0] != "(before)"] == marks, rows)
    storms = json.loads(run(DOZE, "storms", "--json", folder))
    check("the wakes of the phases add up to those of the run", sum(int(r[6].replace(",", "")) for r in rows[1:]) == storms["wakes"], rows)
    b.run("document.querySelectorAll('#phases tr')[arguments[0]].click()", [r[0] for r in rows].index(marks[1]))
    s = b.run("return window.dozeReport.state()")
    begins = b.run("return window.dozeReport.meta.marks[1].at")
    check("a click on a phase shows the phase", s["from"] - 1 <= begins < s["to"] < b.run("return window.dozeReport.meta.duration"), s)


def causes_agree(b, folder):
    causes = json.loads(run(DOZE, "diagnose", "--json", folder))["causes"]
    shown = b.run("return [...document.querySelectorAll('#diagnosis-list li')].map(l => l.textContent)")
    check("the causes match doze diagnose", len(shown) == len(causes) and
          all(t.startswith(c["kind"]) and c["cause"] in t for t, c in zip(shown, causes)), (shown, causes))


def jobs_agree(b, folder):
    lines = run(DOZE, "export", "--format=json", folder).splitlines()
    ended = sorted(json.loads(x)["job"] for x in lines if '"job_end"' in x)
    jobs = b.run("return window.dozeReport.lanes.flatMap(l => l.job.map(j => j.id))")
    check("every recorded job is on the page", sorted(jobs) == ended and ended, (len(jobs), len(ended)))
    b.run("const r = window.dozeReport, lane = r.lanes.findIndex(l => l.job.length), j = r.lanes[lane].job.reduce((a, c) => c.end - c.at > a.end - a.at ? c : a);"
          "r.choose(lane); r.jump((j.at + j.end) / 2, 2e5); r.explain()")
    check("the explanation names the job", "It runs job " in said(b), said(b))


def range_is_measured(b):
    b.press("0")
    b.run("const v = document.getElementById('view'), r = v.getBoundingClientRect(); v.setPointerCapture = () => {};"
          "const at = (type, px) => v.dispatchEvent(new PointerEvent(type, {pointerId: 1, shiftKey: true, bubbles: true,"
          " clientX: r.left + px, clientY: r.top + 40}));"
          "at('pointerdown', 300); at('pointermove', 600); at('pointerup', 600);")
    text = b.wait_for("Selected: ", "return document.getElementById('inview').textContent")
    check("dragging with Shift measures a range", text.startswith("Selected: "), text)
    b.wait_for("&range=", "return location.hash")


def outsiders_have_names(b, folder):
    outside = json.loads(run(DOZE, "storms", "--json", folder))["outside"]
    name = f"'{outside[0]['name']}' ({outside[0]['vtid']})"
    rows = b.run("return [...document.querySelectorAll('#workers td:first-child')].map(d => d.textContent)")
    check("the table of workers names the outside thread", f"outside {name}" in rows, rows)
    text = b.run("""const p = window.dozeReport, w = p.wakes.find(w => w.waker < 0 && w.target >= 0 && w.awake);
        p.jump(w.at + w.awake + 1); p.choose(w.target);
        return document.getElementById('explain').textContent""")
    check("a wake's arrow names the outside thread that sent it",
          f"woken by the outside thread {name.replace('(', '(vtid ')}" in text, text)


def is_light_on_paper(b, page):
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    b.devtools("Emulation.setEmulatedMedia", media="", features=dark)
    b.open("about:blank")
    b.open("file://" + page)
    check("the page is dark if the system is", b.run("return document.documentElement.dataset.theme") == "dark")
    b.devtools("Emulation.setEmulatedMedia", media="print", features=dark)
    b.wait_for("light", "return document.documentElement.dataset.theme")  # the page is light when printed
    b.devtools("Emulation.setEmulatedMedia", media="", features=[])


def record(folder, times):
    run(DOZE, "record", "--workers=4", "--detail=all", "-o", folder, "--", DOZE, "demo", "phases", f"--rounds={2 * times}")
    return folder


def lacks(folder):
    events = [json.loads(line) for line in run(DOZE, "export", "--format=json", folder).splitlines()]
    outside = {e["wake_id"] for e in events if e["event"] == "wake" and e["worker"] == -1}
    return "" if any(e["event"] == "woken" and e["wake_id"] in outside for e in events) else "no outside thread woke a worker"


def phases_and_jobs(top, b):
    folder = patience.enough(lambda times: record(os.path.join(top, f"phases{times}"), times), lacks)
    page = os.path.join(top, "phases.html")
    report(folder, page)
    b.open("file://" + page)
    phases_agree(b, folder, [m["text"] for m in b.run("return window.dozeReport.meta.marks")])
    causes_agree(b, folder)
    jobs_agree(b, folder)
    range_is_measured(b)
    outsiders_have_names(b, folder)
    is_light_on_paper(b, page)
    check("the page runs without an error", not b.errors(), b.errors())
