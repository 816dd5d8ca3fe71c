# SPDX-License-Identifier: MIT
"""Processes and files that a test must not touch: sleeping processes of several sessions and users, and the
LTTng daemons, session, terminals and shared memory that a user may have while running the tests."""
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(TOP, "tests/fixtures"))
from patience import wait_until  # noqa: E402
from signals import signal_child  # noqa: E402

FIXTURE_USER = 54321  # the user that runs the commands of root's tests (fixtures/lttng_int.h)
NOBODY = 65534
# The name contains no pid, because runs in different PID namespaces may have the same pid.
SHM = f"/dev/shm/doze-canary-{secrets.token_hex(8)}"
WITHIN_S = 15


def succeeds(command, env):
    return subprocess.run(command, env=env, check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def free_ports(count):
    """Returns ports on which no process listens now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Canaries:
    """The canaries. `home` is the HOME of the tests. All of `processes` must outlive the tests."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="doze-canary-")
        self.env = {k: v for k, v in os.environ.items() if k not in ("LTTNG_HOME", "TMUX")}
        self.env.update(HOME=self.home, TMUX_TMPDIR=self.home)
        self.processes = []  # (description, Popen)
        self.sleepers()
        self.daemons()
        self.terminal()
        for path in (SHM, os.path.join(self.home, "file")):
            with open(path, "w", encoding="utf-8") as f:
                f.write("canary\n")

    def start(self, what, command, **more):
        self.processes.append((what, subprocess.Popen(
            command, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, **more)))

    def sleepers(self):
        sleep = ["sleep", "infinity"]
        self.start("a process of the tests' session", sleep)
        self.start("a process group of the tests' session", sleep, process_group=0)
        self.start("another session", sleep, start_new_session=True)
        if os.geteuid() == 0:
            for name, user in (("the fixtures' user", FIXTURE_USER), ("nobody", NOBODY)):
                self.start(f"a process of {name}", sleep, user=user, group=user, extra_groups=[],
                           start_new_session=True)

    def daemons(self):
        """Starts a session daemon with a session that records, and a relay."""
        self.start("the session daemon", ["lttng-sessiond", "--quiet", "--no-kernel"],
                   start_new_session=True)
        wait_until(lambda: succeeds(["lttng", "-n", "list"], self.env), "the canary's session daemon starts", WITHIN_S)
        for words in (["create", "canary", f"--output={self.home}/trace"],
                      ["enable-event", "-u", "-a"], ["start"]):
            subprocess.run(["lttng", "-n", "-q", *words], env=self.env, check=True)
        ports = free_ports(3)
        urls = [word for option, port in zip("CDL", ports)
                for word in (f"-{option}", f"tcp://127.0.0.1:{port}")]
        self.start("the relay", ["lttng-relayd", *urls], start_new_session=True)

        def answers():
            with socket.socket() as s:
                return s.connect_ex(("127.0.0.1", ports[2])) == 0
        wait_until(answers, "the canary's relay starts", WITHIN_S)

    def terminal(self):
        """Starts a tmux server if the machine has terminals. The server is not a child of this
        process."""
        self.has_terminal = succeeds(["tmux", "-f", "/dev/null", "new-session", "-d", "-s", "canary",
                                      "sleep infinity"], self.env)

    def harmed(self):
        """Returns the descriptions of canaries that have changed."""
        out = [what for what, process in self.processes if process.poll() is not None]
        listed = subprocess.run(["lttng", "-n", "list"], env=self.env, text=True, check=False,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        if "canary" not in listed or "[active]" not in listed:
            out.append("the session that records")
        if self.has_terminal and not succeeds(["tmux", "has-session", "-t", "canary"], self.env):
            out.append("the terminal")
        out += [path for path in (SHM, os.path.join(self.home, "file")) if not os.path.exists(path)]
        return out

    def remove(self):
        if self.has_terminal:
            succeeds(["tmux", "kill-server"], self.env)
        for _, process in reversed(self.processes):
            signal_child(process.pid, signal.SIGTERM)
        for _, process in self.processes:
            process.wait()
        if os.path.exists(SHM):
            os.unlink(SHM)
        shutil.rmtree(self.home, ignore_errors=True)
