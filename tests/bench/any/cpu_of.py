#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""cpu_of.py FILE PROG ARGS - runs PROG and writes the CPU time of its process to FILE, in microseconds."""
import os
import sys

pid = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
with open(sys.argv[1], "w", encoding="ascii") as out:
    out.write(str(round((usage.ru_utime + usage.ru_stime) * 1e6)))
sys.exit(os.waitstatus_to_exitcode(status) & 255)
