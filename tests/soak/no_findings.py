#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Records many short demos under every policy and runs `doze check` on each. A correct pool must
# have no findings; otherwise, users would not trust real findings.
#
#	no_findings.py [RECORDINGS]	default 100, alternating over policies, demos, workers
#
# A recording that lost events proves nothing (check exits with 4) and is repeated, at most twice.
# Exit status: 0 if no recording has a finding. A recording with a finding is kept, and its path
# printed.
# Runs in the top folder; $BUILD is the build folder.
import os
import shutil
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from policies import policies  # noqa: E402

DOZE = os.environ.get("BUILD", "build") + "/doze"
POLICIES = list(policies())
DEMOS = (
    "burst --bursts=4 --jobs=80 --work-us=50 --silence-ms=30",
    "trickle --jobs=40 --every-us=3000",
    "burst --bursts=3 --jobs=30 --work-us=1000 --silence-ms=30",
    "latch --rounds=3",
    "trickle --jobs=40 --every-us=1000 --work-us=500",
)
WORKERS = (8, 2, 4, 1, 13)
DETAILS = ("jobs", "states", "all")
TRIES = 3
bad = []


def run(*args):
    return patience.run(args, capture_output=True, text=True, timeout=120)


def kind(i):
    """Returns the settings of the i-th recording: each policy in turn, with a different demo in
    each round."""
    r = i // len(POLICIES)
    return (
        POLICIES[i % len(POLICIES)],
        DEMOS[r % len(DEMOS)],
        WORKERS[(r + r // len(DEMOS)) % len(WORKERS)],
        DETAILS[r // len(DEMOS) % len(DETAILS)],
    )


def judge(folder, policy, demo, workers, detail):
    """Records and checks. Returns "" or a description of what is wrong, and the number of
    repetitions."""
    said = ""
    for again in range(TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        made = run(DOZE, "record", "-o", folder, f"--policy={policy}", f"--workers={workers}",
                   f"--detail={detail}", "--", DOZE, "demo", *demo.split())
        if made.returncode not in (0, 4):
            return made.stderr, again
        check = run(DOZE, "check", folder)
        said = check.stdout + check.stderr
        if check.returncode != 4:
            return said if check.returncode else "", again
    return said, TRIES


def main():
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    top = tempfile.mkdtemp(prefix="doze-healthy-")
    remade = 0
    for i in range(wanted):
        policy, demo, workers, detail = kind(i)
        folder = f"{top}/{i}"
        wrong, again = judge(folder, policy, demo, workers, detail)
        remade += again
        if wrong:
            bad.append(folder)
            print(f"FAILED: {policy}, {demo}, {workers} workers, level {detail}: {folder}\n{wrong}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
        if sys.stderr.isatty():
            print(f"\r{i + 1} of {wanted}", end="", file=sys.stderr, flush=True)
    print(f"{wanted - len(bad)} of {wanted} recordings without a finding; {remade} inconclusive ones were "
          "made again")
    if not bad:
        shutil.rmtree(top, ignore_errors=True)
    return 1 if bad or not wanted else 0


if __name__ == "__main__":
    raise SystemExit(patience.exit_code(main, lambda: len(bad)))
