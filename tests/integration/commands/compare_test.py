#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# doze compare reports every measure for the run and its phases, and reports an unknown measure as
# null, not as 0.
import json
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from synthetic import ASLEEP, BUILD, HEALTHY, STOP, WOKEN, doze, flat, ok, run_all, script_trace, storms_of  # noqa: E402

OF_RUNS = ("p50", "p99", "longest")
COUNTS = ("jobs", "wakes", "woken", "useful", "futile", "latch", "terminate", "redundant", "self", "unresolved",
          "chain wakes", "futile in chains", "storms", "near misses", "JEC toggles")


def compare(*traces):
    return json.loads(doze("compare", "--json", *traces)[1])


def by_name(measures):
    return {m["measure"]: m for m in measures}


def verdict(healthy, slow):
    c = compare(healthy, slow)
    ok("the shorter side is better, and the noise of single recordings is not mentioned",
       c["better"] == "a" and c["change"] > 0.5 and c["noise"] is None and c["exceeds_noise"] is None, c["verdict"])
    ok("the text begins with the verdict", flat(doze("compare", slow, healthy)[1]).startswith("B (jec) is better: it takes "),
       doze("compare", slow, healthy)[1])
    c = compare(healthy, healthy, "vs", slow, slow)
    ok("with several recordings, the verdict states that the difference exceeds the noise",
       c["better"] == "a" and c["exceeds_noise"] is True and c["noise"] == 0 and "more than the noise" in c["verdict"], c["verdict"])
    c = compare(healthy, slow, "vs", slow, healthy)
    ok("with equal means, neither side is better, and the noise is stated",
       c["better"] is None and c["exceeds_noise"] is False and c["noise"] > 0.5 and c["verdict"].startswith("Neither side"),
       c["verdict"])


def unknown(where):
    healthy = script_trace(where, "healthy", HEALTHY)
    jobs = script_trace(where, "jobs", HEALTHY.replace("80 w0 act", "70 w1 job stolen\n80 w0 act"))
    c = compare(healthy, jobs)
    m = by_name(c["measures"])
    ok("under-wakes are unknown at level states", m["under-wakes"]["a"]["mean"] is None, m["under-wakes"])
    ok("under-wakes are known at level jobs", m["under-wakes"]["b"]["mean"] == 0, m["under-wakes"])
    ok("an unknown measure has no difference", m["under-wakes"]["difference"] is None and not m["under-wakes"]["differs"])
    ok("different levels of detail cause a warning", len(c["warnings"]) == 1 and "(states, jobs)" in c["warnings"][0], c["warnings"])
    text = doze("compare", healthy, jobs)[1]
    ok("the text has the warning, too", "Warning: the levels of detail differ (states, jobs)" in text, text)
    ok("the text shows a dash for an unknown measure", any(line.split()[:3] == ["under-wakes", "-", "0"] for line in text.splitlines()), text)
    ok("the output fits into 80 columns", all(len(x) <= 80 for x in text.splitlines()), text)
    ok("one recording has no confidence interval", all(m[k]["a"]["half_95"] is None for k in m))
    two = by_name(compare(healthy, healthy, "vs", jobs)["measures"])
    ok("two recordings have a confidence interval", two["wakes"]["a"]["half_95"] == 0 and two["wakes"]["b"]["half_95"] is None, two["wakes"])
    silent = script_trace(where, "silent", ASLEEP + WOKEN.split("\n", 1)[1] + STOP)
    m = by_name(compare(silent, healthy)["measures"])
    ok("the latency from post to job is unknown without posts", m["publish->job, p50"]["a"]["mean"] is None, m)
    ok("the latency from post to job is known with posts", m["publish->job, p50"]["b"]["mean"] == 10000, m["publish->job, p50"])
    ok("the mean latency from post to job is known with posts", m["publish->job, mean"]["b"]["mean"] == 10000, m["publish->job, mean"])
    ok("a measure per job is unknown without jobs", m["amplification"]["a"]["mean"] is None, m["amplification"])
    rfc = script_trace(where, "rfc", HEALTHY.replace("jec", "rfc"))
    m = by_name(compare(rfc, healthy)["measures"])
    ok("JEC toggles are unknown under rfc and counted under jec", m["JEC toggles"]["a"]["mean"] is None and m["JEC toggles"]["b"]["mean"] == 1)
    slow = script_trace(where, "slow", HEALTHY.replace("90 x pool stop", "180 x pool stop"))
    verdict(healthy, slow)
    large = script_trace(where, "large", HEALTHY.replace("jec 2", "jec 4"))
    warned = flat(doze("compare", healthy, large)[1])
    ok("different numbers of workers cause a warning", "Warning: the numbers of workers differ (2 and 4)" in warned, warned)
    ok("equal numbers of workers cause no warning", "Warning" not in doze("compare", healthy, healthy)[1])
    single = script_trace(where, "single", "0 x pool jec 1\n1 w0 none>active start\n80 w0 active>stopped terminate\n90 x pool stop\n")
    m = by_name(compare(single, healthy)["measures"])
    ok("a pool of one worker has no wakee bias", m["wakee bias"]["a"]["mean"] is None, m["wakee bias"])


def complete(where):
    """Compares a trace that has storms, first with quarters as phases, then with phases at the same
    marks."""
    stormy = f"{where}/stormy"
    patience.run([f"{BUILD}/tests/fixtures/make-trace", stormy, "5000", "8", "6", "2"], check=True, timeout=60)
    storms, c = storms_of(stormy), compare(stormy, stormy)
    m = by_name(c["measures"])
    futile = storms["latency"]["futile_search"]
    ok("futile search is summed over all wakes",
       abs(m["futile search, all"]["a"]["mean"] / (futile["mean"] * futile["count"]) - 1) < 1e-4, m["futile search, all"])
    burnt = sum(s["burnt"] for s in storms["storms"])
    ok("futile search in storms is a separate measure", m["futile search, storms"]["a"]["mean"] == burnt > 0)
    for name, key in (("publish->job", "publish_job"), ("publish->notify", "publish_notify"),
                      ("notify->awake", "useful_notify_awake"), ("awake->found", "awake_found"),
                      ("found->job", "found_job"),
                      ("all: notify->awake", "notify_awake")):
        theirs = storms["latency"][key]
        means = [m[f"{name}, mean"]["a"]["mean"], theirs["mean"]]
        ok(f"{name}: the mean matches doze storms", abs(means[0] - means[1]) <= 1e-4 * means[1], means)
        ok(f"{name}: the p99 matches doze storms", m[f"{name}, p99"]["a"]["mean"] == theirs["p99"], theirs)
    for name in ("useful", "futile", "latch", "terminate", "redundant", "self", "unresolved"):
        ok(f"the number of {name} wakes matches doze storms", m[name]["a"]["mean"] == storms["verdicts"][name], m[name])
    ok("the longest chain matches doze storms", m["chain, longest"]["a"]["mean"] == storms["chain"]["longest"])
    parts(c, "quarters")
    marked = "0 x mark one\n15 x mark two\n52 x mark three\n"
    lines = sorted((HEALTHY + marked).splitlines(), key=lambda line: float(line.split()[0]))
    marked = "\n".join(lines) + "\n"
    c = compare(*[script_trace(where, "marked", marked)] * 2)
    parts(c, "marks")
    ok("the critical path is unknown unless every job was recorded", by_name(c["measures"])["critical path"]["a"]["mean"] is None)
    every = marked.replace("80 w0 act", "70 w1 job stolen\n80 w0 act")
    c = compare(*[script_trace(where, "marked-jobs", every)] * 2)
    whole = by_name(c["measures"])["critical path"]["a"]["mean"]
    paths = [by_name(p["measures"])["critical path"]["a"]["mean"] for p in c["phases"]]
    ok("the critical path of the run is the sum of its phases", whole == sum(p or 0 for p in paths) > 0, (whole, paths))


def parts(c, by):
    whole = by_name(c["measures"])
    each = [by_name(p["measures"]) for p in c["phases"]]
    ok(f"there are four phases, aligned by {by}", len(each) == 4 and c["aligned_by"] == by, c["aligned_by"])
    wanted = {name for name in whole if not name.endswith(OF_RUNS)}
    ok("each phase has every measure", all(set(p) == wanted for p in each), wanted ^ set(each[0]))
    for name in COUNTS:
        total = sum(p[name]["a"]["mean"] for p in each)
        ok(f"{name}: the phases add up to the whole", total == whole[name]["a"]["mean"], (total, whole[name]))


def main():
    with tempfile.TemporaryDirectory() as where:
        unknown(where)
        complete(where)


if __name__ == "__main__":
    sys.exit(run_all(main))
