#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what the live viewer costs, and compares it with goals: CPU time, bytes to the terminal, memory,
and the time that it takes to respond to a key.

`doze live` runs on a pseudo-terminal opened by this program, on `doze demo trickle` at several rates. The event
rate is taken from an earlier short recording of the same program. The last measurement is a flood of about
50,000 events per second for 60 s in a tmux terminal, whose title shows the delay and lost events.

Usage: viewer.py [SECONDS [SECONDS OF THE FLOOD]]    (per measurement; default 10 and 60)
Environment: BUILD
Exit: 0; 1 a goal was missed; 77 cannot run here.
"""
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/fixtures"))
from signals import signal_child  # noqa: E402

DOZE = os.path.join(ROOT, os.environ.get("BUILD", "build"), "doze")
SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
FLOOD_SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
TICK = os.sysconf("SC_CLK_TCK")
missed = []


def program(every_us):
    return [DOZE, "demo", "trickle", "--every-us=%d" % every_us, "--jobs=10000000"]


def events_per_second(every_us, folder):
    """Returns the event rate, from a recording of 2 s of posts."""
    trace = os.path.join(folder, "rate%d" % every_us)
    jobs = "--jobs=%d" % (2000000 // every_us)
    begun = time.monotonic()
    subprocess.run([DOZE, "record", "-o", trace, "--workers=4", "--", *program(every_us)[:-1], jobs],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, check=False)
    took = time.monotonic() - begun
    text = subprocess.run([DOZE, "export", "--format=json", trace], stdout=subprocess.PIPE, timeout=120,
                          check=False).stdout
    return text.count(b"\n") / min(took, 2.0)


class Viewer:
    """A `doze live` on a pseudo-terminal."""

    def __init__(self, width, height, every_us):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
            os.environ.pop("NO_COLOR", None)
            os.execv(DOZE, [DOZE, "live", "--workers=4", "--", *program(every_us)])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.read(60, until=b"story")
        self.read(4)

    def read(self, seconds, until=None):
        """Reads the terminal for the given number of seconds or until the text appears. Returns the
        number of bytes read."""
        end, n, tail = time.monotonic() + seconds, 0, b""
        while time.monotonic() < end:
            if not select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]:
                break
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                break
            n += len(data)
            tail = (tail + data)[-4096:]
            if until and until in tail:
                break
        return n

    def cpu(self):
        with open("/proc/%d/stat" % self.pid, encoding="ascii", errors="replace") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def megabytes(self):
        with open("/proc/%d/status" % self.pid, encoding="ascii") as f:
            for line in f:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
        return 0.0

    def measure(self):
        """Returns the CPU share in percent, and KB/s."""
        cpu, begun = self.cpu(), time.monotonic()
        n = self.read(SECONDS)
        took = time.monotonic() - begun
        return 100 * (self.cpu() - cpu) / took, n / 1000 / took

    def press(self, key):
        os.write(self.fd, key)
        self.read(0.5)

    def answer_ms(self):
        """Presses ten keys on a paused screen, on which nothing else is drawn. Returns the median
        and the largest delay."""
        took = []
        for i in range(10):
            self.read(0.3)
            begun = time.monotonic()
            os.write(self.fd, b"jk"[i % 2:i % 2 + 1])
            select.select([self.fd], [], [], 2)
            took.append(1000 * (time.monotonic() - begun))
        return sorted(took)[5], max(took)

    def quit(self):
        os.write(self.fd, b"q")
        self.read(30)
        for _ in range(600):
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                os.close(self.fd)
                return
            time.sleep(0.05)
        signal_child(self.pid, signal.SIGTERM)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def say(what, value, unit, goal):
    ok = goal is None or value <= goal
    if not ok:
        missed.append(what)
    print("%-52s %8.1f %-5s %s" % (what, value, unit, "" if goal is None else
                                   "goal %g%s" % (goal, "" if ok else "  MISSED")), flush=True)


def bench(folder, width, height, every_us, goal_cpu, goal_kb):
    rate = events_per_second(every_us, folder)
    v = Viewer(width, height, every_us)
    name = "%dx%d, %.0f events/s" % (width, height, rate)
    cpu, kb = v.measure()
    say(name + ": CPU", cpu, "%", goal_cpu)
    say(name + ": output to the terminal", kb, "KB/s", goal_kb)
    v.press(b"0")
    cpu, kb = v.measure()
    say(name + ", zoomed out: CPU", cpu, "%", 5)
    v.press(b"f")
    v.press(b" ")
    cpu, kb = v.measure()
    say(name + ", paused: output to the terminal", kb, "KB/s", 0)
    say(name + ", paused: CPU (still reading)", cpu, "%", goal_cpu)
    median, worst = v.answer_ms()
    say(name + ", response to a key, median", median, "ms", 50)
    say(name + ", response to a key, slowest", worst, "ms", 50)
    say(name + ", memory", v.megabytes(), "MB", None)
    v.quit()


def tmux(*args):
    return subprocess.run(["tmux", "-L", "doze-bench-%d" % os.getpid(), *args], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, timeout=30, check=False).stdout


def flood(folder, every_us):
    """Watches a flood of events, and measures how far the viewer falls behind and whether events
    are lost."""
    rate = events_per_second(every_us, folder)
    name = "80x24, %.0f events/s for %.0f s" % (rate, FLOOD_SECONDS)
    live = [DOZE, "live", "--workers=4", "--", *program(every_us)]
    tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "env", "LC_ALL=C.UTF-8", *live)
    behind, screens, lost = 0.0, 0, 0
    begun = time.monotonic()
    while time.monotonic() < begun + FLOOD_SECONDS:
        title = tmux("capture-pane", "-p").partition("\n")[0]
        shown = re.search(r"([0-9.]+) s behind", title)
        if shown:
            screens += 1
            behind = max(behind, float(shown.group(1)))
            lost += "no events lost" not in title
        time.sleep(0.25)
    tmux("send-keys", "q")
    for _ in range(120):
        if not tmux("list-sessions"):
            break
        tmux("send-keys", "y")  # the viewer asks before it deletes a session with findings
        time.sleep(0.5)
    tmux("kill-server")
    if not screens:
        raise SystemExit("viewer.py: the title never showed a delay")
    say(name + ": longest delay", 1000 * behind, "ms", 300)
    say(name + ": of %d screens, with lost events" % screens, lost, "", 0)


def main():
    if not shutil.which("lttng-sessiond") or not os.access(DOZE, os.X_OK):
        print("skipped: LTTng or %s is missing" % DOZE)
        return 77
    with tempfile.TemporaryDirectory(prefix="doze-bench-") as folder:
        bench(folder, 80, 24, 30000, 3, 20)
        bench(folder, 200, 50, 12000, 5, 40)
        if shutil.which("tmux"):
            flood(folder, 550)
    print("%d goals missed%s" % (len(missed), ": " + "; ".join(missed) if missed else ""))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
