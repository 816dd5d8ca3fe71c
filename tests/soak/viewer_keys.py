#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/soak/viewer_keys.py [--seconds N] [--seed N] [--live]

Presses random keys in the viewer, in pseudo-terminals of random and changing sizes, suspends it, and ends it
in every way: by key, by signal, by SIGKILL, and by closing the terminal.

After each session: the exit code is as expected, the terminal is in its earlier state, and no process or
file is left behind. While the viewer runs, it responds to each resize, and its memory stays below a
limit.
--live: also runs sessions of `doze live`; needs its own daemons (build/tests/fixtures/alone).
A failure prints the last keys, and the seed that repeats the same choices.
Exit: 0 nothing found, 1 a failure.
"""
import argparse
import fcntl
import os
import pty
import random
import select
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fixtures"))
from patience import Patience  # noqa: E402
from signals import signal_child, signal_group  # noqa: E402

DOZE = os.path.abspath(os.path.join(os.environ.get("BUILD", "build"), "doze"))
ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
MOST_MEMORY_KB = 300_000
WAIT_S = 20  # time limit for each event that is waited for
# All keys except q, F10, Ctrl-C and Ctrl-\, which exit the viewer.
KEYS = [bytes([c]) for c in range(32, 127) if c not in b"q"] + \
    [b"\t", b"\r", b"\x7f", b"\x0c", b"\x1b"] + [b"\x1b[" + bytes([c]) for c in b"ABCDHFZ"] * 3 + \
    [b"\x1b[5~", b"\x1b[6~", b"\x1bOP", b"sS"] * 3
END = {"q": (0,), "ctrl-c": (130,), "term": (143,), "hup": (129,), "kill": (-9,), "close": None}
CRASHES = {-n for n in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)}
CRASHES |= {128 - n for n in CRASHES}


class Failure(Exception):
    pass


def leader(slave, control, report, command, environment):
    """Leads the terminal's session, like a shell with job control: starts the command in the
    foreground, continues it after it was suspended, and writes lines to `report`: its pid, each
    stop, and its exit."""
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for number in (signal.SIGHUP, signal.SIGTTOU, signal.SIGTTIN, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    before = termios.tcgetattr(slave)
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(slave, os.getpid())
        for number in (signal.SIGHUP, signal.SIGTTOU, signal.SIGTTIN, signal.SIGINT, signal.SIGQUIT,
                       signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        for fd in range(3):
            os.dup2(slave, fd)
        os.closerange(3, 64)
        os.execve(command[0], command, environment)
    os.write(report, b"pid %d\n" % child)

    def is_restored():
        try:
            return termios.tcgetattr(slave) == before
        except termios.error:
            return True  # the terminal no longer exists
    while True:
        ready, _, _ = select.select([control], [], [], 0.02)
        if ready:
            signal_child(child, os.read(control, 1)[0])
        pid, status = os.waitpid(child, os.WNOHANG | os.WUNTRACED)
        if not pid:
            continue
        if os.WIFSTOPPED(status):
            os.write(report, b"stopped %d\n" % is_restored())
            try:
                os.tcsetpgrp(slave, child)
            except OSError:
                pass
            signal_group(child, signal.SIGCONT)
            continue
        limit = Patience(WAIT_S)  # after SIGKILL, the guardian restores the terminal
        while not is_restored() and not limit.is_over():
            time.sleep(0.02)
        os.write(report, b"exit %d %d\n" % (os.waitstatus_to_exitcode(status), is_restored()))
        os._exit(0)


class Session:
    """One run of the viewer in a terminal."""

    def __init__(self, command, scratch, token):
        self.master, slave = pty.openpty()
        self.resize(80, 24)
        control, self.control = os.pipe()
        self.report, report = os.pipe()
        self.token, self.scratch = token, scratch
        self.out, self.said, self.keys, self.code, self.pid = b"", b"", [], None, 0
        self.got, self.was_restored, self.stops, self.inside = 0, True, 0, False
        environment = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
                       "HOME": scratch, "TMPDIR": scratch, "DOZE_SOAK": token}
        for name in ("LTTNG_HOME", "BUILD", "TEST_ID"):
            if name in os.environ:
                environment[name] = os.environ[name]
        self.leader = os.fork()
        if self.leader == 0:
            try:
                os.close(self.master)
                leader(slave, control, report, command, environment)
            finally:
                os._exit(9)
        for fd in (slave, control, report):
            os.close(fd)

    def resize(self, width, height):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def take_report(self):
        self.said += os.read(self.report, 4096)
        *lines, self.said = self.said.split(b"\n")
        for what, *numbers in (line.split() for line in lines):
            if what == b"pid":
                self.pid = int(numbers[0])
            elif what == b"stopped":
                self.stops += 1
                if numbers[0] == b"0":
                    raise Failure("the terminal was not restored when the viewer was suspended")
            else:
                self.code, self.was_restored = int(numbers[0]), numbers[1] == b"1"

    def drain(self, seconds):
        """Reads the terminal until it has been silent for that long, but for at most five times as
        long, because slow motion draws all the time. Returns the number of bytes."""
        before, end = self.got, time.monotonic() + 5 * seconds
        while (self.master >= 0 or self.code is None) and time.monotonic() < end:
            # After the exit, the report pipe is at end of file and thus always readable, so read
            # only the terminal.
            fds = [fd for fd in (self.master, self.report if self.code is None else -1) if fd >= 0]
            ready, _, _ = select.select(fds, [], [], seconds)
            if not ready:
                break
            if self.report in ready:
                self.take_report()
            if self.master in ready:
                try:
                    text = os.read(self.master, 65536)
                except OSError:  # no process uses the terminal any more
                    text = b""
                self.got += len(text)
                self.out = (self.out + text)[-max(4096, len(text) + len(ENTER)):]
                if self.out.rfind(ENTER) != self.out.rfind(LEAVE):
                    self.inside = self.out.rfind(ENTER) > self.out.rfind(LEAVE)
                if not text:
                    break
        return self.got - before

    def wait(self, what, is_true, act=lambda: None):
        limit = Patience(WAIT_S)
        while not is_true():
            if limit.is_over():
                raise Failure(f"{what} (waited for {WAIT_S} s)")
            act()
            self.drain(0.1)

    def type(self, text):
        self.keys.append(text)
        os.write(self.master, text)

    def memory(self):
        try:
            with open(f"/proc/{self.pid}/status", encoding="utf-8") as f:
                return max((int(line.split()[1]) for line in f if line.startswith("VmRSS")), default=0)
        except OSError:
            return 0

    def signal(self, number):
        os.write(self.control, bytes([number]))

    def finish(self, way):
        """Ends the viewer in the given way and checks what it leaves behind."""
        if way == "q":
            keys = iter([b"\x1b", b"q"] * 1000)  # Esc leaves a prompt
            self.wait("q does not quit the viewer", lambda: self.code is not None, lambda: self.type(next(keys)))
        elif way == "ctrl-c":
            self.type(b"\x03")
        elif way == "close":
            os.close(self.master)
            self.master = -1
        else:
            self.signal({"term": signal.SIGTERM, "hup": signal.SIGHUP, "kill": signal.SIGKILL}[way])
        self.wait("the viewer does not exit", lambda: self.code is not None)
        if self.code in CRASHES or (END[way] and self.code not in END[way]):
            raise Failure(f"exit code {self.code} after {way}")
        if not self.was_restored:
            raise Failure(f"the terminal's modes were not restored after {way}")
        if self.master >= 0:
            self.wait(f"the alternate screen is not left after {way}", lambda: not self.inside)
        self.wait("processes are left behind", lambda: not processes_of(self.token))
        left = [f for f in os.listdir(self.scratch) if f not in ("doze-traces", ".lttng", ".local")]
        if left:
            raise Failure(f"left behind: {left}")

    def free(self):
        if self.pid and self.code is None:  # a viewer that hangs
            try:
                self.signal(signal.SIGKILL)
                self.wait("SIGKILL does not kill the viewer", lambda: self.code is not None)
            except (Failure, OSError) as e:
                print(e)
        for fd in (self.master, self.control, self.report):
            if fd >= 0:
                os.close(fd)
        if signal_child(self.leader, signal.SIGKILL):
            os.waitpid(self.leader, 0)


def processes_of(token):
    """Returns the processes, other than zombies, whose environment has the token."""
    found, text = [], f"DOZE_SOAK={token}".encode()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                if text in f.read().split(b"\0") and os.readlink(f"/proc/{pid}/exe"):
                    found.append(int(pid))
        except OSError:
            pass
    return found


def commands(live):
    recordings = "labs/lessons/recordings"
    yield [DOZE, "replay", "tests/fixtures/phases"]
    yield [DOZE, "replay", "--ascii", f"{recordings}/storm"]
    yield [DOZE, "replay", f"{recordings}/lost-wakeup"]
    yield [DOZE, "replay", "tests/fixtures/duel/jec", "tests/fixtures/duel/tickle"]
    yield [DOZE, "lesson", "storm"]
    if live:
        demo = [DOZE, "demo", "trickle", "--every-us=2000", "--jobs=10000000"]
        yield [DOZE, "live", "--workers=3", "--", *demo]
        yield [DOZE, "live", "--workers=2", "--duel=jec,tickle", "--", *demo]


def press(session, chance, steps):
    """Presses random keys, clicks, changes the size, and suspends the viewer."""
    for _ in range(steps):
        what = chance.random()
        if what < 0.1:
            width, height = chance.choice([(80, 24), (200, 50), (40, 10),
                                           (chance.randint(1, 250), chance.randint(1, 80))])
            session.resize(width, height)
        elif what < 0.12:
            stops = session.stops
            session.type(b"\x1a")
            session.wait("Ctrl-Z does not suspend it", lambda: session.stops > stops or session.code is not None)
        elif what < 0.2:
            at = (chance.choice([0, 0, 64, 65]), chance.randint(1, 220), chance.randint(1, 60))
            session.type(b"\x1b[<%d;%d;%dM\x1b[<%d;%d;%dm" % (at + at))
        else:
            session.type(b"".join(chance.choices(KEYS, k=chance.randint(1, 12))))
        session.drain(0.01)
        if session.code is not None:
            return
    got = session.got
    sizes = iter([(81, 25), (80, 24)] * 1000)
    session.wait("a resize is not answered", lambda: session.got > got or session.code is not None,
                 lambda: session.resize(*next(sizes)))


def run(command, chance, token):
    scratch = tempfile.mkdtemp(prefix="doze-keys-")
    session = Session(command, scratch, token)
    way = chance.choice(list(END))
    try:
        session.wait("no screen", lambda: session.inside or session.code is not None)
        session.drain(0.05)
        press(session, chance, chance.randint(20, 200))
        memory = session.memory()
        if memory > MOST_MEMORY_KB:
            raise Failure(f"{memory} KB of memory")
        if session.code is None:
            session.finish(way)
        elif session.code != 0 or command[1] != "lesson":
            raise Failure(f"it exited by itself with code {session.code}")
        return len(session.keys), memory, session.stops
    except Failure as e:
        print(f"{' '.join(command)}: {e}\nlast keys: {session.keys[-12:]}\nscreen: {session.out[-400:]!r}")
        raise
    finally:
        session.free()
        shutil.rmtree(scratch, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--live", action="store_true")
    args = parser.parse_args()
    seed = args.seed if args.seed is not None else int.from_bytes(os.urandom(4), "big")
    chance = random.Random(seed)
    end = time.monotonic() + args.seconds
    sessions = keys = stops = most = 0
    all_commands = list(commands(args.live))
    while time.monotonic() < end or sessions < len(all_commands):
        try:
            n, memory, stopped = run(all_commands[sessions % len(all_commands)], chance, f"{os.getpid()}-{sessions}")
        except Failure:
            print(f"failed in session {sessions + 1} with --seed {seed}")
            return 1
        sessions, keys, stops, most = sessions + 1, keys + n, stops + stopped, max(most, memory)
    print(f"{sessions} sessions, {keys} bursts of keys, {stops} suspensions, at most {most} KB: nothing found (seed {seed})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
