# SPDX-License-Identifier: MIT
"""The picture of a game as rows of (text, style) pieces, without a terminal."""
import os
import re
import textwrap

from .. import course
from ..course import ROOT
from ..run_events import LATCH
from ..values import named_values, names_of
from .game import blocked_by

SMALLEST = (60, 20)
AROUND = (6, 5, 4, 3, 2)  # numbers of source lines before and after the next step's line, if there is room
LEAST_AROUND = 1
MOST_MEMORY = 3  # maximum number of rows of variables on a small screen
LEAST_LOG = 4
STRUCT = 64  # a value fewer than this many bytes below a variable's address is shown as a pointer to its struct

# Variables that are not shown: ids, statistics and reference counts, which do not influence which threads run or sleep;
# and the workers' states, which the heads of the columns show.
NOISE = re.compile(r"jobs_run|jobs_published|jobs_stolen|_ids\b|discards|terminate_count|wake_ring|wakes_given|callers|references|->tid\b|"
                   r"\bcounter\b|->sleeps\b|worker->state|job->next|outside_published|"
                   r"d->buffer|d->split|d->asked|blocked_index|end_awaited")

HELP = """\
You are the scheduler. Each column is a thread: its next step, and the source.
Nothing happens between two steps. The head of a column shows the number, the
name, the state that the library last reported, and ◂ if it is selected.

  1 … 9       this thread makes its next step, and then those of its steps that
              no other thread can notice; if it asks which, a digit answers
  ← →, space  select a thread; it makes its next step
  g           the selected thread goes on until the library reports something
  b           the oldest store in its store buffer reaches memory (TSO)
  s           a spurious wake of the selected thread, if the scenario permits it
  u, r        undo and redo a move; r also follows the file of --script
  h           a hint: the next move of a short way to the goal; if the moves are
              graded, only whether there still is one (a short pause shows this)
  x           "it cannot be done": the explorer tries all executions; first
              bring about all that the goal lists as "before x"
  w           save the moves as a schedule, and as a trace for doze replay
  q           quit

"add x: 1 -> 2" changes x from 1 to 2; "load x -> 1" reads 1. "s1 i2 J3" is the
counters word: 1 worker sleeping, 2 inactive, the JEC 3. Queues, counters and
variables show what is in memory.

? or q closes this help. Any other key closes it and has its usual effect."""
HELP_WIDTH = 80
MORE_HELP = "? the next page   q: closes this help"


def narrow_help(width):
    """Returns the lines of the help, broken anew. A paragraph ends at an empty line, or where the next key begins."""
    lines = []
    for paragraph in re.split(r"\n(?=\n|  \S)", HELP):
        key = re.match(r"(\n?  \S.{11})(.*)", paragraph, re.S)
        head, text = key.groups() if key else ("\n" * paragraph.startswith("\n"), paragraph)
        wrapped = textwrap.wrap(" ".join(text.split()), width, initial_indent=head.lstrip("\n"), subsequent_indent=" " * 14 * bool(key))
        lines += [""] * head.startswith("\n") + wrapped
    return lines


def help_pages(width, height):
    """Returns the pages of the help, as lists of lines. Each page but the last says how to go on."""
    lines = HELP.splitlines() if width >= HELP_WIDTH else narrow_help(width)
    if len(lines) <= height:
        return [lines]
    pages = [lines[at:at + height - 1] for at in range(0, len(lines), height - 1)]
    return [page + [fit(MORE_HELP, width)] for page in pages[:-1]] + pages[-1:]


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


def source_around(place, width, around):
    """Returns rows with the source around the place. The line of the step is marked."""
    if not place:
        return [("", "source")] * (2 * around + 1)
    path, number = place.rsplit(":", 1)
    numbers = range(int(number) - around, int(number) + around + 1)
    lines = source_lines(path)
    if not lines:
        return [(fit("  " + text, width), "source") for text in sealed_text(path)] + [("", "source")] * (2 * around - 2)
    texts = [lines[n - 1] if 0 < n <= len(lines) else "" for n in numbers]
    indent = min((len(t) - len(t.lstrip()) for t in texts if t.strip()), default=0)
    return [(fit(("▶ " if n == int(number) else "  ") + text[indent:], width), "here" if n == int(number) else "source")
            for n, text in zip(numbers, texts)]


def sealed_text(path, cache={}):  # pylint: disable=dangerous-default-value
    """Returns three rows in place of a source that the student's copy contains only as sealed text."""
    if not cache:
        cache.update({lab.replaces: lab.number for lab in course.labs() if lab.replaces})
    if path not in cache:
        return ["(the source is missing)", "", ""]
    return ["(not shown: this is the file", "that you write in lab %d," % cache[path], "%s)" % os.path.basename(path)]


def pointer(number, state):
    """Returns the name of the struct to which the number points or, if no variable is close, a short address."""
    after = [v for v in state.variables if 0 <= v.address - number < STRUCT]
    if not after:
        return "0x%x" % (number & 0xffffff)
    name = min(after, key=lambda v: v.address).name
    return re.split(r"->|\.", name)[0] + re.sub(r"^.*?( of .*| \(\d+\))?$", r"\1", name)


def named(text, state):
    """Returns the text with the names of structs in place of their addresses, and the names of some values in place of
    the values."""
    return named_values(re.sub(r"0x2[23]0[0-9a-f]{9}\b", lambda match: pointer(int(match[0], 16), state), text))


def state_or_number(name, number):
    """Returns the name of the state, if the variable holds one, and otherwise the number."""
    names = names_of(name)
    return names[number] if names and number < len(names) else number


def value(variable, state):
    size, number = variable.size, variable.value
    if names_of(variable.name):
        return str(state_or_number(variable.name, number))
    if number >> 40 and size == 8:
        return "→ " + pointer(number, state)
    return str(number - (1 << 8 * size) if size < 8 and number >> (8 * size - 1) else number)


def is_word(name, size):
    return size == 8 and (name == "word" or name.endswith(".word"))


def word(number):
    """Returns the counters word as text: sleeping, inactive, JEC."""
    jec = number >> 32
    return "sleeping %d, inactive %d, JEC %d (%s)" % (
        number & 0xffff, number >> 16 & 0xffff, jec, "odd: a job was posted" if jec & 1 else "even")


def head(thread, game, width):
    """Returns the first row of a column: the thread, its state, and whether it is selected."""
    state = game.worker_state(thread)
    text = "%d %s%s" % (thread.number + 1, thread.name, " · " + state if state else "")
    chosen = thread.number == game.chosen
    mark = ("  ◂ selected" if len(text) + 12 <= width else " ◂") if chosen else ""
    return (fit(text, width - len(mark)) + mark, "chosen" if chosen else "name")


def waiting(thread, state):
    """Returns what a thread that cannot go on waits for, or an empty text."""
    if thread.status in ("sleeps", "waits") and thread.expects:
        return "waits for " + thread.expects
    return blocked_by(thread, state) or ""


def column(thread, game, width, around):
    """Returns the rows of one thread."""
    state = game.state
    style = {"ready": "ready", "ended": "source"}.get(thread.status, "stopped")
    status = {"sleeps": "sleeps: ", "blocked": "blocked: ", "ended": "has ended", "waits": "waits: "}.get(thread.status, "next: ")
    rows = [head(thread, game, width), (fit(status + named(thread.step, state), width), style)]
    rows.append((fit("%s %s" % (shorten_place(thread.place), thread.function) if thread.place else "", width), "source"))
    rows += source_around(thread.place, width, around)
    rows.append((fit(waiting(thread, state), width), "stopped"))
    if game.goal.run.memory == "tso":
        buffer = ", ".join("%s = %s" % (name.split(">")[-1], state_or_number(name, number)) for name, number in thread.buffer)
        rows.append((fit("buffer: " + buffer if buffer else "", width), "buffer"))
    return rows


def columns(game, width, around):
    """Returns the rows of all threads, side by side."""
    threads = game.state.threads
    n = max(len(threads), 1)
    each = (width - (n - 1) * 3) // n
    cells = [column(t, game, each, around) for t in threads]
    rows = []
    for i in range(len(cells[0])):
        row = []
        for k, cell in enumerate(cells):
            text, style = cell[i]
            row += [(" │ ", "frame")] if k else []
            row.append((text.ljust(each), style))
        rows.append(row)
    return rows


def packed(label, words, width, most):
    """Returns at most `most` rows with the label and the words, which are (text, style)."""
    rows, used = [[(label, "frame")]], len(label)
    for i, (text, style) in enumerate(words):
        text = fit(text + (",  " if i + 1 < len(words) else ""), width - len(label))
        if used + len(text.rstrip()) > width:
            if len(rows) == most:
                last, tone = rows[-1][-1]
                rows[-1][-1] = last[:width - 1 - (used - len(last))], tone  # leaves a cell for the mark
                rows[-1].append(("…", "frame"))
                return rows
            rows.append([(" " * len(label), "frame")])
            used = len(label)
        rows[-1].append((text, style))
        used += len(text)
    return rows


def variables(game):
    """Returns {owner: words} for the variables except the counters. If several workers have a variable of the same name,
    the owner is the worker; otherwise it is "memory". The words are marked if the last move changed the variable."""
    state, groups = game.state, {"memory": []}
    past = game.past[-2].variables if len(game.past) > 1 else state.variables
    # The states of latches come first, because a small screen may have no room for all variables.
    for v in sorted(state.variables, key=lambda v: names_of(v.name) is None):
        if not is_word(v.name, v.size) and not NOISE.search(v.name):
            name, _, owner = v.name.partition(" of ")
            groups.setdefault(owner or "memory", []).append(
                ("%s %s" % (name, value(v, state)), "memory" if v in past else "changed"))
    return groups


def memory(game, width, most):
    """Returns rows with the counters, the shared variables, the locks and the sleeping threads."""
    state = game.state
    rows = [[("counters  ", "frame"), (fit(word(v.value), width - 10), "memory")]
            for v in state.variables if is_word(v.name, v.size)]
    rows += [[(label.ljust(10), "frame"), (fit(text, width - 10), "memory")] for label, text in state.rows]
    taken_first = sorted((lock for lock in state.locks if lock[1] or "life_lock" not in lock[0]), key=lambda lock: not lock[1])
    locks = [(name + (": " + owner if owner else " free"), "changed" if owner else "memory") for name, owner in taken_first]
    asleep = [("%s (%s)" % (t.name, t.step.removeprefix("wait ")), "memory") for t in state.threads if t.status == "sleeps"]
    groups = variables(game)
    for owner, words in groups.items():
        rows += packed(owner.ljust(10), words, width, max(most // len(groups), 1)) if words and (most or owner == "memory") else []
    freed = [(name, "source") for name in state.freed if not NOISE.search(name)]
    rows += packed("freed     ", freed, width, 1) if freed and most else []
    rows += packed("locks     ", locks, width, max(most // 2, 1)) if locks else []
    return rows + (packed("asleep    ", asleep or [("none", "memory")], width, 1) if most else [])


def event_text(event):
    """Returns the text of an event. A form asks for the states of latches, so its list omits them; a game shows them."""
    if event.name != "latch":
        return event.text()
    return "%s: latch %d of w%s %s -> %s" % (event.who(), event.number("id") & 0xff, event.fields["owner"],
                                             LATCH[event.number("from")], LATCH[event.number("to")])


def log(game, width, room):
    """Returns the last rows of the log: the steps of each move, and what the library reported."""
    rows = []
    for number in range(len(game.past) - 1, -1, -1):
        state, style = game.past[number], "memory" if number == len(game.past) - 1 else "source"
        texts = [(text.rstrip(), style) for text, _ in state.steps]
        texts = [line for line in texts if not NOISE.search(line[0])] or texts[:1]
        texts += [("● " + text, "event") for text in (event_text(e) for e in state.events) if text]
        rows = [(number, fit(named(text, state), width - 5), tone) for text, tone in texts] + rows
        if len(rows) >= room:
            break
    rows = rows[-room:] if room > 0 else []
    marks = [n if i == 0 or rows[i - 1][0] != n else 0 for i, (n, _, _) in enumerate(rows)]
    return [[("%3d  " % mark if mark else "     ", "frame"), (text, tone)] for mark, (_, text, tone) in zip(marks, rows)]


def keys(game, width):
    """Returns lines with all keys that the game uses: one line if there is room."""
    tso, goal = game.goal.run.memory == "tso", game.goal.words
    names = ["1-9 step", "←→ select", "g go"] + ["b buffer"] * tso + ["u undo", "r redo"]
    if game.asking:
        return [" " + fit("  ".join("%d %s" % (i + 1, c) for i, c in enumerate(game.asking.choices)) + "  any other key: no step", width - 2)]
    names += ["h hint", "x cannot"] * bool(goal) + ["? help", "q quit"]
    for between in ("  ", "│"):
        line = " " + between.join(names)
        if len(line) < width:  # the last cell of the screen stays empty
            return [line]
    half = (len(names) + 1) // 2
    return [" " + "  ".join(names[:half]), " " + "  ".join(names[half:])]


def title(game, width):
    state = game.state
    left = " %s: %s" % ("lab %d" % game.goal.lab.number if game.goal.lab else "play", game.goal.title)
    right = "move %d%s%s " % (state.moves, " of %d" % state.known if state.known > state.moves else "",
                              ", best known %d" % game.best if game.best else "")
    return [(fit(left.ljust(width - len(right)), width - len(right)) + right, "title")]


def above(game, width):
    """Returns the rows above the columns: the task, the outcome so far, and the last message."""
    rows = [title(game, width)]
    task = [] if game.reached else textwrap.wrap(game.task, width - 2)[:4]
    rows += [[(" " + line, "memory")] for line in task]
    ways = [(("✓ " if way in game.met else "· ") + way[1], "good" if way in game.met else "memory") for way in game.goal.ways]
    rows += packed(" before x:  ", ways, width, 3) if ways else []
    outcome, tone = game.outcome()
    said = [(line, tone) for line in textwrap.wrap(named(outcome, game.state), width - 2)[:5]]
    said += [(line, game.tone) for line in textwrap.wrap(game.message, width - 2)[:2]]
    return rows + [[(" " + line, tone)] for line, tone in said + [("", "memory")] * (2 - len(said))]


def body(game, width, height):
    """Returns the rows of the columns and the memory, with as much source as leaves room for the log."""
    rule = [("─" * width, "frame")]
    rich = [(around, MOST_MEMORY if height < 30 else height) for around in AROUND]
    for around, most in rich + [(LEAST_AROUND, most) for most in range(MOST_MEMORY, -1, -1)]:
        rows = [rule] + columns(game, width, around) + [rule] + memory(game, width, most) + [rule]
        if len(rows) + max(height // 4, LEAST_LOG) <= height:
            break
    return rows


def picture(game, width, height):
    """Returns the rows of the whole screen."""
    if (width, height) < SMALLEST or height < SMALLEST[1]:
        return [[(fit("too small: %d×%d" % SMALLEST, width), "title")]]
    if game.help:
        pages = help_pages(width, height)
        game.help_pages = len(pages)
        return [[(line, "memory")] for line in pages[min(game.help, len(pages)) - 1]]
    first, foot = above(game, width), [[(line, "keys")] for line in keys(game, width)]
    room = height - len(first) - len(foot)
    rows = body(game, width, room)
    rows = first + rows[:room] + log(game, width, room - len(rows))
    return rows + [[("", "memory")]] * (height - len(rows) - len(foot)) + foot


def menu(goals, work, at, said, width, height):
    """Returns the rows of the list of goals, with a message about the last one chosen."""
    rows = [[(fit(" lab %d: choose a goal" % goals[0].lab.number, width).ljust(width), "title")],
            [(fit(" " + said, width), "bad")]]
    for i, goal in enumerate(goals):
        mark = "✓" if goal.solved(work) else " "
        rows.append([(fit(" %s %d  %-12s %s" % (mark, i + 1, goal.name, goal.title), width),
                      "chosen" if i == at else "memory")])
        rows += [[(fit("        " + line, width), "source")]
                 for line in textwrap.wrap(goal.for_student(goal.task, work), max(width - 10, 20))] + [[]]
    return rows[:height - 1] + [[(fit(" 1-9, ↑ ↓ and Enter: play   q: quit", width), "keys")]]
