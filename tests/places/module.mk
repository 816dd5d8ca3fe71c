# SPDX-License-Identifier: MIT
#
# `make places` tests doze on several releases of Debian; see README.md.
.PHONY: places places-ci
places: ## builds and tests doze on several releases of Debian, each in a root of its own; PLACE=trixie
	$(Q)BUILD=$(BUILD) tests/places/places $(PLACE)
places-ci:
	$(Q)BUILD=$(BUILD) tests/places/places --ci
