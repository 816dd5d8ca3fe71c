#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays every goal of every lab along the shortest solution that the explorer finds, and checks that: a possible goal is
reached in the number of moves that lab.ini gives as the best known; an impossible goal is proved impossible, and each way that it lists can be met; the saved
schedule reaches the goal again; each move takes at most 100 ms of CPU time; the first screen fits a terminal of 80x24
and names all keys.

Usage: play_goals.py [LAB[/GOAL]...]        Exit: 0 passed; 1 not; 2 usage.
"""
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[:0] = [os.path.join(ROOT, "labs"), os.path.join(ROOT, "tests", "fixtures")]
from framework import course  # noqa: E402
from framework.play import picture  # noqa: E402
from framework.play.engine import Engine  # noqa: E402
from framework.play.game import Game  # noqa: E402
from framework.play.goals import goals_of  # noqa: E402
from names import check_word  # noqa: E402
from signals import end_cleanly_on_signals  # noqa: E402

REFERENCES = os.path.join(ROOT, "tests", "integration", "labs", "references")
MOST_MS = 100
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)
        print("WRONG: " + text, flush=True)


def ended(engine, what):
    """Starts a search and returns its result."""
    news = engine.ask(what)
    while not news or news.startswith("progress"):
        time.sleep(0.02)
        news = engine.ask("poll")
    return news.split()


class Player:
    def __init__(self, goal, work):
        self.goal, self.work = goal, work
        self.engine = Engine(goal.program(work), goal.arguments(work))
        self.slowest = 0
        self.shortest = None

    def timed(self, command):
        before = self.engine.cpu()
        self.engine.ask(command)
        self.slowest = max(self.slowest, self.engine.cpu() - before)

    def follow_solution(self):
        """Plays the moves of the shortest solution that the explorer finds. Returns whether it reaches the goal."""
        path = self.work.path("solution")
        news = ended(self.engine, "solution " + path)
        if news[0] != "found":
            return False
        self.shortest = int(news[1])  # load may split a move whose steps are not adjacent in the script
        self.engine.ask("load " + path)
        return self.redo()

    def redo(self):
        while self.engine.state.moves < self.engine.state.known and self.engine.state.phase != "reached":
            self.timed("redo")
        return self.engine.state.phase == "reached"

    def replays(self):
        """Saves the schedule and plays it again. Returns whether it reaches the goal again."""
        moves, path = self.engine.state.moves, self.work.path("schedule")
        self.engine.ask("save " + path)
        self.engine.ask("load " + path)
        return self.redo() and self.engine.state.moves == moves


def lab_replays(goal, work):
    """Returns whether labs/lab replay shows the steps of a finished game, which may end in a failure. With store
    buffers, it must instead name the command that shows them."""
    path = goal.solution(work)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.replace(work.path("schedule"), path)
    done = subprocess.run([os.path.join(ROOT, "labs", "lab"), "replay", str(goal.lab.number), path, "--work", work.folder,
                           "--seed", work.seed], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if goal.run.memory != "sc":
        return done.returncode == 2 and "labs/lab play %d %s" % (goal.lab.number, goal.name) in done.stdout
    return done.returncode in (0, 1) and done.stdout.count("\n") > 5


def check_possible(player, name):
    goal, reached = player.goal, player.follow_solution()
    expect(reached, "%s: the explorer's solution does not reach the goal" % name)
    moves = player.shortest
    best = goal.best(player.work)
    expect(best == moves, "%s: lab.ini has best = %s, but the shortest way has %d moves" % (name, best, moves))
    expect(not reached or player.replays(), "%s: the saved schedule does not reach the goal" % name)
    expect(not reached or lab_replays(goal, player.work), "%s: labs/lab replay does not show the saved game" % name)
    expect(player.slowest < MOST_MS, "%s: a move took %.0f ms" % (name, player.slowest))
    print("%-24s reached in %d moves, slowest response %.1f ms" % (name, moves, player.slowest), flush=True)


def check_impossible(player, name):
    expect(player.goal.ways, "%s: lists nothing that the player must meet before x" % name)
    for words, text in player.goal.ways:
        expect(ended(player.engine, "hint " + words)[0] == "found", "%s: the player cannot bring about: %s" % (name, text))
    proof = ended(player.engine, "proof")
    expect(proof[0] == "none", "%s: the goal should be impossible to reach: %s" % (name, " ".join(proof)))
    print("%-24s not reached in any of %s executions" % (name, proof[-1]), flush=True)


def keys_of(goal):
    buffered, has_goal = goal.run.memory == "tso", bool(goal.words)
    return ["1-9 step", "←→ select", "g go", "u undo", "r redo", "? help", "q quit"] + ["b buffer"] * buffered + [
        "h hint", "x cannot"] * has_goal


def check_screen(game, name, width, height):
    """Checks that the screen shows all keys and the whole task, and that nothing is wider than the terminal, which does not
    show its last cell."""
    rows = ["".join(text for text, _ in row) for row in picture.picture(game, width, height)]
    size = "%s at %dx%d" % (name, width, height)
    expect(len(rows) == height, "%s: the screen has %d rows" % (size, len(rows)))
    expect(max(map(len, rows)) <= width and len(rows[-1]) < width, "%s: a row is too wide: %s" % (size, max(rows, key=len)))
    lacking = [key for key in keys_of(game.goal) if key not in "\n".join(rows[-2:])]
    expect(not lacking, "%s: the last rows do not name the keys %s: %s" % (size, ", ".join(lacking), rows[-1]))
    lost = [word for word in game.task.split() if word not in " ".join(rows[1:6]).split()]
    expect(not lost, "%s: the task is cut before: %s" % (size, " ".join(lost)))


def check_screens(goal, work, name):
    game = Game(goal, work)
    check_screen(game, name, 80, 24)
    check_screen(game, name, *picture.SMALLEST)
    game.engine.close()


def seed_for(goal, choice):
    """Returns a student's seed with which the lab selects this variant of the goal."""
    return next("play%d" % i for i in range(1000) if goal.choice(course.Work(goal.lab, "/", "play%d" % i)) == choice)


def check(goal, choice):
    name = "%s/%s" % (goal.lab.name, goal.name) + (" %d" % (choice + 1) if goal.choices > 1 else "")
    with tempfile.TemporaryDirectory(prefix="doze-play-") as folder:
        work = course.Work(goal.lab, folder, seed_for(goal, choice))
        if goal.file == "own":
            path = os.path.join(ROOT, goal.lab.replaces) if goal.lab.replaces else os.path.join(
                REFERENCES, goal.lab.name, goal.lab.file)
            with open(path, encoding="utf-8") as file:
                work.add(goal.lab.file, file.read())
        check_screens(goal, work, name)
        player = Player(goal, work)
        (check_possible if goal.possible else check_impossible)(player, name)
        player.engine.close()


def main(arguments):
    end_cleanly_on_signals()
    wanted = [g for lab in course.labs() for g in goals_of(lab)]
    names = ["%s/%s" % (g.lab.name, g.name) for g in wanted]
    for argument in arguments:
        check_word(argument, names, "goal")
    for goal, name in zip(wanted, names):
        if not arguments or any(a in name for a in arguments):
            for choice in range(goal.choices):
                check(goal, choice)
    print("play: %d problems" % len(problems))
    return 1 if problems or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
