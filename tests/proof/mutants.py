# SPDX-License-Identifier: MIT
#
# mutants.py - the library with one classic mistake at a time. The mutants are in mutants/, in one series for each
# mechanism (labs/framework/mutantfile.py). Their fields are:
#
#   what: the mistake in words
#   file: the library file to change
#   run: PROGRAM SCENARIO POLICY MEMORY [OPTION]…  where the explorer must catch it; the program's options
#   within: N                                      the maximum number of executions
#   survives: why                                  replaces within if no run may catch the mistake:
#                                                  names the step that compensates; may have several
#                                                  runs
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from names import refuse
from record import Line
from scenarios import run_child

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.join(TOP, "labs"))
from framework import mutantfile  # noqa: E402

BUILD = os.environ.get("BUILD", "build") + "/explore"
FOLDER = os.path.join(HERE, "mutants")
# How the explorer names memory locations (heap.c). Sizes and addresses depend on the compiler.
THREAD = r"(?:worker \d+(?: of pool \d+)?|\w+)"
MEMORY = re.compile(r"(?:count|first|capacity|slot) of (?:worker \d's deque|the shared queue)|byte \d+ of %s's \d+-byte block|a local variable of %s|(?:byte \d+ of )?the global variable [\w.]+|0x[0-9a-f]+"
                    % (THREAD, THREAD))


class Run:
    def __init__(self, program, scenario, policy, memory, *options):
        self.program, self.scenario, self.policy, self.memory = program, scenario, policy, memory
        self.options = list(options)

    def command(self, program):
        command = [program, self.scenario, "--memory=" + self.memory, "--seconds=600"]
        if self.policy != "-":
            command.append("--policy=" + self.policy)
        return command + self.options

    def words(self):
        words = "%s, %s" % (self.scenario, self.memory)
        if self.policy != "-":
            words += ", " + self.policy
        if "-jec" in self.program:
            words += ", %s-bit JEC" % self.program[-1]
        return ", ".join([words] + self.options)


class Mutant:
    """`source` is a mutantfile.Mutant; `line` is the result, a record.Line, once the mutant has run."""

    def __init__(self, source):
        self.source = source
        self.what, self.file = self.source.get("what"), self.source.get("file")
        self.runs = [Run(*line.split()) for line in self.source.all("run")]
        self.survives = self.source.get("survives")
        self.within = int(self.source.get("within", 0))
        self.line, self.message, self.length = None, "", 0

    def name(self):
        return self.source.name

    def apply(self, folder):
        """Copies the library and applies the mistake."""
        for sub in ("lib", "labs/explorer", "labs/scenarios"):
            shutil.copytree(os.path.join(TOP, sub), os.path.join(folder, sub),
                            ignore=shutil.ignore_patterns("mutants", "*.md"))
        path = os.path.join(folder, self.file)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        try:
            text = self.source.apply(text)
        except ValueError as error:
            refuse("mutant %s does not apply: %s" % (self.name(), error))
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    def build(self, folder, how, base):
        """Compiles the files that the mistake affects; the other objects come from the program `base`.
        Returns the program and the CPU seconds."""
        variant = "lib-jec" + base[-1] if "-jec" in base else "lib"
        scenario = "labs/scenarios/%s.c" % base.split("-jec")[0]
        header = self.file.endswith(".h")
        objects, commands = [], []
        for source in how["lib"] + [scenario]:
            if source != self.file and not header:
                objects.append(os.path.join(TOP, BUILD, variant, source[:-2] + ".o"))
                continue
            target = os.path.join(folder, source[:-2] + ".o")
            flags = how["flags"] + (["-DDOZE_BITS_JEC=" + variant[-1]] if variant != "lib" else [])
            commands.append((folder, [how["clang"]] + flags + ["-Wno-everything", "-c", "-o", target, source]))
            objects.append(target)
        program = os.path.join(folder, "mutant")
        commands.append((TOP, shlex.split(how["cc"]) + ["-no-pie", "-o", program] + objects + how["engine"]))
        seconds = 0.0
        for cwd, command in commands:
            code, _out, cpu = run_child(command, cwd)
            seconds += cpu
            if code:
                raise RuntimeError("mutant %s cannot be built: %s exits with %d" % (self.name(), command[0], code))
        return program, seconds

    def prepare(self, how, run):
        """Builds the mutant's program in a separate folder, because two runs may build it at
        once."""
        room = os.path.join(TOP, BUILD, "mutants")
        os.makedirs(room, exist_ok=True)
        folder = tempfile.mkdtemp(prefix=self.name() + "-", dir=room)
        self.apply(folder)
        return folder, *self.build(folder, how, run.program)

    def finding(self, how, out):
        """Writes the shortest failing schedule, its steps and its trace into the folder `out`."""
        run = self.runs[0]
        folder, program, _cpu = self.prepare(how, run)
        base = os.path.join(out, self.name())
        events = os.path.join(folder, "events")
        steps = run_child(run.command(program) + ["--shortest", "--show", "--events=" + events,
                                                  "--schedule=" + base + ".schedule"])[1]
        with open(base + ".steps", "w", encoding="utf-8") as f:
            f.write(steps)
        with open(base + ".schedule", "a", encoding="utf-8") as f:
            f.write("# " + version(how) + "\n")
        shutil.rmtree(base, ignore_errors=True)
        subprocess.run([os.path.join(TOP, BUILD, "explore-trace"), events, base], check=True)
        shutil.rmtree(folder)

    def replay(self, how, schedule):
        """Replays the schedule. Returns the explorer's output."""
        run = self.runs[0]
        folder, program, _cpu = self.prepare(how, run)
        out = run_child(run.command(program) + ["--replay=" + schedule])[1]
        shutil.rmtree(folder)
        return out

    def search(self, how, run):
        """Returns the result of one of the mutant's runs."""
        folder, program, built = self.prepare(how, run)
        _code, out, cpu = run_child(run.command(program) + ["--tsv"])
        shutil.rmtree(folder, ignore_errors=True)
        fields = out.rstrip("\n").split("\t")
        if len(fields) != 11:
            return Line("crashed", 0, 0, 0, built + cpu, "")
        self.message, self.length = fields[10], int(fields[7])
        return Line(fields[1], int(fields[8]), int(fields[2]), int(fields[3]), built + cpu, short(fields[10]))

    def run(self, how):
        total = Line("passed", 0, 0, 0, 0.0, "")
        for run in self.runs:
            line = self.search(how, run)
            total = line._replace(executions=total.executions + line.executions, states=total.states + line.states,
                                  seconds=total.seconds + line.seconds)
            if line.verdict != "passed":
                break
        self.line = total
        return self

    def is_right(self, line):
        """Returns whether the mutant was caught early enough or, if it must survive, was not caught."""
        if self.survives:
            return line.verdict == "passed"
        return line.verdict == "FAILED" and line.at <= self.within


def read_all():
    """Returns {name: Mutant} of all series, sorted by name."""
    try:
        found = mutantfile.read_series(os.path.join(FOLDER, "*.mutants"))
    except ValueError as error:
        refuse(str(error))
    return {name: Mutant(source) for name, source in found.items()}


def how_to_build():
    """Reads the compilers, flags and lists from the Makefile, the only place that defines them."""
    out = subprocess.run(["make", "-s", "--no-print-directory", "explore-flags", "proof-objects",
                          "BUILD=" + os.path.dirname(BUILD)], cwd=TOP, env=dict(os.environ, MAKEFLAGS=""),
                         stdout=subprocess.PIPE, text=True, check=True).stdout
    how = {"objects": {}}
    for line in out.splitlines():
        key, value = line.split("=", 1)
        if key.startswith("objects "):
            how["objects"][key.split()[1]] = value.split()
        else:
            how[key] = value if key in ("cc", "clang") else shlex.split(value)
    how["engine"] = [os.path.join(TOP, o) for o in how["engine"]]
    return how


def short(message):
    """Returns the report, shortened for the table and without the names of memory locations."""
    message = MEMORY.sub("…", message)
    return message.split(",")[0] if len(message) > 90 else message


def table(mutants, lines):
    """lines: {name: Line}"""
    rows = ["| mutant | mistake | caught by | execution | of at most | symptom |",
            "|---|---|---|---|---|---|"]
    for m in mutants:
        if not m.survives and m.name() in lines:
            line = lines[m.name()]
            rows.append("| %s | %s | %s | %s | %s | %s |" % (
                m.name(), m.what, m.runs[0].words(), "{:,}".format(line.at), "{:,}".format(m.within), line.notes))
    return "\n".join(rows)


def table_of_survivors(mutants, lines):
    rows = ["| mutant | difference | looked for in | executions | why no execution shows it |",
            "|---|---|---|---|---|"]
    for m in mutants:
        if m.survives and m.name() in lines:
            rows.append("| %s | %s | %s | %s | %s |" % (
                m.name(), m.what, "; ".join(run.words() for run in m.runs),
                "{:,}".format(lines[m.name()].executions), m.survives))
    return "\n".join(rows)


def version(how):
    out = subprocess.run([how["clang"], "--version"], stdout=subprocess.PIPE, text=True, check=True)
    return "clang version " + re.search(r"version (\S+)", out.stdout).group(1)


def compiler(how):
    """Returns the name of the compiler of the explored code, with its target."""
    out = subprocess.run([how["clang"], "-dumpmachine"], stdout=subprocess.PIPE, text=True, check=True)
    return version(how) + " for " + out.stdout.strip()
