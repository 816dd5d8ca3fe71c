# SPDX-License-Identifier: MIT
# Recordings of programs that do not use libdoze (--any).
WAITING_TESTS += tests/integration/any/refuse_test.py:180
