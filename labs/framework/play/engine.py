# SPDX-License-Identifier: MIT
"""The explorer as the game's engine: a process that executes the steps (labs/explorer/play.c)."""
import collections
import subprocess

from ..course import INPUT, Stop
from ..run_events import Event


class Thread:
    def __init__(self, number, name, status, function, step, place, expects, may_wake):
        self.number, self.name, self.status = int(number), name, status
        self.function, self.step, self.place, self.expects = function, step, place, expects
        self.may_wake = may_wake == "1"
        self.buffer = []   # (variable, value), oldest first
        self.choices = []  # the alternatives of the step, if there are several


Variable = collections.namedtuple("Variable", "name size value address")


class State:
    """The state that play_show.c prints."""

    def __init__(self, lines):
        self.threads, self.variables, self.freed, self.locks = [], [], [], []
        self.steps, self.events, self.rows, self.met = [], [], [], []
        for line in lines:
            kind, *fields = line.split("\t")
            getattr(self, "take_" + kind)(*fields)

    def take_thread(self, *fields):
        self.threads.append(Thread(*fields))

    def take_choice(self, thread, _number, words):
        self.threads[int(thread)].choices.append(words)

    def take_buffered(self, thread, variable, value):
        self.threads[int(thread)].buffer.append((variable, int(value)))

    def take_variable(self, name, size, value, address):
        self.variables.append(Variable(name, int(size), int(value), int(address)))

    def take_freed(self, name):
        self.freed.append(name)

    def take_lock(self, name, owner):
        self.locks.append((name, owner))

    def take_step(self, text, place=""):
        self.steps.append((text, place))

    def take_event(self, text):
        self.events.append(Event(text))

    def take_row(self, label, text):
        self.rows.append((label, text))

    def take_met(self, text):
        self.met.append(text)

    def take_game(self, moves, known, phase, message):
        self.moves, self.known, self.phase, self.message = int(moves), int(known), phase, message


class Refused(Exception):
    """The engine refused a request. The message says why."""


class Engine:
    def __init__(self, program, arguments):
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen([program, "--play"] + arguments, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        self.state = self.answer()

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            said = self.process.stderr.read().strip().splitlines()
            raise Stop(said[-1] if said else "the explorer exited without a message", INPUT)
        return line.rstrip("\n")

    def answer(self):
        lines = []
        while True:
            line = self.line()
            if line == ".":
                return State(lines)
            if line.startswith("error\t"):
                raise Refused(line.split("\t", 1)[1])
            if line.startswith("quest\t"):
                return line.split("\t", 1)[1]
            lines.append(line)

    def ask(self, command):
        """Sends a command. Returns the state after it or, for hint, proof and poll, the last report
        of the search."""
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # line() reports the reason
        answer = self.answer()
        if isinstance(answer, State):
            self.state = answer
        return answer

    def cpu(self):
        """Returns the CPU time of the process so far, in ms; 0 if the system does not report it."""
        try:
            with open("/proc/%d/schedstat" % self.process.pid, encoding="ascii") as file:
                return int(file.read().split()[0]) / 1e6
        except (OSError, ValueError):
            return 0

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.stderr.close()
        self.process.wait()
