# SPDX-License-Identifier: MIT
# Not part of `make test`: it takes minutes.
.PHONY: healthy
healthy: all ## 100 healthy recordings over all policies: none may have a finding; HEALTHY=
	$(Q)BUILD=$(BUILD) tests/healthy/healthy.py $(HEALTHY)
