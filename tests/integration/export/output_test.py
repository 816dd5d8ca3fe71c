#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# Checks that -o never replaces a device, a pipe or a link, and that an existing file is unchanged
# after an error. Runs in the top folder; $BUILD is the build folder. Device nodes are created in a
# scratch folder, which needs root; otherwise that part is skipped. The full disk is a small file
# system that the test mounts.
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, "tests/fixtures")
import patience  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DOZE = f"{BUILD}/doze"
EARLIER = "what was here before\n"
COMMANDS = {"export": ["export", "--format=csv"], "report": ["report"]}
failures = 0


def check(title, ok, detail=""):
    global failures
    print(f"{'passed' if ok else 'FAILED'}: {title}{'' if ok else ' ' + str(detail)[:400]}")
    failures += not ok


def doze(*args, **more):
    p = patience.run([DOZE, *args], capture_output=True, text=True, timeout=60, **more)
    return p.returncode, p.stdout, p.stderr


def one_line(title, outcome, code, *words):
    rc, _, err = outcome
    check(title, rc == code and err.count("\n") == 1 and all(w in err for w in words), outcome)


def text_of(path):
    with open(path) as f:
        return f.read()


def write(path, text=EARLIER):
    with open(path, "w") as f:
        f.write(text)
    return path


def device(path, minor):
    os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, minor))
    return path


def devices(name, command, trace, where):
    full, null = device(f"{where}/full", 7), device(f"{where}/null", 3)
    one_line(f"{name}: a full device is reported", doze(*command, trace, "-o", full), 3, "No space")
    check(f"{name}: the full device is still a device", stat.S_ISCHR(os.lstat(full).st_mode))
    check(f"{name}: a null device accepts the output", doze(*command, trace, "-o", null)[0] == 0)
    check(f"{name}: the null device is still a device", stat.S_ISCHR(os.lstat(null).st_mode))
    one_line(f"{name}: a missing trace is reported before a device is written", doze(*command, where, "-o", null), 3)
    check(f"{name}: the device still exists", stat.S_ISCHR(os.lstat(null).st_mode))
    os.unlink(full)
    os.unlink(null)


def pipe(name, command, trace, where):
    fifo, got = f"{where}/fifo", []
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: got.append(text_of(fifo)), daemon=True)
    reader.start()
    rc = doze(*command, trace, "-o", fifo)
    patience.wait_until(lambda: not reader.is_alive(), "the pipe's reader gets the output")
    check(f"{name}: a pipe's reader gets the output", rc[0] == 0 and got and len(got[0]) > 1000, rc)
    check(f"{name}: the pipe is still a pipe", stat.S_ISFIFO(os.lstat(fifo).st_mode))
    os.unlink(fifo)


def links(name, command, trace, where):
    target, link = write(f"{where}/target"), f"{where}/link"
    os.symlink("target", link)
    rc = doze(*command, trace, "-o", link)
    check(f"{name}: a link's target is replaced", rc[0] == 0 and text_of(target) != EARLIER, rc)
    check(f"{name}: the link is still a link", os.path.islink(link))
    if os.path.exists(target):
        os.unlink(target)
    rc = doze(*command, trace, "-o", link)
    check(f"{name}: the target of a dangling link is created", rc[0] == 0 and os.path.isfile(target), rc)
    check(f"{name}: the dangling link is still a link", os.path.islink(link))
    os.unlink(target)
    os.unlink(link)
    os.symlink("link", link)
    one_line(f"{name}: a link to itself is reported", doze(*command, trace, "-o", link), 3, "links")
    os.unlink(link)


def files(name, command, trace, where):
    file = write(f"{where}/file")
    os.chmod(file, 0o640)
    one_line(f"{name}: a missing trace is reported", doze(*command, where, "-o", file), 3)
    check(f"{name}: the earlier file is unchanged", text_of(file) == EARLIER)
    rc = doze(*command, trace, "-o", file)
    check(f"{name}: the file is replaced", rc[0] == 0 and text_of(file) != EARLIER, rc)
    check(f"{name}: the new file keeps the mode of the old one", stat.S_IMODE(os.stat(file).st_mode) == 0o640)
    fresh = f"{where}/fresh"
    doze(*command, trace, "-o", fresh, umask=0o027)
    check(f"{name}: the mode of a new file follows the umask", stat.S_IMODE(os.stat(fresh).st_mode) == 0o640)
    stdout = doze(*command, trace, "-o", "-")
    check(f"{name}: - means standard output", stdout[0] == 0 and stdout[1] == text_of(fresh))
    os.unlink(fresh)
    os.unlink(file)
    one_line(f"{name}: a folder as output is rejected", doze(*command, trace, "-o", where), 3, "folder", "give the name of a file")
    lost = f"{where}/no/x"
    one_line(f"{name}: a missing output folder is reported", doze(*command, trace, "-o", lost), 3, "No such")


def interrupted(name, command, where, big):
    file = write(f"{where}/file")
    # The command is still reading, with the partial file open, when the signal arrives.
    p = subprocess.Popen([DOZE, *command, big, "-o", file], stdout=subprocess.DEVNULL)
    while p.poll() is None and os.listdir(where) == ["file"]:
        time.sleep(0.001)
    p.send_signal(signal.SIGTERM)
    patience.wait_until(lambda: p.poll() is not None, f"{name} exits after a signal")
    check(f"{name}: a signal terminates the command", p.returncode == -signal.SIGTERM, p.returncode)
    check(f"{name}: a terminated command leaves no partial file", os.listdir(where) == ["file"], os.listdir(where))
    check(f"{name}: a terminated command leaves the earlier file unchanged", text_of(file) == EARLIER)
    os.unlink(file)


ON_SMALL_DISK = """mount -t tmpfs -o size=16k none "$0" || exit 77
printf '%s' "$EARLIER" >"$0/file"
"$@" -o "$0/file"
rc=$?
ls "$0"
cat "$0/file"
exit $rc"""


def full_disk(name, command, trace, where):
    """Runs in its own mount namespace, so that no mount remains."""
    p = patience.run(["unshare", "-m", "sh", "-c", ON_SMALL_DISK, where, DOZE, *command, trace],
                     capture_output=True, text=True, timeout=60,
                     env={**os.environ, "EARLIER": EARLIER})
    if p.returncode in (1, 77):
        print(f"skipped: {name}: full disk: no permission to mount a small file system")
        return
    one_line(f"{name}: a full disk is reported", (p.returncode, "", p.stderr), 3, "No space")
    check(f"{name}: a full disk leaves the earlier file unchanged and nothing else behind", p.stdout == "file\n" + EARLIER, p.stdout)


def too_long(name, command, trace, where):
    """Checks that a limit on the file size, such as a quota, does not kill the command with
    SIGXFSZ."""
    file = write(f"{where}/file")
    p = patience.run(["bash", "-c", 'ulimit -f 4; exec "$@"', "-", DOZE, *command, trace, "-o", file],
                     capture_output=True, text=True, timeout=60)
    one_line(f"{name}: a file that exceeds a size limit is reported", (p.returncode, p.stdout, p.stderr), 3, "too large")
    check(f"{name}: exceeding a size limit leaves the earlier file unchanged", text_of(file) == EARLIER)
    check(f"{name}: exceeding a size limit leaves no partial file", os.listdir(where) == ["file"], os.listdir(where))
    os.unlink(file)


def main():
    with tempfile.TemporaryDirectory(prefix="doze-output-") as scratch:
        trace, big, where = (f"{scratch}/{d}" for d in ("trace", "big", "where"))
        make = f"{BUILD}/tests/fixtures/make-trace"
        patience.run([make, trace, "5000", "8", "6", "1"], check=True)
        patience.run([make, big, "400000", "8", "6", "1"], check=True)
        os.mkdir(where)
        for name, command in COMMANDS.items():
            if os.geteuid() == 0:
                devices(name, command, trace, where)
            else:
                print(f"skipped: {name}: devices: only root can create nodes")
            pipe(name, command, trace, where)
            links(name, command, trace, where)
            files(name, command, trace, where)
            full_disk(name, command, trace, where)
            too_long(name, command, trace, where)
            interrupted(name, command, where, big)
            check(f"{name}: nothing is left behind", os.listdir(where) == [], os.listdir(where))
    print(f"{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(patience.exit_code(main, lambda: failures))
