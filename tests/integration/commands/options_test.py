#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# The options that commands on a recording share. For each command and each option in the table of
# `doze help`, the option either changes what the command reports, or the command rejects it with a
# reason and exit code 2. The sinks of the plug-in do the same. Runs in the top folder; $BUILD is
# the build folder.
import json
import re
import shutil
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from synthetic import BUILD, HEALTHY, WRONG, doze, ok, run_all, script_trace  # noqa: E402

# The additional arguments that each command needs, and where it writes its result: to standard
# output or to a file.
COMMANDS = {
    "replay": ["--once", "--size=80x30"],
    "diagnose": [],
    "why": [],
    "timeline": ["--width=70"],
    "storms": [],
    "check": [],
    "compare": [],
    "whatif": ["--posts"],
    "report": ["-o", "FILE"],
    "export": ["--format=csv"],
}
VALUES = {"from": "=110us", "to": "=50us", "worker": "=1", "pool": "=2", "phase": "=late", "json": "",
          "color": "=always", "ascii": ""}
SINKS = ("diagnose", "timeline", "storms", "check", "why")


def recording(where):
    """Writes a trace in which pool 2 repeats the events of pool 1, 100 us later and with a finding.
    Its marks are "one", "late", and a name with characters beyond ASCII."""
    later = "".join(f"{float(line.split(' ', 1)[0]) + 100:g} 2/{line.split(' ', 1)[1]}\n" for line in WRONG.splitlines())
    lines = (HEALTHY + later + "51 x mark one\n70 x mark zwölf😀\n110 x mark late\n").splitlines()
    return script_trace(where, "tracé", "\n".join(sorted(lines, key=lambda x: float(x.split()[0]))) + "\n")


def run(command, trace, *options):
    """Returns the exit code and the command's report, from its output or its file."""
    file = f"{trace}.html"
    args = [file if a == "FILE" else a for a in COMMANDS[command]]
    traces = [trace, trace] if command == "compare" else [trace]
    code, out, err = doze(command, *args, *options, *traces)
    if command == "report" and code in (0, 4):
        with open(file, encoding="utf-8") as f:
            out = f.read()
    return code, out, err


def table():
    """Returns {command: {option: whether the command accepts it}}, as `doze help` prints it."""
    lines = doze("help")[1].splitlines()
    head = next(i for i, line in enumerate(lines) if line.split()[:2] == ["--from", "--to"])
    names = [name[2:] for name in lines[head].split()]
    rows = {}
    for line in lines[head + 1 :]:
        words = line.split()
        if not words:
            break
        rows[words[0]] = dict(zip(names, [w == "yes" for w in words[1:]]))
    return rows


def has_effect(option, before, after):
    if option == "json":
        return isinstance(json.loads(after), dict)
    if option == "color":
        return "\033[" in after and "\033[" not in before and re.sub("\033\\[[0-9;]*m", "", after) == before
    if option == "ascii":
        return after.isascii()
    return after != before


def each(trace, rows):
    ok("the table has every command and every option",
       set(rows) == set(COMMANDS) and all(set(r) == set(VALUES) for r in rows.values()), rows)
    for command, row in rows.items():
        code, before, err = run(command, trace)
        ok(f"{command} succeeds on the recording", code in (0, 1), f"{code} {err}")
        for option, takes in row.items():
            code, after, err = run(command, trace, f"--{option}{VALUES[option]}")
            if not takes:
                ok(f"{command} rejects --{option} and states the reason",
                   code == 2 and err.startswith(f"doze: {command}: --{option}: ") and err.count("\n") == 1, f"{code} {err}")
            elif (command, option) == ("replay", "color"):
                ok("replay accepts --color, but prints a single screen without colours", code == 0 and after == before, err)
            else:
                ok(f"{command} applies --{option}", code in (0, 1) and has_effect(option, before, after),
                   f"{code} {err}\n{after[:1500]}")


def exact(trace):
    def rows_of(*options):
        return [line.split(",") for line in doze("export", "--format=csv", *options, trace)[1].splitlines()[1:]]

    states = [r for r in rows_of("--from=110us", "--to=130us") if r[0] == "state"]
    ok("export cuts off states at the bounds of the range", states and all(110000 <= int(r[1]) and int(r[3]) - int(r[2]) <= 20000 for r in states), states)
    ok("export --pool exports one pool", {r[6] for r in rows_of("--pool=2") if r[0] != "mark"} == {"2"})
    ok("export --worker exports one worker", {r[7] for r in rows_of("--worker=1") if r[0] == "state"} == {"1"})
    lines = doze("export", "--format=json", "--phase=one", trace)[1].splitlines()
    ok("export --phase exports the events of the phase", {e["at"] // 1000 for e in map(json.loads, lines)} == {51, 52, 55, 56, 60, 70}, lines)
    part = json.loads(doze("compare", "--json", "--pool=1", "--worker=1", "--phase=one", trace, trace)[1])
    text = json.dumps(part)
    ok("compare --phase measures only that phase", "19000" in text, text[:800])
    drawn = doze("export", "--format=svg", "--worker=1", "--pool=2", trace)[1]
    ok("export --worker --format=svg draws only the lane of that worker", re.findall(r'<g id="lane', drawn) == ['<g id="lane'] and ">2/w1<" in drawn, drawn[:300])
    doc = json.loads(doze("timeline", "--json", "--pool=2", "--worker=1", trace)[1])
    slept = doc["workers"][0]["time"]["sleeping"]
    ok("timeline --json --worker prints the times of only that worker", len(doc["workers"]) == 1 and abs(slept - 16000) <= 500, doc)
    whole, part = (json.loads(doze("whatif", "--posts", "--json", *options, trace)[1])
                   for options in ((), ("--from=110us", "--to=130us", "--worker=1")))
    ok("whatif --posts --json states the selected part and the policy of the trace",
       (part["from"], part["to"], part["worker"]) == (110000, 130000, "1") and whole["to"] is None
       and part["recorded"]["policy"] == whole["recorded"]["policy"] != "", part)
    text = doze("whatif", "--posts", "--from=110us", "--to=130us", "--worker=1", trace)[1]
    ok("whatif --posts names the selected part", re.search(r"^Recorded between \S+ and \S+ by worker 1: ", text, re.M), text)
    both = doze("storms", "--json", trace)[1], doze("storms", "--json", "--ascii", trace)[1]
    ok("--json --ascii prints the same JSON", not both[0].isascii() and json.loads(both[0]) == json.loads(both[1]))


def together(trace):
    """Checks that options are rejected together with the arguments that they exclude."""
    for words, option in (
        (("why", "--phase=one", trace, "20us"), "phase"),
        (("why", "--from=1us", trace, "20us"), "from"),
        (("why", "--to=1ms", trace, "0x1"), "to"),
        (("whatif", "--from=1us", trace), "from"),
        (("whatif", "--phase=one", trace), "phase"),
        (("whatif", "--worker=1", trace), "worker"),
        (("storms", "--worker=1", "--fail-if=amplification>0", trace), "worker"),
        (("export", "--format=trace-compass", "--pool=1", trace), "pool"),
    ):
        code, out, err = doze(*words)
        ok(f"{words[0]} rejects --{option} with {words[-1] if words[-1] != trace else words[1]}",
           code == 2 and not out and err.startswith(f"doze: {words[0]}: --{option}: "), f"{code} {out}{err}")
    for command in COMMANDS:
        code, out, err = run(command, trace, "--pool=7")
        ok(f"{command} reports an unknown pool", code == 2 and "no " in err and "pool" in err, f"{code} {err}")
    for command in ("timeline", "compare", "report"):
        code, out, err = run(command, trace, "--phase=three")
        ok(f"{command} reports an unknown phase", code == 2 and "no mark 'three'" in err, f"{code} {err}")
    ok("pool numbers start at 1", doze("check", "--pool=0", trace)[0] == 2)


def sink(name, trace, param=None):
    args = ["babeltrace2", "--log-level=FATAL", f"--plugin-path={BUILD}", "-c", f"sink.doze.{name}"]
    args += [f"--params={param}"] if param else []
    return patience.run([*args, trace], capture_output=True, text=True)


def sinks(trace, rows):
    params = {"from": "from=110000", "to": 'to="50us"', "worker": "worker=0", "pool": "pool=2", "json": "json=yes",
              "color": "color=yes", "ascii": "ascii=yes", "phase": 'phase="one"'}
    for name in SINKS:
        before = sink(name, trace)
        for option, takes in rows[name].items():
            r = sink(name, trace, params[option])
            if takes and option != "phase":
                ok(f"sink.doze.{name} applies {option}", r.returncode == 0 and has_effect(option, before.stdout, r.stdout),
                   r.stderr[-600:] + r.stdout[:600])
            else:
                ok(f"sink.doze.{name} rejects {option} by name", r.returncode != 0 and f"parameter `{option}`" in r.stderr, r.stderr[-600:])
    r = sink("why", trace, 'what="20us",from=5')
    ok("sink.doze.why rejects the parameter `from` together with a time", r.returncode != 0 and "parameter `from`: this option selects" in r.stderr, r.stderr[-600:])
    r = sink("check", trace, "pool=7")
    ok("the sink's error names the parameter `pool` if there is no such pool", r.returncode != 0 and "parameter `pool`" in r.stderr, r.stderr[-600:])


def helps(rows):
    for command, row in rows.items():
        text = doze("help", command)[1]
        taken = set(re.findall(r"^ +(?:-.,)? *--([a-z]+)", text.split("\nRefused:")[0], re.M))
        wrong = {o for o in row if (o in taken) != row[o]}
        ok(f"the help of {command} lists the options that it accepts", not wrong, wrong)


def main():
    where = tempfile.mkdtemp(prefix="doze-options-")
    try:
        trace = recording(where)
        rows = table()
        each(trace, rows)
        exact(trace)
        together(trace)
        sinks(trace, rows)
        helps(rows)
    finally:
        shutil.rmtree(where)


if __name__ == "__main__":
    sys.exit(run_all(main))
