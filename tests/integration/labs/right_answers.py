# SPDX-License-Identifier: MIT
"""The right answers of the quiz labs, counted from the events with Babeltrace's Python bindings.

This module deliberately avoids the model that the graders use, so that a mistake in the model
cannot confirm itself: it only counts events and adds up times. It counts futile wakes by their
definition: the woken worker sleeps again without having become active.
"""
from collections import Counter, defaultdict

import bt2


def _label(field):
    """Returns the label of an enumeration field, as Babeltrace prints it."""
    labels = field.labels
    return labels[0] if labels else str(int(field))


def _events(trace):
    for message in bt2.TraceCollectionMessageIterator(trace):
        if isinstance(message, bt2._EventMessageConst) and message.event.name.startswith("doze:"):
            time = message.default_clock_snapshot.ns_from_origin
            yield time, message.event.name[len("doze:"):], message.event.payload_field


def answers_01_states(trace):
    right, falls, before, causes, found = {}, Counter(), set(), Counter(), Counter()
    since, slept, active = {}, defaultdict(int), defaultdict(int)
    arrived, futile, woken, averted, last_cause = set(), 0, 0, 0, ""
    for time, name, field in _events(trace):
        worker = int(field["worker"]) if "worker" in field else -1
        if name == "pool_start":
            right["workers"] = int(field["workers"])
            right["policy"] = str(field["policy"])
        elif name == "worker_state":
            state_from, state_to = _label(field["from"]), _label(field["to"])
            spent = time - since.get(worker, time)
            since[worker] = time
            if state_from == "sleeping":
                slept[worker] += spent
            elif state_from == "active":
                active[worker] += spent
            if state_to == "sleeping":
                falls[worker] += 1
                before.add(state_from)
                if worker in arrived:
                    futile += 1
                arrived.discard(worker)
            elif state_to == "active":
                arrived.discard(worker)
                if _label(field["reason"]) != "start":
                    found[_label(field["reason"])] += 1
        elif name == "wake":
            last_cause = _label(field["cause"])
            causes[last_cause] += 1
        elif name == "woken":
            woken += 1
            arrived.add(worker)
        elif name == "sleep_abort":
            averted += 1
    right["before"] = before.pop() if len(before) == 1 else ""
    right["falls"] = falls[1]
    right["slept"] = slept[0] / 1e6
    right["active"] = max(active, key=active.get)
    right["woken"] = woken
    right["futile"] = futile
    right["averted"] = averted
    right["cause"] = causes.most_common(1)[0][0]
    right["found"] = found.most_common(1)[0][0]
    right["last"] = last_cause
    return right


RIGHT_ANSWERS = {"01-states": answers_01_states}
