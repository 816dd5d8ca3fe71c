# SPDX-License-Identifier: MIT
"""Questions about a random run of the library, which differs from student to student.

The explorer runs a scenario once, along a random schedule that the student's seed chooses, and writes
the trace hooks as lines. The form shows these lines without the values that the student is to work out.
"""
import os
import subprocess
import tempfile

from . import builds
from .course import INPUT, Stop

STATES = ["none", "active", "idle", "sleepy", "sleeping", "blocked", "stopped", "suspended"]
LATCH = ["UNSET", "SLEEPY", "SLEEPING", "SET", "SUSPENDED"]
QUEUES = ["none", "its own deque", "the injector", "the broadcast queues"]
SOURCES = ["none", "local", "stolen", "injected", "broadcast", "inline", "helped"]
# Events that are irrelevant to the question.
LEFT_OUT = {"word": ["job_start"], "latch": ["job_start"], "deadlock": ["job_start"], "state": ["job_start", "latch"],
            "queues": ["latch"], "storm": ["latch"], "contest": ["latch"]}
TRIES = 6000
FEWEST, MOST = 14, 60  # numbers of lines in a run


class Event:
    def __init__(self, line):
        words = line.split()
        self.time, self.name, self.worker = int(words[0]), words[1], int(words[3])
        self.fields = dict(word.split("=", 1) for word in words[4:])
        self.hidden = self.bare = False  # hidden: the form asks for the new state; bare: the old state would reveal another answer

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
            return "%s wakes w%s" % (self.who(), f["target"])
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


class Question:
    def __init__(self, text, answer):
        self.text, self.answer = text, answer


def chained(events):
    """Returns whether each event starts from the word that the previous one left. Only then do the
    lines have the order of the steps."""
    now = 0
    for event in events:
        if event.word("old") is None:
            continue
        if event.word("old") != now:
            return False
        now = event.word("new")
    return True


def spread(places):
    """Returns three of the places: an early, a middle and the last one."""
    return [places[len(places) // 3], places[2 * len(places) // 3], places[-1]]


def ask_word(events, _seed):
    """Asks for the counters word after three of the lines. Returns None if the run is not
    interesting."""
    lines = [e for e in events if e.text()]
    places = [i for i, e in enumerate(lines) if e.word("old") != e.word("new")]
    jumps = [i for i in places if lines[i].name == "post"]
    sleeps = [i for i in places if lines[i].name == "worker_state" and lines[i].fields["to"] == "4"]
    if not chained(events) or len(places) < 8 or not jumps or not sleeps:
        return None
    questions = []
    for place in spread(places):
        word = lines[place].word("new")
        questions.append(Question(
            "the counters word after line %d: sleeping, inactive, JEC (three numbers)" % (place + 1),
            "%d %d %d" % (word & 0xffff, word >> 16 & 0xffff, word >> 32)))
    return questions


def ask_latch(events, _seed):
    """Asks for three steps of latches, one of them a set."""
    lines = [e for e in events if e.text()]
    places = [i for i, e in enumerate(lines) if e.name == "latch"]
    sets = [i for i in places if lines[i].fields["to"] == "3"]
    others = [i for i in places if i not in sets]
    if len(others) < 3 or not any(lines[i].fields["from"] != "0" for i in sets):
        return None
    asked = [others[len(others) // 2], others[-1], next(i for i in sets if lines[i].fields["from"] != "0")]
    return [Question("the step in line %d: from which state to which (two words)" % (place + 1),
                     "%s %s" % (LATCH[lines[place].number("from")], LATCH[lines[place].number("to")]))
            for place in sorted(asked)]


def count_lines(lines, workers):
    """Returns (active, blocked) after each line, computed from the lines alone."""
    state = {w: "active" for w in range(workers)}
    counts = []
    for event in lines:
        if event.name == "worker_state" and STATES[event.number("to")] in ("sleeping", "stopped"):
            state[event.worker] = "asleep"
        elif event.name == "wake":
            state[event.number("target")] = "active"
        elif event.name in ("blocked", "unblocked"):
            state[event.worker] = "blocked" if event.name == "blocked" else "active"
        states = list(state.values())
        counts.append((states.count("active"), states.count("blocked")))
    return counts


def ask_deadlock(events, _seed):
    """Asks for the counts of deadlock detection, and for the number of calls of its handler."""
    lines = [e for e in events if e.text()]
    workers = workers_of(events)
    counts = count_lines(lines, workers)
    places = [i for i, e in enumerate(lines) if e.name in ("blocked", "unblocked")]
    agree = all(counts[i] == (lines[i].number("active"), lines[i].number("blocked")) for i in places)
    sleeps = [i for i, e in enumerate(lines) if e.fields.get("to") == "4" and e.name == "worker_state"]
    if len(places) != 2 or not agree or not sleeps:
        return None
    texts = ["active and blocked after line %d (two numbers)" % (i + 1) for i in places]
    calls = sum(1 for e in events if e.name == "deadlock")
    return [Question(texts[0], "%d %d" % counts[places[0]]), Question(texts[1], "%d %d" % counts[places[1]]),
            Question("how many times is the deadlock handler called in this run?", str(calls))]


def sleepers(lines, workers):
    """Returns (sleeping, inactive) after each line, computed from the lines alone. The waker
    subtracts the sleeper."""
    state, asleep, counts = {w: "active" for w in range(workers)}, set(), []
    for event in lines:
        if event.name == "worker_state":
            state[event.worker] = STATES[event.number("to")]
            (asleep.add if state[event.worker] == "sleeping" else asleep.discard)(event.worker)
        elif event.name == "wake":
            asleep.discard(event.number("target"))
        elif event.name == "sleep_abort":
            asleep.discard(event.worker)
        counts.append((len(asleep), sum(1 for s in state.values() if s in ("idle", "sleepy", "sleeping"))))
    return counts


def ask_state(events, _seed):
    """Asks for the new state in two of the lines, and for the counts after a line with a sleeper."""
    lines = [e for e in events if e.text()]
    workers = workers_of(events)
    changes = [i for i, e in enumerate(lines) if e.name == "worker_state"]
    hidden = [i for i in changes if STATES[lines[i].number("to")] in ("sleepy", "idle")]
    wakes = [i for i, e in enumerate(lines) if e.name == "wake"]
    if len(hidden) < 6 or not wakes or not chained(events):
        return None
    places = [hidden[len(hidden) // 3], hidden[2 * len(hidden) // 3]]
    for event in lines:
        event.bare = True
    for place in places:
        lines[place].hidden = True
    asked = wakes[0]
    return [Question("the state in line %d (one word)" % (p + 1), STATES[lines[p].number("to")]) for p in places] + [
        Question("sleeping and inactive after line %d (two numbers)" % (asked + 1), "%d %d" % sleepers(lines, workers)[asked])]


def backlog(lines):
    """Returns the number of waiting jobs after each line."""
    waiting, counts = 0, []
    for event in lines:
        waiting += event.number("jobs") if event.name == "post" else -1 if event.name == "job_start" else 0
        counts.append(waiting)
    return counts


def ask_queues(events, _seed):
    """Asks for the origins of two jobs, one of them stolen, and for the number of jobs in all
    queues at one of the starts."""
    lines = [e for e in events if e.text()]
    starts = [i for i, e in enumerate(lines) if e.name == "job_start"]
    sources = [SOURCES[lines[i].number("source")] for i in starts]
    if sources.count("stolen") == 0 or len(set(sources)) < 3 or len(starts) < 4:
        return None
    stolen = starts[sources.index("stolen")]
    other = next(i for i, s in zip(starts, sources) if s not in ("stolen", "injected"))
    counts = backlog(lines)
    asked = max(range(len(lines)), key=lambda i: counts[i])
    if min(counts) < 0 or counts[asked] < 2:
        return None
    lines[stolen].hidden = lines[other].hidden = True
    return [Question("where the job in line %d came from: local, stolen or injected" % (i + 1),
                     SOURCES[lines[i].number("source")]) for i in sorted((stolen, other))] + [
        Question("how many jobs wait in all queues after line %d" % (asked + 1), str(counts[asked]))]


def fates(events):
    """Returns {index of a wake: True if futile, False if useful}. Omits wakes that are neither."""
    pending, found = {}, {}
    for i, event in enumerate(events):
        if event.name == "wake":
            pending[event.number("target")] = i
        elif event.name == "job_start" and event.worker in pending:
            found[pending.pop(event.worker)] = False
        elif event.name == "worker_state" and event.fields["to"] == "4" and event.worker in pending:
            found[pending.pop(event.worker)] = True
    return found


def ask_storm(events, _seed):
    """Asks for the outcome of each wake."""
    lines = [e for e in events if e.text()]
    found = fates(lines)
    futile = sorted(i for i, bad in found.items() if bad)
    if not futile or len(found) - len(futile) < 2:
        return None
    return [Question("how many wakes were useful: the worker ran a job before it slept again; wakes after which the pool ends are neither useful nor futile", str(len(found) - len(futile))),
            Question("how many wakes were futile: the worker slept again without a job", str(len(futile))),
            Question("the line of the last futile wake, that is, the line with the word wakes", str(futile[-1] + 1))]


def ask_contest(events, _seed):
    """Asks for the components of a policy's score: which workers search, which jobs wait, and which
    wakes are futile."""
    lines = [e for e in events if e.text()]
    workers = workers_of(events)
    asleep, waiting, futile = sleepers(lines, workers), backlog(lines), [bad for bad in fates(lines).values() if bad]
    posts = [i for i, e in enumerate(lines) if e.name == "post" and asleep[i][1] > asleep[i][0]]
    if not chained(events) or not posts or not futile or min(waiting) < 0 or max(waiting) < 2:
        return None
    place = posts[len(posts) // 2]
    return [Question("how many workers are awake without a job after line %d: they search" % (place + 1),
                     str(asleep[place][1] - asleep[place][0])),
            Question("how many jobs wait in all queues together, when it is most", str(max(waiting))),
            Question("how many wakes were futile: the worker slept again without a job", str(len(futile)))]


ASK = {"contest": ask_contest, "storm": ask_storm, "queues": ask_queues, "word": ask_word, "latch": ask_latch, "deadlock": ask_deadlock, "state": ask_state}


def walk(program, run, number):
    with tempfile.TemporaryDirectory(prefix="doze-lab-") as folder:
        path = os.path.join(folder, "events")
        done = subprocess.run([program] + run.arguments() + ["--walk=%d" % number, "--events=" + path],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            return []
        with open(path, encoding="utf-8") as file:
            return [Event(line) for line in file if not line.startswith("end ")]


def task(work, test):
    """Returns (shown events, questions) of the student's run."""
    run = test.runs[0]
    program = builds.program(work.lab, run.program, None)
    first = work.number(test.section["ask"]) % 1000000
    for number in range(first, first + TRIES):
        events = [e for e in walk(program, run, number) if e.name not in LEFT_OUT[test.section["ask"]]]
        lines = [e for e in events if e.text()]
        if FEWEST <= len(lines) <= MOST:
            questions = ASK[test.section["ask"]](events, work.seed)
            if questions:
                return lines, questions
    raise Stop("no run for this seed within %d tries" % TRIES)


def tasks(work):
    """Returns {test name: question} and the lines, computed once."""
    if not hasattr(work, "followed"):
        tests = [t for t in work.lab.tests if t.kind == "follow"]
        lines, questions = task(work, tests[0])
        work.followed = lines, {t.name: q for t, q in zip(tests, questions)}
    return work.followed


def form(work):
    """Returns the text of the form."""
    lines, questions = tasks(work)
    text = ["# %s: your run. Write each answer after its colon." % work.lab.title, "#"]
    text += ["# %3d  %s" % (i + 1, line.text()) for i, line in enumerate(lines)]
    for name, question in questions.items():
        text += ["", "# " + question.text, name + ":"]
    return "\n".join(text) + "\n"


def value(event, ask):
    """Returns the value of the event that the form hides."""
    sleepy = event.name == "worker_state" and event.fields["to"] == "3"  # the value after the event's step of the JEC
    if ask == "word" and (sleepy or event.word("old") != event.word("new")):
        word = event.word("new")
        return "%d %d %d" % (word & 0xffff, word >> 16 & 0xffff, word >> 32)
    if ask == "latch" and event.name == "latch":
        return "%s %s" % (LATCH[event.number("from")], LATCH[event.number("to")])
    if ask == "deadlock" and event.name in ("blocked", "unblocked"):
        return "%s %s" % (event.fields["active"], event.fields["blocked"])
    return ""


def sample(work):
    """Returns a run with all its values, as a worked example."""
    test = next(t for t in work.lab.tests if t.kind == "follow")
    ask, events = test.section["ask"], task(work, test)[0]
    head = {"queues": "", "contest": "", "state": "", "storm": "", "word": "sleeping, inactive, JEC", "latch": "latch: from, to", "deadlock": "active, blocked"}[ask]
    lines = ["%-24s" % head] if head else []
    for event in events:
        event.hidden = event.bare = False
    width = 24 if head else 0
    lines += ["%-*s%3d  %s" % (width, value(e, ask), i + 1, e.text()) for i, e in enumerate(events)]
    return "\n".join(lines)


def answers(path):
    found = {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            if ":" not in line:
                raise Stop("%s:%d: not a line NAME: ANSWER" % (os.path.relpath(path), number), INPUT)
            name, answer = line.split(":", 1)
            found[name.strip()] = " ".join(answer.replace(",", " ").replace("->", " ").split()).lower()
    return found


def compare(work, test, right):
    """Compares the student's answer with the right one. Returns (status, message)."""
    path = work.path(test.section["form"])
    given = answers(path).get(test.name, "") if os.path.exists(path) else ""
    if not given:
        return "missing", "no answer"
    return ("good", "") if given == right.lower() else ("wrong", "'%s' is not right" % given)


def grade(work, test):
    return compare(work, test, tasks(work)[1][test.name].answer)
