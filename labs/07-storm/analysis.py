#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lab 7: reads events, one per line, and prints three numbers: jobs, wakes, futile.

    TIME EVENT WORKER [FIELD=VALUE]...

    12 job_start 0                      worker 0 runs a job
    17 worker_state 0 from=sleepy to=sleeping
    21 wake -1 target=0                 a thread outside (-1) or a worker wakes worker 0
    29 lost 0                           events of worker 0 were lost here

The lines are in order of time. A pool may have any number of workers.

A wake is futile if its target sleeps again without having run a job; two wakes of one worker before that are
one futile wake. If the target lost events before that, the outcome is unknown, and the wake does not count as
futile. Wakes after the loss count as usual.
"""
import sys


def main():
    jobs = wakes = futile = 0
    for line in sys.stdin:
        time, event, worker, *fields = line.split()
        fields = dict(field.split("=") for field in fields)
        # TODO
    print("jobs:", jobs)
    print("wakes:", wakes)
    print("futile:", futile)


if __name__ == "__main__":
    main()
