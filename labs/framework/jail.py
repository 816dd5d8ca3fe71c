# SPDX-License-Identifier: MIT
"""Runs compilers and programs for the files that a student hands in.

A student's own grading runs them as the student, with limits. A grading that must not trust the file (`grade --isolated`,
`--secret`, `grade-all`, the Gradescope package) isolates them: as root, under a user id that nothing else uses; as
another user, in namespaces that bubblewrap makes. There, a program has an empty environment, no descriptor but its
standard ones, one folder to write to, and no way to the grader, to results, to the class's secret or to other students'
files; whatever is still running when it ends is killed.
"""
import atexit
import contextlib
import fcntl
import os
import pwd
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections import namedtuple

from .course import BUILD, ROOT, Stop

HELPER = os.path.join(BUILD, "labs", "jail")  # labs/grader/jail.c
FAILED = 125         # its exit status if the program does not run

# Seconds of CPU time, MB of memory and MB of each written file; processes and threads, which are limited only in isolation;
# and whether the program may create processes.
Limits = namedtuple("Limits", "cpu memory file processes alone")
TOOL = Limits(60, 4096, 64, 64, False)          # a compiler
PROGRAM = Limits(20, 6144, 16, 2048, True)      # a program with the student's code, on up to 300 threads
SEARCH = Limits(100, 4096, 64, 64, True)        # an explorer's program; the searches of correct files take less than 10 s
RECORDING = Limits(60, 6144, 512, 2048, False)  # LTTng's daemons, too

# status: as of subprocess; -SIGKILL if the program did not end in time, and then `late` is true
Done = namedtuple("Done", "status out err late")

SECONDS = 900        # wall time of a program without a limit of its own
TAKEN_BYTES = 64 << 20
KILLS = 500           # tries to end all processes of a user, 10 ms apart
USERS = range(60706, 61184)  # ids that Debian and systemd leave unused
MISSING = "student code cannot be kept away from this class's files here: %s (--unsafe grades without isolation)"


class Open:
    """Without isolation, but with limits."""

    is_closed = False
    options = ()

    def command(self, words, _reads, _writes):
        return words

    def give(self, path):
        """Gives the program a path that it may write to."""

    def clean(self):
        """Ends what the program has left running."""

    def sweep(self):
        """Ends what the programs of another grading, which was ended, have left running."""


class OtherUser(Open):
    """Isolation by a user id; needs root."""

    is_closed = True

    def __init__(self):
        self.uid, self.reserved = unused_user()
        self.options = ("--user=%d" % self.uid,)
        self.given = set()  # the folders of running programs

    def give(self, path):
        os.chown(path, self.uid, self.uid)
        self.given.add(path)

    def clean(self):
        for _ in range(KILLS):
            if not running(self.uid):
                break
            subprocess.run([HELPER, *self.options, "--kill"], check=False)
            time.sleep(0.01)
        else:
            raise Stop("processes of the user id %d cannot be ended" % self.uid)
        for shared in ("/tmp", "/var/tmp", "/dev/shm"):
            for path in [entry.path for entry in os.scandir(shared)] if os.path.isdir(shared) else ():
                if path not in self.given and owner(path) == self.uid:
                    remove(path)

    def sweep(self):
        OtherUser().clean()  # reserves the id that the other grading had, or a higher one if that is in use again

    def readable(self, paths):
        """Returns those of the paths that student code could read."""
        done = subprocess.run([HELPER, *self.options, "--list", *paths], stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout.splitlines()


class Bubble(Open):
    """Isolation by namespaces: bubblewrap shows the program only what it needs."""

    is_closed = True
    # What programs and compilers of a distribution need.
    SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/sbin", "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf",
              "/etc/ld.so.conf.d", "/etc/passwd", "/sys")

    def command(self, words, reads, writes):
        command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--proc", "/proc", "--dev", "/dev",
                   "--tmpfs", "/tmp", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "LC_ALL", "C.UTF-8"]
        for path in self.SYSTEM:
            command += ["--ro-bind-try", path, path]
        for path in (HELPER, *reads):
            command += ["--ro-bind", path, path]
        for path in writes:
            command += ["--bind", path, path, "--setenv", "HOME", path, "--setenv", "TMPDIR", path]
        return command + words

    def readable(self, _paths):
        return []


current = Open()


def owner(path):
    try:
        return os.lstat(path).st_uid
    except OSError:
        return -1


def running(uid):
    """Returns whether a process of this user is running. A zombie is not: it stays until its parent asks for its status."""
    for entry in os.listdir("/proc"):
        if entry.isdigit() and owner("/proc/" + entry) == uid:
            with contextlib.suppress(OSError), open("/proc/%s/stat" % entry, encoding="utf-8", errors="replace") as file:
                if file.read().rpartition(")")[2].split()[0] not in "ZX":
                    return True
    return False


def remove(path):
    with contextlib.suppress(OSError):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.remove(path)


def unused_user():
    """Returns a user id that nothing else uses, and a locked file that reserves it until this process ends. It is a file because
    another grading may have a network of its own, and still see the same processes."""
    for uid in USERS:
        file = reservation("/run/doze-jail-%d" % uid)
        if file and not has_name(uid):
            return uid, file
    raise Stop(MISSING % "no user id is free")


def reservation(path):
    """Returns the file, locked, or None if another grading has locked it. The grading that has locked a file removes it when it
    ends. A file that was removed before it could be locked reserves nothing, so another one is created."""
    try:
        file = open(path, "a", encoding="ascii")  # pylint: disable=consider-using-with # stays locked
    except OSError as error:
        raise Stop(MISSING % error) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    if os.fstat(file.fileno()).st_nlink == 0:
        file.close()
        return reservation(path)
    atexit.register(remove, path)
    return file


def has_name(uid):
    try:
        return bool(pwd.getpwuid(uid))
    except KeyError:
        return False


def works(jail):
    """Returns whether a program runs in the jail."""
    with contextlib.suppress(OSError):
        return subprocess.run(jail.command([HELPER, *jail.options, "true"], (), ()), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0
    return False


def isolate(private):
    """Isolates all programs of this grading. `private`: existing paths that student code must not read. Raises Stop if that is
    impossible here."""
    global current  # pylint: disable=global-statement
    if os.geteuid() == 0:
        jail, why = OtherUser(), "programs do not run under another user id in this container, or %s is in a folder that only root may read" % ROOT
    elif shutil.which("bwrap"):
        jail, why = Bubble(), "this system allows no user namespaces; grade as root"
    else:
        raise Stop(MISSING % "grade as root, or install bubblewrap")
    if not works(jail):
        raise Stop(MISSING % why)
    jail.clean()
    for path in jail.readable([os.path.abspath(p) for p in private if os.path.exists(p)]):
        raise Stop("%s: other users can read it, and so could a student's program: run chmod go= %s (--unsafe grades without isolation)"
                   % (path, path))
    current = jail


@contextlib.contextmanager
def folder():
    """A folder for one program, which the program may write to. It may contain links to anything: see taken()."""
    with tempfile.TemporaryDirectory(prefix="doze-lab-", ignore_cleanup_errors=True) as path:
        current.give(path)
        yield path


def put(path, text):
    """Creates a file that the program may read."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o644)  # whatever this user's umask is


def taken(path):
    """Returns the bytes of a file that a program wrote, or None unless it is a plain file of reasonable size: the program could
    have put a link to the class's secret in its place."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        plain = stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and found.st_size <= TAKEN_BYTES
        return file.read(TAKEN_BYTES) if plain else None


def keep(path, target):
    """Copies a file that a program wrote, if it is a plain one."""
    content = taken(path)
    if content is not None:
        with open(target, "wb") as file:
            file.write(content)


def text_of(file):
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def run(words, limits=PROGRAM, *, reads=(), writes=(), at=None, text=None, seconds=SECONDS, together=False):
    """Runs a program in the folder `at`, or in the first of `writes`, which are its own. `reads`: what it may read besides the system's files;
    `text`: its standard input; `together`: its messages go into its output. Returns what it printed, as Done. The output goes
    through files, whose size is limited."""
    if not os.path.exists(HELPER):
        raise Stop("%s is missing: run make labs-objects" % os.path.relpath(HELPER))
    options = ["--cpu=%d" % limits.cpu, "--memory=%d" % limits.memory, "--file=%d" % limits.file]
    options += ["--processes=%d" % limits.processes] if current.is_closed else []
    options += ["--alone"] if limits.alone else []
    reads = tuple(reads) + ((words[0],) if os.path.isabs(words[0]) and not words[0].startswith("/usr/") else ())
    command = current.command([HELPER, *current.options, *options, *words], reads, writes)
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write((text or "").encode())
        given.seek(0)
        try:
            status = subprocess.run(command, stdin=given, stdout=out, stderr=out if together else err, timeout=seconds, check=False,
                                    cwd=at or (writes[0] if writes else ROOT)).returncode
        except subprocess.TimeoutExpired:
            status = None
        finally:
            current.clean()
        said = text_of(out), "" if together else text_of(err)
    if status == FAILED and said[not together].startswith("jail: "):
        raise Stop(said[not together].splitlines()[0])
    if status is not None and status > 128:  # bubblewrap reports a signal like a shell
        status = 128 - status
    return Done(-signal.SIGKILL if status is None else status, *said, status is None)
