#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Is the answer of doze storms right: what it says of the worst storm, of wakes in vain, of redundant
# wakes, and what it advises, by cause, policy and pool?
import sys
import tempfile

from stories import ASLEEP, RISES, START, STOP, WOKEN, doze, end, flat, ok, story, storms_of


def answer(trace, *args):
    return flat(doze("storms", "--brief", *args, trace)[1])


def futile_by(where, policy, cause):
    """The answer on a pool in which one worker was woken in vain."""
    story_of = (
        START.replace("jec", policy)
        + "20 w1 active>idle no_work 0.0.0>0.1.0\n30 w1 idle>sleepy rounds 0.1.0>0.1.0\n"
        + "40 w1 sleepy>sleeping rounds 0.1.0>1.1.0\n"
        + f"52 w0 wake w1 id1 d1 {cause} 1.1.0>0.1.0\n55 w1 woken 1\n"
        + "56 w1 sleeping>idle woken 0.1.0>0.1.0\n60 w1 idle>sleepy rounds 0.1.0>0.1.0\n"
        + "70 w1 sleepy>sleeping rounds 0.1.0>1.1.0\n"
        + RISES
    )
    return answer(story(where, f"{policy}-{cause}", story_of))


def advice(where):
    """Wakes in vain without a storm: said what they are."""
    vain = WOKEN.replace("idle>active found_stolen 0.1.1>0.0.1", "idle>sleepy rounds 0.1.1>0.1.1")
    futile = story(where, "futile", ASLEEP + vain + "70 w1 sleepy>sleeping rounds 0.1.1>1.1.1\n" + RISES)
    out = answer(futile)
    ok("Is a futile ratio without a storm explained?", "No storm, but most wakes are futile" in out, out)
    ok("By the cause that they have?", "pushed to a worker's own deque" in out, out)
    out = doze("storms", "--brief", f"{where}/healthy")[1]
    ok("And nothing said where most are of use?", "most wakes are futile" not in out, out)
    found = futile_by(where, "jec", "work_found")
    ok("Does the advice follow from the cause?", "finds work wakes up to two more" in found, found)
    for policy, word in (("spare", "stay idle"), ("tickle", "everybody"), ("rfc", "larger jobs")):
        out = futile_by(where, policy, "inject")
        ok(f"And from the policy {policy}?", word in out.split("What to change:")[-1], out)


def pool(policy, workers=8):
    """All asleep at 20 us."""
    lines = [f"0 x pool {policy} {workers}"]
    for i in range(workers):
        lines += [f"1 w{i} none>active start", f"2 w{i} active>idle no_work", f"3 w{i} idle>sleeping rounds"]
    return lines


def herd(at, decision, cause, owner=None, woken=8, jobs=0):
    """One decision that wakes them in vain; `owner`, if any, finds its latch set."""
    lines = [f"{at} x post injector {jobs} empty wakes {woken} d{decision} saw 0 8"] if jobs else []
    for i in range(woken):
        lines.append(f"{at + 1} x wake w{i} id{woken * (decision - 1) + i + 1} d{decision} {cause} all")
    for i in range(woken):
        lines += [f"{at + 2} w{i} woken {woken * (decision - 1) + i + 1}", f"{at + 2} w{i} sleeping>idle woken"]
    for i in range(woken):
        if i == owner:
            lines += [f"{at + 8} w{i} idle>active latch_set", f"{at + 9} w{i} active>idle no_work"]
        lines.append(f"{at + 10} w{i} idle>sleeping rounds")
    return lines


def text(*parts, stop=9000):
    lines = [line for part in parts for line in part]
    return "\n".join([*lines, *(f"{stop} w{i} sleeping>stopped terminate" for i in range(8)), f"{stop} x pool stop", ""])


def merged(where):
    """Wakes of several decisions are no workers."""
    two = story(where, "two", text(pool("forkjoin"), herd(100, 1, "latch", 0), herd(600, 2, "latch", 1)))
    out = answer(two)
    ok("Are two decisions one storm?", "1 wakeup storm" in out, out)
    ok("Is it said how near they lie?", "first of 2 decisions, each at most 1.00 ms after the one" in out, out)
    ok("Are their wakes wakes, not workers?", "together 16 wakes for 0 jobs" in out and "woke 16" not in out, out)
    ok("Are all of them explained?", "14 of them ended in sleep" in out and "; 2 reached the owner" in out, out)
    out = answer(two, "--storm-merge=10us")
    ok("Are they two when they may not merge?", "2 wakeup storms" in out and "woke 8 workers for 0" in out, out)
    apart = story(where, "apart", text(pool("forkjoin"), herd(100, 1, "latch"), herd(3000, 2, "latch")))
    out = answer(apart, "--storm-merge=5ms")
    ok("Is the option's time told?", "at most 5.00 ms after" in out, out)
    table = doze("storms", two)[1]
    row = table.split("\nStorms")[1].splitlines()[2].split()
    ok("Has the table a latch column?", row[3:8] == ["0", "16", "0", "14", "2"], row)
    ok("Does it fit into 80 columns?", all(len(x) <= 80 for x in table.splitlines()), table)


def causes(where):
    """What to change follows from policy and cause."""
    for policy in ("forkjoin", "condvar"):
        out = answer(story(where, f"latch-{policy}", text(pool(policy), herd(100, 1, "latch", 0))))
        ok(f"Is a latch's storm under {policy} the latch's?", "wake the owner only" in out, out)
        out = answer(story(where, f"post-{policy}", text(pool(policy), herd(100, 1, "inject", jobs=1))))
        ok(f"And a post's the post's?", "wake one per job" in out, out)


def redundant(where):
    again = "".join(f"{53 + i} w0 wake w1 id{i + 2} d{i + 2} push 0.1.0>0.1.0\n" for i in range(2))
    for policy, word in (("rfc", "under rfc only the sleeper clears"), ("forkjoin", "signals its condition variable"),
                         ("jec", "an earlier wake")):
        lines = (ASLEEP + WOKEN).replace("jec", policy).replace("55 w1 woken", again + "55 w1 woken")
        out = answer(story(where, f"redundant-{policy}", lines + STOP))
        ok("Are redundant wakes told?", "2 of the wakes are redundant" in out and ", all by a job pushed" in out, out)
        ok(f"And why {policy} makes them?", word in out, out)
    out = answer(story(where, "none", ASLEEP + WOKEN + STOP))
    ok("And nothing where there are none?", "redundant" not in out, out)


def main():
    with tempfile.TemporaryDirectory() as where:
        advice(where)
        merged(where)
        causes(where)
        redundant(where)
    sys.exit(end())


if __name__ == "__main__":
    main()
