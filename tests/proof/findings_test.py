#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Checks that `doze check` and `doze timeline` show the committed findings as findings/README.md describes.
# Runs in the top folder; $BUILD is the build folder.
import json
import os
import sys

sys.dont_write_bytecode = True  # leave no compiled files in the tree
sys.path.insert(0, "tests/fixtures")
from synthetic import doze, end, ok  # noqa: E402

FINDINGS = "tests/proof/findings"
# finding: (the only rule that `doze check` must report, the worker's state before its last sleep).
EXPECTED = {
    "tickle-store": ("chain", "━"),
    "rfc-no-last-look": ("stranded", "▒"),
    "injector-take-two-steps": ("stranded", "━"),
}

folders = {f.name for f in os.scandir(FINDINGS) if f.is_dir()}
ok("each finding has an expected rule", folders == set(EXPECTED), folders)
for name, (rule, before) in sorted(EXPECTED.items()):
    trace = f"{FINDINGS}/{name}"
    code, out, err = doze("check", "--json", trace)
    try:
        rules = [f["rule"] for f in json.loads(out)["findings"]]
    except (ValueError, KeyError, TypeError) as e:
        rules = [f"no JSON: {e}"]
    ok(f"check reports only '{rule}' in {name}", rules == [rule], f"{out}{err}")
    ok(f"check exits with 1 on {name}", code == 1, f"exit {code}")
    code, out, err = doze("timeline", "--width=80", trace)
    lanes = [line for line in out.splitlines() if line.startswith("w0")]
    # The last span has no end and is hatched, but every state before it must be visible.
    ok(
        f"the timeline of {name} shows the states before the last sleep",
        len(lanes) == 1 and "▒" in lanes[0] and before in lanes[0] and f"{before}╱" in lanes[0],
        f"{out}{err}",
    )
    with open(f"{trace}.schedule", encoding="utf-8") as f:
        head = f.read().splitlines()[:2]
    with open(f"{trace}.steps", encoding="utf-8") as f:
        last = f.read().splitlines()[-1]
    ok(
        f"the schedule of {name} and its steps end with the same failure",
        head[1].removeprefix("# ") == last.removeprefix("=> "),
        f"{head} {last}",
    )
sys.exit(end())
