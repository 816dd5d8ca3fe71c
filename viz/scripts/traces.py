# SPDX-License-Identifier: MIT
#
# Common functions of the scripts: they read the events of a trace, and report an error in one line on
# standard error instead of a Python traceback.
#
# Exit codes, as for doze: 2 wrong arguments, 3 unreadable trace (or no python3-bt2), 4 inconclusive
# because events were lost, 128 + n killed by signal n.
import argparse
import os
import signal
import sys

NAME = os.path.basename(sys.argv[0])
OPENING_S = 300  # time limit for opening a trace, because Babeltrace then reads all of it
lost = 0  # minimum number of events lost in the trace


def fail(code, what):
    """Prints one line and exits."""
    print(f"{NAME}: {' '.join(str(what).split())}", file=sys.stderr)
    raise SystemExit(code)


try:
    import bt2
except ImportError:
    fail(3, "no module bt2: install python3-bt2 and run the script with the distribution's own "
            "/usr/bin/python3")


class Arguments(argparse.ArgumentParser):
    """Reports errors in one line; argparse alone would print the usage first."""

    def error(self, message):
        fail(2, f"{message}: {self.format_usage()}")


def cause_of(error):
    """Returns the message of the original error in the chain of errors of a bt2 exception."""
    causes = list(error) if isinstance(error, bt2._Error) else []
    return causes[0].message if causes else str(error)


def check_folder(folder):
    if not os.path.isdir(folder):
        fail(3, f"{folder}: not a folder: give the folder that `doze record -o` wrote")
    if not any("metadata" in files for _, _, files in os.walk(folder)):
        fail(3, f"{folder}: contains no trace: give the folder that `doze record -o` wrote")


def try_to_open(folder):
    """Opens the trace in a child process: Babeltrace 2.0 aborts on some damaged traces and hangs on others."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.alarm(OPENING_S)
        try:
            bt2.TraceCollectionMessageIterator(folder)
        except Exception:  # the parent reports the error when it opens the trace
            pass
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) < 0:
        fail(3, f"{folder}: damaged: Babeltrace crashes on it: record it again")


def events(folder, *filters):
    """Yields the event messages of the trace, passed through the filters (bt2.ComponentSpec). Counts
    lost events. Exits when the trace cannot be read or has no doze events."""
    global lost
    check_folder(folder)
    try_to_open(folder)
    ours = False
    try:
        for msg in bt2.TraceCollectionMessageIterator(folder, list(filters)):
            if isinstance(msg, bt2._DiscardedEventsMessageConst):
                lost += msg.count or 1
            elif isinstance(msg, bt2._DiscardedPacketsMessageConst):
                lost += 1
            elif isinstance(msg, bt2._EventMessageConst):
                ours = ours or msg.event.name.startswith("doze:")
                yield msg
    except (bt2._Error, ValueError, RuntimeError) as e:
        fail(3, f"{folder}: cannot be read: {cause_of(e)}: record it again, or run doze check")
    if not ours:
        fail(3, f"{folder}: the trace has no doze events: record one with `doze record`")


def run(main):
    """Calls main(). If it fails or events were lost, exits with the exit code listed above."""
    try:
        main()
        sys.stdout.flush()
    except KeyboardInterrupt:
        raise SystemExit(128 + signal.SIGINT)
    except BrokenPipeError:  # the program that reads this output has exited
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(128 + signal.SIGPIPE)
    except KeyError as e:
        fail(3, f"an event lacks its field {e}: was it recorded with `doze record`?")
    if lost:
        fail(4, f"inconclusive, at least {lost} events were lost: record with larger buffers or "
                "less detail")
