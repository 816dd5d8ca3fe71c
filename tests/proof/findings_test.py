#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Do `doze check` and `doze timeline` show the committed findings as findings/README.md says?
# Runs in the top folder; $BUILD is the build folder.
import json
import os
import sys

sys.dont_write_bytecode = True  # nothing is left in the tree
sys.path.insert(0, "tests/fixtures")
from synthetic import doze, end, ok  # noqa: E402

FINDINGS = "tests/proof/findings"
# Finding: the one rule that `doze check` must name, and what the worker is seen doing before it lies
# down for good.
EXPECTED = {
    "tickle-store": ("chain", "░"),
    "rfc-no-last-look": ("stranded", "▒"),
    "injector-take-two-steps": ("stranded", "░"),
}

folders = {f.name for f in os.scandir(FINDINGS) if f.is_dir()}
ok("Is there a rule for each finding?", folders == set(EXPECTED), folders)
for name, (rule, before) in sorted(EXPECTED.items()):
    trace = f"{FINDINGS}/{name}"
    code, out, err = doze("check", "--json", trace)
    try:
        rules = [f["rule"] for f in json.loads(out)["findings"]]
    except (ValueError, KeyError, TypeError) as e:
        rules = [f"no JSON: {e}"]
    ok(f"Does check name '{rule}' in {name}, and nothing else?", rules == [rule], f"{out}{err}")
    ok(f"Does check exit with 1 on {name}?", code == 1, f"exit {code}")
    code, out, err = doze("timeline", "--width=80", trace)
    lanes = [line for line in out.splitlines() if line.startswith("w0")]
    # The last span has no end: hatched. All before it is to be seen.
    ok(
        f"Does the timeline of {name} show the way to the last sleep?",
        len(lanes) == 1 and "▒" in lanes[0] and before in lanes[0] and f"{before}╱" in lanes[0],
        f"{out}{err}",
    )
    with open(f"{trace}.schedule", encoding="utf-8") as f:
        head = f.read().splitlines()[:2]
    with open(f"{trace}.steps", encoding="utf-8") as f:
        last = f.read().splitlines()[-1]
    ok(
        f"Do schedule and steps of {name} end alike?",
        head[1].removeprefix("# ") == last.removeprefix("=> "),
        f"{head} {last}",
    )
sys.exit(end())
