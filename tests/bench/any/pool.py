#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""pool.py N - Python's thread pool: N calls of a hash function, which releases the interpreter's lock."""
import concurrent.futures
import hashlib
import sys

data = b"x" * 200000
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    for _ in pool.map(lambda _: hashlib.sha256(data).digest(), range(int(sys.argv[1]))):
        pass
