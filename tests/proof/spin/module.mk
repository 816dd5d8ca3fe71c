# SPDX-License-Identifier: MIT
#
# The protocol as Promela models, which Spin searches. See README.md.
.PHONY: model model-check
model: ## the sleep protocol's models under three memories, with Spin
	$(Q)BUILD=$(BUILD) tests/proof/spin/run
model-check: ## the same; compares the tables in tests/proof/spin/README.md, writes nothing
	$(Q)BUILD=$(BUILD) tests/proof/spin/run --check
