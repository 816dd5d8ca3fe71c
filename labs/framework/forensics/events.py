# SPDX-License-Identifier: MIT
"""One event of a trace, read from a line of the explorer's --events, and shown in a numbered list."""
from .. import run_events

CAUSES = ["none", "push", "inject", "latch", "job_done", "work_found", "broadcast", "terminate"]
ABORTS = ["none", "jec", "latch", "injector", "broadcast", "tickled", "recheck"]
QUEUES = ["none", "local", "injector", "broadcast"]
STEALS = ["none", "success", "empty", "retry", "moved"]
NAMES = {("worker_state", "from"): run_events.STATES, ("worker_state", "to"): run_events.STATES,
         ("latch", "from"): run_events.LATCH, ("latch", "to"): run_events.LATCH, ("post", "queue"): QUEUES,
         ("job_start", "source"): run_events.SOURCES, ("wake", "cause"): CAUSES, ("sleep_abort", "by"): ABORTS,
         ("steal", "result"): STEALS}
SHOWN = {  # the fields that the list shows, for each kind of event
    "pool_start": ["policy", "workers"], "worker_state": ["from", "to"], "latch": ["latch", "from", "to"],
    "post": ["queue", "jobs", "was_empty", "idle", "sleeping", "wakes", "decision"], "job_start": ["job", "source"],
    "job_end": ["job"], "wake": ["target", "cause", "wake", "decision"], "woken": ["wake"], "sleep_abort": ["by"],
    "steal": ["victim", "result", "job"], "lost": ["events"]}
OUTSIDE = "outside"
WORKER_BITS = 44


class Word:
    """The counters word: how many workers sleep, how many are inactive, the JEC."""

    def __init__(self, text):
        value = int(text, 16)
        self.sleeping, self.inactive, self.jec = value & 0xffff, value >> 16 & 0xffff, value >> 32

    def __eq__(self, other):
        return str(self) == str(other)

    def __str__(self):
        return "%d,%d,%d" % (self.sleeping, self.inactive, self.jec)


def who(worker):
    return OUTSIDE if int(worker) < 0 else "w%d" % int(worker)


class Event:
    """One event. `actor` is the thread that caused it: w0, w1, … or outside."""

    def __init__(self, line):
        words = line.split()
        self.line, self.step, self.name, self.actor = line.rstrip("\n"), int(words[0]), words[1], who(words[3])
        fields = dict(word.split("=", 1) for word in words[4:] if "=" in word)
        self.old = Word(fields.pop("old")) if "old" in fields else None
        self.new = Word(fields.pop("new")) if "new" in fields else None
        self.fields = self.in_words(fields)

    def in_words(self, fields):
        """Returns the fields with names in place of the numbers of threads and enum values."""
        for key in ("target", "owner", "victim"):
            if key in fields:
                fields[key] = who(fields[key])
        for (name, key), words in NAMES.items():
            if name == self.name:
                fields[key] = words[int(fields[key])]
        for short in ("wake", "decision"):
            if short + "_id" in fields:
                fields[short] = fields.pop(short + "_id")
        if "job" in fields and int(fields["job"]) >> WORKER_BITS:  # a worker's own job: the id contains the worker's number
            number = int(fields["job"])
            fields["job"] = "%s.%d" % (who((number >> WORKER_BITS) - 1), number & (1 << WORKER_BITS) - 1)
        if self.name == "latch":  # the latch's id also contains the owner's index
            fields["latch"] = "%s.%d" % (fields["owner"], int(fields["id"]) & 0xff)
        return fields

    def __getitem__(self, key):
        return self.fields.get(key)

    def number(self, key):
        return int(self.fields[key])

    def becomes(self, state):
        return self.name == "worker_state" and self["to"] == state

    def text(self):
        shown = " ".join("%s=%s" % (key, self[key]) for key in SHOWN.get(self.name, []) if self[key] is not None)
        words = "" if self.old is None else " word=%s" % self.old + ("" if self.old == self.new else " -> %s" % self.new)
        return ("%6.2f  %-8s %-12s %s%s" % (self.step / 100, self.actor, self.name, shown, words)).rstrip()


def listing(events):
    """Returns the numbered list. Numbers begin with 1."""
    return "\n".join("%3d  %s" % (i + 1, e.text()) for i, e in enumerate(events)) + "\n"
