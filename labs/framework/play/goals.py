# SPDX-License-Identifier: MIT
"""The goals of a lab's games, from the sections [play NAME] of its lab.ini:

  title      a few words for the menu
  task       what to reach, in a sentence; {goal} stands for the student's goal
  run        PROGRAM SCENARIO POLICY MEMORY [OPTION]…, as for tests
  goal       words of the event or failure that the explorer reports; of each {one|other}, the seed chooses one. Without
             this line, the goal is that of the test whose form the goal saves
  start      steps that the game takes before the player's first move, as lines of a schedule
  possible   no if the goal cannot be reached; the player must find that out, and have the explorer prove it
  best       number of moves of the best known solution; with variants, one number for each. It is the result of a
             breadth-first search, which tests/integration/labs/play_goals.py repeats
  ways       for an impossible goal: what the player must have met before the proof counts, one a line, as WORDS: TEXT with
             words of an event, and a text for the player
  file       stub: the lab's stub replaces the library's file; own: the student's file does
  then       a sentence on the consequence, shown when the goal has been reached
  saves      name of the file in the student's folder to which a solution is saved (NAME.txt)
"""
import os
import subprocess

from .. import builds, kinds, variants
from ..course import Run, Stop

FREE_PROGRAMS = ("pool", "waits")


class Goal:
    def __init__(self, lab, name, section):
        self.lab, self.name = lab, name
        self.run = Run(section["run"])
        self.title, self.task = section["title"], section["task"]
        self.possible = section.get("possible", "yes") == "yes"
        self.best_of = [int(word) for word in section.get("best", "").split()]
        self.file, self.then = section.get("file"), section.get("then", "")
        self.saves = section.get("saves", "play/%s.txt" % name)
        self.handed_in = next((t for t in lab.written if t.section.get("form") == self.saves), None)
        self.words = section.get("goal") or self.handed_in.section["goal"]
        self.start = [line.strip() for line in section.get("start", "").splitlines() if line.strip()]
        self.ways = [tuple(line.strip().split(": ", 1)) for line in section.get("ways", "").splitlines() if line.strip()]
        self.choices = variants.count(self.words)

    def choice(self, work):
        return work.number(self.handed_in.name if self.handed_in else self.name) % self.choices

    def for_student(self, text, work):
        return text.replace("{goal}", variants.variant(self.words, self.choice(work)))

    def best(self, work):
        """Returns the number of moves of the best known solution, or None."""
        return self.best_of[self.choice(work)] if self.best_of else None

    def program(self, work):
        if self.file == "own":
            return builds.program(self.lab, self.run.program, work.need(self.lab.file))
        path = os.path.join(self.lab.folder, self.lab.file) if self.file == "stub" else None
        return builds.program(self.lab, self.run.program, path)

    def scene(self, work):
        """Returns the run, with the name of the student's policy in place of `own`."""
        return self.run.under(kinds.own_policy(work)) if self.run.policy == "own" else self.run

    def arguments(self, work):
        start = ["--start=" + ";".join(self.start)] if self.start else []
        return self.scene(work).arguments() + ["--goal=" + self.for_student("{goal}", work)] + start

    def solution(self, work):
        return work.path(self.saves)

    def unfinished(self, work):
        """Returns the path for moves that have not reached the goal."""
        return self.solution(work).removesuffix(".txt") + "-unfinished.txt"

    def solved(self, work):
        """Returns whether the goal has been reached. The file that records it may still be empty."""
        if not os.path.exists(self.solution(work)):
            return False
        with open(self.solution(work), encoding="utf-8", errors="replace") as file:
            text = file.read()
        return "cannot be done" in text or any(l.strip() and not l.startswith("#") for l in text.splitlines())


def goals_of(lab):
    """Returns the goals of the lab's games, in the order of its lab.ini."""
    return [Goal(lab, name, section) for name, section in lab.played.items()]


class Free:
    """One of the library's scenarios, played without a goal, for use in lectures."""
    lab = words = handed_in = None
    then, ways = "", []
    name, title, possible = "free", "step through the protocol", True

    def __init__(self, scenario, policy, memory):
        self.task = "No goal: %s, policy %s, memory %s." % (scenario, policy, memory)
        self.run = Run("%s %s %s %s" % (program_of(scenario, policy), scenario, policy, memory))

    def program(self, _work):
        return builds.program(None, self.run.program, None)

    def arguments(self, _work):
        return self.run.arguments()

    def for_student(self, text, _work):
        return text

    def best(self, _work):
        return None

    def unfinished(self, _work):
        """Returns the path of the saved moves, in the current folder."""
        return os.path.abspath("%s-%s.txt" % (self.run.scenario, self.run.policy))


def scenarios(program):
    """Returns {scenario: policies} for one of the library's explorer programs."""
    done = subprocess.run([builds.program(None, program, None), "--list"], stdout=subprocess.PIPE, text=True, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return {row[0]: row[2].split() for row in rows}


def program_of(scenario, policy):
    known = []
    for program in FREE_PROGRAMS:
        found = scenarios(program)
        known += found
        if scenario not in found:
            continue
        if policy not in found[scenario]:
            raise Stop("scenario %s has no policy '%s'; it has %s" % (scenario, policy, " ".join(found[scenario])))
        return program
    raise Stop("no scenario '%s'; there are %s" % (scenario, " ".join(known)))


def goal_of(lab, name):
    for goal in goals_of(lab):
        if goal.name == name:
            return goal
    raise Stop("lab %s has no goal '%s'; it has %s" % (lab.name, name, " ".join(g.name for g in goals_of(lab))))


def save_trace(engine, path):
    """Writes the game so far as a trace for doze replay. Returns its folder, or None if the tools
    are not built."""
    events = path + ".events"
    engine.ask("events " + events)
    folder = builds.write_trace(events, os.path.splitext(path)[0] + ".trace")
    os.remove(events)
    return folder
