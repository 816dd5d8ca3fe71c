# SPDX-License-Identifier: MIT
"""One game: the effect of each key. Uses the engine, but not the terminal."""
import os
import re

from ..course import Stop
from ..run_events import STATES
from . import goals
from .engine import Engine, Refused

SAVED_BY_GAME = re.compile(r"# \S+, \d+ moves\n")  # the first line of a schedule that a game saved (play_search.c)
CLOSE_HELP = ("?", "escape", "enter", "q")  # keys that only close the help
TURN_PAGE = ("?", "enter")  # of these, the keys that show the next page before the last one
MOST_STEPS = 400  # maximum number of steps that one key "g" makes


def count_of_moves(number):
    return "%d move%s" % (number, "" if number == 1 else "s")


def blocked_by(thread, state):
    """Returns what the thread's next step waits for, or None if the thread can make it."""
    if thread.status != "blocked":
        return None
    what, _, name = thread.step.partition(" ")
    if what == "join":
        return "waits for %s to exit" % name
    owner = dict(state.locks).get(name.removesuffix(" (woken)"))
    return "waits for %s, which %s holds" % (name.removesuffix(" (woken)"), owner) if owner else None


def question(thread):
    """Returns what the player must choose before the thread's next step."""
    first = thread.choices[0].split()[0]
    return {"wake": "which thread does its notify wake", "read": "which value does it read"}.get(first, "how does the scenario go on") + "?"


def written_moves(path):
    """Returns the text of a schedule, or None if it does not exist or has no moves."""
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    return text if any(line.strip() and not line.startswith("#") for line in text.splitlines()) else None


class Game:
    def __init__(self, goal, work, script=None):
        self.goal, self.work = goal, work
        self.engine = Engine(goal.program(work), goal.arguments(work))
        self.task, self.best = goal.for_student(goal.task, work), goal.best(work)
        self.message, self.tone = "", "memory"
        self.chosen, self.asking = 0, None
        self.help, self.help_pages = 0, 1  # the page shown, or 0; the picture finds out how many there are
        self.past = []  # past[n] is the state after n moves, up to the current one
        self.kept = ""  # text that names the file to which an earlier schedule was moved
        self.reached = None  # how the goal was reached, unless that move was undone
        self.quest = None  # "hint", "proof" or "watch" while the explorer searches
        self.unsure = False  # it is not known whether the goal can still be reached
        self.lost = False  # the goal can no longer be reached
        self.aim = None  # the way (goals.py) that a hint leads to, if not the goal
        self.met = set()  # the ways that the player has met
        self.remember()
        if script:
            self.load(script)

    @property
    def state(self):
        return self.engine.state

    def ask(self, command):
        """Sends a command that changes the state."""
        self.engine.ask(command)
        self.remember()

    def remember(self):
        self.past[self.state.moves:] = [self.state]
        if self.state.moves:
            self.met |= {way for way in self.goal.ways if any(way[0] in event for event in self.state.met)}

    def to_meet(self):
        """Returns the ways (see goals.py) that the player has not brought about yet."""
        return [way for way in self.goal.ways if way not in self.met]

    def load(self, script):
        try:
            self.ask("load " + os.path.abspath(script))
        except Refused as refused:
            self.engine.close()
            raise Stop("%s" % refused, 3) from refused
        self.say("r makes the next move of %s" % script)

    def say(self, text, tone="memory"):
        self.message, self.tone = text, tone

    def press(self, key):
        """Handles a key, given as a character or as a name such as "left". Returns False when the
        player quits."""
        if self.help and key in TURN_PAGE and self.help < self.help_pages:
            self.help += 1
            return True
        if self.help:
            self.help = 0
            if key in CLOSE_HELP:
                return True
        if self.asking:
            return self.answer_choice(key)
        if key == "q":
            return False
        if self.quest == "watch":
            self.stop_watch()
        if self.quest:
            return key == {"hint": "h", "proof": "x"}[self.quest] or self.stop_search()
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
        self.ask(command)
        self.say("")
        self.judge()

    def step(self):
        thread = self.thread()
        if self.is_over():
            self.say("the game is over: u undoes a move", "bad")
        elif thread.status != "ready":
            self.say("%s cannot make a step: it %s" % (thread.name, self.obstacle(thread)), "bad")
        elif thread.choices:
            self.asking = thread
            self.ask_choice()
        else:
            self.move("run %d" % thread.number)

    def obstacle(self, thread):
        """Returns why the thread cannot make a step."""
        if thread.status == "blocked":
            return blocked_by(thread, self.state) or "waits for a lock"
        return {"sleeps": "sleeps", "ended": "has ended", "waits": "waits until no other thread can go on"}[thread.status]

    def ask_choice(self):
        """Asks for the alternative of the thread's next step."""
        self.say("%s: %s Now press %s; any other key makes no step" % (self.asking.name, question(self.asking), " or ".join(
            "%d (%s)" % (i + 1, c) for i, c in enumerate(self.asking.choices))), "ask")

    def answer_choice(self, key):
        thread, self.asking = self.asking, None
        if key.isdigit() and 1 <= int(key) <= len(thread.choices):
            self.move("run %d %d" % (thread.number, int(key) - 1))
        else:
            self.say("%s made no step, because no alternative was chosen" % thread.name)
        return True

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
            others = [t for t in self.state.threads if t.buffer]
            self.say("%s buffers no store%s" % (self.thread().name, "; ← → select %s, which does" % others[0].name if others else ""),
                     "bad")
        else:
            self.move("flush %d" % self.thread().number)

    def wake(self):
        if not self.thread().may_wake:
            self.say("%s is not asleep, or the scenario allows no spurious wakes" % self.thread().name, "bad")
        else:
            self.move("wake %d" % self.thread().number)

    def undo(self):
        self.ask("undo")
        self.say("" if self.state.moves else "back at the beginning")
        self.judge()

    def redo(self):
        last = self.state.moves == self.state.known
        self.ask("redo")
        self.say("there is no move to redo" if last else "")
        self.judge()

    def is_over(self):
        return self.state.phase in ("failed", "ended") or self.goal_is_failure()

    def goal_is_failure(self):
        return self.state.phase == "reached" and all(t.status not in ("ready",) for t in self.state.threads)

    def judge(self):
        """Records whether the last move has reached the goal, and saves a solution."""
        self.lost, self.unsure = False, self.can_be_lost()
        if self.state.phase != "reached":
            self.reached = None
        elif not self.reached:
            path = self.goal.solution(self.work)
            self.save_schedule(path)
            self.reached = "reached in %s%s, saved as %s%s: %s" % (
                count_of_moves(self.state.moves), self.compared(), os.path.basename(path), self.kept, self.state.message)
            self.reached += ". " + self.goal.then if self.goal.then else ""

    def can_be_lost(self):
        """Returns whether the player should be warned when the goal can no longer be reached. If the goal may be impossible
        from the start, the warning would give away the answer."""
        return bool(self.goal.words) and self.goal.possible and self.goal.file != "own" and (
            self.state.phase == "playing" and self.state.moves > 0)

    def watch(self):
        """Starts a search, in the background, for a way from here to the goal."""
        self.unsure = False
        self.engine.ask("hint")
        self.quest = "watch"

    def stop_watch(self):
        """Stops that search. It starts again when the player pauses."""
        self.quest, self.unsure = None, True
        self.engine.ask("show")

    def compared(self):
        """Returns how the number of moves compares with the best known one."""
        fewer = self.best - self.state.moves if self.best else 0
        if fewer > 0:
            return " (a new best: %d fewer than any known solution)" % fewer
        return " (the best known)" if self.best and fewer == 0 else " (best known: %d)" % self.best if self.best else ""

    def outcome(self):
        """Returns the outcome so far, as (text, tone). It stays on the screen."""
        if self.reached:
            return self.reached, "good"
        if self.state.phase == "failed":
            return "%s; u undoes a move" % self.state.message, "bad"
        if self.state.phase == "ended" and self.goal.words:
            return "all threads have exited, and the goal was not reached: u undoes a move", "bad"
        if self.lost:
            return "lost: from here, the goal can no longer be reached. u undoes a move", "bad"
        return ("all threads have exited", "memory") if self.state.phase == "ended" else ("", "memory")

    def worker_state(self, thread):
        """Returns the state that the library last reported for the thread, or None if it is no worker."""
        for state in reversed(self.past):
            for event in reversed(state.events):
                if event.name == "worker_state" and thread.name == "worker %d" % event.worker:
                    return STATES[event.number("to")]
        return None

    def save_schedule(self, path):
        """Saves the moves. Keeps a schedule that the player wrote before, and reports this in `kept`."""
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        former, self.kept = written_moves(path), ""
        if former and not (SAVED_BY_GAME.match(former) and os.path.exists(path + "~")):
            os.replace(path, path + "~")
            self.kept = " (the previous one is now %s~)" % os.path.basename(path)
        self.engine.ask("save " + path)

    def save(self):
        # Moves that do not reach the goal never replace those that do.
        path = self.goal.solution(self.work) if self.reached else self.goal.unfinished(self.work)
        self.save_schedule(path)
        trace = goals.save_trace(self.engine, path)
        self.say("saved: %s%s%s" % (os.path.relpath(path), self.kept, ", trace %s" % os.path.relpath(trace) if trace else ""))

    def has_goal(self):
        """Returns whether there is a goal to search for; otherwise says that there is none."""
        if not self.goal.words:
            self.say("this game has no goal: ? shows the keys", "bad")
        return bool(self.goal.words)

    def ask_hint(self):
        if not self.has_goal():
            return
        missing = self.to_meet()
        self.aim = missing[0] if missing else None
        if self.reached:
            self.say("the goal is reached: u undoes a move, q quits")
        elif self.goal.ways and not missing:
            self.say("hint: is it possible to reach the goal at all? x lets the explorer try everything")
        else:
            self.search("hint", "hint " + self.aim[0] if self.aim else "hint")

    def ask_proof(self):
        if not self.has_goal():
            return
        missing = self.to_meet()
        if self.reached:
            self.say("the goal is reached, so it can be done: u undoes a move, q quits")
        elif missing:
            self.say("before you press x, bring about all that is listed as “before x” (h shows how)", "bad")
        else:
            self.search("proof", "proof")

    def search(self, what, command):
        self.engine.ask(command)
        self.quest = what
        self.say("the explorer is searching … (press any key to stop)")

    def stop_search(self):
        self.quest = None
        self.engine.ask("show")
        self.say("the search was stopped; your key had no other effect")
        return True

    def poll(self):
        """Polls the search. Returns whether there is a new report."""
        news = self.engine.ask("poll").split()
        if not news:
            return False
        if self.quest == "watch" and news[0] == "progress":
            return False
        if news[0] == "progress":
            self.say("the explorer is searching … %s %s (press any key to stop)" % (
                news[1], "executions" if self.quest == "proof" else "moves tried"))
            return True
        what, self.quest = self.quest, None
        if what == "watch":
            self.lost = news[0] == "none"
        else:
            (self.tell_hint if what == "hint" else self.tell_proof)(news)
        return True

    def tell_hint(self, news):
        if news[0] == "found" and self.goal.handed_in:
            self.say("hint: the goal can still be reached; these moves are graded, so none is named")
        elif news[0] == "found":
            moves, kind, thread, choice, extent = news[1:]
            self.say("hint%s: %s; %s%s to go" % (
                " for “%s”" % self.aim[1] if self.aim else "", self.keys_for(kind, self.state.threads[int(thread)], int(choice)),
                "at most " if extent == "cut" else "", count_of_moves(int(moves))))
        elif news[0] == "none" and self.aim and not self.state.moves:
            self.met.add(self.aim)
            self.say("“%s” never happens in this program, so x does not ask for it" % self.aim[1])
        elif news[0] == "none" and self.aim:
            self.say("hint: “%s” can no longer happen from here; u undoes a move" % self.aim[1])
        elif news[0] == "none":
            self.say("hint: the goal can no longer be reached from here; u undoes a move" if self.goal.possible
                     else "hint: is it possible to reach the goal at all?")
        else:
            self.say("the explorer found no way to the goal within its limit")

    def keys_for(self, kind, thread, choice):
        """Returns the keys for a move, and a description of the move."""
        if kind == "run" and thread.choices:
            return "press %d, then %d: %s is to %s" % (thread.number + 1, choice + 1, thread.name, thread.choices[choice])
        if kind == "run":
            return "press %d: a step of %s" % (thread.number + 1, thread.name)
        first = "" if thread.number == self.chosen else "← → until %s is selected, then " % thread.name
        return first + ("press b: its oldest store reaches memory" if kind == "flush" else "press s: it wakes spuriously")

    def tell_proof(self, news):
        if news[0] == "found":
            self.say("it can be done: the explorer found an execution that reaches it", "bad")
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
        self.help = 1


KEYS = {" ": Game.step, "g": Game.go_on, "b": Game.flush, "s": Game.wake, "u": Game.undo, "backspace": Game.undo,
        "r": Game.redo, "h": Game.ask_hint, "x": Game.ask_proof, "w": Game.save, "?": Game.show_help}
