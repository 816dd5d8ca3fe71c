#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# What a command and the viewer show in a terminal while they read a recording for more than two
# seconds, and that Ctrl-C and q end them then, without leaving anything behind. A process that has
# begun to read is stopped for two seconds, so that the recording need not be large. Runs in the top
# folder; $BUILD is the build folder.
import os
import pty
import re
import resource
import select
import signal
import sys
import tempfile
import termios
import time

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402
from signals import signal_child  # noqa: E402
from synthetic import BUILD, DOZE, ok, run_all  # noqa: E402

EVENTS = 1000000
PAUSE_S = 2.2
LEFT = rb"\d+ %, about \d+ (s|min) left"


class Terminal:
    """A command in a terminal of its own. TMPDIR is `where`."""

    def __init__(self, where, *args):
        self.out = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            # A shell starts background jobs with these signals ignored, and children inherit that.
            for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_DFL)
            os.environ.update(TMPDIR=where, TERM="xterm-256color", LC_ALL="C.UTF-8", LINES="24", COLUMNS="80")
            os.execv(DOZE, [DOZE, *args])
        self.before = termios.tcgetattr(self.fd)

    def read(self):
        """Collects what has been printed. Returns whether the command is still running."""
        if select.select([self.fd], [], [], 0.005)[0]:
            try:
                self.out += os.read(self.fd, 65536)
            except OSError:  # it has ended
                return False
        return True

    def pause_once(self, reads, keys=b""):
        """Stops the command for PAUSE_S once reads() holds. Types the keys before it goes on, so that they
        arrive while it reads, however slow this program is."""
        limit = patience.Patience(30)
        while not reads():
            if not self.read() or limit.is_over():
                raise patience.Unstable("the command has ended, or not begun to read")
        signal_child(self.pid, signal.SIGSTOP)
        time.sleep(PAUSE_S)
        if keys:
            os.write(self.fd, keys)
        signal_child(self.pid, signal.SIGCONT)

    def reads(self):
        """Returns whether the command reads on a second thread."""
        return len(os.listdir(f"/proc/{self.pid}/task")) > 1

    def cpu_s(self):
        """Returns how much CPU time the command has used."""
        with open(f"/proc/{self.pid}/stat", encoding="utf-8") as f:
            fields = f.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def shows(self, pattern):
        limit = patience.Patience(30)
        while not re.search(pattern, self.out):
            if not self.read() or limit.is_over():
                return bool(re.search(pattern, self.out))
        return True

    def end(self, keys=b""):
        """Types the keys. Returns the exit code, -N for signal N."""
        if keys:
            os.write(self.fd, keys)
        limit = patience.Patience(30)
        while self.read() and not limit.is_over():
            pass
        signal_child(self.pid, signal.SIGCONT)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def cpu_of(*args):
    """Runs the command to its end. Returns the CPU time that it has used, s."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    patience.run([DOZE, *args], capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def commands(where, trace):
    # On its only thread, a command first opens the trace, which is a small part of its work.
    half = cpu_of("timeline", "--phase=none", trace) / 2
    for what, args in ((b"reading", ["storms", "--no-summary", trace]), (b"finding the phase", ["timeline", "--phase=none", trace]),
                       (b"reading", ["replay", "--once", "--no-summary", trace])):
        t = Terminal(where, *args)
        t.pause_once((lambda t=t: t.cpu_s() > half) if "--phase=none" in args else t.reads)
        line = rb"\r" + what + b": " + LEFT
        if not t.shows(line) and "--phase=none" in args:
            # This program may see too late that it has begun.
            raise patience.Unstable("it had read almost everything before it was stopped")
        ok(f"{args[0]} shows its progress in a terminal", t.shows(line), t.out[-300:])
        t.end()
        shown = re.findall(line + rb" *", t.out)
        rest = t.out[t.out.rindex(b" left"):] if shown else b""
        ok("  and clears it at the end", re.search(rb" left *\r {20,}\r", rest), rest[:200])


def not_in_a_terminal(trace):
    p = patience.run([DOZE, "storms", "--no-summary", trace], capture_output=True)
    ok("without a terminal, no progress is printed", p.returncode == 0 and not p.stderr, p.stderr)


def ctrl_c(where, trace):
    for args in (["storms", "--no-summary", trace], ["export", "--format=json", "-o", f"{where}/out.json", trace]):
        t = Terminal(where, *args)
        t.pause_once(t.reads, b"\x03")
        ok(f"Ctrl-C ends {args[0]} while it reads", (code := t.end()) == -signal.SIGINT, code)
        ok("  and nothing is left behind", not os.listdir(where), os.listdir(where))


def viewer(where, trace):
    for keys, code in {b"q": 0, b"\x03": 128 + signal.SIGINT}.items():
        t = Terminal(where, "replay", "--no-summary", trace)
        t.pause_once(lambda t=t: b"reading" in t.out)
        ok("the viewer shows its progress", t.shows(LEFT), t.out[-300:])
        ended = t.end(keys)
        ok(f"  {keys} ends it", ended == code, f"{ended}")
        ok("  it leaves the full screen", t.out.rindex(b"\x1b[?1049l") > t.out.rindex(b"\x1b[?1049h"), t.out[-100:])
        ok("  and nothing is left behind", not os.listdir(where), os.listdir(where))


def main():
    with tempfile.TemporaryDirectory(prefix="doze-progress-") as top:
        trace, where = f"{top}/trace", f"{top}/tmp"
        os.mkdir(where)
        patience.run([f"{BUILD}/tests/fixtures/make-trace", trace, str(EVENTS)], check=True)
        commands(where, trace)
        not_in_a_terminal(trace)
        ctrl_c(where, trace)
        viewer(where, trace)
    return 0


sys.exit(run_all(main))
