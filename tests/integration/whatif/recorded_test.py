#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Does a recording, replayed under the rule that it was recorded with, give the recorded decision at
# every post? Under each policy, at both levels; and do rules differ where they must?
# Runs in the top folder; $BUILD is the build folder.
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
from policies import policies  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DOZE = f"{BUILD}/doze"
POLICIES = list(policies())
failures = 0


def ok(question, condition, detail=""):
    global failures
    print(f"{'passed' if condition else 'FAILED'}: {question}")
    if not condition:
        failures += 1
        print(f"  {detail}")


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, timeout=100)


def record(folder, policy, detail):
    demo = [DOZE, "demo", "burst", "--bursts=4", "--jobs=60", "--work-us=100", "--silence-ms=40"]
    p = run(DOZE, "record", "-o", folder, f"--policy={policy}", "--workers=6", f"--detail={detail}",
            "--", *demo)
    ok(f"Is burst recorded under {policy}, level {detail}?", p.returncode == 0, p.stderr)


def whatif(folder, *more):
    p = run(DOZE, "whatif", "--json", *more, folder)
    ok("Does whatif end well?", p.returncode == 0, p.stderr)
    return json.loads(p.stdout)


def own_rule(folder, policy, detail):
    said = whatif(folder)
    rules = {r["policy"]: r for r in said["policies"]}
    own, recorded = rules[policy], said["recorded"]
    ok(
        f"Does {policy}, level {detail}, decide as recorded under its own rule?",
        own["posts_more"] == own["posts_fewer"] == 0 and own["wakes"] == recorded["wakes"]
        and recorded["policy"] == policy,
        said,
    )
    ok("Is it labelled a model, with assumptions?", said["model"] and len(said["assumptions"]) >= 4)
    ok("Is it known whether all posts are there?", said["every_post"] == (detail == "jobs"), said)
    if policy != "spin":
        ok(
            "Were there wakes, and does tickle wake no fewer than any?",
            recorded["wakes"] > 0
            and rules["tickle"]["wakes"] >= max(r["wakes"] for r in rules.values())
            and rules["spin"]["wakes"] == 0,
            said,
        )
    if policy not in ("tickle", "spin"):
        ok("Did posts choose no fewer than they gave?", recorded["wakes"] >= said["wakes_given"],
           said)


def usage(folder):
    p = run(DOZE, "whatif", "--policy=nobody", folder)
    ok("Is an unknown rule refused, and are the others named?",
       p.returncode == 2 and "all jec rfc" in p.stderr, p.stderr)
    p = run(DOZE, "whatif", "--policy=tickle", folder)
    ok("Does the text begin with saying that it is a model?", p.stdout.startswith("A MODEL"))
    ok("Does it list posts that differ?", "decided differently" in p.stdout, p.stdout)
    ok("Is it at most 80 columns wide?", max(map(len, p.stdout.splitlines())) <= 80, p.stdout)
    one = whatif(folder, "--policy=spin", "--max=3")
    ok("Is one rule alone shown, with its posts?",
       [r["policy"] for r in one["policies"]] == ["spin"] and len(one["different"]) == 3, one)


def main():
    top = tempfile.mkdtemp(prefix="doze-whatif-")
    try:
        for policy in POLICIES:
            detail = "states" if policy in ("local", "tickle") else "jobs"
            record(f"{top}/{policy}", policy, detail)
            own_rule(f"{top}/{policy}", policy, detail)
        usage(f"{top}/jec")
    finally:
        shutil.rmtree(top, ignore_errors=True)
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
