# SPDX-License-Identifier: MIT
#
# The demos under every policy, recorded, and held against the READMEs of the policies.
ifneq (0,$(TRACE))
SCRIPT_TESTS += tests/policies/recorded.py:300
endif
