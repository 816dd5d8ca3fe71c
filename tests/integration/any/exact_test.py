#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Programs without libdoze that count their own waits: the recording has the same numbers. Runs in the top folder;
# $BUILD is the build folder.
import tempfile

import recorded_waits
from recorded_waits import ANY, DOZE, counts, events, fixed_addresses, ok, patience, record, truth


def check_says_nothing(folder):
    p = patience.run([DOZE, "check", folder], capture_output=True, text=True, timeout=100)
    ok("check finds nothing", p.returncode == 0, p.stdout + p.stderr)


def same_pool(top, *command, env=None):
    name = " ".join([command[0].split("/")[-1], *command[1:]])
    folder = tempfile.mkdtemp(dir=top)
    p, output = record(f"{folder}/r", *command, env=env)
    ok(f"{name}: is recorded", p.returncode == 0, (p, output))
    want, found = truth(output), counts(f"{folder}/r")
    ok("every wait is recorded", want and found["wait"] == want["waits"], (want, found))
    ok("every wake", found["woken"] == want["woken"] == found["wake"], (want, found))
    ok("every futile wake, and no other", found["idle", "sleeping", "waits"] == want["again"] > 0, (want, found))
    ok("nothing ended without a wake", not any(k[0] == "sleeping" and k[2] != "woken" for k in found if len(k) == 3), found)
    check_says_nothing(f"{folder}/r")


def chaos(top):
    p, output = record(f"{top}/chaos", f"{ANY}/pools", "chaos", "5", env={"DOZE_ANY_RATE": "0"})
    ok("16 threads at random: are recorded", p.returncode == 0, (p, output))
    want, found = truth(output), counts(f"{top}/chaos")
    slept = sum(n for k, n in found.items() if k[:2] == ("sleeping", "idle"))
    # When waits time out, glibc now and then wakes a thread for which nobody called: the thread says `self_wake`,
    # claims nothing, and waits again.
    missing, by_nobody = want["again"] - found["idle", "sleeping", "waits"], found["sleeping", "active", "self_wake"]
    ok("every wake of a condition variable, except those that nobody made", slept and 0 <= missing <= by_nobody, (want, found))
    ok("which are rare", by_nobody <= want["woken"] * 0.01, (want, found))
    # Semaphores wait and wake, too, but do not tell how often they slept.
    ok("nearly every wait", found["wait"] >= want["waits"] * 0.998, (want, found))
    ok("nearly every wake", found["woken"] >= want["woken"] * 0.998, (want, found))
    ok("a wake that was taken back is rare", found["wake"] - found["woken"] <= found["wake"] * 0.05, found)
    check_says_nothing(f"{top}/chaos")


def storm(top):
    p, output = record(f"{top}/storm", f"{ANY}/pools", "storm", "1", env={"DOZE_ANY_RATE": "2000"})
    want, found, totals = truth(output), counts(f"{top}/storm"), {}
    for name, e in events(f"{top}/storm"):
        if name == "wait_totals":
            totals[e["pool"], e["worker"]] = e
    ok("a storm is recorded in part", 0 < found["wait"] < want["waits"], (p, want, found))
    counted = {n: sum(int(e[n]) for e in totals.values()) for n in ("waits", "woken", "again")}
    lost = "events were lost" in p.stderr # then the last totals may be lost, too
    ok("but counted completely", all(counted[n] == want[n] or (lost and counted[n] < want[n]) for n in counted), (want, counted))
    said = patience.run([DOZE, "diagnose", f"{top}/storm"], capture_output=True, text=True, timeout=100).stdout
    ok("diagnose says so", "which waits too often to record each wait" in " ".join(said.split()) or not counted["again"], said)


def main():
    with tempfile.TemporaryDirectory() as top:
        for kind in "textbook", "c11", "old":
            same_pool(top, f"{ANY}/pools", kind, "8", "100", "broadcast")
        same_pool(top, f"{ANY}/cxx_pool")
        # A call for one thread comes while one that a broadcast has just woken is still in its list.
        for seed in range(1, 5):
            same_pool(top, f"{ANY}/cxx_pool", "200", env={"DOZE_ANY_JITTER": f"{seed}:100"})
        same_pool(top, *fixed_addresses(), f"{ANY}/pools-tsan", "textbook", "4", "100", "broadcast")
        same_pool(top, f"{ANY}/pools", "textbook", "4", "100", "broadcast", env={"DOZE_ANY_JITTER": "7:200"})
        chaos(top)
        storm(top)
    recorded_waits.finish()


main()
