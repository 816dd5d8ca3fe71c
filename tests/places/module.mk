# SPDX-License-Identifier: MIT
#
# `make places` tests doze on several releases of Debian; see README.md.
.PHONY: places places-packages places-ci across
places: ## builds and tests doze on several releases of Debian, each in a root of its own; PLACE=trixie
	$(Q)BUILD=$(BUILD) tests/places/places $(PLACE)
places-packages: ## builds, installs and removes the Debian packages on each of these releases; PLACE=trixie
	$(Q)BUILD=$(BUILD) tests/places/places --packages $(PLACE)
places-ci:
	$(Q)BUILD=$(BUILD) tests/places/places --ci
across: ## what is recorded on one release of Debian must be read the same on the others; after make places
	$(Q)tests/places/across
