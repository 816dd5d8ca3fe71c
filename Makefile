# SPDX-License-Identifier: MIT
#
# The build of doze. `make help` lists the targets. Lists of files are explicit and stand in the
# module.mk of each folder; this file has the rules. Everything that is made lies under build/.
#
#   CC=clang            another compiler
#   V=1                 show the commands
#   TRACE=0             the library without any trace hook      (in build/notrace)
#   SAN=thread|address  ThreadSanitizer; AddressSanitizer+UBSan (in build/tsan, build/asan)
#   PREFIX= DESTDIR=    for install

.DEFAULT_GOAL := all
VERSION := 0.1.0

# On a bare machine nothing can be built before `setup` has run: when it is among the goals it runs
# first and alone, also under -j, and a second make then does the rest with what is there by then.
ifneq (,$(filter setup,$(MAKECMDGOALS)))

REST := $(filter-out setup,$(MAKECMDGOALS))
.PHONY: setup $(REST)
setup:
	@.ci/setup $(REST)
ifneq (,$(REST))
$(firstword $(REST)): setup
	@$(MAKE) --no-print-directory $(REST)
$(wordlist 2,$(words $(REST)),$(REST)): $(firstword $(REST)) ; @:
endif

else

include .ci/rules.mk
include lib/module.mk
include tracepoints/module.mk
include viz/module.mk
include labs/module.mk
include tests/module.mk
include .ci/targets.mk

endif
