# SPDX-License-Identifier: MIT
"""The labs of the course, read from their descriptors, labs/NN-name/lab.ini."""
import configparser
import functools
import hashlib
import os
import shutil
import subprocess

from . import sealed

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LABS = os.path.join(ROOT, "labs")
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
KINDS = ("explore", "script", "follow", "verdicts", "spin", "analysis", "measure", "contest", "recorded", "threads",
         "verdict", "quiz")

FULL, LOST, USAGE, INPUT, UNDECIDED = range(5)


class Stop(Exception):
    """Prints one line to stderr and exits with the code given."""

    def __init__(self, message, code=USAGE):
        super().__init__(message)
        self.code = code


class BadFile(Stop):
    """A file of the student's cannot be graded: it is missing, refused, does not compile or is no form."""


class Run:
    """One search of the explorer: PROGRAM SCENARIO POLICY MEMORY [OPTION]…, as in tests/proof/mutants."""

    def __init__(self, line):
        words = line.split()
        if len(words) < 4:
            raise Stop("'%s' does not have the form PROGRAM SCENARIO POLICY MEMORY" % line)
        self.program, self.scenario, self.policy, self.memory = words[:4]
        self.options = words[4:]

    def arguments(self):
        policy = [] if self.policy == "-" else ["--policy=" + self.policy]
        return [self.scenario, "--memory=" + self.memory] + policy + self.options

    def under(self, policy):
        """Returns this run, with the given policy if the run's policy is `own` (the student's)."""
        return Run(" ".join([self.program, self.scenario, policy, self.memory] + self.options)
                   ) if self.policy == "own" else self

    def words(self):
        policy = "" if self.policy == "-" else ", policy " + self.policy
        spurious = ", one spurious wake" if "--spurious=1" in self.options else ""
        return "scenario %s%s, %s%s" % (self.scenario, policy, self.memory, spurious)


class Test:
    def __init__(self, name, section):
        self.name = name
        self.title = section["title"]
        self.points = int(section["points"])
        self.kind = section["kind"]
        self.invariant = section.get("invariant", "")
        # lines EVENT: TEXT, with advice in case no execution reaches the event
        self.missed = dict(line.split(": ", 1) for line in section.get("missed", "").splitlines() if line.strip())
        self.needs = section.get("needs", "").split()
        self.runs = [Run(line) for line in section.get("run", "").splitlines() if line.strip()]
        self.hints = [section.get("hint%d" % i, "").strip() for i in (1, 2, 3)]
        self.section = section
        if self.kind not in KINDS:
            raise Stop("test %s: kind '%s' is not one of %s" % (name, self.kind, " ".join(KINDS)))


def tests_of(name, section):
    """Returns the tests of a section: one, or one for each word of the key `each`. The word replaces
    {each} in the section."""
    if "each" not in section:
        return [Test(name, section)]
    return [Test("%s-%s" % (each, name), {k: v.replace("{each}", each) for k, v in section.items()} | {"trace": each})
            for each in section["each"].split()]


def descriptor(path):
    """Returns the text of a lab.ini. A student's copy contains the hints only in sealed form."""
    whole = sealed.opened().get(os.path.relpath(path, ROOT))
    if whole:
        return whole
    with open(path, encoding="utf-8") as file:
        return file.read()


class Lab:
    def __init__(self, folder):
        self.name = folder
        self.number = int(folder.split("-")[0])
        self.folder = os.path.join(LABS, folder)
        ini = configparser.ConfigParser(interpolation=None)
        path = os.path.join(self.folder, "lab.ini")
        try:
            ini.read_string(descriptor(path))
            lab = ini["lab"]
            self.title, self.week, self.minutes = lab["title"], int(lab["week"]), int(lab["minutes"])
            self.teaches, self.requires = lab["teaches"], lab["requires"]
            self.file, self.replaces = lab.get("file"), lab.get("replaces")
            self.see = Run(lab["see"]) if "see" in lab else None
            self.see_broken = lab.get("see_broken")
            self.too_large = lab.get("too_large", "")  # the likely cause if a search reaches its limit of states
            self.also = lab.get("also", "").split()  # further files to copy to the student's folder
            self.written = [t for s in ini.sections() if s.startswith("test ") for t in tests_of(s[len("test "):], ini[s])]
            self.played = {s[len("play "):]: ini[s] for s in ini.sections() if s.startswith("play ")}  # see play/goals.py
        except (KeyError, ValueError, configparser.Error) as error:
            raise Stop("%s: %s" % (path, error)) from error

    def is_changed(self):
        """Returns whether the student has changed lab.ini, which has no effect because the sealed one is used."""
        path = os.path.join(self.folder, "lab.ini")
        original = sealed.opened().get(os.path.relpath(path, ROOT))
        if original is None:
            return False
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read() != sealed.without_hints(original)

    @functools.cached_property
    def tests(self):
        return self.questions() + self.written

    def questions(self):
        """Returns the questions of a quiz, which its program lists."""
        if not self.is_quiz():
            return []
        done = subprocess.run([self.quiz_program(), "--list"], stdout=subprocess.PIPE, text=True, check=True)
        rows = [line.split("\t") for line in done.stdout.splitlines()]
        return [Test(name, {"kind": "quiz", "points": points, "title": title}) for name, points, title in rows]

    def test(self, name):
        for test in self.tests:
            if test.name == name:
                return test
        raise Stop("lab %s has no test '%s'; it has %s" % (
            self.name, name, " ".join(t.name for t in self.tests)))

    def is_quiz(self):
        return os.path.exists(os.path.join(self.folder, "questions.c"))

    def has(self, kind):
        return any(t.kind == kind for t in self.written)

    def is_code(self):
        """Returns whether labs/lab itself grades the lab; other labs consist only of a quiz."""
        return bool(self.written)

    def quiz_program(self):
        program = os.path.join(BUILD, "labs", self.name)
        if not os.path.exists(program):
            raise Stop("%s is not built: run make setup all" % os.path.relpath(program))
        return program

    def forms(self):
        """Returns the names of the files that the student hands in besides the source file."""
        return [t.section["form"] for t in self.tests if "form" in t.section]


def labs():
    return [Lab(f) for f in sorted(os.listdir(LABS)) if os.path.exists(os.path.join(LABS, f, "lab.ini"))]


def find(what):
    """Returns the lab that the student names, for example, `4`, `04` or `04-core-latch`."""
    folders = [f for f in sorted(os.listdir(LABS)) if os.path.exists(os.path.join(LABS, f, "lab.ini"))]
    for folder in folders:
        number = folder.split("-")[0]
        if what in (folder, number, number.lstrip("0")):
            return Lab(folder)
    raise Stop("%s: no such lab; there are %s" % (what, " ".join(folders)))


class Work:
    """A student's files for one lab, and the student's seed."""

    def __init__(self, lab, folder=None, seed=None, secret=None):
        self.lab, self.secret = lab, secret  # secret: the class's secret, or None if it is not known here
        base = os.environ.get("LABS_WORK")  # set by tests, which must not touch a student's files
        own = os.path.join(base, lab.name) if base else os.path.join(lab.folder, "work")
        self.folder = os.path.abspath(folder or own)
        self.seed = seed or own_seed(self.path("seed.txt"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def need(self, name):
        path = self.path(name)
        if not os.path.exists(path):
            raise BadFile("%s does not exist: labs/lab start %d creates it" % (
                os.path.relpath(path), self.lab.number), INPUT)
        return path

    def number(self, what=""):
        """Returns a number that depends on the student, the lab and `what`."""
        text = "%s/%s/%s" % (self.seed, self.lab.name, what)
        return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)

    def form_mark(self):
        """Returns the comment by which a form whose questions depend on the seed is recognised."""
        return "# for seed: %08x" % self.number("form")

    def check_form(self, name):
        """Stops if the form was made for another seed. A form without a mark is taken as the student's."""
        with open(self.path(name), encoding="utf-8", errors="replace") as file:
            marks = [line.strip() for line in file if line.startswith("# for seed: ")]
        if marks and marks[0] != self.form_mark():
            raise BadFile("%s: this form was created with another seed, perhaps the practice seed: put your seed into labs/seed.txt, "
                       "move the file away, and create it again: labs/lab start %d" % (os.path.relpath(self.path(name)), self.lab.number), INPUT)

    def add(self, name, text):
        """Creates a file unless it exists. Returns whether it created it."""
        os.makedirs(self.folder, exist_ok=True)
        if os.path.exists(self.path(name)):
            return False
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return True

    def clear(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def seed_file():
    return os.path.join(LABS, "seed.txt")


def own_seed(submitted):
    """Returns the seed that was submitted with the files, otherwise the seed of this tree,
    otherwise the practice seed."""
    path = submitted if os.path.exists(submitted) else seed_file()
    try:
        with open(path, encoding="utf-8") as file:
            fields = dict(line.strip().split(": ", 1) for line in file if ": " in line)
        return fields["seed"]
    except FileNotFoundError:
        return "practice"
    except (KeyError, ValueError) as error:
        raise Stop("%s: no line 'seed: …'" % path, INPUT) from error
