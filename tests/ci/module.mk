# SPDX-License-Identifier: MIT
#
# `make ci-check` tests .ci/run itself. It runs several parts of the CI, so it is not part of it.
.PHONY: ci-check
ci-check: all explore-programs labs-objects ## breaks one thing after the other, and checks that the CI names it; CASE=word
	$(Q)tests/ci/ci_check.py $(CASE)
