#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The command line as a whole: misspelt names, the previous recording, programs started by a script,
# and parts of a trace by pool and by phase. Runs in the top folder; $BUILD is the build folder.
import re
import shutil
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from synthetic import BUILD, HEALTHY, doze, ok, run_all, script_trace, storms_of  # noqa: E402


def names():
    for command, meant in {"strom": "storms", "chek": "check", "timelin": "timeline"}.items():
        code, out, err = doze(command, "t")
        ok(f"{command} suggests {meant}", code == 2 and f"did you mean '{meant}'" in err, err)
    ok("nothing is suggested for a name unlike any command", "mean" not in doze("xyzzy")[2], doze("xyzzy"))
    ok("a misspelt option gets a suggestion", "did you mean '--json'" in doze("storms", "--jsno", "t")[2])


def last(where):
    env = {"HOME": where, "XDG_STATE_HOME": f"{where}/state", "DOZE_TRACES": f"{where}/traces"}
    code, out, err = doze("timeline", env=env)
    ok("if there is no previous recording, DIR is required", code == 2 and "no previous recording" in err, f"{code} {err}")
    code, out, err = doze("record", "--", f"{BUILD}/doze", "demo", "burst", "--bursts=1", env=env)
    ok("record without -o chooses a folder", code == 0 and f"{where}/traces/doze-" in out, out + err)
    for command in (["check"], ["storms", "--brief"], ["timeline"], ["replay", "--once"],
                    ["export", "--format=csv"], ["report", "-o", f"{where}/page.html"], ["whatif", "--posts"]):
        code, out, err = doze(*command, env=env)
        ok(f"{command[0]} without DIR shows the previous recording", code == 0, f"{code} {err}")
    shutil.rmtree(f"{where}/traces")
    ok("a deleted recording is not used", doze("storms", env=env)[0] == 2)


def follow(where):
    program = ["--", "sh", "-c", f"{BUILD}/doze demo burst --bursts=1 & echo pid $!; wait"]
    code, out, err = doze("record", "-o", f"{where}/alone", *program)
    ok("record reports that it saw no doze events and suggests what to do", code == 1 and "--follow" in err, f"{code} {err}")
    code, out, err = doze("record", "--follow", "-o", f"{where}/follow", *program)
    ok("record --follow records a program that a script started", code == 0 and out.startswith("recorded"), out + err)
    with open(f"{where}/follow/program.log", encoding="utf-8") as f:
        pid = re.search(r"pid (\d+)", f.read()).group(1)
    # Without its own namespace, the daemon serves the whole machine, and the session may also
    # record other programs. Count only the events of this program.
    printed = patience.run(["babeltrace2", f"{where}/follow"], capture_output=True, text=True, check=True).stdout
    events = [e for e in printed.splitlines() if f"vpid = {pid}," in e]
    count = {name: sum(f" doze:{name}: " in e for e in events) for name in ("pool_start", "worker_stop")}
    ok("  the recording covers the program from its start to its exit", count == {"pool_start": 1, "worker_stop": 2}, count)


def parts(where):
    second = "".join(f"{line.split(' ', 1)[0]} 2/{line.split(' ', 1)[1]}\n" for line in HEALTHY.splitlines())
    lines = (HEALTHY + second + "15 x mark one\n54 x mark two\n").splitlines()
    both = script_trace(where, "both", "\n".join(sorted(lines, key=lambda x: float(x.split()[0]))) + "\n")
    ok("all pools are shown", len(storms_of(both)["pools"]) == 2)
    one = storms_of(both, "--pool=2")
    ok("--pool shows one pool", [p["pool"] for p in one["pools"]] == [2] and one["wakes"] == 1, one["pools"])
    shown = doze("timeline", "--pool=2", both)[1]
    ok("timeline --pool shows one pool", "pool 2" in shown and "pool 1" not in shown, shown)
    for command in ("check", "timeline"):
        code, out, err = doze(command, "--pool=7", both)
        ok(f"{command}: an unknown pool is an error", code == 2 and "no pool 7" in err, err)
    ok("--phase selects the wakes of a phase",
       [storms_of(both, f"--phase={p}")["wakes"] for p in ("one", "two")] == [2, 0])
    code, out, err = doze("storms", "--phase=three", both)
    ok("an unknown phase is an error that lists the marks", code == 2 and "one, two" in err, err)


def main():
    where = tempfile.mkdtemp(prefix="doze-line-")
    try:
        names()
        last(where)
        follow(where)
        parts(where)
    finally:
        shutil.rmtree(where)


if __name__ == "__main__":
    sys.exit(run_all(main))
