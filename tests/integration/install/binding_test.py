#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uses the library like a binding for another language: only through the symbols of libdoze.so, and
with structs that are declared up to the last field that is used (doze.h, "structs that grow")."""
import ctypes
import os
import sys

doze = ctypes.CDLL(os.path.join(os.environ.get("BUILD", "build"), "libdoze.so"))
doze.doze_last_error.restype = ctypes.c_char_p


class Config(ctypes.Structure):  # the first two fields of doze_config
    _fields_ = [("num_threads", ctypes.c_uint), ("policy", ctypes.c_char_p)]


class Stats(ctypes.Structure):  # doze_stats
    _fields_ = [(name, ctypes.c_uint) for name in
                ("workers", "active", "idle", "sleepy", "sleeping", "blocked")] + \
               [(name, ctypes.c_uint64) for name in
                ("jobs_run", "jobs_published", "jobs_stolen", "sleeps", "wakes", "suspended")]


def main():
    ran = []
    job = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _arg: ran.append(doze.doze_worker_index()))
    pool, config, stats = ctypes.c_void_p(), Config(2, b"tickle"), Stats()
    assert doze.doze_pool_create_sized(ctypes.byref(pool), ctypes.byref(config), ctypes.sizeof(config)) == 0, \
        doze.doze_last_error()
    for _ in range(100):
        doze.doze_install(pool, job, None)
    doze.doze_pool_stats_sized(pool, ctypes.byref(stats), ctypes.sizeof(stats))
    doze.doze_pool_free(pool)
    assert len(ran) == 100 and set(ran) <= {0, 1}, ran
    assert stats.workers == 2 and stats.jobs_run == 100 and stats.suspended == 0, stats.jobs_run
    assert doze.doze_pool_create_sized(ctypes.byref(pool), ctypes.byref(Config(2, b"no-such")),
                                       ctypes.sizeof(config)) != 0
    assert b"no-such" in doze.doze_last_error(), doze.doze_last_error()
    print("100 functions of Python ran on two workers")
    return 0


sys.exit(main())
