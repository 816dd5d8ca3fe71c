# SPDX-License-Identifier: MIT
"""The trace hooks of a run, as the explorer writes them, and their text for students."""
STATES = ["none", "active", "idle", "sleepy", "sleeping", "blocked", "stopped", "suspended"]
LATCH = ["UNSET", "SLEEPY", "SLEEPING", "SET", "SUSPENDED"]
QUEUES = ["none", "its own deque", "the injector", "the broadcast queues"]
SOURCES = ["none", "local", "stolen", "injected", "broadcast", "inline", "helped"]


class Event:
    def __init__(self, line):
        words = line.split()
        self.time, self.name, self.worker = int(words[0]), words[1], int(words[3])
        self.fields = dict(word.split("=", 1) for word in words[4:])
        self.hidden = False  # the form asks for the new state
        self.bare = False    # the form must not show the old state, which would reveal another answer

    def who(self):
        return "outside" if self.worker < 0 else "w%d" % self.worker

    def word(self, which):
        return int(self.fields[which], 16) if which in self.fields else None

    def number(self, which):
        return int(self.fields[which])

    def text(self):
        """Describes the event without the values that the form asks for. Returns None if the event
        is not shown."""
        f = self.fields
        if self.name == "worker_state" and self.hidden:
            return "%s changes its state" % self.who()
        if self.name == "worker_state" and self.bare:
            return "%s is now %s" % (self.who(), STATES[int(f["to"])])
        if self.name == "worker_state":
            return "%s %s -> %s" % (self.who(), STATES[int(f["from"])], STATES[int(f["to"])])
        if self.name == "post":
            return "%s posts %s job to %s, which %s empty" % (
                self.who(), f["jobs"], QUEUES[int(f["queue"])], "was" if f["was_empty"] == "1" else "was not")
        if self.name == "wake":
            woken = "w" + f["target"] if int(f["target"]) >= 0 else "one of the sleepers"
            return "%s wakes %s" % (self.who(), woken)
        if self.name == "sleep_abort":
            return "%s does not sleep after all" % self.who()
        if self.name in ("blocked", "unblocked"):
            return "w%d is marked as %s" % (self.worker, self.name)
        if self.name == "job_start":
            return "%s starts a job%s" % (self.who(), "" if self.hidden else ", " + SOURCES[int(f["source"])])
        if self.name == "latch":
            return "%s makes a step on latch %d of w%s" % (self.who(), int(f["id"]) & 0xff, f["owner"])
        return None


def workers_of(events):
    """Returns the pool's number of workers, or 0 if its start is not among the events."""
    return next((e.number("workers") for e in events if e.name == "pool_start"), 0)
