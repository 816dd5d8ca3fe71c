# SPDX-License-Identifier: MIT
"""labs/lab play: selects the game from the command line."""
from .. import course
from ..course import Stop
from . import goals


def command(args):
    """Plays a goal of a lab, or a scenario of the library."""
    from . import terminal  # pylint: disable=import-outside-toplevel # only play needs curses
    if args.lab_or_none and (args.scenario or args.policy):
        raise Stop("play: give a lab, or --scenario and --policy")
    if args.lab_or_none:
        lab = course.find(args.lab_or_none)
        work = course.Work(lab, args.work, args.seed)
        if not goals.goals_of(lab):
            raise Stop("lab %s has no game" % lab.name)
        choice = [goals.goal_of(lab, args.what)] if args.what else goals.goals_of(lab)
        if args.script and len(choice) > 1:
            raise Stop("play: --script needs a goal: %s" % " ".join(g.name for g in choice))
    else:
        if not args.scenario:
            raise Stop("play: give a lab, or --scenario=NAME")
        work = None
        choice = [goals.Free(args.scenario, args.policy or "jec", args.memory or "sc")]
    times = open(args.times, "w", encoding="ascii") if args.times else None  # pylint: disable=consider-using-with
    terminal.run(choice, work, args.script, times)
