#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that no goal of the games is won without thought: neither by always choosing the first or the last thread that
can go on, nor by turns (one step each, or key g for each), nor, but for a few times in twenty, by random moves; and that
no goal that cannot be reached is won by key x before the player has met the ways that the goal lists.

Usage: play_strategies.py [LAB[/GOAL]...]        Exit: 0 passed; 1 not; 2 usage.
"""
import os
import random
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[:0] = [os.path.join(ROOT, "labs"), os.path.join(ROOT, "tests", "fixtures")]
from framework import course  # noqa: E402
from framework.play.game import Game  # noqa: E402
from framework.play.goals import goals_of  # noqa: E402
from names import check_word  # noqa: E402
from signals import end_cleanly_on_signals  # noqa: E402

REFERENCES = os.path.join(ROOT, "tests", "integration", "labs", "references")
MOST_MOVES, MOST_TURNS = 400, 4000
WALKS, MOST_LUCKY = 20, 2
# Short goals with which a lab begins. Some simple strategy wins them; the lab's later goals need thought.
WARM_UPS = {
    "01-states/sleepy": (4, "the player's first game: the worker goes on until it is sleepy, and then main does"),
    "02-lost-wakeup/first": (2, "the lab's first game, of seven moves: shows in a step for each how a wakeup is lost"),
    "04-core-latch/sleeping": (2, "shows one notify: the owner goes on until it sleeps, and then the setter does"),
}
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)
        print("WRONG: " + text, flush=True)


class Player:
    """Plays a game with keys, without a terminal. The game saves its files in the folder of `work`."""

    def __init__(self, goal, work):
        self.game = Game(goal, work)

    def threads(self):
        return self.game.state.threads

    def ready(self):
        return [t.number for t in self.threads() if t.status == "ready"]

    def is_over(self):
        return self.game.state.phase != "playing" or self.game.state.moves >= MOST_MOVES or not (
            self.ready() or any(t.buffer for t in self.threads()))

    def has_won(self):
        goal = self.game.goal
        return self.game.reached is not None if goal.possible else not self.game.to_meet()

    def press(self, *keys):
        for key in keys:
            self.game.press(key)

    def step(self, number, choice=0):
        self.press(str(number + 1), *[str(choice + 1)] * bool(self.threads()[number].choices))

    def go_on(self, number):
        self.game.chosen = number
        self.press("g")
        while self.game.asking is not None:  # one of the steps has a choice
            self.press("1")

    def flush(self, number):
        self.game.chosen = number
        self.press("b")


def always(pick):
    def play(player):
        while not player.is_over() and player.ready():
            player.step(pick(player.ready()))
    return play


def by_turns(direction, press):
    """Returns a strategy that lets one thread after the other make a step, or go on."""
    def play(player):
        at = 0 if direction > 0 else -1
        while not player.is_over() and player.ready():
            if abs(at) > MOST_TURNS:
                raise RuntimeError("the strategy makes no progress after %d moves" % player.game.state.moves)
            number = at % len(player.threads())
            if number in player.ready():
                press(player, number)
            elif player.threads()[number].buffer:
                player.flush(number)
            at += direction
    return play


def at_random(seed):
    def play(player):
        dice = random.Random(seed)
        while not player.is_over():
            moves = [(player.step, t, c) for t in player.ready() for c in range(max(len(player.threads()[t].choices), 1))]
            moves += [(player.flush, t.number) for t in player.threads() if t.buffer]
            move, *which = dice.choice(moves)
            move(*which)
    return play


SIMPLE = {
    "always the first thread": always(min),
    "always the last thread": always(max),
    "a step for each in turn": by_turns(1, Player.step),
    "a step for each in turn, from the last": by_turns(-1, Player.step),
    "g for each in turn": by_turns(1, Player.go_on),
    "g for each in turn, from the last": by_turns(-1, Player.go_on),
}


def wins(goal, work, strategy):
    player = Player(goal, work)
    strategy(player)
    player.game.engine.close()
    return player.has_won()


def check_first_key(goal, work, name):
    player = Player(goal, work)
    player.press("x")
    expect(player.game.quest is None, "%s: x is accepted as the first key" % name)
    player.game.engine.close()


def check(goal):
    name = "%s/%s" % (goal.lab.name, goal.name)
    with tempfile.TemporaryDirectory(prefix="doze-play-") as folder:
        work = course.Work(goal.lab, folder, "play1")
        if goal.file == "own":
            path = os.path.join(ROOT, goal.lab.replaces) if goal.lab.replaces else os.path.join(
                REFERENCES, goal.lab.name, goal.lab.file)
            with open(path, encoding="utf-8") as file:
                work.add(goal.lab.file, file.read())
        won = [how for how, strategy in SIMPLE.items() if wins(goal, work, strategy)]
        lucky = sum(wins(goal, work, at_random(seed)) for seed in range(WALKS))
        if not goal.possible:
            check_first_key(goal, work, name)
    print("%-24s won by: %s; random moves: %d of %d" % (name, ", ".join(won) or "-", lucky, WALKS), flush=True)
    most, _ = WARM_UPS.get(name, (MOST_LUCKY, ""))
    expect(lucky <= most, "%s: random moves win %d of %d games" % (name, lucky, WALKS))
    expect(not won or name in WARM_UPS, "%s is won by: %s" % (name, ", ".join(won)))


def main(arguments):
    end_cleanly_on_signals()
    wanted = {"%s/%s" % (lab.name, goal.name): goal for lab in course.labs() for goal in goals_of(lab)}
    for name in WARM_UPS:
        expect(name in wanted, "no goal '%s'" % name)
    for argument in arguments:
        check_word(argument, wanted, "goal")
    for name, goal in wanted.items():
        if not arguments or any(a in name for a in arguments):
            check(goal)
    print("play: %d problems" % len(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
