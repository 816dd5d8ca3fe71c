#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# --any must not disturb a program, whatever it does: signal handlers that jump or wake, cancellation, fork, vfork,
# exec, closed descriptors, 10,000 short threads, small stacks, unloaded libraries, sanitizers. Runs in the top
# folder; $BUILD is the build folder.
import os
import subprocess
import sys
import tempfile

import recorded_waits
from recorded_waits import ANY, counts, events, fixed_addresses, ok, record


def undisturbed(top, *command, options=(), expected=5):
    """Runs a program without doze, and with it. Returns the counts of its events."""
    name = " ".join([os.path.basename(command[0]), *command[1:]])
    bare = subprocess.run(command, capture_output=True, text=True, timeout=100)
    folder = tempfile.mkdtemp(dir=top) + "/r"
    p, output = record(folder, *command, options=options)
    ok(f"{name}: prints the same", output == bare.stdout + bare.stderr, (output, bare, p))
    ok("exits with the same status", bare.returncode == expected and p.stdout.count(f"exited with {expected}") == 1, (p, bare))
    ok("loses nothing", "lost" not in p.stderr, p)
    return folder, counts(folder)


def starts(found):
    return found["worker_start"], found["worker_stop"]


def about(found, wakes):
    """Four threads are woken 100 times; one that is late misses wakes, more of them on a busy machine."""
    return wakes * 0.1 < found["woken"] <= wakes


def signals(top):
    _, found = undisturbed(top, f"{ANY}/trouble", "jump")
    ok("each wait that was left by a jump has ended", found["wait"] == 5 == found["sleeping", "active", "timed_out"], found)
    _, found = undisturbed(top, f"{ANY}/trouble", "handler")
    ok("calls in a signal handler are recorded", found["woken"] > 100, found)


def threads(top):
    _, found = undisturbed(top, f"{ANY}/trouble", "cancel")
    ok("400 cancelled threads have left their waits and stopped", starts(found) == (401, 400), found)
    ok("each left its last wait without a wake", found["sleeping", "active", "timed_out"] == 400, found)
    folder, found = undisturbed(top, f"{ANY}/trouble", "churn")
    ok("10,000 short threads are recorded", starts(found) == (10001, 10000), found)
    highest = max(int(e["worker"]) for name, e in events(folder) if name == "worker_start")
    ok("they take turns with a few numbers", highest < 64, highest)
    _, found = undisturbed(top, f"{ANY}/trouble", "small")
    ok("threads with the smallest stack are recorded", starts(found) == (101, 100), found)
    _, found = undisturbed(top, f"{ANY}/trouble", "unload", f"{ANY}/library.so")
    ok("threads of an unloaded library are recorded", starts(found) == (121, 120), found)


def processes(top):
    folder, found = undisturbed(top, f"{ANY}/trouble", "fork")
    ok("a fork is not recorded", about(found, 800) and len({e["vpid"] for _, e in events(folder)}) == 1, found)
    folder, found = undisturbed(top, f"{ANY}/trouble", "fork", options=["--follow"])
    # With --follow, the session may contain other programs, too.
    ours = {e["vpid"] for name, e in events(folder) if name == "worker_start" and e["name"] == "trouble"}
    ok("with --follow, it is", about(found, 1200) and len(ours) == 2, (found, ours))
    _, found = undisturbed(top, f"{ANY}/trouble", "vfork")
    ok("vfork changes nothing", about(found, 400) and found["pool_stop"] == found["pool_start"], found)
    _, found = undisturbed(top, f"{ANY}/trouble", "spawn")
    ok("a child has no preload", about(found, 400), found)
    for options in [], ["--follow"]:
        undisturbed(top, f"{ANY}/trouble", "start", f"{ANY}/fixed", options=options)
    _, found = undisturbed(top, f"{ANY}/trouble", "exec")
    ok("a program that executes another one is recorded twice", about(found, 800), found)
    ok("and has ended twice", found["pool_stop"] == found["pool_start"], found)
    _, found = undisturbed(top, "env", "A=b", f"{ANY}/trouble", "wake")
    ok("so is one that env executes", about(found, 400), found)
    _, found = undisturbed(top, "sh", "-c", f"exec {ANY}/trouble wake")
    ok("and one that a shell executes", about(found, 400), found)
    _, found = undisturbed(top, f"{ANY}/trouble", "close")
    ok("closed descriptors do no harm", about(found, 400), found)


def endings(top):
    """The program ends while the thread that sends snapshots is in the middle of an event."""
    for how, ms, complete in ("exec", 300, True), ("_exit", 300, True), ("exec", 4000, False):
        p, output = record(f"{top}/{how}{ms}", f"{ANY}/cut", how, str(ms), options=["--json"])
        ok(f"{how} comes in the middle of an event of {ms} ms", output == "in an event\n", (p, output))
        ok("the event is waited for" if complete else "the lost events are reported",
           (f'"complete":{str(complete).lower()}' in p.stdout) and complete != ("its trace is incomplete" in p.stderr), p)


def sanitizers(top):
    p, output = record(f"{top}/tsan", *fixed_addresses(), f"{ANY}/pools-tsan", "chaos", "2")
    ok("ThreadSanitizer reports nothing", p.returncode == 0 and "WARNING" not in output, (p, output))
    library = subprocess.run(["ldd", f"{ANY}/pools-asan"], capture_output=True, text=True).stdout
    library = next((line.split()[2] for line in library.splitlines() if "libasan" in line), None)
    if not library: # clang's is part of the program
        print("skipped: AddressSanitizer: the compiler links it statically")
        return
    p, output = record(f"{top}/asan", *fixed_addresses(), "env", f"LD_PRELOAD={library}", f"{ANY}/pools-asan", "chaos", "2")
    found = counts(f"{top}/asan")
    ok("AddressSanitizer reports nothing", p.returncode == 0 and "ERROR" not in output and found["woken"] > 1000, (p, output, found))


def main():
    with tempfile.TemporaryDirectory() as top:
        for part in signals, threads, processes, endings, sanitizers:
            if len(sys.argv) < 2 or part.__name__ in sys.argv[1:]:
                part(top)
    recorded_waits.finish()


main()
