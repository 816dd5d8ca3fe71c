# SPDX-License-Identifier: MIT
# symbols_test.py builds these in several ways.
LINT_SRC      += $(addprefix tests/integration/symbols/,posts.c library.c)
WAITING_TESTS += tests/integration/symbols/symbols_test.py:120
