#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# run.py [--healthy N] [--keep FOLDER] [--workers N] [NAME]... - records the catalogue again, every third line
# with noise on the CPUs, runs `doze diagnose` on each recording, and prints the table of hits.
#
# Without names, records all lines and writes the table to $BUILD/catalogue/table.txt. --healthy:
# also makes N healthy recordings, in which diagnose must not name any cause. --workers: gives each pool N workers;
# writes no table, because other causes may then be right, such as too many workers. Exit status: 1 if
# diagnose named the expected kind first for fewer than 23 of 25 lines, if the expected kind of any
# line is not among the first three, or on a false alarm; 2 if the catalogue has no line NAME.
import argparse
import json
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../fixtures"))
import healthy  # noqa: E402
import recordings  # noqa: E402
import patience  # noqa: E402
from names import check_names  # noqa: E402

MUST_BE_FIRST = 23 / 25
AMONG = 3


def diagnose(folder):
    r = patience.run([recordings.DOZE, "diagnose", "--json", folder], capture_output=True, text=True)
    if r.returncode != 0:
        raise RuntimeError(r.stderr.strip())
    return json.loads(r.stdout)


def try_line(line, noisy, folder, built):
    """Records the workload of a line of the catalogue and diagnoses it. Returns the rank of the
    expected kind among the causes found (0 if it is not among them) and the kinds of all causes."""
    program = recordings.program_of(line, built)
    with recordings.Noise(noisy):
        wrong = recordings.record(folder, program, line.arguments, line.policy, line.workers, line.level)
    if wrong:
        raise RuntimeError(wrong)
    kinds = [cause["kind"] for cause in diagnose(folder)["causes"]]
    return (kinds.index(line.expected) + 1 if line.expected in kinds else 0), kinds


class Table:
    def __init__(self):
        self.rows, self.first, self.among = [], 0, 0

    def add(self, line, noisy, place, kinds):
        self.first += place == 1
        self.among += 0 < place <= AMONG
        row = (f"{line.name:20}{line.policy:9}{line.workers:>2} {line.level:8}"
               f"{'noise' if noisy else '':7}{line.expected:11}"
               f"{'first' if place == 1 else f'place {place}' if place else 'MISSED':10}"
               + " ".join(kinds))
        self.rows.append(row)
        print(row, flush=True)

    def summary(self, lines):
        return f"{self.first} of {lines} first, {self.among} among the first {AMONG}"


def try_healthy(number, top):
    """Returns the number of healthy recordings, and the reports on those with a false alarm."""
    alarms, made = [], 0
    for folder, kind in healthy.make_all(os.path.join(top, "healthy"), number):
        made += 1
        d = diagnose(folder)
        if d["causes"] or not d["healthy"]:
            alarms.append(f"{' '.join(map(str, kind))}: {d['verdict']}")
    return made, alarms


def run(args, top):
    lines = recordings.catalogue()
    for line in lines:
        line.workers = str(args.workers or line.workers)
    chosen = [(i, line) for i, line in enumerate(lines) if not args.names or line.name in args.names]
    table, built = Table(), {}
    for i, line in chosen:
        folder = os.path.join(top, line.name)
        place, kinds = try_line(line, i % 3 == 2, folder, built)
        table.add(line, i % 3 == 2, place, kinds)
        if not args.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(table.summary(len(chosen)))
    ok = table.first >= MUST_BE_FIRST * len(chosen) and table.among == len(chosen)
    if args.healthy:
        made, alarms = try_healthy(args.healthy, top)
        print("\n".join(["false alarm: " + a for a in alarms]
                        + [f"{len(alarms)} false alarms on {made} healthy recordings ({args.healthy} requested)"]))
        ok = ok and not alarms and made == args.healthy
    if not args.names and not args.workers:
        with open(os.path.join(recordings.BUILD, "catalogue", "table.txt"), "w", encoding="utf-8") as f:
            f.write("\n".join(table.rows + [table.summary(len(chosen)), ""]))
    return 0 if ok else 1


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--healthy", type=int, default=0)
    args.add_argument("--keep", metavar="FOLDER")
    args.add_argument("--workers", type=int)
    args.add_argument("names", nargs="*")
    args = args.parse_args()
    check_names(args.names, [line.name for line in recordings.catalogue()], "line of the catalogue")
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    top = args.keep or tempfile.mkdtemp(prefix="doze-catalogue-")
    try:
        return run(args, top)
    finally:
        if not args.keep:
            shutil.rmtree(top, ignore_errors=True)


if __name__ == "__main__":
    raise SystemExit(patience.exit_code(main))
