#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# What doze keeps of a large recording: the answers are the same with and without the summary, a
# known recording is not read again, and a changed or damaged one is. Runs in the top folder; $BUILD
# is the build folder.
import ctypes
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from synthetic import BUILD, DOZE, ok, run_all  # noqa: E402

EVENTS = 450000  # 34 MB: smaller recordings have no summary
LONG = ["--size=120x40", "--once"]


def doze(*args):
    p = patience.run([DOZE, *args], capture_output=True)
    return p.returncode, p.stdout, p.stderr


def summary(trace):
    return f"{trace}/.doze-summary"


IN_OPEN, IN_CREATE = 0x20, 0x100


def names_in(folder, what, *command):
    """Returns the names of the files in the folder that the command opens or creates, as inotify reports them."""
    libc = ctypes.CDLL(None)
    fd = libc.inotify_init1(os.O_NONBLOCK)
    assert libc.inotify_add_watch(fd, os.fsencode(folder), what) >= 0
    doze(*command)
    try:
        return os.read(fd, 1 << 16)
    except BlockingIOError:
        return b""
    finally:
        os.close(fd)


def opens_events(command, trace):
    return b"stream" in names_in(trace, IN_OPEN, command, trace)


def same_answers(trace):
    for args in (["storms"], ["storms", "--json"], ["storms", "--histogram"], ["diagnose"], ["diagnose", "--json"],
                 ["diagnose", "--from=0.1", "--to=0.5"], ["storms", "--fail-if=futile>0"], ["diagnose", "--fail-if=storm"]):
        bare = doze(*args, "--no-summary", trace)
        if os.path.exists(summary(trace)):
            os.unlink(summary(trace))
        ok(f"{' '.join(args)}: the reading that makes a summary", doze(*args, trace) == bare)
        ok("  makes one", os.path.exists(summary(trace)))
        ok("  and from the summary", doze(*args, trace) == bare)
    ok("storms reads no events then", not opens_events("storms", trace))
    os.unlink(summary(trace))
    ok("  without a summary, it does", opens_events("storms", trace))


def ranges(trace):
    draw = random.Random(33)
    for _ in range(10):
        a, b = sorted(draw.uniform(0, 3) for _ in range(2))
        args = ["diagnose", f"--from={a:.6f}", f"--to={b:.6f}", trace]
        ok(f"{' '.join(args[:3])}", doze(*args) == doze(*args, "--no-summary"))
    for args in (["storms"], ["storms", "--json", "--worker=0-1"], ["check"], ["timeline"], ["export", "--format=json"],
                 ["export", "--format=svg"], ["report", "-o", "-"]):
        a = draw.uniform(0, 2)
        args += [f"--from={a:.6f}", f"--to={a + draw.uniform(0, 0.5):.6f}", trace]
        ok(f"{' '.join(args[:-1])}", doze(*args) == doze(*args, "--no-summary"))


def reads_only_the_range(trace, top):
    """A range is read alone from a copy of its packets in the folder for temporary files."""
    folder = f"{top}/temporary"
    os.mkdir(folder)
    os.environ["TMPDIR"] = folder
    part = ["storms", "--from=1", "--to=1.01", trace]
    ok("a range is read alone", b"doze-" in names_in(folder, IN_CREATE, *part))
    ok("  unless the summary may not be used", not names_in(folder, IN_CREATE, *part, "--no-summary"))
    ok("  or the range belongs to a pool", not names_in(folder, IN_CREATE, *part, "--pool=1"))
    ok("  and no copy is left", not os.listdir(folder))
    del os.environ["TMPDIR"]


def phases(trace):
    ask = [["storms", "--phase=2", trace], ["timeline", "--phase=4", trace], ["compare", "--phase=1", trace, trace]]
    read = [doze(*args) for args in ask]
    bare = [doze(*args, "--no-summary") for args in ask[:2]]
    ok("a phase is found in a recording without a summary", read[:2] == bare and not any(r[0] for r in read), read)
    doze("diagnose", trace)
    ok("  and with one", [doze(*args) for args in ask] == read)
    by_name, by_time = (names_in(trace, IN_OPEN, "storms", *args, trace).count(b"stream\0")
                        for args in (["--phase=2"], ["--from=40.2", "--to=60.2"]))
    ok("  then nothing is read to find it", by_name == by_time > 0, (by_name, by_time))
    code, _, err = doze("storms", "--phase=9", trace)
    ok("  and an unknown one is reported", code == 2 and b"it has: 1, 2, 3, 4" in err, err)


def is_small(trace):
    size = sum(os.path.getsize(f"{trace}/{f}") for f in os.listdir(trace) if f != ".doze-summary")
    share = os.path.getsize(summary(trace)) / size
    ok("the summary takes at most a hundredth of the recording", share <= 0.01, share)
    ok("  and nothing else was left", [f for f in os.listdir(trace) if "summary" in f] == [".doze-summary"])


def split(screen):
    """Returns the lines of a screen without the legend, whose glyphs depend on the wakes' columns, and
    without the rows of wakes; and the number of wakes in these."""
    rows = [line for line in screen.decode().splitlines() if re.match("█work| {14}.*[▲△▴]", line)]
    others = [line.ljust(120) for line in screen.decode().splitlines() if line not in rows]
    return others, sum(int(n) for row in rows if row[0] == " " for n in re.findall(r"\d+", row))


def screens(trace):
    """In the picture of a loaded recording, a few columns may differ, and wakes be counted in the next
    column, or its number be left out for lack of room there (viz/viewer/README.md)."""
    for keys in ("", "g", "t0.5\\n", "++++", "]", "3"):
        bare = doze("replay", "--no-summary", *LONG, f"--keys={keys}", trace)
        first = doze("replay", *LONG, f"--keys={keys}", trace)
        again = doze("replay", *LONG, f"--keys={keys}", trace)
        ok(f"replay, keys '{keys}': ends well", bare[0] == first[0] == again[0] == 0, again[2])
        (a, wakes), (b, known) = split(bare[1]), split(again[1])
        differ = sum(x != y for p, q in zip(a, b) for x, y in zip(p, q))
        same = len(a) == len(b) and differ <= 24 and abs(wakes - known) <= 0.1 * wakes
        ok("  shows the same from the summary", same, f"{differ} cells differ, {wakes} wakes, {known} from the summary\n" +
           "\n".join(a + b))


def changed(trace):
    bare = doze("storms", trace)
    old = os.stat(summary(trace))
    os.utime(f"{trace}/metadata")
    ok("a recording whose files have changed is read again", opens_events("storms", trace))
    ok("  the answer is the same", doze("storms", trace) == bare)
    ok("  and the summary new", os.stat(summary(trace)).st_mtime_ns != old.st_mtime_ns)


def damaged(trace):
    bare = doze("storms", trace)
    data = open(summary(trace), "rb").read()
    draw = random.Random(34)
    for _ in range(15):
        at = draw.randrange(len(data))
        with open(summary(trace), "r+b") as f:
            if draw.random() < 0.5:
                f.seek(at)
                f.write(bytes([data[at] ^ 1 << draw.randrange(8)]))
            else:
                f.truncate(at)
        if doze("storms", trace) != bare:
            ok(f"damage at byte {at}", False)
            return
        with open(summary(trace), "wb") as f:
            f.write(data)
    ok("damaged summaries change no answer", True)


class Damage:
    """Damage to a recording, which is repaired at the end: a changed byte, or a file whose end is missing."""

    def __init__(self, trace, draw):
        files = sorted(f for f in os.listdir(trace) if not f.startswith("."))
        self.path = f"{trace}/{draw.choice(files)}"
        with open(self.path, "rb") as f:
            self.data = f.read()
        self.at = draw.randrange(len(self.data))
        self.bit = draw.choice([None, *range(8)])

    def __enter__(self):
        with open(self.path, "r+b") as f:
            if self.bit is None:
                f.truncate(self.at)
            else:
                f.seek(self.at)
                f.write(bytes([self.data[self.at] ^ 1 << self.bit]))
        return f"{os.path.basename(self.path)}, byte {self.at}, {'cut' if self.bit is None else f'bit {self.bit}'}"

    def __exit__(self, *_):
        with open(self.path, "wb") as f:
            f.write(self.data)


def own_lines(result):
    """Leaves out what Babeltrace prints before it aborts, which has the time and the process."""
    code, out, err = result
    return code, out, [line for line in err.splitlines() if line.startswith(b"doze: ")]


def damaged_recordings(trace, number):
    """A damaged recording gives the same answers with and without a summary."""
    draw = random.Random(35)
    for _ in range(number):
        with Damage(trace, draw) as what:
            part = [f"--from={draw.uniform(0, 1.5):.6f}", "--to=1.6"]
            for args in (["storms"], ["diagnose"], ["check", *part], ["why", trace, "1.2s"]):
                args += [] if trace in args else [trace]
                bare = own_lines(doze(*args, "--no-summary"))
                if not own_lines(doze(*args)) == own_lines(doze(*args)) == bare:
                    ok(f"damage in {what}: {args[0]}", False, bare)
                    return
    ok(f"{number} damaged recordings give the same answers", True)


def main():
    with tempfile.TemporaryDirectory(prefix="doze-summary-") as top:
        trace = f"{top}/trace"
        patience.run([f"{BUILD}/tests/fixtures/make-trace", trace, str(EVENTS)], check=True)
        same_answers(trace)
        ranges(trace)
        reads_only_the_range(trace, top)
        is_small(trace)
        screens(trace)
        is_small(trace)
        changed(trace)
        damaged(trace)
        damaged_recordings(trace, int(os.environ.get("DAMAGED", "6")))
        patience.run([f"{BUILD}/tests/fixtures/make-trace", f"{top}/marks", str(EVENTS), "8", "1", "1", "marks"], check=True)
        phases(f"{top}/marks")
    return 0


sys.exit(run_all(main))
