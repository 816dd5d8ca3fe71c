# SPDX-License-Identifier: MIT
"""Solves lab 9 from the lists of events, in one pass over each. It shares no code with the grader.

detective(lines) returns {fault, culprit, first, evidence, fix}, in a student's notation."""


class Line:
    """One event. `old` and `new` are (sleeping, inactive, JEC) before and after it."""

    def __init__(self, text):
        head, _, word = text.partition(" word=")
        number, _, self.who, self.name, *fields = head.split()
        self.number, self.field = int(number), dict(field.split("=") for field in fields)
        before, _, after = word.partition(" -> ")
        self.old = tuple(int(n) for n in before.split(",")) if word else None
        self.new = tuple(int(n) for n in after.split(",")) if after else self.old


class Case:
    def __init__(self):
        self.findings = []                      # (first bad event, fault, culprit, evidence, fix)
        self.state, self.since = {}, {}         # state of each worker; the event that began it
        self.sleepy, self.counted = {}, {}      # the event `sleepy`, and its JEC; the event active -> idle
        self.moves, self.even = {}, []          # {JEC: the post that set it}; posts that left the JEC even
        self.latch, self.owing = {}, {}         # the owner's last step; setters that still owe a wake
        self.decided, self.started = {}, {}
        self.deciding, self.lost = {}, None     # each thread's last decision; the event that reports a loss

    def accuse(self, line, fault, evidence, fix, culprit=None):
        self.findings.append((line.number, fault, culprit or line.who, evidence, fix))

    def worker_state(self, line):
        then, who = line.field["to"], line.who
        if then == "sleeping":
            self.look_at_sleep(line, who)
        idle = [s in ("idle", "sleepy", "sleeping") for s in (line.field["from"], then)]
        if line.new[1] - line.old[1] != idle[1] - idle[0]:
            self.accuse(line, "miscount", [self.counted.get(who)], "count-the-find")
        if line.field["from"] == "active":
            self.counted[who] = line.number
        if then == "sleepy":
            self.sleepy[who] = line.number, line.new[2]
        self.state[who], self.since[who] = then, line.number

    def look_at_sleep(self, line, who):
        at, jec = self.sleepy[who]
        if jec != line.old[2]:
            self.accuse(line, "lost-wakeup", [at, self.moves[line.old[2]]], "compare-jec")
        if self.latch.get(who, (0, ""))[1] != "SLEEPING":
            self.accuse(line, "hang-on-latch", [self.latch[who][0]], "mark-the-latch")
        for post in self.even:
            if at < post.number and post.new[2] == line.old[2]:
                self.accuse(post, "lost-wakeup", [at, line.number], "count-the-post")

    def post(self, line):
        jobs, idle, sleeping, wakes = (int(line.field[f]) for f in ("jobs", "idle", "sleeping", "wakes"))
        self.deciding[line.who] = line
        self.decided[line.field["decision"]] = [line, wakes, 0]
        if line.old[2] != line.new[2]:
            self.moves[line.new[2]] = line.number
        if line.new[2] % 2 == 0:
            self.even.append(line)
        left = max(jobs - idle, 0) if line.field["was_empty"] == "1" else jobs
        needed = min(left, sleeping)
        self.decided[line.field["decision"]].append(needed)
        if wakes < needed:
            self.accuse(line, "under-wake", self.sleepers()[:1], "wake-for-each-job")

    def sleepers(self):
        return [self.since[w] for w, s in sorted(self.state.items()) if s == "sleeping"]

    def wake(self, line):
        target = line.field["target"]
        if line.new[0] != line.old[0] - 1:
            self.accuse(line, "miscount", [self.since[target]], "count-the-wake")
        self.state[target] = "woken"
        for setter in [s for s, debt in self.owing.items() if debt[1] == target]:
            del self.owing[setter]
        decision = self.decided.get(line.field["decision"])
        if decision:
            decision[2] += 1
            self.look_at_wakes(line, *decision)

    def look_at_wakes(self, line, post, wakes, done, needed):
        if done > needed and wakes > needed:
            self.accuse(post, "storm", [line.number], "wake-what-jobs-need")
        elif done > wakes:
            self.accuse(line, "storm", [post.number], "obey-the-decision")

    def latch_step(self, line):
        owner, step = line.field["latch"].split(".")[0], line.field["to"]
        if line.who == owner and step != "SET":
            self.latch[owner] = line.number, step
        if step == "SET" and line.field["from"] == "SLEEPING":
            self.deciding[line.who] = line
            if self.state.get(owner) == "sleeping":
                self.owing[line.who] = line, owner, self.since[owner]

    def job_start(self, line):
        job = line.field["job"]
        if job in self.started:
            self.accuse(line, "double-run", [self.started[job]], "take-once")
        self.started.setdefault(job, line.number)

    def sleep_abort(self, line):
        self.state[line.who] = "awake"

    def see(self, line):
        if line.name == "lost":
            self.lost = line
            self.owing.pop(line.who, None)
        debt = self.owing.get(line.who)
        if debt and line.name != "wake":
            self.settle(line.who)
        handler = {"latch": "latch_step"}.get(line.name, line.name)
        if hasattr(self, handler) and handler != "lost":
            getattr(self, handler)(line)

    def settle(self, setter):
        line, owner, since = self.owing.pop(setter)
        self.accuse(line, "hang-on-latch", [since], "wake-the-owner")

    def close(self):
        for setter in list(self.owing):
            self.settle(setter)
        if self.findings:
            return min(self.findings, key=lambda f: f[0])
        if self.lost:
            return "none", "undecided", "none", [self.deciding[self.lost.who].number, self.lost.number], "record-again"
        return "none", "healthy", "none", sorted(self.started.values()), "none"


def detective(lines):
    case = Case()
    for line in lines:
        case.see(Line(line))
    first, fault, culprit, evidence, fix = case.close()
    return {"fault": fault, "culprit": culprit, "first": str(first), "evidence": " ".join(map(str, evidence)), "fix": fix}
