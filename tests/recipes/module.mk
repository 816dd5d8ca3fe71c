# SPDX-License-Identifier: MIT
#
# `make recipes-check` follows the recipes of the READMEs in a scratch copy. It builds the whole
# tree again, so CI runs it instead of `make test`.
.PHONY: recipes-check
recipes-check: all $(BUILD)/tests/unit/trace/policies_test ## follows each "To add a ..." recipe and checks that the addition works
	$(Q)BUILD=$(BUILD) tests/recipes/recipes_test.py
