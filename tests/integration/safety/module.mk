# SPDX-License-Identifier: MIT
#
# `make safety-check` runs the tests without tmux, a session daemon or a relay. It runs all tests
# six times, so no other target includes it.
.PHONY: safety-check
safety-check: ## the tests fail safely without tmux, session daemon or relay: 30 min; ONLY=word
	$(Q)BUILD=$(BUILD) tests/integration/safety/without_tools.py --only=$(ONLY)
