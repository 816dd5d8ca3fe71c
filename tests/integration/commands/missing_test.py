#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Events that nobody reported lost, and that are not there: does check say inconclusive instead of
# finding fault with a healthy pool? On made traces, one for each sign, and on recordings of which a
# stream file is deleted. And is a trace that has all its events never called incomplete?
# Runs in the top folder; $BUILD is the build folder.
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
from synthetic import DOZE, doze, end, ok, script_trace  # noqa: E402

WHOLE = """0 x pool rfc 2
1 w0 none>active start
1 w1 none>active start
20 w1 active>idle no_work 0.0.0>0.1.0
40 w1 idle>sleeping rounds 0.1.0>1.1.0
50 w0 post local 1 empty wakes 1 d1 1.1.0>1.1.0
52 w0 wake w1 id1 d1 push 1.1.0>1.1.0
55 w1 woken 1
56 w1 sleeping>idle woken 1.1.0>0.1.0
60 w1 idle>active found_stolen 0.1.0>0.0.0
62 w1 active>idle no_work 0.0.0>0.1.0
64 w1 idle>sleeping rounds 0.1.0>1.1.0
66 w0 post local 1 empty wakes 1 d2 1.1.0>1.1.0
67 w0 wake w1 id2 d2 push 1.1.0>1.1.0
68 w1 woken 2
69 w1 sleeping>idle woken 1.1.0>0.1.0
70 w1 idle>active found_stolen 0.1.0>0.0.0
80 w0 active>stopped terminate
81 w1 active>stopped terminate
90 x pool stop
"""


def without(*starts):
    return "".join(x + "\n" for x in WHOLE.splitlines() if not x.startswith(starts))


def inconclusive(question, folder):
    code, out, err = doze("check", folder)
    ok(question, (code, err.count("\n")) == (4, 1) and "missing" in err, f"{code}: {err}{out}"[:900])
    ok("  Does its output say so first?", out.startswith("No finding, but inconclusive"), out[:200])
    check = json.loads(doze("check", "--json", folder)[1])
    sure = [f for f in check["findings"] if not f["ambiguous"]]
    ok("  Is nothing of it called a finding?", not check["finding_count"] and not sure, sure[:1])
    code = doze("storms", "--brief", folder)[0]
    ok("  Is it inconclusive for storms, too?", code == 4, code)
    code = doze("storms", "--brief", "--fail-if", "findings>0", folder)[0]
    ok("  And for a condition on findings?", code == 4, code)


def made(where):
    code, out, err = doze("check", script_trace(where, "whole", WHOLE))
    ok("Is the complete script free of findings?", code == 0, out + err)
    scripts = {
        "Is a number of a wake missed that is not there?": without("52 ", "55 ", "56 ", "60 ", "62 ",
                                                                  "64 ", "66 "),
        "Is a wake missed that only its wakee names?": without("67 "),
        "Is a transition missed?": without("20 "),
        "Is a worker missed that never spoke?": without("1 w0", "80 "),
        "Is the start of a pool missed?": "0.5 w0 snapshot none rfc 2 0.0.0>0.0.0\n" + without("0 x"),
        "Is a worker's stop missed?": without("81 "),
    }
    for i, (question, text) in enumerate(scripts.items()):
        inconclusive(question, script_trace(where, f"part{i}", text))
    late = script_trace(where, "late", "10 w0 snapshot active rfc 2 0.0.0>0.0.0\n" + without(
        "0 x", "1 w").replace("id1 ", "id7 ").replace("woken 1", "woken 7").replace(
        "id2 ", "id8 ").replace("woken 2", "woken 8"))
    check = json.loads(doze("check", "--json", late)[1])
    ok("Is nothing missed of what was before a late beginning?", not check["missing"], check)
    unnamed = script_trace(where, "unnamed", without("0 x", "1 w"))
    code, out, err = doze("check", unnamed)
    ok("Is a pool of unknown policy inconclusive?", code == 4 and "policy is unknown" in err, err)


def recorded(where, policy):
    folder = f"{where}/{policy}"
    p = subprocess.run(
        [DOZE, "record", "-o", folder, f"--policy={policy}", "--workers=4", "--detail=jobs", "--"]
        + [DOZE, "demo", "burst", "--bursts=3", "--jobs=60", "--silence-ms=20"],
        capture_output=True, text=True, timeout=60)
    if p.returncode:
        print(f"skipped: no recording under {policy}: {p.stderr.strip()[:200]}")
        return
    code, out, err = doze("check", folder)
    ok(f"Is a recording under {policy} fine?", code == 0, out + err)
    # LTTng's names: CHANNEL_CPU, and an index of the same name.
    for stream in sorted(glob.glob(f"{folder}/**/doze_[0-9]*", recursive=True)):
        if "/index/" in stream:
            continue
        shutil.move(stream, f"{where}/aside")
        inconclusive(f"Is {os.path.basename(stream)} missed?", folder)
        shutil.move(f"{where}/aside", stream)


def main():
    where = tempfile.mkdtemp(prefix="doze-missing-")
    try:
        made(where)
        for policy in ("jec", "rfc", "tickle"):
            recorded(where, policy)
    finally:
        shutil.rmtree(where)
    sys.exit(end())


if __name__ == "__main__":
    main()
