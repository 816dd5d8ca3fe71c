# SPDX-License-Identifier: MIT
#
# The protocol as Promela models, searched by Spin. See README.md.
.PHONY: model
model: ## the sleep protocol's models under three memories, with Spin
	$(Q)BUILD=$(BUILD) tests/model/run
