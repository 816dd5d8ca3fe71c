# SPDX-License-Identifier: MIT
#
# What SAN=address and SAN=thread need beside the flags. The last of the fragments.
KEEP_LOADED := $(if $(filter address,$(SAN)),$(call objs,tests/sanitizers/keep_loaded.c))
LINT_SRC += tests/sanitizers/keep_loaded.c

# Left out: what loads our libraries into programs without a sanitizer (babeltrace2, Python, a
# stranger's program), and what shows figures that a sanitizer changes.
ifneq (,$(filter address thread,$(SAN)))
SCRIPT_TESTS := $(filter-out tests/plugin/% tests/install/% tests/readme/%,$(SCRIPT_TESTS))
endif
