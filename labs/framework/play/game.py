# SPDX-License-Identifier: MIT
"""One game: the effect of each key. Knows the engine, but not the terminal."""
import os

from ..course import ROOT, Stop
from . import goals
from .engine import Engine, Refused

MOST_STEPS = 400  # limit for one "go on"


class Game:
    def __init__(self, goal, work, script=None):
        self.goal, self.work = goal, work
        self.engine = Engine(goal.program(work), goal.arguments(work))
        self.task, self.best = goal.for_student(goal.task, work), goal.best(work)
        self.message, self.tone = "", "memory"
        self.chosen, self.help, self.asking = 0, False, None
        self.quest = None  # "hint" or "proof" while the explorer searches
        self.over = False
        if script:
            self.load(script)

    @property
    def state(self):
        return self.engine.state

    def load(self, script):
        try:
            self.engine.ask("load " + os.path.abspath(script))
        except Refused as refused:
            self.engine.close()
            raise Stop("%s" % refused, 3) from refused
        self.say("r makes the next move of %s" % script)

    def say(self, text, tone="memory"):
        self.message, self.tone = text, tone

    def press(self, key):
        """Handles a key, given as a character or as a name such as "left". Returns False when the
        player quits."""
        if self.help:
            self.help = False
            return key != "q"
        if self.asking:
            return self.answer_choice(key)
        if self.quest:
            self.quest = None
            self.say("")
        if key == "q":
            return False
        try:
            self.act(key)
        except Refused as refused:
            self.say(str(refused), "bad")
        return True

    def act(self, key):
        threads = len(self.state.threads)
        if key.isdigit() and 1 <= int(key) <= threads:
            self.chosen = int(key) - 1
            self.step()
        elif key in ("left", "right"):
            self.chosen = (self.chosen + (1 if key == "right" else -1)) % threads
        elif key in KEYS:
            KEYS[key](self)
        else:
            self.say("? shows the keys")

    def thread(self):
        return self.state.threads[min(self.chosen, len(self.state.threads) - 1)]

    def move(self, command):
        self.engine.ask(command)
        self.say("")
        self.judge()

    def step(self):
        thread = self.thread()
        if self.is_over():
            self.say("the game is over: u undoes a move", "bad")
        elif thread.status != "ready":
            self.say("%s cannot make a step: it %s" % (thread.name, {
                "sleeps": "sleeps", "blocked": "waits for a lock or a thread", "ended": "has ended",
                "waits": "waits until no other thread can go on"}[thread.status]), "bad")
        elif thread.choices:
            self.asking = thread
            self.say("which?  " + "   ".join("%d %s" % (i + 1, c) for i, c in enumerate(thread.choices)))
        else:
            self.move("run %d" % thread.number)

    def answer_choice(self, key):
        thread, self.asking = self.asking, None
        self.say("")
        if key.isdigit() and 1 <= int(key) <= len(thread.choices):
            self.move("run %d %d" % (thread.number, int(key) - 1))
        return key != "q"

    def go_on(self):
        """Makes steps of the selected thread until the library reports something."""
        for _ in range(MOST_STEPS):
            before = self.state.moves
            self.step()
            if self.state.moves == before or self.is_over() or self.state.phase == "reached":
                return
            if any(e.text() for e in self.state.events):
                return

    def flush(self):
        if not self.thread().buffer:
            self.say("%s buffers no store" % self.thread().name, "bad")
        else:
            self.move("flush %d" % self.thread().number)

    def wake(self):
        if not self.thread().may_wake:
            self.say("%s is not asleep, or the scenario allows no spurious wakes" % self.thread().name, "bad")
        else:
            self.move("wake %d" % self.thread().number)

    def undo(self):
        self.engine.ask("undo")
        self.say("" if self.state.moves else "back at the beginning")

    def redo(self):
        last = self.state.moves == self.state.known
        self.engine.ask("redo")
        self.say("there is no move to redo")
        if not last or self.state.phase == "reached":
            self.say("")
            self.judge()

    def is_over(self):
        return self.state.phase in ("failed", "ended") or self.goal_is_failure()

    def goal_is_failure(self):
        return self.state.phase == "reached" and all(t.status not in ("ready",) for t in self.state.threads)

    def judge(self):
        """Reports the state of the game after a move."""
        phase, message = self.state.phase, self.state.message
        if phase == "reached" and not self.over:
            self.over = True
            better = self.best and self.state.moves < self.best
            self.won("reached in %d moves%s" % (self.state.moves, ", a new best" if better else ""), message)
        elif phase == "reached":
            self.say("reached: " + message, "good")
        elif phase == "failed":
            self.over = False
            self.say("%s; u undoes a move" % message, "bad")
        elif phase == "ended":
            self.over = False
            self.say("all threads have ended" + (", and the goal was not reached: u undoes a move" if self.goal.words else ""),
                     "bad" if self.goal.words else "memory")
        else:
            self.over = False

    def won(self, text, message):
        path = self.save_schedule()
        self.say("%s, saved as %s: %s" % (text, os.path.basename(path), message), "good")

    def save_schedule(self):
        path = self.goal.solution(self.work)
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        if os.path.exists(path):
            os.replace(path, path + ".old")
        self.engine.ask("save " + os.path.abspath(path))
        return path

    def save(self):
        path = self.save_schedule()
        trace = goals.save_trace(self.engine, path)
        self.say("saved: %s%s" % (os.path.relpath(path, ROOT), ", trace %s" % os.path.relpath(trace, ROOT) if trace else ""))

    def ask_hint(self):
        if self.state.phase == "reached":
            self.say("reached: " + self.state.message, "good")
        else:
            self.search("hint")

    def ask_proof(self):
        self.search("proof")

    def search(self, what):
        self.engine.ask(what)
        self.quest = what
        self.say("the explorer searches …")

    def poll(self):
        """Polls the search. Returns whether there is a new report."""
        news = self.engine.ask("poll").split()
        if not news:
            return False
        if news[0] == "progress":
            self.say("the explorer searches … %s executions" % news[1])
            return True
        what, self.quest = self.quest, None
        (self.tell_hint if what == "hint" else self.tell_proof)(news)
        return True

    def tell_hint(self, news):
        if news[0] == "found":
            thread = self.state.threads[int(news[3])]
            act = {"run": "a step of %s", "flush": "%s's oldest store reaches memory", "wake": "%s wakes on its own"}[news[2]]
            self.say("hint: %s; about %s moves to go" % (act % thread.name, news[1]))
        elif news[0] == "none":
            self.say("hint: the goal can no longer be reached from here" if self.goal.possible else "hint: is it possible to reach the goal at all?")
        else:
            self.say("the explorer found no way to the goal within its limit")

    def tell_proof(self, news):
        if news[0] == "found":
            self.say("it can be done: the explorer found an execution with %s moves" % news[1], "bad")
        elif news[0] == "none":
            text = "it cannot be done: the explorer tried %s executions" % news[1]
            path = self.goal.solution(self.work)
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write("# %s\n" % text)
            self.say(text, "good")
        else:
            self.say("the explorer gave up after %s executions: no verdict" % news[-1])

    def show_help(self):
        self.help = True


KEYS = {" ": Game.step, "g": Game.go_on, "b": Game.flush, "s": Game.wake, "u": Game.undo, "backspace": Game.undo,
        "r": Game.redo, "h": Game.ask_hint, "x": Game.ask_proof, "w": Game.save, "?": Game.show_help}
