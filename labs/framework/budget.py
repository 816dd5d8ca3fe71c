# SPDX-License-Identifier: MIT
"""The time that the grading of one lab may take."""
import os
import time

SECONDS = 15 * 60  # labs/README.md and the handouts state it; correct files take less than a minute
BUSY = 0.5         # share of the time; a grading that has used so much CPU time was not kept waiting by the machine


def cpu():
    """Returns the CPU time of this process and of the programs that it has run, in seconds."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Budget:
    """Begins when it is created. A test that is not reached in time gets no points."""

    def __init__(self, seconds=SECONDS):
        self.seconds = seconds
        self.began, self.cpu = time.monotonic(), cpu()

    def left(self):
        """Returns the remaining time in seconds, at least a little, so that it can be a time limit."""
        return max(self.began + self.seconds - time.monotonic(), 0.01)

    def is_over(self):
        return time.monotonic() >= self.began + self.seconds

    def was_busy(self):
        """Returns whether the grading itself has used most of its time."""
        return cpu() - self.cpu >= BUSY * (time.monotonic() - self.began)
