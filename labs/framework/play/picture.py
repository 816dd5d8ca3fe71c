# SPDX-License-Identifier: MIT
"""The picture of a game as rows of (text, style) pieces, without a terminal."""
import os
import textwrap

from ..course import ROOT

SMALLEST = (60, 20)
AROUND = 2  # number of source lines shown before and after the next step's line
KEYS = "1-9 step  g go on  b buffer  u undo  r redo  h hint  x cannot  ? help  q quit"

HELP = """\
You are the scheduler. Each column is a thread with the step that it makes next, and the line of the source that
the step is in. Nothing happens between two steps.

  1 … 9        this thread makes its next step; steps that no other thread can notice follow by themselves
  ← →, space   select a thread; it makes its next step
  g            the selected thread goes on until the library reports something, or it can go no further
  b            the oldest store in the selected thread's buffer reaches memory (TSO)
  s            the selected thread's wait ends on its own, if the scenario permits that
  u, r         undo and redo a move; r also follows the schedule given with --script
  h            a hint: the next move of a short way to the goal
  x            "it cannot be done": the explorer tries all executions, and reports how many there were
  w            save the moves as a schedule, and as a trace for doze replay
  q            quit

Any key returns to the game."""


def shorten_place(place):
    """Returns FILE:LINE without the folders."""
    return os.path.basename(place)


def fit(text, width):
    return text if len(text) <= width else text[:max(width - 1, 0)] + "…"


def source_lines(path, cache={}):  # pylint: disable=dangerous-default-value
    """Returns the file's lines, with narrower indentation."""
    if path not in cache:
        full = os.path.join(ROOT, path)
        text = ""
        if os.path.exists(full):
            with open(full, encoding="utf-8", errors="replace") as file:
                text = file.read()
        cache[path] = text.expandtabs(8).replace("        ", "  ").splitlines()
    return cache[path]


def source_around(place, width):
    """Returns rows with the source around the place. The line of the step is marked."""
    if not place:
        return []
    path, number = place.rsplit(":", 1)
    around = range(int(number) - AROUND, int(number) + AROUND + 1)
    lines = source_lines(path)
    if not lines:
        return [(fit("  (no source: the file is one that", width), "source"), (fit("  a lab asks you to write)", width), "source")] + [
            ("", "source")] * (2 * AROUND - 1)
    texts = [lines[n - 1] if 0 < n <= len(lines) else "" for n in around]
    indent = min((len(t) - len(t.lstrip()) for t in texts if t.strip()), default=0)
    return [(fit(("▶ " if n == int(number) else "  ") + text[indent:], width), "here" if n == int(number) else "source")
            for n, text in zip(around, texts)]


def value(size, number):
    if number >> 40 and size == 8:
        return "→ %x" % (number & 0xffffff)  # an address, or counters (see word())
    signed = number - (1 << 8 * size) if size < 8 and number >> (8 * size - 1) else number
    return str(signed)


def is_word(name, size):
    return size == 8 and (name == "word" or name.endswith(".word"))


def word(number):
    """Returns the counters word as text: sleeping, inactive, JEC."""
    jec = number >> 32
    return "sleeping %d, inactive %d, JEC %d (%s)" % (
        number & 0xffff, number >> 16 & 0xffff, jec, "odd: posted since" if jec & 1 else "even")


def column(thread, width, chosen):
    """Returns the rows of one thread."""
    style = {"ready": "ready", "ended": "source"}.get(thread.status, "stopped")
    rows = [(fit("%d %s" % (thread.number + 1, thread.name), width), "chosen" if chosen else "name")]
    rows.append((fit({"sleeps": "sleeps: ", "blocked": "blocked: ", "ended": "has ended", "waits": "waits: "}.get(
        thread.status, "next: ") + thread.step, width), style))
    rows.append((fit("%s %s" % (shorten_place(thread.place), thread.function), width), "source"))
    rows += source_around(thread.place, width) or [("", "source")] * (2 * AROUND + 1)
    rows.append((fit("waits for " + thread.expects if thread.expects else "", width), "source"))
    buffer = ", ".join("%s = %d" % (name.split(">")[-1], number) for name, number in thread.buffer)
    rows.append((fit("buffer: " + buffer if buffer else "", width), "buffer"))
    return rows


def columns(state, width, chosen):
    """Returns the rows of all threads, side by side."""
    n = max(len(state.threads), 1)
    each = (width - (n - 1) * 3) // n
    cells = [column(t, each, t.number == chosen) for t in state.threads]
    rows = []
    for i in range(max(len(c) for c in cells)):
        row = []
        for k, cell in enumerate(cells):
            text, style = cell[i] if i < len(cell) else ("", "source")
            row += [(" │ ", "frame")] if k else []
            row.append((text.ljust(each), style))
        rows.append(row)
    return rows


def memory(state, width):
    """Returns rows with the shared variables, the locks, the sleeping threads and the counters."""
    rows = [[("counters  ", "frame"), (fit(word(n), width - 10), "memory")]
            for name, size, n in state.variables if is_word(name, size)]
    plain = ["%s %s" % (name, value(size, n)) for name, size, n in state.variables if not is_word(name, size)]
    locks = ["%s%s" % (name, ": " + owner if owner else " free") for name, owner in state.locks]
    asleep = ["%s (%s)" % (t.name, t.step.removeprefix("wait ")) for t in state.threads if t.status == "sleeps"]
    for title, words in (("memory    ", plain), ("locks     ", locks), ("asleep    ", asleep or ["none"])):
        lines = textwrap.wrap(",  ".join(words), width - len(title)) or [""]
        for i, line in enumerate(lines[:3]):
            rows.append([(title if i == 0 else " " * len(title), "frame"), (line, "memory")])
    return rows


def last_move(state, width):
    """Returns rows that describe the last move: its steps, and the reports of the library."""
    rows = [[(fit(text.rstrip(), width), "source")] for text, _ in state.steps]
    rows += [[(fit("● " + text, width), "event")] for text in (e.text() for e in state.events) if text]
    return rows


def title(game, width):
    state = game.state
    left = " %s: %s" % ("lab %d" % game.goal.lab.number if game.goal.lab else "play", game.goal.title)
    right = "move %d%s%s " % (state.moves, " of %d" % state.known if state.known > state.moves else "",
                              ", best known %d" % game.best if game.best else "")
    return [(fit(left.ljust(width - len(right)), width - len(right)) + right, "title")]


def picture(game, width, height):
    """Returns the rows of the whole screen."""
    if (width, height) < SMALLEST or height < SMALLEST[1]:
        return [[(fit("too small: %d×%d" % SMALLEST, width), "title")]]
    if game.help:
        return [[(fit(line, width), "memory")] for line in HELP.splitlines()[:height]]
    rule = [("─" * width, "frame")]
    head = [title(game, width)] + [[(" " + line, "memory")] for line in textwrap.wrap(game.task, width - 2)[:2]]
    said = textwrap.wrap(game.message, width - 2)[:2]
    head += [[(" " + line, game.tone)] for line in said + [""] * (2 - len(said))] + [rule]
    body = columns(game.state, width, game.chosen) + [rule] + memory(game.state, width) + [rule]
    foot = [[(fit(" " + KEYS, width), "keys")]]
    room = height - len(head) - len(body) - len(foot)
    moves = last_move(game.state, width)
    body += moves[-room:] if room > 0 else []
    rows = head + body[:height - len(head) - len(foot)]
    return rows + [[("", "memory")]] * (height - len(rows) - len(foot)) + foot


def menu(goals, work, at, said, width, height):
    """Returns the rows of the list of goals, with a message about the last one chosen."""
    rows = [[(fit(" lab %d: what do you want to reach?" % goals[0].lab.number, width).ljust(width), "title")],
            [(fit(" " + said, width), "bad")]]
    for i, goal in enumerate(goals):
        mark = "✓" if goal.solved(work) else " "
        rows.append([(fit(" %s %d  %-12s %s" % (mark, i + 1, goal.name, goal.title), width),
                      "chosen" if i == at else "memory")])
        rows += [[(fit("        " + line, width), "source")]
                 for line in textwrap.wrap(goal.for_student(goal.task, work), max(width - 10, 20))] + [[]]
    return rows[:height - 1] + [[(fit(" 1-9, ↑ ↓ and Enter: play   q: quit", width), "keys")]]
