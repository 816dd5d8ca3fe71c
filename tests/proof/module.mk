# SPDX-License-Identifier: MIT
#
# Proofs of the protocols: scenarios for the explorer, mutants that it must catch, Promela models.
#
#   make explore           all scenarios, the mutants; writes tables.md
#   make explore-check     the same, but compares the tables instead of writing them
#   make explore-quick     the same without the largest runs, as CI does
#   make explore-programs  only builds
#   make mutate-suites     mistakes that the explorer cannot show, each caught by a test

EXPLORE_PROGRAMS := $(addprefix $(EXPLORE)/,textbook litmus queues pool waits helps configs ends suspends three cells getters \
	timed waits-jec2 waits-jec1)

explored_scenarios = $(EXPLORE)/$(1)/labs/scenarios/$(2).o

$(EXPLORE)/textbook: $(call explored_scenarios,lib,textbook)
$(EXPLORE)/litmus: $(call explored_scenarios,lib,litmus) $(call explored_scenarios,lib,litmus_fences)
$(EXPLORE)/queues: $(call explored_scenarios,lib,queues) $(call explored_lib,lib)
$(EXPLORE)/pool: $(call explored_scenarios,lib,pool) $(call explored_lib,lib)
$(EXPLORE)/waits: $(call explored_scenarios,lib,waits) $(call explored_lib,lib)
$(EXPLORE)/helps: $(call explored_scenarios,lib,helps) $(call explored_lib,lib)
$(EXPLORE)/configs: $(call explored_scenarios,lib,configs) $(call explored_lib,lib)
$(EXPLORE)/ends: $(call explored_scenarios,lib,ends) $(call explored_lib,lib)
$(EXPLORE)/suspends: $(call explored_scenarios,lib,suspends) $(call explored_lib,lib)
$(EXPLORE)/three: $(call explored_scenarios,lib,three) $(call explored_lib,lib)
$(EXPLORE)/cells: $(call explored_scenarios,lib,cells) $(call explored_lib,lib)
$(EXPLORE)/getters: $(call explored_scenarios,lib,getters) $(call explored_lib,lib)
$(EXPLORE)/timed: $(call explored_scenarios,lib,timed) $(call explored_lib,lib)
$(EXPLORE)/waits-jec2: $(call explored_scenarios,lib-jec2,waits) $(call explored_lib,lib-jec2)
$(EXPLORE)/waits-jec1: $(call explored_scenarios,lib-jec1,waits) $(call explored_lib,lib-jec1)
$(EXPLORE_PROGRAMS): $(EXPLORE_ENGINE)
	$(call say,LD,$@)
	$(Q)$(CC) -no-pie -o $@ $(filter-out $(EXPLORE_ENGINE),$^) $(EXPLORE_ENGINE)

.PHONY: explore explore-check explore-quick explore-programs mutate-suites
explore-programs: $(EXPLORE_PROGRAMS)
explore: explore-programs ## every interleaving of small scenarios on the library's own files
	$(Q)BUILD=$(BUILD) tests/proof/run
explore-check: explore-programs ## explore, but compares the tables in tables.md instead of writing them
	$(Q)BUILD=$(BUILD) tests/proof/run --check
explore-quick: explore-programs ## explore-check without the largest runs, as in CI; all mutants; SCENARIOS=--only=word
	$(Q)MAKEFLAGS= BUILD=$(BUILD) tests/proof/run --quick $(SCENARIOS) # the mutants call make
explore-programs: $(EXPLORE_TRACE)
mutate-suites: all ## mistakes that the explorer cannot show: each must make a test fail
	$(Q)BUILD=$(BUILD) CC="$(CC)" tests/proof/mutate_suites

# Checks what the other tools show for findings/, replays the schedules there, and compares the
# example in the explorer's README.
SCRIPT_TESTS += tests/proof/findings_test.py tests/proof/replay_findings.sh
ifneq (,$(shell command -v $(EXPLORE_CLANG)))
TEST_NEEDS += $(EXPLORE)/pool $(EXPLORE)/textbook $(EXPLORE_TRACE)
endif

include tests/proof/spin/module.mk
