#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Replaying a recording under its own policy repeats the recorded decision at every post, under each
# policy and at both levels of detail, and other policies decide differently where they must. Runs
# in the top folder; $BUILD is the build folder.
import json
import os
import shutil
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from patience import enough, exit_code, whole  # noqa: E402
from policies import policies  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DOZE = f"{BUILD}/doze"
POLICIES = list(policies())
failures = 0


def ok(title, condition, detail=""):
    global failures
    print(f"{'passed' if condition else 'FAILED'}: {title}")
    if not condition:
        failures += 1
        print(f"  {detail}")


def run(*args):
    return patience.run(args, capture_output=True, text=True, timeout=100)


def record(folder, policy, detail, times):
    shutil.rmtree(folder, ignore_errors=True)
    demo = [DOZE, "demo", "burst", f"--bursts={4 * times}", "--jobs=60", "--work-us=100", "--silence-ms=40"]
    p = whole(run(DOZE, "record", "-o", folder, f"--policy={policy}", "--workers=6", f"--detail={detail}",
                  "--", *demo))
    ok(f"burst is recorded under {policy} at level {detail}", p.returncode == 0, p.stderr)
    return folder


def lacks(folder, policy):
    """Returns what the recording lacks for the checks: wakes, and posts that spin would have decided differently."""
    waking = whatif(folder)["recorded"]["posts_waking"]
    few = waking < 3 if policy == "jec" else waking == 0 and policy != "spin"
    return f"only {waking} posts woke a worker under {policy}" if few else ""


def whatif(folder, *more):
    p = run(DOZE, "whatif", "--posts", "--json", *more, folder)
    ok("whatif exits with 0", p.returncode == 0, p.stderr)
    return json.loads(p.stdout)


def own_rule(folder, policy, detail):
    said = whatif(folder)
    rules = {r["policy"]: r for r in said["policies"]}
    own, recorded = rules[policy], said["recorded"]
    ok(
        f"the rule of {policy} repeats the recorded decisions at level {detail}",
        own["posts_more"] == own["posts_fewer"] == 0 and own["wakes"] == recorded["wakes"]
        and recorded["policy"] == policy,
        said,
    )
    ok("the output is labelled as a model and lists its assumptions", said["model"] and len(said["assumptions"]) >= 4)
    ok("the output states whether it has all posts", said["every_post"] == (detail == "all"), said)
    if policy != "spin":
        ok(
            "no rule wakes more than tickle",
            rules["tickle"]["wakes"] >= max(r["wakes"] for r in rules.values())
            and rules["spin"]["wakes"] == 0,
            said,
        )
    if policy not in ("tickle", "spin"):
        ok("the recorded posts called for at least as many wakes as were sent", recorded["wakes"] >= said["wakes_given"],
           said)


def usage(folder):
    p = run(DOZE, "whatif", "--policy=nobody", folder)
    ok("an unknown rule is rejected with the names of the known ones",
       p.returncode == 2 and "all jec rfc" in p.stderr, p.stderr)
    p = run(DOZE, "whatif", "--posts", "--policy=tickle", folder)
    ok("the text begins by stating that it is a model", p.stdout.startswith("A MODEL"))
    ok("the text lists posts that differ", "decided differently" in p.stdout, p.stdout)
    ok("the text fits into 80 columns", max(map(len, p.stdout.splitlines())) <= 80, p.stdout)
    one = whatif(folder, "--policy=spin", "--max=3")
    ok("--policy shows only one rule, with its posts",
       [r["policy"] for r in one["policies"]] == ["spin"] and len(one["different"]) == 3, one)


def main():
    top = tempfile.mkdtemp(prefix="doze-whatif-")
    try:
        for policy in POLICIES:
            # At level all, workers that spin fill the buffers when other programs keep LTTng's consumer off
            # the CPUs, and events are lost.
            detail = "states" if policy in ("local", "tickle", "spin") else "all"
            enough(lambda times: record(f"{top}/{policy}", policy, detail, times), lambda folder: lacks(folder, policy))
            own_rule(f"{top}/{policy}", policy, detail)
        usage(f"{top}/jec")
    finally:
        shutil.rmtree(top, ignore_errors=True)
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(exit_code(main, lambda: failures))
