#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/run: verdicts, exit codes, time limits, and which tests run at the same time."""
import os
import subprocess
import sys
import tempfile

failed = 0


def check(sentence, good, why=""):
    global failed
    failed += not good
    print(f"{'passed' if good else 'FAILED'}: {sentence}" + ("" if good else f"\n{why}"))


def script(folder, name, text):
    path = f"{folder}/{name}"
    with open(path, "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


def run(folder, *words, **more):
    env = {**os.environ, "BUILD": folder, "ONLY": "", "TEST_SLOW": "1", **more}
    env.pop("SAN_REPORTS", None)
    p = subprocess.run(["tests/run", *words], capture_output=True, text=True, timeout=60, env=env,
                       check=False)
    return p.returncode, p.stdout + p.stderr


# Exits with 0 only if the other test runs at the same time.
MEETS = """cd {folder}; : >{me}.here
for i in $(seq 100); do [ -e {other}.here ] && exit 0; sleep 0.05; done; exit 1"""


def verdicts(folder):
    good = script(folder, "good", "exit 0")
    bad = script(folder, "bad", "echo the reason; exit 3")
    skips = script(folder, "skips", "echo no such device; exit 77")
    code, out = run(folder, good)
    check("a run without a failure exits with 0", code == 0, out)
    code, out = run(folder, skips, good)
    check("a skipped test is not a failure", code == 0 and "1 passed, 1 skipped, 0 failed" in out, out)
    check("the reason for the skip is shown", "no such device" in out, out)
    code, out = run(folder, bad, good)
    check("a failed test makes the run exit with 1", code == 1, out)
    check("the end of a failed test's output is shown twice", out.count("    | the reason") == 2, out)
    check("the list of the slowest tests comes last",
          "took longest:" in out.splitlines()[-3] and "good" in out + "bad", out)
    code, out = run(folder, f"{folder}/missing")
    check("a test that does not exist fails", code == 1 and "No such file" in out, out)
    code, out = run(folder, good, ONLY="nothing")
    check("a run without tests exits with 2", code == 2, out)
    code, out = run(folder, bad, good, ONLY="good")
    check("ONLY selects tests by name", code == 0 and "1 passed" in out, out)


def limits(folder):
    hangs = script(folder, "hangs", f"echo $TMPDIR >{folder}/tmp; sleep 1000 & echo $! >{folder}/pid; wait")
    code, out = run(folder, hangs + ":1")
    check("a test that hangs is killed and fails", code == 1 and "HUNG (allowed: 1 s)" in out, out)
    with open(f"{folder}/pid", encoding="utf-8") as f:
        pid = f.read().strip()
    check("the children of a test that hangs are killed", not os.path.exists(f"/proc/{pid}/exe") or
          not os.readlink(f"/proc/{pid}/exe"), pid)
    with open(f"{folder}/tmp", encoding="utf-8") as f:
        scratch = f.read().strip()
    check("the scratch folder of a test that hangs is removed", scratch and not os.path.exists(scratch), scratch)


def together(folder):
    a = script(folder, "a", MEETS.format(folder=folder, me="a", other="b"))
    b = script(folder, "b", MEETS.format(folder=folder, me="b", other="a"))
    code, out = run(folder, "--waiting", a, b)
    check("waiting tests run at the same time", code == 0 or not may_be_alone(), out)
    for name in "ab":
        os.unlink(f"{folder}/{name}.here")
    code, out = run(folder, a, "--waiting", b)
    check("a waiting test runs at the same time as a computing one", code == 0, out)
    parts = script(folder, "parts", f'echo "$1" >>{folder}/parts.log')
    code, out = run(folder, parts + ":10:3")
    with open(f"{folder}/parts.log", encoding="utf-8") as f:
        asked = sorted(f.read().split())
    check("a suite with parts is run once for each part",
          code == 0 and asked == ["--part=1/3", "--part=2/3", "--part=3/3"], out)


def may_be_alone():
    """Returns whether waiting tests may run at the same time. For root they run one at a time,
    because they share the session daemon."""
    return os.geteuid() != 0 or subprocess.run(
        ["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0


with tempfile.TemporaryDirectory(prefix="doze-run-") as where:
    os.makedirs(f"{where}/tests/fixtures")
    alone = f"{os.environ.get('BUILD', 'build')}/tests/fixtures/alone"
    os.symlink(os.path.realpath(alone), f"{where}/tests/fixtures/alone")
    verdicts(where)
    limits(where)
    together(where)
sys.exit(1 if failed else 0)
