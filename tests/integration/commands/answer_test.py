#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The output of doze storms about the worst storm and about futile and redundant wakes, and its
# advice by cause, policy and pool.
import re
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
from synthetic import ASLEEP, RISES, START, STOP, WOKEN, doze, flat, ok, run_all, script_trace  # noqa: E402


def answer(trace, *args):
    return flat(doze("storms", "--brief", *args, trace)[1])


def futile_by(where, policy, cause):
    """Returns the output for a pool in which one wake was futile."""
    script = (
        START.replace("jec", policy)
        + "20 w1 active>idle no_work 0.0.0>0.1.0\n30 w1 idle>sleepy rounds 0.1.0>0.1.0\n"
        + "40 w1 sleepy>sleeping rounds 0.1.0>1.1.0\n"
        + f"52 w0 wake w1 id1 d1 {cause} 1.1.0>0.1.0\n55 w1 woken 1\n"
        + "56 w1 sleeping>idle woken 0.1.0>0.1.0\n60 w1 idle>sleepy rounds 0.1.0>0.1.0\n"
        + "70 w1 sleepy>sleeping rounds 0.1.0>1.1.0\n"
        + RISES
    )
    return answer(script_trace(where, f"{policy}-{cause}", script))


def advice(where):
    """Checks that futile wakes without a storm are explained."""
    vain = WOKEN.replace("idle>active found_stolen 0.1.1>0.0.1", "idle>sleepy rounds 0.1.1>0.1.1")
    futile = script_trace(where, "futile", ASLEEP + vain + "70 w1 sleepy>sleeping rounds 0.1.1>1.1.1\n" + RISES)
    out = answer(futile)
    ok("a futile ratio without a storm is explained", "There is no storm, but most wakes were futile" in out, out)
    ok("the explanation names the cause of the wakes", "pushed to a worker's own deque" in out, out)
    out = doze("storms", "--brief", f"{where}/healthy")[1]
    ok("no explanation of futile wakes is given if most wakes are useful", "most wakes were futile" not in out, out)
    found = futile_by(where, "jec", "work_found")
    ok("the advice suits the cause of the wakes", "finds work wakes one or two others" in found, found)
    for policy, word in (("spare", "stay idle"), ("tickle", "all sleepers"), ("rfc", "larger jobs")):
        out = futile_by(where, policy, "inject")
        ok(f"the advice suits policy {policy}", word in out.split("What to change:")[-1], out)


def pool(policy, workers=8):
    """Returns the event lines of a pool that is asleep at 3 us."""
    lines = [f"0 x pool {policy} {workers}"]
    for i in range(workers):
        lines += [f"1 w{i} none>active start", f"2 w{i} active>idle no_work", f"3 w{i} idle>sleeping rounds"]
    return lines


def storm(at, decision, cause, owner=None, woken=8, jobs=0):
    """Returns the event lines of a decision with futile wakes. If `owner` is given, that worker
    finds its latch set."""
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
    """Checks that the wakes of a storm are not counted as workers if several decisions made
    them."""
    two = script_trace(where, "two", text(pool("forkjoin"), storm(100, 1, "latch", 0), storm(600, 2, "latch", 1)))
    out = answer(two)
    ok("two decisions close together are one storm", "1 wakeup storm" in out, out)
    ok("the answer states the time between the decisions", "first of 2 decisions, each at most 1.00 ms after the previous one" in out, out)
    ok("wakes of several decisions are not counted as workers", "together they made 16 wakes for 0 jobs" in out and "woke 16" not in out, out)
    ok("all wakes of the storm are explained", "14 of them found no job" in out and "; 2 reached the owner" in out, out)
    out = answer(two, "--storm-merge=10us")
    ok("--storm-merge=10us keeps the storms separate", "2 wakeup storms" in out and "woke 8 workers for 0" in out, out)
    apart = script_trace(where, "apart", text(pool("forkjoin"), storm(100, 1, "latch"), storm(3000, 2, "latch")))
    out = answer(apart, "--storm-merge=5ms")
    ok("the answer states the time given with --storm-merge", "at most 5.00 ms after" in out, out)
    table = doze("storms", two)[1]
    row = table.split("\nStorms")[1].splitlines()[2].split()
    ok("the table has a latch column", row[3:8] == ["0", "16", "0", "14", "2"], row)
    ok("the output fits into 80 columns", all(len(x) <= 80 for x in table.splitlines()), table)


def causes(where):
    """Checks that the advice depends on the policy and the cause."""
    for policy in ("forkjoin", "condvar"):
        out = answer(script_trace(where, f"latch-{policy}", text(pool(policy), storm(100, 1, "latch", 0))))
        ok(f"a storm caused by a latch under {policy} gets the advice for latches", "wake only the owner" in out, out)
        out = answer(script_trace(where, f"post-{policy}", text(pool(policy), storm(100, 1, "inject", jobs=1))))
        ok(f"a storm caused by a post under {policy} gets the advice for posts", "wake one per job" in out, out)


def redundant(where):
    again = "".join(f"{53 + i} w0 wake w1 id{i + 2} d{i + 2} push 0.1.0>0.1.0\n" for i in range(2))
    for policy, word in (("rfc", "under rfc only the sleeper clears"), ("forkjoin", "signals its condition variable"),
                         ("jec", "an earlier wake")):
        lines = (ASLEEP + WOKEN).replace("jec", policy).replace("55 w1 woken", again + "55 w1 woken")
        out = answer(script_trace(where, f"redundant-{policy}", lines + STOP))
        ok("redundant wakes are reported", "2 of the wakes are redundant" in out and "; all were caused by a job pushed" in out, out)
        ok(f"the cause of the redundant wakes under {policy} is explained", word in out, out)
    out = answer(script_trace(where, "none", ASLEEP + WOKEN + STOP))
    ok("a trace without redundant wakes does not mention them", "redundant" not in out, out)


def elsewhere(lines, where):
    """Moves the event lines to another pool."""
    return [re.sub(r"^(\S+) ", rf"\1 {where}/", line) for line in lines]


def together(*parts):
    return sorted((line for part in parts for line in part.splitlines()), key=lambda line: float(line.split()[0]))


def pools(where):
    """Checks that each storm names its pool and gets its own advice if there are several pools, in
    one process or in two."""
    one = text(pool("forkjoin"), storm(100, 1, "latch", 0))
    other = text(pool("tickle"), storm(5000, 1, "inject", jobs=1), storm(8000, 2, "inject", jobs=1))
    for name, prefix, words in (("pools", "2", "pool 2"), ("processes", "9:2", "pool 2 of process 9")):
        moved = "\n".join(elsewhere(other.splitlines(), prefix))
        trace = script_trace(where, name, "\n".join(together(one, moved)) + "\n")
        out = answer(trace)
        ok("the storms of both pools are counted", "3 wakeup storms" in out, out)
        ok(f"the worst storm is in {words}", f"s in {words}: a job injected" in out, out)
        ok("each policy has its own advice", "wake only the owner" in out and "tickle wakes all sleepers" in out, out)
        ok("each advice is given once", out.count("What to change") == 2, out)
        table = doze("storms", trace)[1].split("\nStorms")[1:]
        first = words.replace("2", "1", 1).replace("process 9", "process 1")
        heads = [part.splitlines()[0] for part in table]
        ok("each pool has a table with the pool's name", heads == [f" of {first} (forkjoin)", f" of {words} (tickle)"], heads)
        ok("each table lists the storms of its own pool", [len(re.findall(r"s (?:latch|inject) ", p)) for p in table] == [1, 2], table)
    out = answer(script_trace(where, "alone", one))
    ok("a single pool is not named", "pool 1" not in out and "pools" not in out, out)


def nothing(where):
    """Checks that ratios without a denominator are not printed."""
    asleep = script_trace(where, "asleep", ASLEEP + RISES)
    ok("a trace without wakes has no futile ratio", "0 wakes for 0 jobs." in answer(asleep), answer(asleep))
    open_end = script_trace(where, "open", ASLEEP + WOKEN.split("60 ", 1)[0])
    ok("unresolved wakes have no futile ratio", "; none is resolved." in answer(open_end), answer(open_end))
    one_sleep = "2 w0 active>idle no_work\n3 w0 idle>sleeping rounds\n5 x wake w0 id1 d1 inject\n6 w0 woken 1\n" \
          "7 w0 sleeping>idle woken\n8 w0 idle>active found_injected\n"
    for workers in (1, 2):
        stop = "".join(f"9 w{i} active>stopped terminate\n" for i in range(workers)) + "10 x pool stop\n"
        start = f"0 x pool rfc {workers}\n" + "".join(f"1 w{i} none>active start\n" for i in range(workers))
        out = doze("storms", script_trace(where, f"of{workers}", start + one_sleep + stop))[1]
        title = "the wakee bias of two workers is shown" if workers > 1 else "no wakee bias is shown for one worker"
        ok(title, ("wakee bias" in out) == (workers > 1), out)


def main():
    with tempfile.TemporaryDirectory() as where:
        advice(where)
        merged(where)
        causes(where)
        redundant(where)
        pools(where)
        nothing(where)


if __name__ == "__main__":
    sys.exit(run_all(main))
