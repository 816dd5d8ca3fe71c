# SPDX-License-Identifier: MIT
#
# record.py - record.tsv, which keeps what the explorer has proved, and the hashes that tell whether it
# still holds. A line of the file is one of these, its fields separated by tabs:
#
#   compiler NAME                 the compiler of the explored code; another one makes other steps
#   file     PATH HASH            a source file, so that a difference can be named
#   program  NAME HASH LARGEST    the hash of the program whose runs are recorded; LARGEST: of the one
#                                 whose largest runs are, which `make proofs` repeats only with ALL=1
#   run      COMMAND VERDICT 0 EXECUTIONS STATES SECONDS NOTES
#   mutant   NAME HASH VERDICT EXECUTION EXECUTIONS STATES SECONDS SYMPTOM
#            EXECUTION: the number of the execution that failed
#
# SECONDS is CPU time, measured once; it serves to estimate and to draw.
import hashlib
import os
import re
import subprocess
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
PATH = os.path.join(HERE, "record.tsv")
HEAD = "# Written by make proofs. record.py explains the columns. SPDX-License-Identifier: MIT\n"
LARGE_STATES = 400_000  # a tenth of the runs has more, and they take two thirds of the time


class Line(namedtuple("Line", "verdict at executions states seconds notes")):
    """The result of one run or mutant."""

    def counts(self):
        return self.verdict, self.at, self.executions, self.states, self.notes

    def seconds_text(self):
        return "%.1f" % self.seconds if self.seconds < 10 else "%.0f" % self.seconds

    def fields(self):
        return [self.verdict, "%d" % self.at, "%d" % self.executions, "%d" % self.states, self.seconds_text(), self.notes]

    def with_seconds_of(self, old):
        """Returns the line with the recorded seconds, unless they were off by a factor of two and by more than
        0.1 s: a record that is renewed should differ only where the proofs do."""
        if old and (abs(self.seconds - old.seconds) <= 0.11 or old.seconds / 2 <= self.seconds <= old.seconds * 2):
            return self._replace(seconds=old.seconds)
        return self


def line_of(fields):
    verdict, at, executions, states, seconds, notes = fields
    return Line(verdict, int(at), int(executions), int(states), float(seconds), notes)


class Record:
    """compiler: a name. files: {path: hash}. programs: {name: (hash, hash of the largest)}. runs:
    {command: Line}. mutants: {name: (hash, Line)}."""

    def __init__(self):
        self.compiler, self.files, self.programs, self.runs, self.mutants = "", {}, {}, {}, {}

    def write(self, path=PATH):
        lines = [["compiler", self.compiler]]
        lines += [["file", *pair] for pair in sorted(self.files.items())]
        lines += [["program", name, *hashes] for name, hashes in self.programs.items()]
        lines += [["run", name, *line.fields()] for name, line in self.runs.items()]
        lines += [["mutant", name, hash_, *line.fields()] for name, (hash_, line) in sorted(self.mutants.items())]
        with open(path + ".new", "w", encoding="utf-8") as f:
            f.write(HEAD + "".join("\t".join(fields) + "\n" for fields in lines))
        os.replace(path + ".new", path)  # an interrupted write leaves the old record


def read(path=PATH):
    """Returns the record in the file; an empty one if there is no file. Raises ValueError, with the number of
    the line, if a line is wrong."""
    record = Record()
    if not os.path.exists(path):
        return record
    with open(path, encoding="utf-8") as f:
        for number, text in enumerate(f, 1):
            if text.startswith("#"):
                continue
            try:
                _add(record, *text.rstrip("\n").split("\t"))
            except (ValueError, TypeError) as error:
                raise ValueError("%s:%d: %s" % (os.path.relpath(path), number, error)) from error
    return record


def _add(record, kind, name, *fields):
    if kind == "compiler":
        record.compiler = name
    elif kind == "file":
        record.files[name] = fields[0]
    elif kind == "program":
        this, largest = fields
        record.programs[name] = (this, largest)
    elif kind == "run":
        record.runs[name] = line_of(fields)
    elif kind == "mutant":
        record.mutants[name] = (fields[0], line_of(fields[1:]))
    else:
        raise ValueError("unknown kind '%s'" % kind)


def is_large(line):
    return line is not None and line.states > LARGE_STATES


def digest(*texts):
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def draw(commit, seconds, limit):
    """Returns the names that a commit draws: in an order that its id decides, each whose seconds still
    fit below the limit. seconds: {name: seconds}."""
    found, left = [], float(limit)
    for name in sorted(seconds, key=lambda n: digest(commit, n)):
        if seconds[name] <= left:
            left -= seconds[name]
            found.append(name)
    return found


def without_comments(path):
    """Returns the file's text without comments and empty lines. The preprocessor expands nothing."""
    out = subprocess.run(["cc", "-w", "-fpreprocessed", "-dD", "-E", "-P", "-x", "c", path], cwd=TOP, stdout=subprocess.PIPE,
                         check=True).stdout.decode()
    return "\n".join(line.strip() for line in out.splitlines() if line.strip())


def dependencies(objects):
    """Returns the files of the tree that the objects were compiled from, as their .d files list
    them."""
    found = set()
    for path in objects:
        with open(os.path.join(TOP, path[:-2] + ".d"), encoding="utf-8") as f:
            first = f.read().replace("\\\n", " ").split("\n")[0]
        for name in first.split(":", 1)[1].split():
            name = os.path.relpath(os.path.join(TOP, name), TOP)
            if not name.startswith(".."):
                found.add(os.path.normpath(name))
    return sorted(found)


def relevant(flags):
    """Returns the flags without those that change no step: warnings, debug information and the
    version."""
    return [flag for flag in flags if not re.match(r"-W|-g$|-DDOZE_VERSION=", flag)]


class Now:
    """The hashes of the tree as it is. objects: {program: its objects}; flags: those of the engine and of
    the explored code; runs: {program: [command]}."""

    def __init__(self, objects, flags, runs):
        needed = {name: dependencies(paths) for name, paths in objects.items()}
        paths = sorted(set().union(*needed.values()))
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            hashes = pool.map(lambda path: digest(without_comments(path))[:16], paths)
        self.files = dict(zip(paths, hashes))
        self.files["(flags)"] = digest(*relevant(flags))[:16]
        self.sources, self.programs = {}, {}
        for name, used in needed.items():
            self.files["(runs of %s)" % name] = digest(*sorted(runs[name]))[:16]
            variant = re.findall(r"-jec\d", name)
            self.sources[name] = digest(self.files["(flags)"], *variant, *[p + " " + self.files[p] for p in used])
            self.programs[name] = digest(self.sources[name], self.files["(runs of %s)" % name])

    def mutant(self, mutant):
        """Returns the hash of a mutant: of its fields and replacements, without the words, and of the programs that it is
        searched in."""
        source = mutant.source
        fields = ["%s: %s" % field for field in source.fields if field[0] not in ("what", "survives")]
        edits = [old + "\0" + new for old, new in source.edits]
        return digest("survives" if mutant.survives else "caught", *fields, *edits,
                      *[self.sources[run.program] for run in mutant.runs])

    def changed(self, record):
        """Returns the names of the files that differ from those of the record."""
        names = set(self.files) | set(record.files)
        return sorted(name for name in names if self.files.get(name) != record.files.get(name))
