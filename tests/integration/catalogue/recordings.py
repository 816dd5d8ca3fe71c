# SPDX-License-Identifier: MIT
#
# Makes the recordings of the catalogue: reads catalogue.txt, builds workload with mutants of the
# library, keeps the CPUs busy where noise is wanted, and records.
import contextlib
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.abspath(os.path.join(HERE, *[os.pardir] * 3))
sys.path[:0] = [os.path.join(TOP, "tests/fixtures"), os.path.join(TOP, "tests/proof")]
import patience  # noqa: E402
import quota  # noqa: E402
from mutants import read_all  # noqa: E402

BUILD = os.path.join(TOP, os.environ.get("BUILD", "build"))
DOZE = os.path.join(BUILD, "doze")
WORKLOAD = os.path.join(BUILD, "tests/integration/catalogue/workload")
RECORD_S = 120  # time limit for one recording


class Line:
    """A line of the catalogue."""

    def __init__(self, text):
        fields = [field.strip() for field in text.split("|")]
        (self.name, self.program, self.arguments, self.policy, self.workers, self.level, self.expected,
         self.why) = fields


def catalogue():
    with open(os.path.join(HERE, "catalogue.txt"), encoding="utf-8") as f:
        return [Line(text) for text in f if text.strip() and not text.startswith("#")]


def build_mutant(name):
    """Builds workload with a mutant: links the changed file before the library, which provides all
    other files."""
    folder = os.path.join(BUILD, "catalogue", name)
    shutil.rmtree(folder, ignore_errors=True)
    mutant = read_all()[name]
    mutant.apply(folder)
    os.symlink(os.path.join(TOP, "tracepoints"), os.path.join(folder, "tracepoints"))
    program = os.path.join(folder, "workload")
    subprocess.run(
        ["cc", "-std=gnu11", "-O2", "-g", "-pthread", "-fvisibility=hidden", "-D_GNU_SOURCE",
         '-DDOZE_VERSION="mutant"', "-I", folder, "-o", program, os.path.join(folder, mutant.file),
         os.path.join(HERE, "workload.c"), os.path.join(HERE, "waits.c"), os.path.join(HERE, "stands.c"), os.path.join(BUILD, "libdoze.a"), "-ldl"], check=True)
    return program


def program_of(line, built):
    if line.program == "workload":
        return WORKLOAD
    if line.program not in built:
        built[line.program] = build_mutant(line.program)
    return built[line.program]


class Noise:
    """Two processes that keep the CPUs busy, or none if `wanted` is false."""

    def __init__(self, wanted):
        self.wanted, self.made = wanted, []

    def __enter__(self):
        if self.wanted:
            self.made = [subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"]) for _ in range(2)]
        return self

    def __exit__(self, *_):
        for p in self.made:
            p.kill()
            p.wait()


def with_little_memory(size):
    """Returns a command prefix that provides a small /dev/shm of the given size and a session
    daemon that only this recording uses."""
    mounts = f"mount -t tmpfs -o size={size} tmpfs /dev/shm && mount -t tmpfs tmpfs /run/lttng"
    return ["unshare", "--mount", "sh", "-c", mounts + ' && exec "$@"', "sh"]


@contextlib.contextmanager
def with_quota(arguments):
    """Yields a command prefix that runs a program with the CPU quota in its arguments (half a CPU), if any."""
    group = quota.group() if "quota=" in arguments else None
    if "quota=" in arguments and not group:
        raise RuntimeError("no control group with a CPU quota can be made here")
    try:
        yield ["sh", "-c", 'echo $$ > "$0" && exec "$@"', os.path.join(group, "cgroup.procs")] if group else []
    finally:
        if group:
            os.rmdir(group)


def record(folder, program, arguments, policy, workers, level):
    """Records the program. Returns a description of what went wrong, or "". A program that
    `dies` kills is not a failure."""
    shutil.rmtree(folder, ignore_errors=True)
    level, _, memory = level.partition("/")
    env = dict(os.environ, DOZE_TRACEPOINTS=os.path.join(BUILD, "libdoze-tracepoints.so"))
    with with_quota(arguments) as prefix:
        r = patience.run(
            (with_little_memory(memory) if memory else []) + [DOZE, "record", "-o", folder, f"--policy={policy}",
             f"--workers={workers}", f"--detail={level}", "--", *prefix, program, *arguments.split()],
            capture_output=True, text=True, timeout=RECORD_S, env=env)
    killed = "dies=" in arguments and r.returncode > 128
    return "" if r.returncode in (0, 4) or killed else f"exit {r.returncode}: {r.stderr.strip()}"
