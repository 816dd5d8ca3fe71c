#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# If events are missing but no loss was reported, check is inconclusive instead of blaming a correct
# pool. Tries synthetic traces, each with one sign of a missing event, and recordings with a deleted
# stream file. A complete trace is never reported as incomplete. Runs in the top folder; $BUILD is the
# build folder.
import glob
import json
import os
import shutil
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from patience import whole  # noqa: E402
from synthetic import DOZE, doze, ok, run_all, script_trace  # noqa: E402

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


def inconclusive(title, folder):
    code, out, err = doze("check", folder)
    ok(title, (code, err.count("\n")) == (4, 1) and "missing" in err, f"{code}: {err}{out}"[:900])
    ok("  its output begins with the verdict", out.startswith("No finding, but inconclusive"), out[:200])
    check = json.loads(doze("check", "--json", folder)[1])
    sure = [f for f in check["findings"] if not f["ambiguous"]]
    ok("  none of its events is reported as a finding", not check["finding_count"] and not sure, sure[:1])
    code = doze("storms", "--brief", folder)[0]
    ok("  the output of storms is inconclusive, too", code == 4, code)
    code = doze("storms", "--brief", "--fail-if", "findings>0", folder)[0]
    ok("  a condition on findings is inconclusive", code == 4, code)


def made(where):
    code, out, err = doze("check", script_trace(where, "whole", WHOLE))
    ok("the complete script has no findings", code == 0, out + err)
    scripts = {
        "a missing wake number is detected": without("52 ", "55 ", "56 ", "60 ", "62 ",
                                                                  "64 ", "66 "),
        "a wake that only its target reports is detected": without("67 "),
        "a missing transition is detected": without("20 "),
        "a worker without any event is detected": without("1 w0", "80 "),
        "a pool without a start event is detected": "0.5 w0 snapshot none rfc 2 0.0.0>0.0.0\n" + without("0 x"),
        "a worker without a stop event is detected": without("81 "),
    }
    for i, (title, text) in enumerate(scripts.items()):
        inconclusive(title, script_trace(where, f"part{i}", text))
    late = script_trace(where, "late", "10 w0 snapshot active rfc 2 0.0.0>0.0.0\n" + without(
        "0 x", "1 w").replace("id1 ", "id7 ").replace("woken 1", "woken 7").replace(
        "id2 ", "id8 ").replace("woken 2", "woken 8"))
    check = json.loads(doze("check", "--json", late)[1])
    ok("events before a late start of the trace are not reported as missing", not check["missing"], check)
    unnamed = script_trace(where, "unnamed", without("0 x", "1 w"))
    code, out, err = doze("check", unnamed)
    ok("a pool of unknown policy is inconclusive", code == 4 and "policy is unknown" in err, err)


def recorded(where, policy):
    folder = f"{where}/{policy}"
    p = whole(patience.run(
        [DOZE, "record", "-o", folder, f"--policy={policy}", "--workers=4", "--detail=all", "--"]
        + [DOZE, "demo", "burst", "--bursts=3", "--jobs=60", "--silence-ms=20"], capture_output=True, text=True))
    ok(f"{policy} is recorded", p.returncode == 0, p.stderr)
    if p.returncode:
        return
    code, out, err = doze("check", folder)
    ok(f"a recording under {policy} has no findings", code == 0, out + err)
    # LTTng names a stream CHANNEL_CPU, and its index likewise.
    for stream in sorted(glob.glob(f"{folder}/**/doze_[0-9]*", recursive=True)):
        if "/index/" in stream:
            continue
        shutil.move(stream, f"{where}/aside")
        inconclusive(f"a missing {os.path.basename(stream)} is detected", folder)
        shutil.move(f"{where}/aside", stream)


def main():
    where = tempfile.mkdtemp(prefix="doze-missing-")
    try:
        made(where)
        for policy in ("jec", "rfc", "tickle"):
            recorded(where, policy)
    finally:
        shutil.rmtree(where)


if __name__ == "__main__":
    sys.exit(run_all(main))
