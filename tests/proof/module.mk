# SPDX-License-Identifier: MIT
#
# Proofs of the protocols: scenarios for the explorer, mutants that it must catch, Promela models.
#
#   make proofs            renews the record of what has changed, and tables.md; ALL=1 repeats everything
#   make proofs-check      checks the record and repeats a part that the commit draws, as CI does
#   make explore           runs scenarios, records nothing; SCENARIOS=--only=word
#   make explore-programs  only builds
#   make mutate-suites     mistakes that the explorer cannot show, each caught by a test

EXPLORE_PROGRAMS := $(addprefix $(EXPLORE)/,textbook litmus queues pool waits helps configs ends suspends three cells getters \
	timed waits-jec2 waits-jec1)

# The objects of each program without the engine. The programs with the library have one file of
# scenarios each.
explored_scenarios = $(EXPLORE)/$(1)/labs/scenarios/$(2).o
OBJECTS_textbook := $(call explored_scenarios,lib,textbook)
OBJECTS_litmus := $(call explored_scenarios,lib,litmus) $(call explored_scenarios,lib,litmus_fences)
$(foreach p,queues pool waits helps configs ends suspends three cells getters timed,\
	$(eval OBJECTS_$(p) := $(call explored_scenarios,lib,$(p)) $(call explored_lib,lib)))
OBJECTS_waits-jec2 := $(call explored_scenarios,lib-jec2,waits) $(call explored_lib,lib-jec2)
OBJECTS_waits-jec1 := $(call explored_scenarios,lib-jec1,waits) $(call explored_lib,lib-jec1)

$(foreach p,$(EXPLORE_PROGRAMS),$(eval $(p): $(OBJECTS_$(notdir $(p)))))
$(EXPLORE_PROGRAMS): $(EXPLORE_ENGINE)
	$(call say,LD,$@)
	$(Q)$(CC) -no-pie -o $@ $(filter-out $(EXPLORE_ENGINE),$^) $(EXPLORE_ENGINE)

.PHONY: explore proofs proofs-check proof-objects explore-programs mutate-suites
explore-programs: $(EXPLORE_PROGRAMS)
proofs: explore-programs $(EXPLORE_TRACE) ## every interleaving of small scenarios on the library's own files, if they have changed
	$(Q)BUILD=$(BUILD) tests/proof/run $(if $(ALL),--all)
proofs-check: explore-programs ## checks the record of make proofs, and repeats what the commit draws, as in CI; DRAW_FOR=commit
	$(Q)BUILD=$(BUILD) tests/proof/run --check $(if $(DRAW_FOR),--commit=$(DRAW_FOR))
explore: explore-programs ## runs the explorer's scenarios, records nothing; SCENARIOS=--only=word
	$(Q)BUILD=$(BUILD) tests/proof/run --explore $(SCENARIOS)
explore-programs: $(EXPLORE_TRACE)
# The objects that a program's proofs depend on, for tests/proof/run.
proof-objects:
	@$(foreach p,$(EXPLORE_PROGRAMS),echo 'objects $(notdir $(p))=$(OBJECTS_$(notdir $(p))) $(EXPLORE_ENGINE)';)
mutate-suites: all ## mistakes that the explorer cannot show: each must make a test fail
	$(Q)BUILD=$(BUILD) CC="$(CC)" tests/proof/mutate_suites

# record_test.py checks what record.tsv promises, without a search, and series_test.py the errors in malformed series of
# mutants; the others what the other tools show for findings/, its schedules, and the example in the explorer's README.
SCRIPT_TESTS += tests/proof/record_test.py tests/proof/series_test.py tests/proof/findings_test.py tests/proof/replay_findings.sh
ifneq (,$(shell command -v $(EXPLORE_CLANG)))
TEST_NEEDS += $(EXPLORE)/pool $(EXPLORE)/textbook $(EXPLORE_TRACE)
endif

include tests/proof/spin/module.mk
