#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Faults of the kinds that users of other thread pools and tracing tools have reported: locales, text
# that is hard to print, traces of other programs, terminals, large exports. Runs in the top folder;
# $BUILD is the build folder.
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from patience import enough, wait_until, whole  # noqa: E402
from test_functions import expect, run_tests, test  # noqa: E402

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
DOZE = f"{BUILD}/doze"
CASES = f"{BUILD}/tests/integration/field/cases"


def doze(*args, env=None):
    """Runs doze. Returns its exit code, output and messages. Invalid UTF-8 in these becomes U+FFFD."""
    p = patience.run([DOZE, *args], capture_output=True, timeout=120,
                     env={**os.environ, "LC_ALL": "C.UTF-8", **(env or {})})
    return p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")


def record(top, name, *args, detail="all"):
    """Records a case, unless an earlier test has recorded it. Returns the folder."""
    folder = f"{top}/{name}"
    if not os.path.exists(folder):
        p = whole(patience.run([DOZE, "record", "-o", folder, f"--detail={detail}", "--", CASES, *args],
                               capture_output=True, text=True, timeout=120))
        expect(p.returncode == 0, p.stderr)
    return folder


class Terminal:
    """A terminal of tmux in which a program runs."""

    def __init__(self, top, command, **env):
        socket = f"{top}/tmux-{len(os.listdir(top))}"
        self.tmux = ["tmux", "-S", socket, "-f", "/dev/null"]
        own = " ".join(shlex.quote(f"{name}={value}") for name, value in env.items())
        self.call("new-session", "-d", "-x", "100", "-y", "30", f"env {own} {shlex.join(command)}; exec sleep 60")

    def call(self, *args):
        return subprocess.run([*self.tmux, *args], capture_output=True, text=True, encoding="utf-8",
                              env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm"}, check=False).stdout

    def screen(self):
        return self.call("capture-pane", "-p")

    def wait_for(self, text):
        wait_until(lambda: text in self.screen(), f"'{text}' on the screen")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.call("kill-server")


def german(top):
    """Returns the environment of the locale de_DE.UTF-8, which writes 0,5 and 1.000."""
    folder = f"{top}/locales"
    if not os.path.exists(folder):
        os.mkdir(folder)
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", f"{folder}/de_DE.UTF-8"], check=True)
    return {"LOCPATH": folder, "LC_ALL": "de_DE.UTF-8"}


@test
def numbers_are_the_same_in_every_locale(top):
    env, folder = german(top), record(top, "marks", "marks")
    decimal = subprocess.run(["/usr/bin/env", "printf", "%.1f", "0,5"], capture_output=True, text=True,
                             env={**os.environ, **env}, check=False).stdout
    expect(decimal == "0,5", f"this locale does not write 0,5 but {decimal}")
    saved = f"{top}/saved"
    with Terminal(top, [DOZE, "replay", folder], **env, DOZE_TRACES=saved, XDG_STATE_HOME=top) as t:
        t.wait_for("q quit")
        for typed, right in (("0,05s", False), ("0.05s", True)):
            t.call("send-keys", "t")
            t.wait_for("go to the time")
            t.call("send-keys", "-l", typed)
            t.wait_for(typed)
            t.call("send-keys", "Enter")
            wait_until(lambda: "go to the time" not in t.screen(), "the prompt disappears")
            expect(("not a time" in t.screen()) != right, f"{typed}: {t.screen()}")
    code, out, _ = doze("replay", "--once", folder, env=env)
    expect(code == 0 and re.search(r"\d\.\d+ ms", out), out)
    expect(not re.search(r"\d,\d", out), out)


@test
def text_is_cut_between_characters(top):
    folder = record(top, "marks", "marks")
    code, out, err = doze("timeline", folder)
    expect(code == 0, err)
    line = out.splitlines()[1]
    expect("▼日本" in line and "\ufffd" not in line and "?" not in line.split("▼esc")[0], line)
    expect("a日本語日本語日本語日本語日本語日本語日本\n" in out, out)
    _, svg, _ = doze("export", "--format=svg", folder)
    expect("日本語" in svg and "\ufffd" not in svg, svg)


@test
def an_empty_mark_is_empty(top):
    code, out, err = doze("export", "--format=json", record(top, "marks", "marks"))
    texts = [json.loads(line)["text"] for line in out.splitlines() if '"mark"' in line]
    expect(code == 0 and len(texts) == 5 and texts[-1] == "", texts or err)


@test
def names_of_programs_are_printed_without_escapes(top):
    program = f"{top}/a\033[31mb"
    shutil.copy(CASES, program)
    code, out, err = doze("record", "-o", f"{top}/escapes", "--", program, "marks")
    expect(code == 0 and "/a?[31mb exited with 0" in out and "\033" not in out + err, repr(out + err))
    code, out, err = doze("record", "-o", f"{top}/nothing\033[0m", "--", f"{top}/nothing\033[1m")
    expect(code == 3 and "nothing?[1m" in err and "\033" not in out + err, repr(out + err))
    code, out, err = doze("live", "--once", "--", "sh", "-c", "printf 'the \\033[31mlast\\n'")
    expect("last line of output: the ?[31mlast\n" in out and "\033" not in out + err, repr(out + err))


# The metadata of a trace in CTF 2. One event has a name of doze's, but no trace of doze lacks doze:pool_start.
FOREIGN = ({"type": "preamble", "version": 2}, {"type": "trace-class", "namespace": "lttng.org,2009"},
           {"type": "clock-class", "id": "m", "frequency": 1000000000, "origin": "unix-epoch"},
           {"type": "data-stream-class", "id": 0, "default-clock-class-id": "m"},
           {"type": "event-record-class", "id": 0, "name": "doze:snapshot"})


def ctf2(folder, fragments):
    os.mkdir(folder)
    with open(f"{folder}/metadata", "w", encoding="utf-8") as f:
        f.writelines("\x1e" + json.dumps(fragment) + "\n" for fragment in fragments)
    with open(f"{folder}/chan_0", "wb") as f:
        f.write(bytes(64))
    return folder


@test
def a_foreign_trace_is_not_called_damaged(top):
    code, out, err = doze("check", ctf2(f"{top}/foreign-ctf2", FOREIGN))
    expect(code == 3 and "not a trace of doze" in err and err.count("\n") == 1, out + err)
    ours = {"type": "event-record-class", "id": 1, "name": "doze:pool_start"}
    code, out, err = doze("check", ctf2(f"{top}/ctf2", [*FOREIGN, ours]))
    expect(code == 3 and "not a trace of doze" not in err and err.count("\n") == 1, out + err)


@test
def losses_of_other_programs_do_not_count(top):
    both = f"{top}/both"
    os.mkdir(both)
    for name, kind in (("ust", "healthy"), ("kernel", "foreign-lossy")):
        subprocess.run([f"{BUILD}/tests/fixtures/make-trace", f"{both}/{name}", "3000", "4", "1", "1", kind],
                       check=True)
    code, out, err = doze("check", both)
    expect(code == 0 and "inconclusive" not in out + err, f"{code}: {out}{err}")
    code, out, err = doze("storms", "--json", both)
    expect(code == 0, f"{code}: {out}{err}")


@test
def an_unknown_terminal_gets_the_right_reason(top):
    for term, reason in (("doze-unknown", "there is no terminfo entry for terminal doze-unknown: try TERM="),
                         ("", "TERM is not set: try TERM="),
                         ("dumb", "terminal dumb cannot move its cursor: try TERM=")):
        errors = f"{top}/errors"
        command = f"{shlex.join([DOZE, 'replay', record(top, 'marks', 'marks')])} 2>{errors}; echo code $?"
        with Terminal(top, ["sh", "-c", command], TERM=term) as t:
            t.wait_for("code 2")
        with open(errors, encoding="utf-8") as f:
            text = f.read()
        expect(reason in text and text.count("\n") == 1, f"TERM={term}: {text}")
        advised = re.search(r"TERM=([\w-]+)", text)[1]
        with Terminal(top, [DOZE, "replay", f"{top}/marks"], TERM=advised) as t:
            t.wait_for("q quit")


def overlaps(slices):
    """Returns the slices (from, to) that overlap another one of the same track without nesting in it."""
    found, open_until = [], []
    for begin, end in sorted(slices, key=lambda s: (s[0], -s[1])):
        while open_until and open_until[-1] <= begin:
            open_until.pop()
        if open_until and end > open_until[-1] + 1e-9:
            found.append((begin, end))
        open_until.append(end)
    return found


def suspended_waits(folder):
    """Returns an empty text if enough waits of the recording were suspended."""
    times = doze("export", "--format=json", folder)[1].count('"takes_over"')
    return "" if times >= 20 else f"{times} changes of threads"


@test
def slices_of_suspended_jobs_nest(top):
    folder = enough(lambda n: record(top, f"waits-{n}", "waits", str(500 * n)), suspended_waits)
    code, out, err = doze("export", "--format=perfetto", folder)
    expect(code == 0, err)
    events, tracks, names = json.loads(out)["traceEvents"], {}, set()
    for e in events:
        if e["ph"] == "X":
            tracks.setdefault((e["pid"], e["tid"]), []).append((e["ts"], e["ts"] + e["dur"]))
            if e["name"] == "job":
                names.add(e["args"]["job"])
    expect(not any(overlaps(slices) for slices in tracks.values()), [overlaps(slices) for slices in tracks.values()])
    parts = [e for e in events if e["ph"] == "X" and "part" in e["args"]]
    expect(parts and len(names) >= 500, f"{len(parts)} parts of {len(names)} jobs")


def peak_memory(*args):
    """Runs doze. Returns the largest amount of memory that it used, in MB."""
    with subprocess.Popen([DOZE, *args], stdout=subprocess.DEVNULL) as p:
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    expect(p.returncode == 0, f"{args}: exit {p.returncode}")
    return used.ru_maxrss / 1024


@test
def pictures_of_many_short_lived_pools_take_little_memory(top):
    folder = record(top, "pools", "pools", "300", "16", detail="states")
    for command in (["export", "--format=svg"], ["timeline"], ["replay", "--once"]):
        used = peak_memory(*command, folder)
        expect(used < 100, f"{command} takes {used:.0f} MB")


if __name__ == "__main__":
    raise SystemExit(run_tests("doze-field-"))
