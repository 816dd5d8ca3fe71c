#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Records a few of the catalogue's cells again: diagnose must name the expected kind first. `make
# catalogue` records all of them.
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import recordings  # noqa: E402
import run  # noqa: E402

CELLS = ("hang-inject", "hang-blocked", "asleep-rfc", "storm-trickle", "outside-blocked", "serial-one-job",
         "crowded-tickle", "offcpu-lock", "offcpu-pipe")


def main():
    top = tempfile.mkdtemp(prefix="doze-cells-")
    failed = 0
    try:
        for line in recordings.catalogue():
            if line.name not in CELLS:
                continue
            place, kinds = run.try_line(line, False, os.path.join(top, line.name), {})
            failed += place != 1
            print(f"{'passed' if place == 1 else 'FAILED'}: {line.name}: {line.expected} comes first: "
                  + " ".join(kinds), flush=True)
    finally:
        shutil.rmtree(top, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
