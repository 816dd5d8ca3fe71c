#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Grades submissions that attack the grading, among honest ones, with `grade-all`: they get no points, all results are complete,
nothing of the class's secret is in them, nothing is left running or behind, and the honest submissions get what they deserve.
Does this under another user id, which needs root, and in bubblewrap's namespaces as an ordinary user.

Usage: isolation_test.py     Environment: BUILD.     Exit: 0 passed; 1 not; 77 if neither is possible here.
"""
import csv
import fcntl
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time

sys.dont_write_bytecode = True
from lab_test import HERE, ROOT, expect, problems, text_of  # noqa: E402
from framework import course, jail  # noqa: E402
from signals import end_cleanly_on_signals  # noqa: E402

ORDINARY = 54322  # a user id without an entry in /etc/passwd
LATCH = "04-core-latch"
STORM = "07-storm"

# Programs of lab 7, in Python: the file that has the most freedom. {class} is the folder with everything of the class.
PROGRAMS = {
    "thief": """
        import glob, os
        for name in ["{class}/class.secret", *glob.glob("{class}/**/*", recursive=True), *glob.glob("/proc/*/environ")]:
            try:
                print("jobs:", open(name).read())
                open("/tmp/stolen", "a").write(name)
            except OSError:
                pass
        print(*os.environ.values(), *os.listdir("/proc/self/fd"))
        """,
    "forger": """
        import glob, os
        for name in ["{class}/grades.results/forger-07-storm.json", "{class}/grades.csv", *glob.glob("/tmp/doze-*/*")]:
            try:
                open(name, "w").write('{{"score": 26, "max": 26, "undecided": 0, "tests": []}}')
            except OSError:
                pass
        """,
    "bomb": "import os\nwhile True:\n    os.fork()\n",
    "glutton": "whole = [bytearray(1 << 30) for _ in range(10)]\nprint('jobs: 1')\n",
    "talker": "while True:\n    print('jobs: 1' * 1000)\n",
    "loop": "while True:\n    pass\n",
    "killer": """
        import os as system
        for victim in [system.getppid(), -1, *(int(name) for name in system.listdir("/proc") if name.isdigit())]:
            if victim not in (1, system.getpid()):
                try:
                    system.kill(victim, 9)
                except OSError:
                    pass
        """,
}
# What is put into the library's file of lab 4, at file scope and at the beginning of doze_core_latch_init.
FILES = {
    "constructor": ("""
        #include <stdio.h>
        __attribute__((constructor)) static void early(void)
        {
            FILE *secret = fopen("%(class)s/class.secret", "r");
            char text[80] = "";
            if (secret && fgets(text, sizeof(text), secret))
                puts(text);
        }""", ""),
    "included": ('#include "%(class)s/class.secret"', ""),
    "solution": ('#include "lib/core_latch.c"', ""),
    "printer": ("#include <stdio.h>\n#include <stdlib.h>", r'puts("a\tpassed\t0\t0\t0\t0\t0\t0\t0\t0\tforged"); abort();'),
    "leaper": ("", "((void (*)(int))0x401020)(0);"),
    "pointer": ("#include <string.h>", "void (*volatile end)(int) = (void (*)(int))((char *)memcpy - 0x1000); end(0);"),
    "looper": ("", "while (1)\n\t;"),
}
HONEST = {"ada-" + LATCH: "12", "zoe-" + LATCH: "12", "ben-" + STORM: "5"}  # the points of honest submissions without a form
INIT = re.compile(r"^void doze_core_latch_init\(.*?\)\n{\n", re.M | re.S)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def right():
    return text_of(os.path.join(ROOT, "lib", "core_latch.c"))


class Class:
    """A class's secret, seeds, submissions and results in one folder, which `user` owns."""

    def __init__(self, folder, user):
        self.folder, self.user = folder, user
        self.submissions = os.path.join(folder, "submissions")
        self.names = []

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run(self, *arguments):
        """Runs labs/lab as the user, with a closed umask. Returns (exit code, output)."""
        words = [os.path.join(ROOT, "labs", "lab"), *arguments]
        if self.user != os.geteuid():
            words = ["setpriv", "--reuid=%d" % self.user, "--regid=%d" % self.user, "--clear-groups", "/usr/bin/python3", *words]
        env = {name: value for name, value in os.environ.items() if name != "LABS_WORK"}
        done = subprocess.run(words, env=env | {"LABS_ARE_BUILT": "1", "HOME": self.folder}, umask=0o077, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
        return done.returncode, done.stdout

    def own(self):
        """Gives everything to the user."""
        os.chown(self.folder, self.user, self.user)
        for folder, folders, files in os.walk(self.folder):
            for name in folders + files:
                os.chown(os.path.join(folder, name), self.user, self.user, follow_symlinks=False)

    def term(self):
        attackers = [*PROGRAMS, *FILES, "linker"]
        write(self.path("students.txt"), "\n".join(attackers + ["ada", "ben", "zoe"]) + "\n")
        self.own()
        rc, text = self.run("new-term", self.path("students.txt"), "-o", self.path("seeds"), "--secret", self.path("class.secret"))
        expect(rc == 0, "new-term: " + text)
        for name, program in PROGRAMS.items():
            program = textwrap.dedent(program).replace("{class}", self.folder).replace("{{", "{").replace("}}", "}")
            self.submit(name, STORM, {"analysis.py": program})
        for name, (head, inside) in FILES.items():
            text = INIT.sub(lambda found, inside=inside: found.group() + "\t" + inside + "\n", right())
            head = textwrap.dedent(head).replace("%(class)s", self.folder)
            self.submit(name, LATCH, {"core_latch.c": text + head if name == "constructor" else head + "\n" + (text if name != "solution" else "")})
        self.submit("linker", LATCH, {})
        os.symlink(self.path("class.secret"), os.path.join(self.submissions, "linker-" + LATCH, "core_latch.c"))
        for name in ("ada", "zoe"):  # the first and the last that is graded
            self.submit(name, LATCH, {"core_latch.c": right()})
        self.submit("ben", STORM, {"analysis.py": text_of(os.path.join(HERE, "references", STORM, "analysis.py"))})
        self.own()

    def submit(self, student, lab, files):
        folder = os.path.join(self.submissions, "%s-%s" % (student, lab))
        os.makedirs(folder, exist_ok=True)
        for name, text in files.items():
            write(os.path.join(folder, name), text)
        shutil.copy(self.path("seeds", student + ".txt"), os.path.join(folder, "seed.txt"))
        self.names.append("%s-%s" % (student, lab))

    def grade(self):
        return self.run("grade-all", self.submissions, "-o", self.path("grades.csv"), "--secret", self.path("class.secret"))

    def rows(self):
        with open(self.path("grades.csv"), encoding="utf-8", newline="") as file:
            return {row["submission"]: row for row in csv.DictReader(file)}


def is_reserved(uid):
    """Returns whether another grading, such as one of a test that runs at the same time, uses the id now."""
    try:
        with open("/run/doze-jail-%d" % uid, encoding="ascii") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def left_behind():
    """Returns the processes and files of the ids under which student code runs, and the lab's temporary folders."""
    running = [uid for uid in jail.USERS if not is_reserved(uid) and jail.running(uid) and not is_reserved(uid)]
    files = [entry.path for folder in ("/tmp", "/dev/shm") for entry in os.scandir(folder) if jail.owner(entry.path) in jail.USERS]
    return running + files + glob.glob("/tmp/stolen") + glob.glob(os.path.join(tempfile.gettempdir(), "doze-programs-*"))


def check_rows(one):
    rows, secret = one.rows(), text_of(one.path("class.secret")).strip()
    expect(set(rows) == set(one.names), "every submission has its row: %s" % (set(one.names) ^ set(rows)))
    most = {lab: str(sum(test.points for test in course.find(lab).tests)) for lab in (LATCH, STORM)}
    for name, row in rows.items():
        lab = LATCH if name.endswith(LATCH) else STORM
        expect(row["max"] == most[lab] and row["undecided"] == "0", "%s: the result is complete, and decided: %s" % (name, row))
        expect(row["score"] == HONEST.get(name, "0"), "%s: the score: %s" % (name, row))
        result = text_of(one.path("grades.results", name + ".json"))
        expect(json.loads(result)["lab"] == lab, "%s: the result is complete: %s" % (name, result[:200]))
        report = text_of(one.path("grades.results", name + ".txt"))
        expect(secret not in result + report, "%s: the secret is in the result" % name)
        print("%-26s %s of %s  %5s s  %s" % (name, row["score"], row["max"], row["seconds"], row["note"]), flush=True)


def check_class(folder, user, how):
    begin = time.monotonic()
    print("\n%s:" % how, flush=True)
    one = Class(folder, user)
    one.term()
    rc, text = one.grade()
    expect(rc == 0, "%s: grade-all ends: %s" % (how, text))
    check_rows(one)
    rc, text = one.grade()
    expect(rc == 0 and "%d of %d submissions are graded already" % (len(one.names), len(one.names)) in text, "a second call grades nothing: " + text)
    expect(not left_behind(), "%s: left behind: %s" % (how, left_behind()))
    print("%s: %.0f s" % (how, time.monotonic() - begin), flush=True)


def check_refusals(folder):
    """Checks that a grading is refused where isolation would be a pretence."""
    one = Class(folder, os.geteuid())
    write(one.path("class.secret"), "a secret\n")
    os.chmod(one.path("class.secret"), 0o644)
    os.chmod(one.folder, 0o755)
    write(os.path.join(one.submissions, "x-" + LATCH, "core_latch.c"), right())
    rc, text = one.grade()
    expect(rc == 2 and text.count("\n") == 1 and "chmod go= " in text, "a secret that other users can read is refused: " + text)


def check_neighbours():
    """Checks that two gradings at once use different ids, even in different networks: one would end the other's programs."""
    own = jail.OtherUser()  # holds its id as long as it exists
    code = "import sys; sys.path.insert(0, %r); from framework import jail; print(jail.OtherUser().uid)" % os.path.join(ROOT, "labs")
    done = subprocess.run(["unshare", "--net", sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=False)
    expect(done.returncode == 0 and int(done.stdout) != own.uid, "two gradings have ids of their own: %d and %s" % (own.uid, done.stdout))


def forks(kind):
    """Checks, in this process, that a program that may create processes cannot outlive its grading or fill the machine."""
    jail.isolate([])
    with jail.folder() as folder:
        jail.put(os.path.join(folder, "bomb.py"), "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n")
        limits = jail.RECORDING._replace(processes=100)
        done = jail.run(["python3", "bomb.py"], limits, writes=[folder], seconds=3)
    time.sleep(0.2)
    expect(done.late and not left_behind(), "%s: a fork bomb ends with its time: %s, left: %s" % (kind, done, left_behind()))


def main():
    end_cleanly_on_signals()
    if not shutil.which("clang"):
        print("skipped: clang is missing")
        return 77
    root, bubble = os.geteuid() == 0, shutil.which("bwrap")
    if len(sys.argv) > 1:  # run by the test itself, as the ordinary user
        forks(sys.argv[1])
        return 1 if problems else 0
    bubble = bubble and subprocess.run(["setpriv", "--reuid=%d" % ORDINARY, "--clear-groups"][:3 if root else 0] +
                                       ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], check=False).returncode == 0
    if not root and not bubble:
        print("skipped: neither root nor namespaces for bubblewrap")
        return 77
    ways = ([(os.geteuid(), "another user id")] if root else []) + ([(ORDINARY if root else os.geteuid(), "namespaces")] if bubble else [])
    for user, how in ways:
        with tempfile.TemporaryDirectory(prefix="doze-class-") as folder:
            check_class(folder, user, how)
            words = [sys.executable, __file__, how]
            if user != os.geteuid():
                words = ["setpriv", "--reuid=%d" % user, "--regid=%d" % user, "--clear-groups", "/usr/bin/python3", *words[1:]]
            expect(subprocess.run(words, check=False).returncode == 0, how + ": a fork bomb")
    if root:
        with tempfile.TemporaryDirectory(prefix="doze-class-") as folder:
            check_refusals(folder)
        check_neighbours()
    if not bubble:
        print("not checked: namespaces, which bubblewrap cannot make here")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
