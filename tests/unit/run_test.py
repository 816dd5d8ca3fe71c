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
    check("a skipped test is not a failure", code == 0 and out.endswith("\n1 passed, 0 failed, 1 skipped\n"), out)
    check("the reason for the skip is shown", "no such device" in out, out)
    code, out = run(folder, bad, good)
    check("a failed test makes the run exit with 1", code == 1, out)
    check("the end of a failed test's output is shown twice", out.count("    | the reason") == 2, out)
    check("the end names the test, its first failure and the command that repeats it",
          "FAILED bad: the reason\n  to repeat: make test ONLY=bad\n1 passed, 1 failed, 0 skipped\n" in out, out)
    code, out = run(folder, f"{folder}/missing")
    check("a test that does not exist fails", code == 1 and "No such file" in out, out)
    code, out = run(folder, bad, good, ONLY="nothing")
    check("a run without tests exits with 2 and lists the names", code == 2 and "the names are: bad good" in out, out)
    code, out = run(folder, bad, good, ONLY="good")
    check("ONLY selects tests by name", code == 0 and "1 passed" in out, out)
    code, out = run(folder, bad, good, skips, ONLY="good,skips")
    check("ONLY can have several words", code == 0 and "1 passed, 0 failed, 1 skipped" in out, out)


# Fails as if a wait had run out, but passes when it is repeated.
ONCE = """echo 'FAILED  it waits: nothing appeared'; [ -e {folder}/{me}.was ] && exit 0
: >{folder}/{me}.was; exit 75"""


def forget(folder, *names):
    for name in names:
        if os.path.exists(f"{folder}/{name}.was"):
            os.unlink(f"{folder}/{name}.was")


def unstable(folder):
    one = script(folder, "one", ONCE.format(folder=folder, me="one"))
    two = script(folder, "two", ONCE.format(folder=folder, me="two"))
    never = script(folder, "never", "echo 'FAILED  it waits: nothing appeared'; exit 75")
    good = script(folder, "good", "exit 0")
    code, out = run(folder, one, good)
    check("an unstable test that passes when it is repeated is no failure",
          code == 0 and out.endswith("\n2 passed, 0 failed, 0 skipped\n"), out)
    check("a line that begins with UNSTABLE names it and its first failure",
          "\nUNSTABLE one: it waits: nothing appeared\n    | FAILED" in out, out)
    code, out = run(folder, never, good)
    check("an unstable test that fails again is a failure",
          code == 1 and out.endswith("\n1 passed, 1 failed, 0 skipped\n"), out)
    forget(folder, "one", "two")
    code, out = run(folder, one, two)
    check("two unstable tests are a failure", code == 1 and "2 tests are unstable" in out, out)
    forget(folder, "one")
    results = f"{folder}/results"
    code, out = run(folder, one, good, AGAIN="later", CI_RESULTS=results)
    check("with AGAIN=later, an unstable test is left", code == 0 and "UNSTABLE" not in out, out)
    code, out = run(folder, "--again", CI_RESULTS=results)
    with open(results, encoding="utf-8") as f:
        kinds = [line.split("\t")[0] for line in f]
    check("--again repeats what was left", code == 0 and "UNSTABLE one" in out and
          kinds == ["count", "unstable", "count"], out + str(kinds))
    os.makedirs(f"{folder}/tests/unit", exist_ok=True)
    code, out = run(folder, script(folder, "tests/unit/suite", "exit 75"))
    check("a unit suite cannot be unstable", code == 1 and "UNSTABLE" not in out, out)


def limits(folder):
    # Waits for a CPU for most of the time: seven loops run on one CPU for 2 s of wall time, so that it takes
    # no longer if other programs need that CPU, too.
    slow = script(folder, "slow", """exec taskset -c 0 sh -c 'for i in 1 2 3 4 5 6 7; do
        timeout --foreground -s KILL 2 sh -c "while :; do :; done" & done; wait'""")
    code, out = run(folder, slow + ":1")
    check("the time that a test waits for a CPU does not count", code == 0, out)
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
    unstable(where)
    limits(where)
    together(where)
sys.exit(1 if failed else 0)
