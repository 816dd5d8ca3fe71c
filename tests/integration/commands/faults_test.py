#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Runs the commands on traces with one fault each: wrong clocks, missing fields, impossible values, an unknown
# policy, files that differ from the manifest, text that would control the terminal.
# Runs in the top folder; $BUILD is the build folder.
import glob
import json
import os
import shutil
import sys
import tempfile
import zlib

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from synthetic import ASLEEP, BUILD, HEALTHY, START, STOP, WOKEN, doze, flat, ok, run_all, script_trace  # noqa: E402


def made(where, name, text, option):
    folder = f"{where}/{name}"
    patience.run([f"{BUILD}/tests/fixtures/make-script-trace", folder, option], input=text, text=True,
                 check=True, timeout=60)
    return folder


def clocks(where):
    back = script_trace(where, "back", HEALTHY.replace("52 w0 wake", "49 x mark m\n52 w0 wake"))
    code, out, err = doze("check", back)
    ok("a trace whose time runs backwards is inconclusive", code == 4 and "backwards" in err, f"{code} {err}")
    far = script_trace(where, "far", HEALTHY + "1e15 x mark far\n")
    code, out, err = doze("check", far)
    ok("a trace with an event 10^18 ns away is inconclusive", code == 4 and "30 days" in err, f"{code} {err}")


def fields(where):
    folder = made(where, "without", HEALTHY, "--without=decision_id")
    for command in ("storms", "check", "timeline"):
        code, out, err = doze(command, folder)
        ok(f"{command}: a missing field is named", code == 3 and "decision_id" in err and not out,
           f"{code} {err}")


def finding(title, folder, rule):
    code, out, err = doze("check", "--json", folder)
    got = json.loads(out) if code in (0, 1, 4) else {"by_rule": err}
    ok(title, code == 1 and list(got["by_rule"]) == [rule], f"{code} {got['by_rule']} {err}")


def findings(where):
    posts = "10 w0 post local 2 empty wakes 0 d0 0.0.0>0.0.1\n11 w0 job local id8\n20 w0 ended id8\n"
    for rule, text in {
        "job-once": START + posts + "22 w1 job stolen id8\n23 w1 ended id8\n" + STOP,
        "job-lost": START + posts + STOP,
        "job-end": START + "10 w0 ended id5\n" + STOP,
        "job-asleep": ASLEEP + "45 w1 job inline id7\n46 w1 ended id7\n" + WOKEN + STOP,
        "self-steal": START + "10 w0 steal w0\n" + STOP,
        "index": START + "10 w9 mark m\n11 w9 active>idle no_work 0.0.0>0.0.0\n" + STOP,
        "state": START + "10 w0 active>? no_work 0.0.0>0.0.0\n" + STOP,
        "totals": START + "10 w0 active>idle no_work 0.0.0>0.1.0 ran 5\n"
                          "12 w0 idle>active found_local 0.1.0>0.0.0 ran 4\n"
                  + STOP.replace("w0 active>stopped terminate", "w0 active>stopped terminate ran 4"),
        "width": HEALTHY.replace("pool jec 2", "pool jec 2 jec40"),
        "after-stop": HEALTHY + "95 x jec post 0.0.1>0.0.1\n",
    }.items():
        finding(f"check finds {rule}", script_trace(where, rule, text), rule)
    several = script_trace(where, "several", START + "20 w1 active>idle no_work 0.0.0>0.9.0\n"
                                                      "300000 x mark late\n" + "300001 w1 idle>active "
                           "latch_set 0.9.0>0.8.0\n300002 w0 active>stopped terminate 0.8.0>0.8.0\n"
                           "300002 w1 active>stopped terminate 0.8.0>0.8.0\n300003 x pool stop\n")
    code, out, err = doze("check", "--json", several)
    got = json.loads(out)
    ok("several violations with one cause are one finding", code == 1 and got["finding_count"] == 1 and
       got["findings"][0]["rule"] == "step" and got.get("consequence_count", 0) >= 2, got)
    ok("the finding counts its consequences",
       "Followed by" in flat(doze("check", several)[1]), got)


def policies(where):
    mine = HEALTHY.replace("pool jec", "pool mine")
    code, out, err = doze("check", script_trace(where, "mine", mine))
    ok("an unknown policy without a finding is inconclusive",
       code == 4 and "policy mine is unknown" in flat(out) and err.count("\n") == 1, f"{code} {err}{out}")
    stuck = """0 x pool mine 2
1 w0 none>active start
1 w1 none>active start
20 w1 active>idle no_work 0.0.0>0.1.0
38 w1 latch unset>sleepy w1 id7
39 w1 latch sleepy>sleeping w1 id7
40 w1 idle>sleeping rounds 0.1.0>1.1.0
50 w0 latch sleeping>set w1 id7
900000 x mark late
"""
    finding("under an unknown policy, a set latch whose owner is not woken is a finding", script_trace(where, "stuck", stuck),
            "latch-wake")
    stranded = stuck.replace("50 w0 latch sleeping>set w1 id7", "50 w0 active>idle no_work 1.1.0>1.2.0\n"
                             "51 w0 idle>sleeping rounds 1.2.0>2.2.0\n"
                             "60 x post injector 1 empty wakes 0 d0 2.2.0>2.2.0")
    finding("under an unknown policy, a stranded job is a finding", script_trace(where, "stranded", stranded), "stranded")


def manifests(where):
    wrong = HEALTHY.replace("20 w1 active>idle", "20 w1 sleepy>idle")
    code, out, err = doze("check", script_trace(where, "loose", wrong))
    ok("without a manifest, a wrong state is inconclusive, because an event may be missing", code == 4, f"{code} {err}")
    code, out, err = doze("check", made(where, "whole", wrong, "--manifest"))
    ok("with a manifest, a wrong state is a finding", code == 1 and "transition" in out, f"{code} {out}{err}")
    code, out, err = doze("check", f"{where}/whole/trace")
    ok("the manifest also covers a folder below its own", code == 1, f"{code} {err}")

    good = made(where, "good", HEALTHY, "--manifest")
    ok("an intact recording has no findings", doze("check", good)[0] == 0, doze("check", good))
    stream = [f for f in glob.glob(f"{good}/trace/*") if not f.endswith("metadata")][0]
    line = [x for x in open(f"{good}/doze.manifest") if x.endswith(f"trace/{os.path.basename(stream)}\n")]
    data = open(stream, "rb").read()
    ok("the manifest has the size and checksum of each stream",
       line and line[0].split()[1:3] == [f"{zlib.crc32(data):08x}", str(len(data))], line)
    with open(stream, "r+b") as f:
        f.seek(len(data) - 1)
        f.write(bytes([data[-1] ^ 1]))
    code, out, err = doze("check", good)
    ok("a changed stream makes check inconclusive and is named", code == 4 and "was changed" in err, f"{code} {err}")


def recordings(where):
    folder = f"{where}/recorded"
    doze("record", "-o", folder, "--workers=4", "--", f"{BUILD}/doze", "demo", "burst", "--bursts=3")
    ok("a recording is complete", doze("check", folder)[0] == 0, doze("check", folder))
    if not os.path.exists(f"{folder}/doze.manifest"):
        ok("a recording has a manifest", False)
        return
    with open(f"{folder}/doze.manifest") as f:
        text = f.read()
    ok("the manifest of a recording has the command, the CPUs and the packets",
       f"arg {BUILD}/doze\narg demo\narg burst\narg --bursts=3\n" in text and "\ncpus " in text and
       "\ncomplete yes\n" in text, text)
    last = sorted(f for f in glob.glob(f"{folder}/ust/**/doze_[0-9]*", recursive=True) if "/index/" not in f)[-1]
    name = os.path.basename(last)
    shutil.move(last, f"{where}/aside")
    os.remove(f"{os.path.dirname(last)}/index/{name}.idx")
    code, out, err = doze("check", folder)
    ok("the deletion of the last stream and its index is reported", code == 4 and f"{name} is missing" in err,
       f"{code} {err}")
    with open(f"{where}/aside", "rb") as f:
        data = f.read()
    # Each of LTTng's packets is at least a page long, and its header contains its size.
    with open(last, "wb") as f:
        f.write(b"")
    code, out, err = doze("check", folder)
    ok("a stream that is truncated at a packet boundary is reported", code == 4 and f"{name} was truncated" in err and len(data) > 0,
       f"{code} {err}")


# A right-to-left override, a C1 control and an escape sequence.
DIRTY = "\u202eevil\u009b\x1b[31m"


def texts(where):
    folder = script_trace(where, "dirty", HEALTHY.replace("60 w1", f"58 w0 mark {DIRTY}\n60 w1"))
    page = f"{where}/page.html"
    outputs = {
        "timeline": doze("timeline", folder)[1],
        "storms": doze("storms", folder)[1],
        "storms --json": doze("storms", "--json", folder)[1],
        "compare": doze("compare", folder, folder)[1],
        "replay": doze("replay", "--once", folder)[1],
        "report": doze("report", folder, "-o", page)[1] + open(page, encoding="utf-8").read(),
    }
    for f in ("csv", "json", "svg", "perfetto"):
        outputs[f"export {f}"] = doze("export", f"--format={f}", folder)[1]
    for name, text in outputs.items():
        bad = [c for c in DIRTY if not c.isascii() and (c in text or f"\\u{ord(c):04x}" in text)]
        ok(f"{name}: a mark cannot control the terminal or reorder text",
           not bad and "\x1b[31m" not in text and "\\u001b[31m" not in text, bad)


# Five workers run a chain of jobs that an outside thread started.
def chain():
    text = "0 x pool rfc 5\n" + "".join(f"1 w{i} none>active start\n" for i in range(5))
    text += "".join(f"{2 + i} w{i} active>idle no_work 0.{i}.0>0.{i + 1}.0\n" for i in range(5))
    text += "300 x post injector 1 empty wakes 0 d0 0.5.0>0.5.0\n"
    for i in range(5):
        at, source = 301 + 500 * i, "stolen" if i else "injected"
        text += f"{at} w{i} steal w{i - 1}\n" if i else ""
        text += f"{at} w{i} idle>active found_{source} 0.5.0>0.4.0\n{at}.2 w{i} job {source} id{i + 5}\n"
        text += f"{at + 498} w{i} post local 1 empty wakes 0 d0 0.4.0>0.4.0\n" if i < 4 else ""
        text += f"{at + 499} w{i} ended id{i + 5}\n{at + 499} w{i} active>idle no_work 0.4.0>0.5.0\n"
    return text + "2800 x mark end\n2810 x mark more\n"


def paths(where):
    out = doze("storms", script_trace(where, "chain", chain()))[1]
    line = [x for x in out.splitlines() if x.strip().startswith("(start)")]
    ok("the critical path names the one outside thread", line and "outside (vtid 99) 11%" in flat(out), out)


def main():
    where = tempfile.mkdtemp(prefix="doze-faults-")
    try:
        for part in (clocks, fields, findings, policies, manifests, recordings, texts, paths):
            part(where)
    finally:
        shutil.rmtree(where)


if __name__ == "__main__":
    sys.exit(run_all(main))
