#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# healthy.py FOLDER [NUMBER] - makes NUMBER (100) healthy recordings in FOLDER, with different
# programs, policies, levels and numbers of workers, but never more workers than CPUs. costs.py
# decides which recordings are healthy. A recording that is not, because another program used the
# CPUs, is repeated, at most four times. Prints the folders. Exits with 1 if a recording could not
# be made.
import os
import shutil
import sys

sys.dont_write_bytecode = True
import costs  # noqa: E402
import recordings  # noqa: E402
from policies import policies  # noqa: E402

POLICIES = list(policies())
PROGRAMS = (
    "batches rounds=1 jobs=1600 job=1000",
    "tree depth=12 job=400",
    "loop rounds=1 width=3000 job=500",
    "feed jobs=1500 job=1000",
    "bulk rounds=1 jobs=1600 job=1000",
    "tree depth=10 job=1000 rounds=2",
    "loop rounds=3 width=500 job=1000",
    "flood rounds=1 jobs=800 job=2000",
)
TRIES = 5


def kind(i):
    """Returns the i-th recording: each policy in turn, with a different program in each round."""
    r = i // len(POLICIES)
    return (POLICIES[i % len(POLICIES)], PROGRAMS[(r + i) % len(PROGRAMS)], 1 if r % 3 == 2 else 2,
            "jobs" if r % 2 else "states")


def make(folder, i):
    """Makes recording i, up to five times, until it is healthy. Returns whether it is healthy."""
    policy, program, workers, level = kind(i)
    for _ in range(TRIES):
        wrong = recordings.record(folder, recordings.WORKLOAD, program, policy, workers, level)
        if wrong:
            print(f"{folder}: {policy}, {program}: {wrong}", file=sys.stderr)
        elif costs.judge(folder, len(os.sched_getaffinity(0)))["healthy"]:
            return True
    return False


def make_all(top, number):
    """Yields the folders of the healthy recordings. Removes each folder before it makes the
    next."""
    os.makedirs(top, exist_ok=True)
    for i in range(number):
        folder = os.path.join(top, str(i))
        if make(folder, i):
            yield folder, kind(i)
        shutil.rmtree(folder, ignore_errors=True)


def main():
    top = sys.argv[1]
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    os.makedirs(top, exist_ok=True)
    made = 0
    for i in range(number):
        folder = os.path.join(top, str(i))
        if make(folder, i):
            made += 1
            print(folder, *kind(i), flush=True)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{made} of {number} recordings are healthy", file=sys.stderr)
    return made != number


if __name__ == "__main__":
    raise SystemExit(main())
