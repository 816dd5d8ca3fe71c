# SPDX-License-Identifier: MIT
#
# recorded_waits.py - records programs with --any and counts the events, with Babeltrace and none of doze's own
# code, for the tests beside it.
import collections
import os
import re
import subprocess
import sys

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DOZE = f"{BUILD}/doze"
ANY = f"{BUILD}/tests/integration/any"
failures = 0


def ok(title, condition, detail=""):
    global failures
    print(f"{'passed' if condition else 'FAILED'}: {title}", flush=True)
    if not condition:
        failures += 1
        print(f"  {detail}")


def fixed_addresses():
    """Returns the beginning of a command that turns address randomisation off, if that is allowed: with
    vm.mmap_rnd_bits=32, gcc 12's sanitizers find no space for their shadow memory otherwise."""
    command = ["setarch", os.uname().machine, "-R"]
    return command if subprocess.run([*command, "true"], capture_output=True).returncode == 0 else []


def record(folder, *command, options=(), env=None):
    """Records a program. Returns the completed process of doze, and what the program printed."""
    p = patience.run(
        [DOZE, "record", "--any", "-o", folder, *options, "--", *command],
        capture_output=True, text=True, timeout=100, env={**os.environ, **(env or {})},
    )
    log = os.path.join(folder, "program.log")
    return p, open(log).read() if os.path.exists(log) else ""


FIELD = re.compile(r'(\w+) = (?:\( "?([^":]*)"? : (?:container = )?(-?\d+) \)|"([^"]*)"|(0x[0-9A-Fa-f]+|-?\d+))')


def events(folder):
    """Yields (name, fields) of each event of doze, in order of time."""
    with subprocess.Popen(["babeltrace2", folder], stdout=subprocess.PIPE, text=True) as p:
        for line in p.stdout:
            name = re.search(r" doze:(\w+): ", line)
            if name:
                yield name[1], {a: b or c or s or v for a, b, c, s, v in FIELD.findall(line)}


def counts(folder):
    """Returns how often each event occurred, and each change of state as (from, to, reason)."""
    found = collections.Counter()
    for name, e in events(folder):
        found[name] += 1
        if name == "worker_state":
            found[e["from"], e["to"], e["reason"]] += 1
    return found


def truth(output):
    """Returns the numbers that a program counted itself."""
    return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", output)}


def finish():
    sys.exit(failures > 0)
