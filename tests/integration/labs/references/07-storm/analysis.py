#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A solution of lab 7's analysis."""
import sys


def main():
    jobs = wakes = futile = 0
    pending = set()  # workers that have neither run a job nor slept since they were woken
    for line in sys.stdin:
        _, event, worker, *fields = line.split()
        fields = dict(field.split("=") for field in fields)
        if event == "job_start":
            jobs += 1
            pending.discard(worker)
        elif event == "wake":
            wakes += 1
            pending.add(fields["target"])
        elif event == "lost":
            pending.discard(worker)
        elif event == "worker_state" and fields["to"] == "sleeping":
            futile += worker in pending
            pending.discard(worker)
    print("jobs:", jobs)
    print("wakes:", wakes)
    print("futile:", futile)


if __name__ == "__main__":
    main()
