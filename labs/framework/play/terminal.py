# SPDX-License-Identifier: MIT
"""The game on a terminal, with curses. The terminal is restored however the game ends, except after
SIGKILL."""
import curses
import locale
import os
import signal
import sys
import time

from .. import builds
from ..course import Stop
from . import picture
from .game import Game

NAMES = {curses.KEY_LEFT: "left", curses.KEY_RIGHT: "right", curses.KEY_UP: "up", curses.KEY_DOWN: "down",
         curses.KEY_BACKSPACE: "backspace", 127: "backspace", 8: "backspace", 10: "enter", 13: "enter",
         curses.KEY_ENTER: "enter", 27: "escape"}
COLORS = {"ready": curses.COLOR_GREEN, "stopped": curses.COLOR_YELLOW, "good": curses.COLOR_GREEN, "bad": curses.COLOR_RED,
          "event": curses.COLOR_CYAN, "buffer": curses.COLOR_MAGENTA, "ask": curses.COLOR_YELLOW}
LOOKS = {"title": curses.A_REVERSE, "chosen": curses.A_BOLD | curses.A_UNDERLINE, "name": curses.A_BOLD,
         "here": curses.A_BOLD, "source": curses.A_DIM, "frame": curses.A_DIM, "keys": curses.A_DIM,
         "ask": curses.A_BOLD, "good": curses.A_BOLD, "bad": curses.A_BOLD, "changed": curses.A_BOLD}
PAUSE = 400  # ms without a key, after which the game checks whether the goal can still be reached
SEARCHING = 100  # ms between two polls of a search


class Killed(Exception):
    """SIGTERM or SIGHUP was received; the game exits in the usual way."""


class Terminal:
    def __init__(self, window, times):
        self.window, self.times = window, times
        window.keypad(True)
        curses.set_escdelay(25)
        curses.curs_set(0)
        self.styles = dict(LOOKS)
        if "NO_COLOR" in os.environ or not curses.has_colors():
            return
        curses.start_color()
        curses.use_default_colors()
        for i, (name, color) in enumerate(COLORS.items(), 1):
            curses.init_pair(i, color, -1)
            self.styles[name] = LOOKS.get(name, 0) | curses.color_pair(i)

    def show(self, rows):
        height, width = self.window.getmaxyx()
        self.window.erase()
        for y, row in enumerate(rows[:height]):
            x = 0
            for text, style in row:
                room = width - x - (1 if y == height - 1 else 0)  # writing the last cell would scroll the screen
                if room > 0:
                    self.window.addnstr(y, x, text, room, self.styles.get(style, 0))
                x += len(text)
        self.window.refresh()

    def size(self):
        height, width = self.window.getmaxyx()
        return width, height

    def key(self, wait):
        """Returns a character, the name of a key, "resize", or None if no key was pressed for
        `wait` ms."""
        self.window.timeout(wait)
        code = self.window.getch()
        if code in (-1, curses.KEY_RESIZE):
            return None if code == -1 else "resize"
        return NAMES.get(code) or (chr(code) if 32 <= code < 127 else "other")

    def measured(self, key, began, cpu):
        if self.times:
            self.times.write("%s %.2f %.2f\n" % (key, (time.monotonic() - began) * 1e3, cpu))
            self.times.flush()


def cpu_of(game):
    return time.process_time() * 1e3 + game.engine.cpu()


def play(terminal, game):
    """Runs the game until the player quits."""
    terminal.show(picture.picture(game, *terminal.size()))
    while True:
        key = terminal.key(SEARCHING if game.quest else PAUSE if game.unsure else -1)
        if key is None and game.unsure and not game.quest:
            game.watch()
        if key is None and not (game.quest and game.poll()):
            continue
        began, cpu = time.monotonic(), cpu_of(game)
        if key not in (None, "resize") and not game.press(key):
            return
        terminal.show(picture.picture(game, *terminal.size()))
        if key is not None:
            terminal.measured(key, began, cpu_of(game) - cpu)


def choose(terminal, goals, work, said):
    """Returns the goal that the player chooses from the list, or None. Shows why the last choice
    cannot be played."""
    at = 0
    while True:
        terminal.show(picture.menu(goals, work, at, said, *terminal.size()))
        key = terminal.key(-1)
        if key == "q":
            return None
        if key in ("up", "down"):
            at = (at + (1 if key == "down" else -1)) % len(goals)
        elif key == "enter":
            return goals[at]
        elif key and key.isdigit() and 1 <= int(key) <= len(goals):
            return goals[int(key) - 1]


def with_screen(inside):
    """Calls inside(window). Does not use curses.wrapper, which sets colours even with NO_COLOR."""
    window = curses.initscr()
    try:
        curses.noecho()
        curses.cbreak()
        inside(window)
    finally:
        window.keypad(False)
        curses.nocbreak()
        curses.echo()
        curses.endwin()


def on_signal(number, _frame):
    raise Killed(number)


def run(goals, work, script, times):
    """Plays the only goal, or the one that the player chooses."""
    if not os.isatty(0) or not os.isatty(1):
        raise Stop("play needs a terminal")
    locale.setlocale(locale.LC_CTYPE, "")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, on_signal)
    # Before the screen opens, build what may be missing, because make and the compiler write to the terminal.
    builds.how()
    first = Game(goals[0], work, script) if len(goals) == 1 else None

    def inside(window):
        terminal, said = Terminal(window, times), ""
        if first:
            play(terminal, first)
            first.engine.close()
            return
        while (goal := choose(terminal, goals, work, said)) is not None:
            terminal.show([[(" building …", "memory")]])
            try:
                game, said = Game(goal, work), ""
            except Stop as stop:
                said = str(stop).splitlines()[0]
                continue
            play(terminal, game)
            game.engine.close()
    try:
        with_screen(inside)
    except curses.error as error:
        raise Stop("play cannot use this terminal (TERM=%s): %s: try TERM=xterm-256color"
                   % (os.environ.get("TERM", ""), error)) from error
    except KeyboardInterrupt:
        pass
    except Killed as killed:
        sys.exit(128 + killed.args[0])
