#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""patience.py, and the program `patience` for shell scripts: limits that do not count waiting for a CPU, and
recordings that are repeated until they contain enough."""
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, "tests/fixtures")
from patience import Patience, Unstable, delay, enough, run  # noqa: E402
from signals import signal_group  # noqa: E402
from test_functions import expect, run_tests, test  # noqa: E402

PROGRAM = os.path.join(os.environ.get("BUILD", "build"), "tests/fixtures/patience")
# Seven loops on one CPU for some wall time, so that it takes no longer if other programs need that CPU, too.
CROWD = """exec taskset -c 0 sh -c 'for i in 1 2 3 4 5 6 7; do
    timeout --foreground -s KILL {} sh -c "while :; do :; done" & done; wait'"""


def raises(function, *arguments):
    try:
        function(*arguments)
    except Unstable as e:
        return str(e)
    return ""


@test
def a_command_that_hangs_is_killed_and_is_unstable(_top):
    began = time.monotonic()
    why = raises(run, ["sleep", "1000"], 0.5)
    expect("did not end within 0.5 s" in why, why)
    expect(time.monotonic() - began < 60, "it was not killed")


@test
def a_command_that_waits_for_a_cpu_gets_more_time(_top):
    done = run(["sh", "-c", CROWD.format(2)], 1)
    expect(done.returncode == 0, f"exit {done.returncode}")


@test
def the_output_and_the_input_are_passed_on(_top):
    done = run(["cat"], input="a text", text=True, capture_output=True)
    expect((done.returncode, done.stdout, done.stderr) == (0, "a text", ""), str(done))


@test
def a_limit_runs_out_at_the_latest_after_five_times_its_length(_top):
    limit = Patience(0.05)
    limit.before -= 1000  # as if the processes had waited for a CPU for that long
    time.sleep(0.1)
    expect(not limit.is_over(), "the limit counts the time that processes wait for a CPU")
    time.sleep(0.5)
    expect(limit.is_over(), "the limit never ends")


@test
def shell_scripts_read_the_same_delay(_top):
    loops = subprocess.Popen(["sh", "-c", CROWD.format(60)], start_new_session=True)
    try:
        time.sleep(1)
        here = delay()
        there = int(subprocess.run([PROGRAM, "delay"], stdout=subprocess.PIPE, check=True).stdout)
        later = delay()  # only living processes count, so the loops must still run
    finally:
        signal_group(loops.pid, signal.SIGKILL)
        loops.wait()
    expect(here > 0.05, f"eight processes on one CPU waited for {here} s")
    expect(500 * here < there < 2000 * later, f"{here} s, {there} ms, {later} s")


@test
def a_recording_is_repeated_with_more_input_until_it_contains_enough(_top):
    asked = []
    found = enough(lambda times: asked.append(times) or times, lambda got: "" if got >= 4 else f"{got} jobs")
    expect((found, asked) == (4, [1, 2, 4]), str(asked))
    why = raises(enough, lambda times: times, lambda got: f"{got} jobs")
    expect(why == "not enough in 4 recordings: 8 jobs", why)


sys.exit(run_tests("doze-patience-"))
