# SPDX-License-Identifier: MIT
#
# What the tests of the commands share: stories (tests/unit/story.h), traces made of them, and
# questions. Runs in the top folder; $BUILD is the build folder.
import json
import os
import subprocess

BUILD = os.environ.get("BUILD", "build")
DOZE = f"{BUILD}/doze"
failed = []

START = "0 x pool jec 2\n1 w0 none>active start\n1 w1 none>active start\n"
ASLEEP = (
    START
    + """20 w1 active>idle no_work 0.0.0>0.1.0
30 w1 idle>sleepy rounds 0.1.0>0.1.0
40 w1 sleepy>sleeping rounds 0.1.0>1.1.0
"""
)
WOKEN = """50 w0 post local 1 empty wakes 1 d1 1.1.0>1.1.1
52 w0 wake w1 id1 d1 push 1.1.1>0.1.1
55 w1 woken 1
56 w1 sleeping>idle woken 0.1.1>0.1.1
60 w1 idle>active found_stolen 0.1.1>0.0.1
"""
STOP = "80 w0 active>stopped terminate\n80 w1 active>stopped terminate\n90 x pool stop\n"
# A sleeping w1 gets up and stops: every worker has stopped before its pool has.
RISES = "75 w1 woken 0\n76 w1 sleeping>idle self_wake\n77 w1 idle>active terminate\n" + STOP
HEALTHY_AGAIN = "".join(
    f"{200 + float(line.split(' ', 1)[0]):g} {line.split(' ', 1)[1]}\n"
    for line in (ASLEEP + WOKEN + STOP).splitlines()[1:]
)
HEALTHY = ASLEEP + WOKEN + STOP
WRONG = ASLEEP + WOKEN.replace("wakes 1 d1", "wakes 2 d1") + STOP


def ok(question, condition, detail=""):
    print(f"{'passed' if condition else 'FAILED'}: {question}")
    if not condition:
        failed.append(question)
        print(f"  {detail}")


def doze(*args, env=None):
    p = subprocess.run(
        [DOZE, *args], capture_output=True, text=True, timeout=120, env={**os.environ, **(env or {})}
    )
    return p.returncode, p.stdout, p.stderr


def exits(question, want, *args):
    code, out, err = doze(*args)
    ok(question, code == want, f"{args}: exit {code}, not {want}: {out}{err}")
    if want >= 2:
        ok(
            question + " (told in one line)",
            err.startswith("doze: ") and err.count("\n") == 1,
            repr(err),
        )
    return out


def story(where, name, text):
    folder = f"{where}/{name}"
    subprocess.run(
        [f"{BUILD}/tests/views/make-story", folder], input=text, text=True, check=True, timeout=60
    )
    return folder


def storms_of(trace, *args):
    return json.loads(doze("storms", "--json", *args, trace)[1])


def flat(text):
    """Without its line breaks."""
    return " ".join(text.split())


def end():
    print(f"{len(failed)} failures")
    return 1 if failed else 0
