# SPDX-License-Identifier: MIT
#
# cells.py - the table of which construct is waited for, by which thread, completed by which thread,
# under which policy. Each cell names its scenario, or the reason why there is none. The scenarios
# declare the cells that they fill (the field `cells`, labs/explorer/explore.h) and fail if they
# never fill one, so the table cannot claim more than was run. scenarios/cells.h defines the words.
# A cell without a scenario needs a reason below: a quotation that must occur in doze.h, or the
# number of states after which the search gave up.
import os
import re

CONSTRUCTS = ["install", "join", "scope", "bulk", "loop", "broadcast", "future", "timed", "end"]
WAITS = ["outside", "worker", "other", "several", "suspended"]
COMPLETES = ["self", "queue", "helper"]

ANY = None
# (construct, waits, completes): a quotation from doze.h. The first entry that matches is the reason.
IMPOSSIBLE = [
    ((["install", "join", "scope", "bulk", "loop", "broadcast", "end"], "several", ANY),
     "only a future has several getters",
     "Any thread, any number of times, also from several threads at once."),
    (("install", "worker", ANY), "no thread waits",
     "On a worker of the pool: a plain call."),
    (("join", "other", ANY), "the joiner is a worker of the join's pool",
     "On a worker of any pool: b is offered to the other workers while a runs here"),
    (("end", "worker", ANY), "not allowed",
     "Called once, by any thread but the pool's own workers"),
    (("timed", ANY, "self"), "a timed get runs no jobs",
     "It never runs the task on the caller's stack"),
    (("future", ["outside", "other", "several"], "self"), "only a worker of the pool runs its tasks",
     "A worker of the future's pool runs the task itself if no thread has begun it"),
    ((["install", "loop"], ["outside", "other"], "self"), "only a worker of the pool runs its jobs",
     "Runs fn(arg) on a worker of the pool"),
    (("join", "outside", "self"), "the caller blocks",
     "On any other thread: does the same inside the default pool, as with doze_install."),
    ((["scope", "bulk"], ["outside", "other"], "self"), "only a worker of the pool runs its jobs",
     "only its spawned jobs run in the pool"),
    (("broadcast", ["outside", "other"], "self"), "only a worker of the pool runs its turn",
     "Runs fn on every worker of the pool and returns when all have run it."),
    ((["install", "join", "scope", "bulk", "loop", "broadcast", "end"], ANY, "helper"),
     "only a future's task is run by the worker that waits for it",
     "A worker of the future's pool runs the task itself if no thread has begun it"),
]
IMPOSSIBLE += [
    (("timed", "suspended", ["queue", "helper"]), "a worker always suspends this wait: see worker",
     "A worker always suspends this wait, even if there are jobs that it could run."),
    (("end", "suspended", ANY), "the caller blocks",
     "A worker of another pool runs no jobs during the call."),
    ((ANY, "suspended", "self"), "another thread has taken over the waiter's worker",
     "the wait keeps its thread and its stack, and a spare thread of the pool takes over as that worker"),
]
# (construct, waits, completes, policy): the number of states searched before giving up.
BEYOND = {}


def fits(pattern, value):
    return pattern is ANY or value == pattern or (isinstance(pattern, list) and value in pattern)


def impossible(cell):
    """Returns the reason, with its quotation, why doze.h excludes the cell, or None."""
    for pattern, words, quotation in IMPOSSIBLE:
        if all(fits(p, v) for p, v in zip(pattern, cell)):
            return words, quotation
    return None


def plain(header):
    """Returns the text of doze.h's comments as one line."""
    with open(header, encoding="utf-8") as f:
        return re.sub(r"\s+(\* )?", " ", f.read())


def filled(scenarios):
    """Returns {cell: {policy: [scenario]}} from the (name, policies, cells) that the programs
    list."""
    cells = {}
    for name, policies, declared in scenarios:
        for cell in declared.split() if declared != "-" else []:
            key = tuple(cell.split("/"))
            for policy in policies.split():
                cells.setdefault(key, {}).setdefault(policy, []).append(name)
    return cells


def all_policies(scenarios):
    """Returns the policies of all scenarios, in the order in which the programs list them."""
    return list(dict.fromkeys(p for _name, policies, _cells in scenarios for p in policies.split() if p != "-"))


def problems(scenarios, header):
    """Returns the errors in the declarations and reasons, one sentence per error."""
    cells, text, found = filled(scenarios), plain(header), []
    for key in cells:
        if len(key) != 3 or key[0] not in CONSTRUCTS or key[1] not in WAITS or key[2] not in COMPLETES:
            found.append("%s: there is no such cell" % "/".join(key))
        elif impossible(key):
            found.append("%s is filled by %s, but listed as impossible" % ("/".join(key), cells[key]))
    for _pattern, _words, quotation in IMPOSSIBLE:
        if quotation not in text:
            found.append("doze.h does not contain: %s" % quotation)
    for c in CONSTRUCTS:
        for w in WAITS:
            for by in COMPLETES:
                for policy in all_policies(scenarios):
                    key = (c, w, by)
                    if not impossible(key) and policy not in cells.get(key, {}) \
                            and key + (policy,) not in BEYOND:
                        found.append("%s under %s has neither a scenario nor a reason" % (
                            "/".join(key), policy))
    return found


def table(scenarios):
    cells, policies = filled(scenarios), all_policies(scenarios)
    lines = ["| construct | who waits | who completes | shown by | policies | why there is none |",
             "|---|---|---|---|---|---|"]
    possible = full = 0
    for c in CONSTRUCTS:
        for w in WAITS:
            for by in COMPLETES:
                key = (c, w, by)
                reason = impossible(key)
                if reason:
                    lines.append("| %s | %s | %s | | | %s: “%s” |" % (key + reason))
                    continue
                here = cells.get(key, {})
                names = sorted({n for p in policies for n in here.get(p, [])})
                missing = ["%s: %s" % (p, BEYOND[key + (p,)]) for p in policies
                           if p not in here and key + (p,) in BEYOND]
                possible += len(policies)
                full += sum(p in here for p in policies)
                lines.append("| %s | %s | %s | %s | %s | %s |" % (
                    key + (", ".join(names), "all" if len(here) == len(policies) else
                           " ".join(p for p in policies if p in here), "; ".join(missing))))
    lines.append("")
    lines.append("%d of %d possible cells are filled (%d %%); %d combinations of construct, waiter and completer are impossible." % (
        full, possible, 100 * full // possible,
        sum(impossible((c, w, b)) is not None for c in CONSTRUCTS for w in WAITS for b in COMPLETES)))
    return "\n".join(lines)


HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib", "doze.h")
