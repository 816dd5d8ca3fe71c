# SPDX-License-Identifier: MIT
"""Rules that no event of a correct library breaks, under policy jec. A breach is proved from the trace alone,
by citing the event that breaks a rule and the other events that are needed to see the breach.

Each rule uses the contents of events, not their order across threads, because a hook fires a little
after the step that it reports. Events are numbered from 0 here, from 1 in what students read and
write.
"""


class Breach:
    """One finding: event `at` breaks a rule. `proofs`: sets of further events, each of which is sufficient evidence.
    `supports`: all events that support the finding, because they are in a proof or show the rule's conditions."""

    def __init__(self, fault, culprit, at, proofs, also=()):
        self.fault, self.culprit, self.at, self.proofs = fault, culprit, at, [frozenset(p) for p in proofs]
        self.supports = frozenset(also).union({at}, *self.proofs)

    def is_proved_by(self, named):
        return self.at in named and any(proof <= named for proof in self.proofs)


def last(events, before, wanted):
    """Returns the number of the last event before `before` for which wanted(event) holds, or
    None."""
    return next((i for i in range(before - 1, -1, -1) if wanted(events[i])), None)


def falls_asleep_over_a_post(events):
    """A worker may fall asleep only if the JEC has not changed since it became sleepy."""
    for at, event in enumerate(events):
        if not event.becomes("sleeping"):
            continue
        sleepy = last(events, at, lambda e, who=event.actor: e.actor == who and e.becomes("sleepy"))
        if sleepy is None or events[sleepy].new.jec == event.old.jec:
            continue
        moved = [i for i, e in enumerate(events) if e.name == "post" and e.old.jec != e.new.jec and
                 events[sleepy].new.jec < e.new.jec <= event.old.jec]
        yield Breach("lost-wakeup", event.actor, at, [{sleepy, post} for post in moved])


def victims(events, post):
    """Yields the events (sleepy, sleeping) of each worker that was sleepy at the post and fell asleep with the post's
    JEC."""
    jec = events[post].new.jec
    for at in range(post + 1, len(events)):
        if not events[at].becomes("sleeping") or events[at].old.jec != jec:
            continue
        sleepy = last(events, at, lambda e, who=events[at].actor: e.actor == who and e.name == "worker_state")
        if sleepy is not None and sleepy < post and events[sleepy].becomes("sleepy"):
            yield sleepy, at


def posts_without_a_count(events):
    """After a post to the injector or to a deque the JEC is odd, so no worker that was sleepy falls asleep."""
    for at, event in enumerate(events):
        if event.name == "post" and event["queue"] != "broadcast" and event.new.jec % 2 == 0:
            yield Breach("lost-wakeup", event.actor, at, [set(pair) for pair in victims(events, at)])


def needed(post):
    """Returns the number of wakes that a post must decide on: one for each job that no searching
    worker takes, as long as workers sleep."""
    jobs, idle, sleeping = (post.number(key) for key in ("jobs", "idle", "sleeping"))
    return min(sleeping, max(0, jobs - idle) if post["was_empty"] == "1" else jobs)


def asleep(events, at):
    """Returns {worker: number of the event} for the workers that sleep at event `at` and have not
    been woken."""
    found = {}
    for i, event in enumerate(events[:at]):
        if event.name == "worker_state":
            found.pop(event.actor, None)
            if event["to"] == "sleeping":
                found[event.actor] = i
        elif event.name == "wake":
            found.pop(event["target"], None)
        elif event.name == "sleep_abort":
            found.pop(event.actor, None)
    return found


def wakes_of(events, decision):
    return [i for i, e in enumerate(events) if e.name == "wake" and e["decision"] == decision]


def decides_wrongly(events):
    """A post must decide on as many wakes as its own counts require."""
    for at, post in enumerate(events):
        if post.name != "post" or post["queue"] == "broadcast":
            continue
        surplus = post.number("wakes") - needed(post)
        if surplus < 0:
            yield Breach("under-wake", post.actor, at, [{i} for i in asleep(events, at).values()])
        elif surplus > 0:
            wakes = wakes_of(events, post["decision"])
            yield Breach("storm", post.actor, at, [{i} for i in wakes[needed(post):]], wakes)


def wakes_more_than_decided(events):
    """A decision must be followed by as many wakes as it announces."""
    for at, post in enumerate(events):
        if post.name == "post" and post["decision"] != "0":
            wakes = wakes_of(events, post["decision"])
            for wake in wakes[post.number("wakes"):]:
                yield Breach("storm", events[wake].actor, wake, [{at}], wakes)


def runs_twice(events):
    """A job must start only once."""
    started = {}
    for at, event in enumerate(events):
        if event.name != "job_start":
            continue
        if event["job"] in started:
            yield Breach("double-run", event.actor, at, [{started[event["job"]]}])
        started.setdefault(event["job"], at)


def next_of(events, at):
    """Returns the number of the next event of the same thread, or the number of events."""
    return next((i for i in range(at + 1, len(events)) if events[i].actor == events[at].actor), len(events))


def sets_silently(events):
    """A thread that sets the latch of a sleeping owner must wake that owner next, unless another
    thread has woken the owner."""
    for at, event in enumerate(events):
        if event.name != "latch" or event["to"] != "SET" or event["from"] != "SLEEPING":
            continue
        owner, then = event["owner"], next_of(events, at)
        bed = asleep(events, at).get(owner)
        woken = any(e.name == "wake" and e["target"] == owner for e in events[at:then + 1])
        lost = any(e.name == "lost" and e.actor == event.actor for e in events[at:then + 1])
        if bed is not None and not woken and not lost:
            marked = last(events, at, lambda e: e.name == "latch" and e.actor == owner == e["owner"] and e["to"] == "SLEEPING")
            yield Breach("hang-on-latch", event.actor, at, [{bed}], {marked, then})


def sleeps_unseen(events):
    """A worker may sleep only after it has moved its latch to SLEEPING."""
    for at, event in enumerate(events):
        if not event.becomes("sleeping"):
            continue
        step = last(events, at, lambda e, who=event.actor: e.actor == who and e.name == "latch" and e["owner"] == who)
        if step is None or events[step]["to"] != "SLEEPING":
            yield Breach("hang-on-latch", event.actor, at, [{step}] if step is not None else [set()])


INACTIVE = ("idle", "sleepy", "sleeping")


def change(event):
    """Returns the changes that the event must make to (sleeping, inactive)."""
    if event.name == "wake":
        return -1, 0
    if event.name == "sleep_abort":
        return (-1 if event["by"] in ("injector", "broadcast") else 0), 0
    if event.name != "worker_state" or event["to"] == "stopped":
        return 0, 0
    return (1 if event["to"] == "sleeping" else 0), (event["to"] in INACTIVE) - (event["from"] in INACTIVE)


def counts_wrongly(events):
    """Each step must change the counts in accordance with the worker's change of state."""
    for at, event in enumerate(events):
        if event.old is None:
            continue
        seen = event.new.sleeping - event.old.sleeping, event.new.inactive - event.old.inactive
        if seen == change(event):
            continue
        worker = event["target"] or event.actor
        counted = last(events, at, lambda e, who=worker: e.actor == who and e.name == "worker_state" and
                       (e["to"] == "sleeping" if event.name == "wake" else e["from"] == "active"))
        yield Breach("miscount", event.actor, at, [{counted}] if counted is not None else [set()])


RULES = (falls_asleep_over_a_post, posts_without_a_count, decides_wrongly, wakes_more_than_decided, runs_twice,
         sets_silently, sleeps_unseen, counts_wrongly)


def breaches(events):
    """Returns all breaches, ordered by their first bad event."""
    return sorted((b for rule in RULES for b in rule(events)), key=lambda b: b.at)
