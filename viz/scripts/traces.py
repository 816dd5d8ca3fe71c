# SPDX-License-Identifier: MIT
#
# What every script over a trace needs and no analysis is about: reading its events, and one line on
# standard error instead of a Python traceback when that cannot be done.
#
# Exit codes, as doze's: 2 wrong arguments, 3 a trace that cannot be read (or python3-bt2 missing),
# 4 the result is not certain because events were lost, 128 + n ended by signal n.
import argparse
import os
import signal
import sys

NAME = os.path.basename(sys.argv[0])
OPENING_S = 300  # at most, to open a trace: a large one is gone through once
lost = 0  # events, at least, of the trace that was read


def fail(code, what):
    """Ends the script with one line."""
    print(f"{NAME}: {' '.join(str(what).split())}", file=sys.stderr)
    raise SystemExit(code)


try:
    import bt2
except ImportError:
    fail(3, "no module bt2: install python3-bt2 and start the script with the distribution's own "
            "/usr/bin/python3")


class Arguments(argparse.ArgumentParser):
    """argparse prints the usage before the error: two lines or more."""

    def error(self, message):
        fail(2, f"{message}: {self.format_usage()}")


def cause_of(error):
    """The innermost of the causes that Babeltrace lists."""
    causes = list(error) if isinstance(error, bt2._Error) else []
    return causes[0].message if causes else str(error)


def check_folder(folder):
    if not os.path.isdir(folder):
        fail(3, f"{folder}: not a folder: give the one that `doze record -o` wrote")
    if not any("metadata" in files for _, _, files in os.walk(folder)):
        fail(3, f"{folder}: no trace in it: give the folder that `doze record -o` wrote")


def try_to_open(folder):
    """In a child: Babeltrace 2.0 aborts on some damaged traces, and never ends on others."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.alarm(OPENING_S)
        try:
            bt2.TraceCollectionMessageIterator(folder)
        except Exception:  # will be explained when it is read
            pass
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) < 0:
        fail(3, f"{folder}: corrupted, Babeltrace does not survive it: record it again")


def events(folder, *filters):
    """Each message of the trace that is an event, through the filters (bt2.ComponentSpec); counts
    what was lost. Ends the script when the trace cannot be read, or has nothing of doze's."""
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
        fail(3, f"{folder}: cannot be read: {cause_of(e)}: record it again, or ask doze check")
    if not ours:
        fail(3, f"{folder}: no event of doze in it: record one with `doze record`")


def run(main):
    """Calls main(), and ends the script with its exit code."""
    try:
        main()
        sys.stdout.flush()
    except KeyboardInterrupt:
        raise SystemExit(128 + signal.SIGINT)
    except BrokenPipeError:  # whoever read our output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(128 + signal.SIGPIPE)
    except KeyError as e:
        fail(3, f"an event lacks its field {e}: was it recorded with `doze record`?")
    if lost:
        fail(4, f"inconclusive, at least {lost} events were lost: record with larger buffers or "
                "less detail")
