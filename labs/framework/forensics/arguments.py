# SPDX-License-Identifier: MIT
"""Whether the events that a verdict names have the form of a proof.

The replies depend only on the verdict and on the kinds of the events that it names, never on the fault that the trace
shows. So a reply does not reveal whether another line of the form is right.
"""
from . import traces

MOST_CITED = 3


class Form:
    """One way to prove a fault. `first`: the kind of the first bad event. `needs`: the kinds of evidence, each as
    (words, function of the first bad event and of the evidence). `shows`: what the named events must show together."""

    def __init__(self, words, first, needs, shows):
        self.words, self.first, self.needs, self.shows = words, first, needs, shows


def is_a(name):
    return lambda event: event.name == name


def becomes(state):
    return lambda event: event.becomes(state)


def evidence_is(test):
    return lambda first, event: test(event)


FORMS = {
    "lost-wakeup": [
        Form("a step to sleeping", becomes("sleeping"),
             [("the same worker's step to sleepy", lambda first, e: e.becomes("sleepy") and e.actor == first.actor),
              ("a post", evidence_is(is_a("post")))],
             "that the post moved the JEC after the step to sleepy, and that the worker fell asleep with the new JEC"),
        Form("a post", is_a("post"),
             [("a worker's step to sleepy", evidence_is(becomes("sleepy"))),
              ("a worker's step to sleeping", evidence_is(becomes("sleeping")))],
             "that the post left the JEC even, and that this worker, sleepy before the post, fell asleep with the same JEC")],
    "under-wake": [
        Form("a post", is_a("post"), [("a step to sleeping", evidence_is(becomes("sleeping")))],
             "that the post decided on fewer wakes than the counts that it read require, and that this worker slept at that moment")],
    "storm": [
        Form("a post", is_a("post"),
             [("a wake with the decision number of the post", lambda first, e: e.name == "wake" and e["decision"] == first["decision"])],
             "that the post decided on more wakes than its own counts demand, and that this wake is one of the superfluous ones"),
        Form("a wake", is_a("wake"),
             [("the post with the decision number of the wake", lambda first, e: e.name == "post" and e["decision"] == first["decision"])],
             "that more wakes followed the decision than it announced, and that this wake is one of the superfluous ones")],
    "double-run": [
        Form("the start of a job", is_a("job_start"),
             [("another start of the same job", lambda first, e: e.name == "job_start" and e["job"] == first["job"] and e is not first)],
             "that the job started twice, with its first start as the evidence")],
    "hang-on-latch": [
        Form("a step of a latch", is_a("latch"),
             [("the step to sleeping of the latch's owner", lambda first, e: e.becomes("sleeping") and e.actor == first["owner"])],
             "that the latch was set while its owner slept, and that the setter's next event was not the wake"),
        Form("a step to sleeping", becomes("sleeping"),
             [("the same worker's step of its latch",
               lambda first, e: e.name == "latch" and e.actor == first.actor == e["owner"])],
             "that the last step of the latch by its owner was not the one to SLEEPING")],
    "miscount": [
        Form("a wake, or a step of a worker", lambda e: e.old is not None and e.name != "post",
             [("a step of the worker that the event should count",
               lambda first, e: e.name == "worker_state" and e.actor == (first["target"] or first.actor) and e is not first)],
             "that the word changed differently from what the rule says, and by which event that worker had been counted")],
}


def listed(numbers):
    """Returns numbers of events as the student writes them."""
    words = [str(n + 1) for n in sorted(numbers)]
    return "event " + words[0] if len(words) == 1 else "events %s and %s" % (", ".join(words[:-1]), words[-1])


def named(verdict):
    return set(verdict.first) | set(verdict.cited)


def misused(verdict):
    """Returns which number of the evidence is not a further event, or None: it is repeated, or it is the first bad event."""
    if set(verdict.cited) & set(verdict.first):
        return "%s is the first bad event: the evidence is the other events that prove the fault" % listed(verdict.first)
    repeated = {n for n in verdict.cited if verdict.cited.count(n) > 1}
    return "the evidence repeats %s: an event proves nothing more the second time" % listed(repeated) if repeated else None


def outside_the_list(events, verdict):
    beyond = [n for n in named(verdict) if not 0 <= n < len(events)]
    if not beyond:
        return None
    return "the list ends with event %d: %s %s not exist" % (len(events), listed(beyond), "does" if len(beyond) == 1 else "do")


def accusation_lacks(events, verdict):
    """Returns what an accusation lacks to have the form of a proof, or None."""
    if len(verdict.first) != 1:
        return "name the first bad event, one number"
    first, cited = events[verdict.first[0]], set(verdict.cited) - set(verdict.first)
    if first.actor != verdict.culprit:
        return "%s is not an event of %s" % (listed(verdict.first), verdict.culprit or "the culprit, whom your argument does not name")
    form = next((f for f in FORMS[verdict.fault] if f.first(first)), None)
    if form is None:
        return "the first bad event of '%s' is %s; %s is not" % (
            verdict.fault, " or ".join(f.words for f in FORMS[verdict.fault]), listed(verdict.first))
    if not cited:
        return "no evidence"
    if len(cited) > MOST_CITED:
        return "%d events of evidence, but at most %d are allowed" % (len(cited), MOST_CITED)
    for words, fits in form.needs:
        if not any(fits(first, events[i]) for i in cited):
            return "the evidence lacks %s" % words
    return None


def acquittal_lacks(events, verdict):
    """Returns what a verdict without an accusation lacks, or None."""
    if verdict.first or verdict.culprit not in ("", "none"):
        return "'%s' accuses nobody: culprit and first must be none" % verdict.fault
    cited = [events[i] for i in set(verdict.cited)]
    if verdict.fault == traces.HEALTHY:
        starts = sum(e.name == "job_start" for e in events)
        given = sum(e.name == "job_start" for e in cited)
        return None if given == starts else "the evidence has %d of the %d starts of jobs" % (given, starts)
    lost = next((e for e in cited if e.name == "lost"), None)
    if lost is None:
        return "the evidence lacks the record of lost events"
    if not any(e.name in ("post", "latch") and e.actor == lost.actor for e in cited):
        return "the evidence lacks a decision by the thread that lost events: add a post or a latch event of that thread"
    return None


def lacks(events, verdict):
    return outside_the_list(events, verdict) or (accusation_lacks if verdict.accuses() else acquittal_lacks)(events, verdict)


def shows(events, verdict):
    """Returns what the events of an accusation, which have the form of a proof, must show."""
    first = events[verdict.first[0]]
    return "%s do not show %s" % (listed(named(verdict)), next(f for f in FORMS[verdict.fault] if f.first(first)).shows)
