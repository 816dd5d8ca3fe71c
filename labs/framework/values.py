# SPDX-License-Identifier: MIT
"""Names for the values of a latch's state, of a worker's state and of the counters word, and for a notify without effect."""
import re
import subprocess

from .run_events import LATCH, STATES


def names_of(variable):
    """Returns the names of the variable's values, if it has some: the states of a latch or of a worker."""
    return LATCH if re.search(r"latch(\)?->|\.|_)state", variable) else STATES if "worker->state" in variable else None


def short_word(number):
    """Returns the counters word as a short text, which the help explains."""
    return "s%d i%d J%d" % (number & 0xffff, number >> 16 & 0xffff, number >> 32)


def named_values(text):
    """Replaces the values of a state and of the counters word in the text of a step. Says what it means that a notify
    wakes nobody."""
    text = re.sub(r"\bnotify: wakes nobody\b", "notify: lost, because nobody waits", text)
    names, is_counters = names_of(text), re.search(r"\bword(:| =| ->|$)", text)
    if not names and not is_counters:
        return text

    def name(match):
        number = int(match[2], 0)
        return match[1] + (names[number] if names and number < len(names) else match[2] if names else short_word(number))
    return re.sub(r"( = |: | -> |it is )(0x[0-9a-f]+|0)(?![0-9a-z])", name, text)


def show(command):
    """Runs a command and prints its output with these names. Returns its exit code."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        for line in process.stdout:
            print(named_values(line.rstrip()))
    return process.returncode
