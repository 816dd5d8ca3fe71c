# SPDX-License-Identifier: MIT
"""The questions about a random run. The seed chooses the run and the lines that the questions are about, so that
one student's answers are of no use to another (tests/integration/labs/seeds_check.py)."""
from .run_events import LATCH, SOURCES, STATES, workers_of


class Question:
    def __init__(self, text, answer):
        self.text, self.answer = text, answer


def lines_in_words(places):
    """Returns, for example, "lines 3, 7 and 12" for the places 2, 6 and 11."""
    numbers = [str(place + 1) for place in places]
    if len(numbers) == 1:
        return "line " + numbers[0]
    return "lines %s and %s" % (", ".join(numbers[:-1]), numbers[-1])


def some(places, n, pick):
    """Returns n different places in ascending order. pick(m) returns the next number below m of the student's random sequence."""
    left = list(places)
    return sorted(left.pop(pick(len(left))) for _ in range(n))


def chained(events):
    """Returns whether the old word of each event is the new word of the previous one. Only then are the
    lines in the order of the steps."""
    now = 0
    for event in events:
        if event.word("old") is None:
            continue
        if event.word("old") != now:
            return False
        now = event.word("new")
    return True


def ask_word(events, pick):
    """Asks for the counters word after three of the lines. Returns None if too little happens in the
    run."""
    lines = [e for e in events if e.text()]
    places = [i for i, e in enumerate(lines) if e.word("old") != e.word("new")]
    jumps = [i for i in places if lines[i].name == "post"]
    sleeps = [i for i in places if lines[i].name == "worker_state" and lines[i].fields["to"] == "4"]
    if not chained(events) or len(places) < 12 or not jumps or not sleeps:
        return None
    questions, third = [], len(places) // 3
    for part in range(3):
        place = places[part * third + pick(third)]
        word = lines[place].word("new")
        questions.append(Question(
            "the counters word after line %d: sleeping, inactive, JEC (three numbers)" % (place + 1),
            "%d %d %d" % (word & 0xffff, word >> 16 & 0xffff, word >> 32)))
    return questions


def ask_latch(events, pick):
    """Asks for the steps of latches in six lines, one of them a set of a latch whose owner was sleepy or asleep."""
    lines = [e for e in events if e.text()]
    places = [i for i, e in enumerate(lines) if e.name == "latch"]
    sets = [i for i in places if lines[i].fields["to"] == "3" and lines[i].fields["from"] != "0"]
    if len(places) < 8 or not sets:
        return None
    chosen = sets[pick(len(sets))]
    asked = sorted(some([p for p in places if p != chosen], 5, pick) + [chosen])
    pairs = [asked[0:2], asked[2:4], asked[4:6]]
    return [Question("the steps in %s: each from which state to which (four words)" % lines_in_words(pair),
                     " ".join("%s %s" % (LATCH[lines[i].number("from")], LATCH[lines[i].number("to")]) for i in pair))
            for pair in pairs]


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


def falls_back(lines):
    """Returns whether a worker reports that it sleeps, and then does not. Such a worker stays active, which the line
    `sleepy -> sleeping` does not show."""
    asleep = set()
    for event in lines:
        if event.name == "worker_state":
            (asleep.add if STATES[event.number("to")] == "sleeping" else asleep.discard)(event.worker)
        elif event.name == "sleep_abort" and event.worker in asleep:
            return True
    return False


def ask_deadlock(events, pick):
    """Asks for the counts of deadlock detection, and for the number of calls of its handler."""
    lines = [e for e in events if e.text()]
    counts = count_lines(lines, workers_of(events))
    marks = [i for i, e in enumerate(lines) if e.name in ("blocked", "unblocked")]
    if falls_back(lines):
        return None
    agree = all(counts[i] == (lines[i].number("active"), lines[i].number("blocked")) for i in marks)
    stopped = [i for i, e in enumerate(lines) if e.name == "worker_state" and e.fields["to"] == "6"]
    if len(marks) < 2 or not agree or not stopped or stopped[0] < marks[0] + 8:
        return None
    asked = sorted([marks[0]] + some(range(marks[0] + 1, stopped[0]), 5, pick))
    asked = [asked[::2], asked[1::2]]
    calls = sum(1 for e in events if e.name == "deadlock")
    return [Question("active and blocked after %s (two numbers for each line, six in all)" % lines_in_words(three),
                     " ".join("%d %d" % counts[i] for i in three)) for three in asked] + [
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


def apart(lines, places, chosen):
    """Returns the places that may also be chosen. Excludes a worker's changes of state right before and after a chosen
    one, because students could not infer two successive changes of a worker from the other lines."""
    changes, near = {}, set(chosen)
    for i, event in enumerate(lines):
        if event.name == "worker_state":
            changes.setdefault(event.worker, []).append(i)
    for own in changes.values():
        for i, place in enumerate(own):
            if place in chosen:
                near.update(own[max(i - 1, 0):i + 2])
    return [place for place in places if place not in near]


def ask_state(events, pick):
    """Asks for the new state in six of the lines, and for the counts after three."""
    lines = [e for e in events if e.text()]
    changes = [i for i, e in enumerate(lines) if e.name == "worker_state"]
    hidden = [i for i in changes if STATES[lines[i].number("to")] in ("sleepy", "idle")]
    wakes = [i for i, e in enumerate(lines) if e.name == "wake"]
    if not wakes or not chained(events):
        return None
    places = []
    while len(places) < 6:
        free = apart(lines, hidden, places)
        if not free:
            return None
        places = sorted(places + [free[pick(len(free))]])
    for event in lines:
        event.bare = True
    for place in places:
        lines[place].hidden = True
    asked = some(sorted(set(changes[2:] + wakes)), 3, pick)
    counts = sleepers(lines, workers_of(events))
    return [Question("the states in %s (three words)" % lines_in_words(three),
                     " ".join(STATES[lines[p].number("to")] for p in three)) for three in (places[:3], places[3:])] + [
        Question("sleeping and inactive after %s (two numbers for each line, six in all)" % lines_in_words(asked),
                 " ".join("%d %d" % counts[i] for i in asked))]


def backlog(lines):
    """Returns the number of waiting jobs after each line."""
    waiting, counts = 0, []
    for event in lines:
        waiting += event.number("jobs") if event.name == "post" else -1 if event.name == "job_start" else 0
        counts.append(waiting)
    return counts


def inferred(lines, workers):
    """Returns where each job came from, as far as the other lines show it: a worker first checks its own deque, then
    those of the others, then the injector."""
    deques, sources = [0] * workers, []
    for event in lines:
        if event.name == "post" and event.worker >= 0:
            deques[event.worker] += event.number("jobs")
        elif event.name == "job_start":
            full = [w for w in range(workers) if deques[w] and w != event.worker]
            victim = event.worker if deques[event.worker] else full[0] if full else None
            sources.append("injected" if victim is None else "local" if victim == event.worker else "stolen")
            if victim is not None:
                deques[victim] -= 1
    return sources


def ask_queues(events, pick):
    """Asks for the origins of six jobs, one of them stolen, and for the number of jobs in all queues after two of the
    lines."""
    lines = [e for e in events if e.text()]
    starts = [i for i, e in enumerate(lines) if e.name == "job_start"]
    sources = [SOURCES[lines[i].number("source")] for i in starts]
    counts = backlog(lines)
    if "stolen" not in sources or len(starts) < 7 or sources != inferred(lines, workers_of(events)) or min(counts) < 0:
        return None
    stolen = [i for i, s in zip(starts, sources) if s == "stolen"]
    chosen = stolen[pick(len(stolen))]
    hidden = sorted([chosen] + some([i for i in starts if i != chosen], 5, pick))
    asked = some([i for i, e in enumerate(lines) if e.name in ("post", "job_start")], 2, pick)
    threes = [hidden[::2], hidden[1::2]]
    if any(len({lines[i].number("source") for i in three}) == 1 for three in threes):
        return None
    for place in hidden:
        lines[place].hidden = True
    return [Question("where the jobs in %s came from: local, stolen or injected (three words)" % lines_in_words(three),
                     " ".join(SOURCES[lines[i].number("source")] for i in three)) for three in threes] + [
        Question("how many jobs are waiting in all queues after %s (two numbers)" % lines_in_words(asked),
                 " ".join(str(counts[i]) for i in asked))]


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


def ask_storm(events, pick):
    """Asks for the outcome of each wake."""
    lines = [e for e in events if e.text()]
    found = fates(lines)
    futile = sorted(i for i, bad in found.items() if bad)
    wakes = sorted(found)
    if len(futile) < 2 or len(found) - len(futile) < 2 or len(wakes) < 5:
        return None
    until, since = wakes[2 + pick(len(wakes) - 2)], wakes[pick(len(wakes) - 2)]
    end = futile[1 + pick(len(futile) - 1)]
    last = max(i for i in futile if i < end)
    asleep = next(i for i in range(last, len(lines)) if lines[i].worker == lines[last].number("target") and
                  lines[i].name == "worker_state" and lines[i].fields["to"] == "4")
    return [Question("how many of the wakes up to line %d were useful: the worker ran a job before it slept again; wakes after which the pool ends are neither useful nor futile" % (until + 1),
                     str(sum(1 for i, bad in found.items() if i <= until and not bad))),
            Question("how many of the wakes on line %d or later were futile: the worker slept again without a job" % (since + 1),
                     str(sum(1 for i in futile if i >= since))),
            Question("the last futile wake before line %d: the number of its line, and the number of the line on which the woken worker sleeps again (two numbers)" % (end + 1),
                     "%d %d" % (last + 1, asleep + 1))]


def wakes_sleepers(lines):
    """Returns whether, according to the lines before it, each wake finds its target asleep."""
    asleep = set()
    for event in lines:
        if event.name == "wake" and event.number("target") not in asleep:
            return False
        if event.name == "worker_state":
            (asleep.add if event.fields["to"] == "4" else asleep.discard)(event.worker)
    return True


def ask_contest(events, pick):
    """Asks for the components of a policy's score: which workers search, which jobs wait, and which
    wakes are futile."""
    lines = [e for e in events if e.text()]
    asleep, waiting, outcomes = sleepers(lines, workers_of(events)), backlog(lines), list(fates(lines).values())
    posts = [i for i, e in enumerate(lines) if e.name == "post" and asleep[i][1] > asleep[i][0]]
    if not wakes_sleepers(lines) or not posts or True not in outcomes or min(waiting) < 0 or max(waiting) < 2:
        return None
    post = posts[pick(len(posts))]
    others = [i for i, e in enumerate(lines) if e.name in ("worker_state", "wake", "post") and i not in (0, 1, post)]
    searching = sorted([post] + some(others, 2, pick))
    waited = some([i for i, e in enumerate(lines) if e.name in ("post", "job_start")], 3, pick)
    return [Question("how many workers are searching (awake without a job) after %s (three numbers)" % lines_in_words(searching),
                     " ".join(str(asleep[i][1] - asleep[i][0]) for i in searching)),
            Question("the total number of jobs that wait in all queues after %s (three numbers)" % lines_in_words(waited),
                     " ".join(str(waiting[i]) for i in waited)),
            Question("how many wakes were useful, and how many futile: the worker slept again without a job (two numbers)",
                     "%d %d" % (outcomes.count(False), outcomes.count(True)))]


ASK = {"contest": ask_contest, "storm": ask_storm, "queues": ask_queues, "word": ask_word, "latch": ask_latch, "deadlock": ask_deadlock, "state": ask_state}
