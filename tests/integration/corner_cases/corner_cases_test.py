#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Corner cases of doze.h: graphs of futures, starvation, depth, the deadlock handler's remedy,
failed creation, no memory, C++ exceptions, longjmp, plug-ins, CPU quotas. Runs each program under each
policy and prints the results as a table. Each program checks itself and reports the result as its
exit status.

    corner_cases_test.py [PROGRAM]...   all rows, or those of the given programs
    corner_cases_test.py --soak         programs that race 100 times in a row, the others 3 times (make soak)
Exit: 0 all as specified; 1 a wrong result; 2 there is no such program.
"""
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../fixtures"))
import patience  # noqa: E402
import quota  # noqa: E402
from names import check_names  # noqa: E402
from policies import policies  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
BUILD = os.path.join(TOP, os.environ.get("BUILD", "build"))
LIB = os.path.join(BUILD, "libdoze.a")
PROVIDER = os.path.join(BUILD, "libdoze-tracepoints.so")
CC, CXX = os.environ.get("CC", "cc").split(), os.environ.get("CXX", "c++").split()
POLICIES = list(policies())
SANITIZED = any(name in BUILD for name in ("tsan", "asan"))
SAN_FLAGS = {"tsan": ["-fsanitize=thread"], "asan": ["-fsanitize=address,undefined"]}.get(
    os.path.basename(BUILD), [])
KINDS = "first second install scope body broadcast loop spawn task thread fold".split()
RACING = "graph helped stopped starve rescue elsewhere half_made plugin".split()

failed = []
times = {}  # number of runs of a program, if not one


def build(folder, name, lib=LIB, flags=()):
    source = glob.glob(os.path.join(HERE, name + ".c*"))[0]
    compiler = CXX if source.endswith(".cc") else CC
    out = os.path.join(folder, name)
    subprocess.run(compiler + ["-O1", "-g", "-pthread", "-D_GNU_SOURCE", "-I" + TOP, *SAN_FLAGS,
                               "-o", out, source, lib, "-ldl", *flags], check=True)
    return out


def run(command, wanted=0, text=None, env=None, name=None):
    """Runs a program as often as its cell of the table requires. Returns "ok" or the number of runs
    if all succeed, otherwise the first failure and the number of its run."""
    runs = times.get(name or os.path.basename(command[0]), 1)
    for i in range(runs):
        cell = run_once(command, wanted, text, env)
        if cell != "ok":
            return "%s at %d" % (cell, i + 1)
    return "ok" if runs == 1 else str(runs)


def run_once(command, wanted, text, env):
    """Runs the program once. A program that hangs counts as failed, because a lost wake may be the
    reason. Waiting for a CPU does not count as hanging."""
    try:
        ended = patience.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             env=dict(os.environ, **(env or {})))
    except patience.Unstable:
        failed.append("%s: hangs" % " ".join(command))
        return "hangs"
    said = ended.stdout + ended.stderr
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    if ended.returncode not in wanted or (text and text not in said):
        failed.append("%s: exit status %d, not %s\n%s" % (" ".join(command), ended.returncode,
                                                          " or ".join(map(str, wanted)), said))
        return "WRONG"
    return "ok"


def row(name, program, *args, **more):
    cells = [run([program, policy, *args], **more) for policy in POLICIES]
    print("%-22s %s" % (name, " ".join("%-8s" % cell for cell in cells)), flush=True)


def simple(name, *variants, sanitized=True, **more):
    """Returns a function that prints the rows of a program whose only arguments are a policy and
    the words of a variant."""
    def rows(folder):
        if SANITIZED and not sanitized:
            print("%-22s skipped: a sanitizer changes what this program measures" % name)
            return
        program = build(folder, name)
        for words in variants or [""]:
            row(" ".join([name, words]).rstrip(), program, *words.split(), **more)
    rows.__name__ = name
    return rows


def rescue(folder):
    row("rescue", build(folder, "rescue"))


def elsewhere(folder):
    row("elsewhere", build(folder, "elsewhere"))


def half_made(folder):
    program = build(folder, "half_made", flags=["-Wl,--wrap=pthread_create"])
    for what in "0123":
        row("half_made " + what, program, what, env={"DOZE_TRACE": "0"})


def no_memory(folder):
    if SANITIZED:
        print("no_memory              skipped: a sanitizer needs more address space than the limit")
        return
    program = build(folder, "no_memory")
    for how in ("lifo", "fifo", "scope", "task", "outside"):
        row("no_memory " + how, program, how, env={"DOZE_TRACE": "0"})


def without_tables(folder):
    """Builds the library again, without unwind tables."""
    objects = []
    sources = subprocess.run(["make", "-s", "-C", TOP, "lib-sources"], stdout=subprocess.PIPE,
                             text=True, check=True).stdout.split()
    for source in sources:
        objects.append(os.path.join(folder, source.replace("/", "-") + ".o"))
        subprocess.run(CC + ["-std=gnu11", "-O1", "-fPIC", "-fvisibility=hidden", "-pthread",
                             "-fno-asynchronous-unwind-tables", "-fno-unwind-tables",
                             "-fno-exceptions", "-D_GNU_SOURCE", "-DDOZE_NO_TRACE", "-I" + TOP,
                             "-c", "-o", objects[-1], os.path.join(TOP, source)], check=True)
    lib = os.path.join(folder, "libdoze-tableless.a")
    subprocess.run(["ar", "rcs", lib, *objects], check=True)
    return lib


def throws_from_inlined_joins(folder):
    """With doze_inline.h the frames of joins belong to the user's functions."""
    header = ["-include", os.path.join(TOP, "lib/doze_inline.h")]
    for flags in ([], ["-fexceptions"], ["-O3", "-flto"]):
        in_c = os.path.join(folder, "join_in_c.o")
        subprocess.run(CC + ["-O1", "-g", "-I" + TOP, *header, *flags, "-c", "-o", in_c,
                             os.path.join(HERE, "join_in_c.c")], check=True)
        program = build(folder, "throws", flags=[*header, *flags, in_c])
        name = " ".join(["  inlined", *flags])
        for kind in ("c_first", "c_second"):
            row(name + " " + kind, program, kind, wanted=3, text="doze: an exception escaped from a job")
        for kind in ("first", "second"):
            row(name + " " + kind, program, kind, wanted=3, text="terminate was called")
        # std::terminate, or the library's message once the stack has ended without a handler
        row(name + " exit", program, "exit", wanted=(3, -signal.SIGABRT))


def throws(folder):
    program = build(folder, "throws")
    for kind in KINDS:
        row("throws " + kind, program, kind, wanted=3,
            text="doze: an exception escaped from a job")
    exits = dict(wanted=-signal.SIGABRT, text="doze: pthread_exit or thread cancellation in a job")
    row("throws exit", program, "exit", **exits)
    if SANITIZED:
        return
    throws_from_inlined_joins(folder)
    program = build(folder, "throws", lib=without_tables(folder))
    for kind in KINDS:
        row("  no tables " + kind, program, kind, wanted=3, text="terminate was called")
    row("  no tables exit", program, "exit", **exits)


def plugin(folder):
    host = os.path.join(folder, "host")
    subprocess.run(CC + ["-O1", "-g", "-pthread", "-D_GNU_SOURCE", "-I" + TOP, "-o", host,
                         os.path.join(HERE, "host.c"), LIB, "-ldl"] + SAN_FLAGS, check=True)
    path = os.path.join(folder, "corner-plugin.so")
    subprocess.run(CC + ["-O1", "-g", "-fPIC", "-shared", "-pthread", "-I" + TOP, "-o", path,
                         os.path.join(HERE, "plugin.c"), LIB, "-ldl"] + SAN_FLAGS, check=True)
    for policy in POLICIES:
        env = {"DOZE_POLICY": policy}
        cells = [run([host, path], env=dict(env, DOZE_TRACE="0"), name="plugin"),
                 run([host, path], env=env, name="plugin")]
        if os.path.exists(PROVIDER):
            cells.append(run([host, path, "w"], env=dict(env, DOZE_TRACEPOINTS=PROVIDER),
                             name="plugin"))
        print("%-22s %s" % ("plugin " + policy, " ".join(cells)))


def cpus(folder):
    program = build(folder, "cpus")
    env = {k: v for k, v in os.environ.items() if k != "DOZE_NUM_THREADS"}

    def count(prefix=()):
        return int(subprocess.run([*prefix, program], stdout=subprocess.PIPE, check=True,
                                  env=env).stdout)
    mask = os.sched_getaffinity(0)
    if count() > len(mask) or count(["taskset", "-c", str(min(mask))]) != 1:
        failed.append("cpus: more workers than CPUs in the mask")
    group = quota.group()
    if not group:
        print("cpus                   only the mask was tested: cannot create a control group here")
        return
    try:
        tasks = os.path.join(group, "cgroup.procs")
        script = 'echo $$ >"$0" && exec "$@"'
        if count(["sh", "-c", script, tasks]) != 1:
            failed.append("cpus: a quota of half a CPU does not give one worker")
    finally:
        os.rmdir(group)
    print("cpus                   ok")


def has_sanitizer(compiler, folder):
    """Returns whether the compiler is there and can link with ThreadSanitizer, a package of its own."""
    return shutil.which(compiler[0]) and subprocess.run(
        [*compiler, "-x", "c", "-fsanitize=thread", "-o", os.path.join(folder, "empty"), "-"],
        input=b"int main(void) { return 0; }", stderr=subprocess.DEVNULL, check=False).returncode == 0


def races(folder):
    """Builds only the program with ThreadSanitizer, not the library."""
    if SANITIZED:
        print("races                  skipped: the library is built with a sanitizer")
        return
    # All threads have exited when main returns, so ThreadSanitizer need not wait a second for them.
    env = {"TSAN_OPTIONS": "exitcode=66:atexit_sleep_ms=0", "DOZE_TRACE": "0"}
    for compiler in (CC, ["clang"]):
        if compiler != CC and not has_sanitizer(compiler, folder):
            print(f"skipped: races: {compiler[0]} or its ThreadSanitizer is not installed: run make setup lint")
            continue
        source, out = os.path.join(HERE, "races.c"), os.path.join(folder, "races")
        built = subprocess.run([*compiler, "-O1", "-g", "-pthread", "-fsanitize=thread", "-I" + TOP,
                                "-o", out, source, LIB, "-ldl"], check=False)
        if built.returncode != 0:
            failed.append("races: %s cannot build the program" % compiler[0])
            continue
        row("races " + compiler[0], out, env=env)
        row("  a true race", out, "wrong", wanted=66, text="data race", env=env)


UNTRACED = {"DOZE_TRACE": "0"}
PROGRAMS = [simple("graph"), simple("helped", "", "graph"), simple("flat", sanitized=False, env=UNTRACED),
            simple("stopped", sanitized=False), simple("starve", "", "never"),
            simple("nest", sanitized=False, env=UNTRACED), simple("aligned"), simple("jumps"), rescue, elsewhere, half_made, no_memory,
            races, throws, plugin, cpus]


def main():
    wanted = sys.argv[1:]
    if wanted[:1] == ["--soak"]:
        del wanted[0]
        for program in PROGRAMS:
            times[program.__name__] = 100 if program.__name__ in RACING else 3
    check_names(wanted, [program.__name__ for program in PROGRAMS], "program")
    print("%-22s %s" % ("", " ".join("%-8s" % policy for policy in POLICIES)))
    with tempfile.TemporaryDirectory() as folder:
        for program in PROGRAMS:
            if not wanted or program.__name__ in wanted:
                program(folder)
    for text in failed:
        print(text, file=sys.stderr)
    return 1 if failed else 0


sys.exit(main())
