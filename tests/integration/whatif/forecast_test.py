#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# doze whatif predicts runs whose result is known: jobs that scale, jobs that cannot scale, and
# policies that sleep differently. Runs in the top folder; $BUILD is the build folder.
import json
import os
import shutil
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from patience import Unstable, exit_code, whole  # noqa: E402
from policies import policies  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DOZE = f"{BUILD}/doze"
SHAPES = f"{BUILD}/tests/integration/whatif/shapes"
failures = 0


def ok(title, condition, detail=""):
    global failures
    print(f"{'passed' if condition else 'FAILED'}: {title}")
    if not condition:
        failures += 1
        print(f"  {detail}")


def run(*args):
    return patience.run(args, capture_output=True, text=True, timeout=150)


def record(folder, shape, workers, policy="jec", detail="all"):
    p = whole(run(DOZE, "record", "-o", folder, f"--policy={policy}", f"--workers={workers}", f"--detail={detail}",
                  "--", SHAPES, shape))
    ok(f"{shape} is recorded under {policy} with {workers} workers", p.returncode == 0, p.stderr)


def whatif(folder, *more):
    p = run(DOZE, "whatif", "--json", *more, folder)
    ok(f"whatif {' '.join(more)} exits with 0", p.returncode == 0, p.stderr)
    return json.loads(p.stdout)


def waited_for_cpus(said):
    """Returns the largest share of the recorded run for which any worker waited for a CPU. The model does not know
    of such waits between two jobs, so on a busy machine the recorded run takes longer than the replayed one. The
    export omits the field if it is 0, as it is for a thread that has never waited for a CPU."""
    events = run(DOZE, "export", "--format=json", said["trace"]).stdout.splitlines()
    waited = max(json.loads(e).get("run_delay_ns", 0) for e in events if '"worker_stop"' in e)
    return waited / said["recorded"]["time"]


BUSY = 0.1


def predicts(title, condition, said, detail=""):
    """Checks a prediction. A wrong one proves nothing if the workers waited for CPUs while the jobs were recorded,
    because the recorded times of the jobs contain these waits."""
    if not condition and waited_for_cpus(said) > BUSY:
        raise Unstable(f"{title}: {detail}; the workers waited for CPUs for {waited_for_cpus(said):.0%} of the time")
    ok(title, condition, detail)


def near(title, said, least, most, within=0.08):
    one = said["proposals"][0]
    predicts(f"{title}: {one['change']:+.2f}, expected {least:+.2f} to {most:+.2f}",
             least - within <= one["change"] <= most + within, said, json.dumps(said, indent=1))


def speeds_up(title, said, cpus):
    """Checks the predicted time against Graham's bounds for greedy scheduling: it is at least the work divided by the
    CPUs and at least the longest chain, and at most their sum. On a busy machine a job that had to wait for a CPU
    makes a long chain."""
    chain = said["longest_chain"] / said["recorded"]["time"]
    near(title, said, max(1 / cpus, chain) - 1, 1 / cpus + chain - 1)


def scales(top):
    record(f"{top}/fan", "fan", 1)
    speeds_up("4 workers on 4 CPUs take a quarter of the time for independent jobs",
              whatif(f"{top}/fan", "--workers=4", "--cpus=4"), 4)
    said = whatif(f"{top}/fan", "--workers=8", "--cpus=2")
    speeds_up("8 workers on 2 CPUs take half of the time", said, 2)
    predicts("the verdict predicts a shorter run under the other policy", "would be shorter" in said["verdict"], said, said["verdict"])
    record(f"{top}/tree", "tree", 1)
    speeds_up("4 workers on 4 CPUs take a quarter of the time for a tree of joins",
              whatif(f"{top}/tree", "--workers=4", "--cpus=4"), 4)


def does_not(top):
    record(f"{top}/chain", "chain", 2)
    said = whatif(f"{top}/chain", "--workers=8", "--cpus=8")
    near("8 workers on 8 CPUs change nothing for a chain", said, 0, 0)
    predicts("the verdict states that more workers would not help, and names the chain",
             said["verdict"].startswith("8 workers on 8 CPUs would not help: the longest chain is "), said, said["verdict"])
    predicts("the longest chain is nearly the whole run", said["longest_chain"] > 0.85 * said["recorded"]["time"], said, said)
    record(f"{top}/pairs", "pairs", 1)
    said = [whatif(f"{top}/pairs", f"--workers={n}", "--cpus=4") for n in (2, 4)]
    two, four = (s["proposals"][0]["change"] for s in said)
    chain = said[0]["longest_chain"] / said[0]["recorded"]["time"]
    # If the caller loses its CPU to the worker between the two posts of a pair, the second job is posted only
    # when the first one has ended. The longest chain then contains both jobs.
    predicts("with 2 workers, both jobs of a pair run at once, unless they were posted one after the other",
             -0.55 < two < max(-0.15, chain - 1 + 0.1), said[0], (chain, two))
    # With more workers, fewer of them sleep when a pair is posted; on a busy machine, wakes take long.
    predicts("two more workers do not beat the longest chain, because the caller waits for each pair",
             chain - 0.05 <= 1 + four <= 1 + two + 0.1, said[1], (chain, two, four))


def reproduces(top):
    for policy in policies():
        record(f"{top}/of-{policy}", "tree", 2, policy)
        said = whatif(f"{top}/of-{policy}", "--policy=spin")
        most = 0.15 + waited_for_cpus(said)
        ok(f"the recorded time under {policy} is reproduced ({said['off']:+.3f}, at most {most:.3f})",
           abs(said["off"]) < most, said)
        spin = said["proposals"][0]["predicted"]
        ok("under spin, no worker is predicted to sleep or to be woken", spin["asleep"] == spin["wakes"] == spin["futile"] == 0, spin)


def refuses(top):
    record(f"{top}/states", "fan", 2, detail="states")
    p = run(DOZE, "whatif", f"{top}/states")
    ok("below level all, whatif exits with 4 and states what to record",
       p.returncode == 4 and not p.stdout and "record with --detail=all" in p.stderr, p)


def text_and_truth(top):
    p = run(DOZE, "whatif", "--workers=2", "--cpus=2", "--verify", f"{top}/fan")
    ok("--verify exits with 0", p.returncode == 0, p.stderr)
    ok("the text begins with the verdict", p.stdout.startswith("With 2 workers"), p.stdout)
    ok("the text fits into 80 columns", max(map(len, p.stdout.splitlines())) <= 80, p.stdout)
    ok("the text states the error of the model", "%). The difference is" in p.stdout.replace("\n", " "), p.stdout)
    said = whatif(f"{top}/fan", "--workers=2", "--verify")
    measured = said["verified"]["measured"]
    ok("--verify measures a run with two workers", said["verified"]["workers"] == 2 and measured["time"] > 0, said)
    moved = f"{top}/moved"
    shutil.copytree(f"{top}/fan", moved)
    os.remove(f"{moved}/doze.manifest")
    p = run(DOZE, "whatif", "--workers=2", "--verify", moved)
    ok("--verify without a manifest exits with 3", p.returncode == 3 and "command line" in p.stderr, p)


def main():
    top = tempfile.mkdtemp(prefix="doze-forecast-")
    try:
        scales(top)
        does_not(top)
        reproduces(top)
        refuses(top)
        text_and_truth(top)
    finally:
        shutil.rmtree(top, ignore_errors=True)
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(exit_code(main, lambda: failures))
