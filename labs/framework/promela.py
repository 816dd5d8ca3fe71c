# SPDX-License-Identifier: MIT
"""Reads a student's Promela model of lab 5, and refuses one whose verdict could have other causes than the machine.

The preprocessor expands the student's text without memory.pml, so that neither its conditions nor its macros can depend
on the machine: the same steps run on all three. The checks look at the result, in which the operations of memory.pml are
still calls such as LOAD(0, 1, n). Spin then gets this text with the real memory.pml in the place of the #include.
"""
import os
import re
import shutil

from . import handin, jail
from .course import Stop


class Refused(Exception):
    """The model is not Promela, not a complete model, or not independent of the machine."""


OPERATIONS = ("LOAD", "STORE", "FENCE", "RMW_READY", "RMW_READ", "RMW_WRITE", "LOCK", "UNLOCK", "FLUSHER")
OPTIONS = ("RMW_PUSH", "PUSH_FENCE", "SLEEP_FENCE")
CALL = re.compile(r"\b(%s)\s*\(" % "|".join(OPERATIONS))
# The internal names of memory.pml. A model that uses any of them could depend on the machine, or read another
# thread's store buffer.
INNER = re.compile(r"\b(MEM|SC|TSO|WEAK|RMW_IS_LOST|DRAINED|PUT|LOADED|OTHERS|mem|owner|buf_addr|buf_val|buf_n|saw|flusher_\w*)\b")
# Parts of Promela with which a model can cut off executions, look into another process, or run C.
WORDS = {
    "is C, not Promela": r"c_code|c_expr|c_decl|c_state|c_track",
    "hides steps from the check of atomic blocks: write the steps out": r"inline",
    "cuts off executions, which the verdict would then not cover": r"never|ltl|trace|notrace|provided|priority|set_priority",
    "looks into another process, which a thread cannot do": r"enabled|pc_value|np_|_last|_nr_pr|get_priority|\w+\s*@\s*\w+",
}
MARK = "DOZE_MACHINE"
INCLUDE = re.compile(r'\s*(?:#|%:)\s*include\s*"memory\.pml"\s*$')
STRING = re.compile(r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""")
LINE_MARK = re.compile(r'# (\d+) "([^"]*)"')


def check_directive(number, line):
    """Refuses a directive that redefines what the grader gives, or includes another file."""
    directive = handin.DIRECTIVE.match(line.strip())
    if not directive or not directive.group(1):
        return
    word, rest = directive.groups()
    name = re.match(r"\w*", rest).group()
    if word in ("define", "undef") and name in OPERATIONS + OPTIONS:
        raise Refused("model.pml:%d: %s belongs to the grader: a model must not redefine it" % (number, name))
    if word.startswith("include") and not INCLUDE.match(line) or word in ("import", "embed", "line", "pragma"):
        raise Refused("model.pml:%d: #%s %s: a model includes only \"memory.pml\"" % (number, word, rest))


def check_words(number, line):
    """Refuses a line with a word that has no place in a model."""
    inner = INNER.search(line)
    if inner:
        raise Refused("model.pml:%d: %s belongs to the machine: use only LOAD, STORE, FENCE, the RMW_ macros, LOCK, "
                      "UNLOCK and FLUSHER, so that the same model runs on every machine" % (number, inner.group()))
    if "##" in line or "%:%:" in line:
        raise Refused("model.pml:%d: remove ##: a name must be written as one word" % number)
    for why, words in WORDS.items():
        found = re.search(r"(?<!\w)(?:%s)(?!\w)" % words, line)
        if found:
            raise Refused("model.pml:%d: %s %s" % (number, found.group().strip(), why))


def check_source(text):
    """Refuses a model by its text, with continued lines joined and without comments."""
    number, included = 1, 0
    for inner, line in handin.without_comments(text):
        check_directive(number, line)
        if INCLUDE.match(line):
            included += 1
        else:
            check_words(number, line)
        number += 1 + inner
    if included != 1:
        raise Refused("model.pml must have the line #include \"memory.pml\" once, not %d times" % included)


def expanded(text, options):
    """Returns the model as the preprocessor leaves it without the machine."""
    if not shutil.which("cc"):
        raise Stop("cc is missing: run make setup labs")
    with jail.folder() as folder:
        jail.put(os.path.join(folder, "model.pml"), text)
        jail.put(os.path.join(folder, "memory.pml"), MARK + " ADDRS PROCS JOB SLEEPERS\n")
        done = jail.run(["cc", "-E", "-undef", "-nostdinc", "-x", "c", *options, "model.pml"], jail.TOOL, writes=[folder])
    if done.status:
        raise Refused("the preprocessor rejects the model:\n" + done.err.strip())
    return done.out


class Model:
    """The student's model in one configuration."""

    def __init__(self, text, options):
        self.text = expanded(text, options)
        self.numbers = []  # for each line of the expanded text, its line in model.pml
        self.addresses = self.find_machine()
        lines = ["" if line.startswith(("# ", MARK)) else line for line in self.text.split("\n")]
        # A bracket in a string would hide a part of a block.
        self.body = STRING.sub(lambda text: "_" * len(text.group()), "\n".join(lines))
        self.check()

    def find_machine(self):
        """Returns (ADDRS, PROCS, JOB, SLEEPERS), and notes the number of each line."""
        place, found = 0, None
        for line in self.text.split("\n"):
            self.numbers.append(place)
            mark = LINE_MARK.match(line)
            place = int(mark.group(1)) if mark else place + 1
            found = line.split()[1:] if line.startswith(MARK) else found
        if not found or len(found) != 4 or not all(re.fullmatch(r"\d+", word) for word in found):
            raise Refused("model.pml must define ADDRS, PROCS, JOB and SLEEPERS as numbers before it includes memory.pml")
        return found

    def line_of(self, position):
        return self.numbers[self.body.count("\n", 0, position)]

    def refuse(self, position, why):
        raise Refused("model.pml:%d: %s" % (self.line_of(position), why))

    def check(self):
        body = self.body
        for number, line in zip(self.numbers, body.split("\n")):
            check_words(number, line)
        for name in re.findall(r"\bproctype\s+(\w+)", body):
            remote = re.search(r"\b%s\s*(\[[^]]*\]\s*)?:(?!:)" % name, body)
            if remote:
                self.refuse(remote.start(), "%s a thread cannot look into another one" % remote.group())
        for begin, end in blocks(body):
            self.check_block(begin, end)
        self.check_processes()

    def check_block(self, begin, end):
        """Refuses a block that makes several accesses in one step, unless they are one read-modify-write."""
        made = [c for c in calls(self.body, begin, end) if c[1] != "RMW_READY"]
        names = [name for _, name, _ in made]
        if len(made) > 1 and sorted(names) != ["RMW_READ", "RMW_WRITE"]:
            self.refuse(begin, "this block makes %s in one step, but on every machine another thread can step in between: "
                        "only a read-modify-write is atomic" % ", ".join(sorted(names)))
        jump = re.search(r"\b(goto|break|unless|do|for)\b", self.body[begin:end])
        if made and jump:
            self.refuse(begin + jump.start(), "%s: a block with an access to memory must not be left before its end, or "
                        "repeat the access" % jump.group())

    def check_processes(self):
        """Refuses a process that uses another one's store buffer, and a read-modify-write that is not one block."""
        body, owner = self.body, {}
        inside = blocks(body)
        begins = [m.start() for m in re.finditer(r"\b(?:proctype|init)\b", body)] + [len(body)]
        for begin, end in zip(begins, begins[1:]):
            made = [c for c in calls(body, begin, end) if c[1] not in ("LOCK", "UNLOCK", "FLUSHER")]
            for at, name, arguments in made:
                if not all(re.fullmatch(r"\d+", a) for a in arguments[:1 if name == "FENCE" else 2]):
                    self.refuse(at, "%s: the process and the address must be constants" % name)
                if owner.setdefault(begin, arguments[0]) != arguments[0]:
                    self.refuse(at, "%s: a process uses only its own store buffer, so the first argument is always its own number" % name)
            self.check_rmws(made, inside)
        if len(set(owner.values())) < len(owner):
            raise Refused("model.pml: two processes use the same number, so they share a store buffer")

    def check_rmws(self, made, inside):
        for at, name, arguments in made:
            if not name.startswith("RMW_"):
                continue
            block = next(((b, e) for b, e in inside if b <= at < e), None)
            parts = [(n, a[:2]) for where, n, a in made if block and block[0] <= where < block[1]]
            if parts != [(n, arguments[:2]) for n in ("RMW_READY", "RMW_READ", "RMW_WRITE")]:
                self.refuse(at, "%s: a read-modify-write is one atomic block of RMW_READY, RMW_READ and RMW_WRITE, in this "
                            "order, for the same process and address" % name)

    def for_spin(self, head):
        """Returns the model with the machine; `head` comes before memory.pml."""
        addrs, procs = self.addresses[:2]
        machine = "#define ADDRS %s\n#define PROCS %s\n%s\n#include \"memory.pml\"\n" % (addrs, procs, head)
        return "\n".join(machine if line.startswith(MARK) else line for line in self.text.split("\n"))


def closing(text, begin, pair):
    """Returns the position after the bracket that closes the one before `begin`."""
    depth = 1
    while depth and begin < len(text):
        depth += {pair[0]: 1, pair[1]: -1}.get(text[begin], 0)
        begin += 1
    return begin


def blocks(body):
    """Returns (begin, end) of each atomic or d_step block."""
    return [(m.end(), closing(body, m.end(), "{}")) for m in re.finditer(r"\b(?:atomic|d_step)\s*\{", body)]


def calls(body, begin, end):
    """Returns (position, name, arguments) of each call of an operation."""
    found = []
    for call in CALL.finditer(body, begin, end):
        inner = body[call.end():closing(body, call.end(), "()") - 1]
        found.append((call.start(), call.group(1), arguments_of(inner)))
    return found


def arguments_of(text):
    """Returns the arguments of a call, without blanks."""
    found, depth = [""], 0
    for char in "".join(text.split()):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(char, 0)
        if char == "," and depth == 0:
            found.append("")
        else:
            found[-1] += char
    return [a.strip("()") if re.fullmatch(r"\(*\d+\)*", a) else a for a in found]
