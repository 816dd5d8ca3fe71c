#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""by_pid.py [--seconds S] [--times N] [--detail LEVEL]

Measures what `doze record --pid` costs a server under load (server.c), which has a pool of libdoze and 8 clients.
Records it for S seconds (default 10), N times in a row (default 10), with as long a pause after each; then twice at
once; then kills a recorder. Prints the answers per second, counted every 100 ms: median and quartiles before, while and
after, and the ratios of the medians to the time before. Then checks that nothing is left of the recorders. Half a second
around each change belongs to neither.

Environment: BUILD. Needs an otherwise idle machine. Exit: 0; 1 something failed or was left behind; 2 usage.
"""
import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, "tests/fixtures")
import signals  # noqa: E402

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
DOZE, SERVER = f"{BUILD}/doze", f"{BUILD}/tests/bench/server"
EDGE_S = 0.5


class Load:
    """A server and its clients, and what the clients have counted."""

    def __init__(self, top):
        socket = f"{top}/socket"
        self.server = subprocess.Popen([DOZE, "run", "--", SERVER, socket], cwd=top)
        while not os.path.exists(socket):
            time.sleep(0.01)
        self.clients = subprocess.Popen([SERVER, socket, "8", "100"], stdout=subprocess.PIPE, text=True)
        self.counted = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.clients.stdout:
            self.counted.append(tuple(map(float, line.split())))

    def between(self, begin, end):
        return [rate for at, rate in self.counted if begin + EDGE_S + 0.1 < at < end - EDGE_S]

    def stop(self):
        self.server.terminate()
        self.clients.wait()
        return self.server.wait()


def recorder(load, folder, seconds, detail):
    return subprocess.Popen([DOZE, "record", "--pid", str(load.server.pid), "--for", f"{seconds}s", "-o", folder, "--detail", detail],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finished(p):
    """Waits for a recorder, and exits if it has failed."""
    output = p.communicate()[0]
    if p.returncode:
        sys.exit(f"by_pid: the recorder exited with {p.returncode}: {output}")


def recorded(load, folder, o, at_once=1, kill_after=None):
    """Records. Returns the counts while the recorders ran."""
    began = time.monotonic()
    running = [recorder(load, f"{folder}-{i}", o.seconds, o.detail) for i in range(at_once)]
    if kill_after:
        time.sleep(kill_after)
        signals.signal_child(running[0].pid, signal.SIGKILL)
        running[0].wait()
    else:
        for p in running:
            finished(p)
    return load.between(began, time.monotonic())


def paused(load, seconds):
    began = time.monotonic()
    time.sleep(seconds)
    return load.between(began, time.monotonic())


def show(name, rates, before):
    low, median, high = statistics.quantiles(rates, n=4)
    print(f"| {name} | {len(rates)} | {low:.0f} | {median:.0f} | {high:.0f} | {median / statistics.median(before):.3f} |", flush=True)


def left_behind(names):
    """Returns the processes of recorders and daemons, and what is in the temporary folder and the shared memory. LTTng
    keeps a file lttng-ust-wait-* there for each user whose programs have tracepoints."""
    processes = subprocess.run(["ps", "-e", "-o", "comm="], capture_output=True, text=True, check=True).stdout.split("\n")
    found = sorted(p for p in processes if p.startswith(("doze", "lttng-")))
    return found + sorted(n for n in os.listdir("/tmp") if n.startswith("doze-") and n not in names) + \
        sorted(n for n in os.listdir("/dev/shm") if "lttng" in n and not n.startswith("lttng-ust-wait"))


def main():
    parser = argparse.ArgumentParser(description="see the top of the file")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--detail", default="states")
    o = parser.parse_args()
    names = set(os.listdir("/tmp"))
    with tempfile.TemporaryDirectory(prefix="by-pid-") as top:
        load = Load(top)
        paused(load, 2)
        before = paused(load, o.seconds)
        print("| | samples | lower quartile | median, 1/s | upper quartile | of before |\n|---|---|---|---|---|---|")
        show("before", before, before)
        during, pauses = [], []
        for i in range(o.times):
            during += recorded(load, f"{top}/r{i}", o)
            pauses += paused(load, o.seconds)
        show(f"while recorded, {o.times} times", during, before)
        show("in the pauses", pauses, before)
        show("while recorded twice at once", recorded(load, f"{top}/twice", o, at_once=2), before)
        show("until the recorder was killed", recorded(load, f"{top}/killed", o, kill_after=o.seconds / 2), before)
        show("after", paused(load, o.seconds), before)
        status = load.stop()
        time.sleep(1)
        left = left_behind(names)
        print(f"exit status of the server: {status} (SIGTERM is {-signal.SIGTERM}); left behind: {' '.join(left) or 'nothing'}")
    return 1 if left or status != -signal.SIGTERM else 0


if __name__ == "__main__":
    sys.exit(main())
