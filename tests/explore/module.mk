# SPDX-License-Identifier: MIT
#
# The explorer: the library's own files under a scheduler of our own. See README.md.
#
#   make explore           all scenarios, the mutants, the tables in tests/explore/README.md
#   make explore-check     the same, but compares the tables instead of writing them
#   make explore-programs  only builds
#
# Explored code is compiled by clang, for two of its options: -femulated-tls asks the explorer for
# each thread-local variable, -fsanitize=thread shows it each plain access (its callbacks are ours;
# the sanitizer is not linked). coro.c knows x86-64.

EXPLORE_CLANG ?= clang
EXPLORE := $(BUILD)/explore

EXPLORE_SRC := $(addprefix tests/explore/,actions.c coro.c graph.c hash.c heap.c main.c memory.c ops.c order.c perform.c plain.c \
	record.c schedule.c search.c share.c state.c tls.c views.c visited.c wakes.c) \
	viz/model/rules.c
EXPLORE_FLAGS := -std=gnu11 -fno-pie -fno-stack-protector -mno-red-zone $(WARNINGS) -g

# The library without what talks to the machine (os_stub.c stands in) or to a tracer.
EXPLORE_LIB = $(filter-out lib/os.c lib/tsan.c lib/fork.c lib/trace_%,$(LIB_SRC)) \
	tests/explore/os_stub.c
EXPLORED_FLAGS := $(EXPLORE_FLAGS) -O1 -fsanitize=thread -femulated-tls -DDOZE_EXPLORE \
	-DDOZE_TRACE_SINK -DDOZE_DEQUE_CAPACITY_DEFAULT=4 -Itests/explore \
	-Dmalloc=ex_malloc -Dcalloc=ex_calloc -Drealloc=ex_realloc -Dfree=ex_free \
	-Daligned_alloc=ex_aligned_alloc -Dposix_memalign=ex_posix_memalign -Dstrdup=ex_strdup

EXPLORE_PROGRAMS := $(addprefix $(EXPLORE)/,textbook litmus queues pool waits helps waits-jec2 waits-jec1)

$(EXPLORE)/engine/%.o: %.c $(FLAGS_FILE)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(EXPLORE_FLAGS) -O2 -MMD -MP -c -o $@ $<

# $(call explored,folder,more flags): explored objects
define explored
$(EXPLORE)/$(1)/%.o: %.c $(FLAGS_FILE) tests/explore/module.mk
	$$(call say,CLANG,$$<)
	@mkdir -p $$(@D)
	$$(Q)$$(EXPLORE_CLANG) $$(CPPFLAGS) $$(EXPLORED_FLAGS) $(2) -MMD -MP -c -o $$@ $$<
endef
$(eval $(call explored,lib,))
$(eval $(call explored,lib-jec2,-DDOZE_BITS_JEC=2))
$(eval $(call explored,lib-jec1,-DDOZE_BITS_JEC=1))

EXPLORE_ENGINE := $(patsubst %.c,$(EXPLORE)/engine/%.o,$(EXPLORE_SRC))
explored_lib = $(patsubst %.c,$(EXPLORE)/$(1)/%.o,$(EXPLORE_LIB))
explored_scenarios = $(EXPLORE)/$(1)/tests/explore/scenarios/$(2).o

$(EXPLORE)/textbook: $(call explored_scenarios,lib,textbook)
$(EXPLORE)/litmus: $(call explored_scenarios,lib,litmus)
$(EXPLORE)/queues: $(call explored_scenarios,lib,queues) $(call explored_lib,lib)
$(EXPLORE)/pool: $(call explored_scenarios,lib,pool) $(call explored_lib,lib)
$(EXPLORE)/waits: $(call explored_scenarios,lib,waits) $(call explored_lib,lib)
$(EXPLORE)/helps: $(call explored_scenarios,lib,helps) $(call explored_lib,lib)
$(EXPLORE)/waits-jec2: $(call explored_scenarios,lib-jec2,waits) $(call explored_lib,lib-jec2)
$(EXPLORE)/waits-jec1: $(call explored_scenarios,lib-jec1,waits) $(call explored_lib,lib-jec1)
$(EXPLORE_PROGRAMS): $(EXPLORE_ENGINE)
	$(call say,LD,$@)
	$(Q)$(CC) -no-pie -o $@ $(filter-out $(EXPLORE_ENGINE),$^) $(EXPLORE_ENGINE)

.PHONY: explore explore-check explore-programs
explore-programs: $(EXPLORE_PROGRAMS)
explore: explore-programs ## every interleaving of small scenarios on the library's own files
	$(Q)BUILD=$(BUILD) tests/explore/run
explore-check: explore-programs ## the same; compares the tables in its README.md, writes nothing
	$(Q)BUILD=$(BUILD) tests/explore/run --check

-include $(shell find $(EXPLORE) -name '*.d' 2>/dev/null)

# explore-trace FILE DIR: the events of a schedule as a CTF trace, for doze replay and the others.
EXPLORE_TRACE := $(EXPLORE)/explore-trace
$(EXPLORE_TRACE): $(call objs,tests/explore/explore_trace.c tests/made/made.c \
		tests/made/made_classes.c) $(BUILD)/libdoze-viz.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(VIZ_LIBS) -lm
explore-programs: $(EXPLORE_TRACE)

# For tests/explore/mutate.
.PHONY: explore-flags
explore-flags:
	@echo 'cc=$(CC)'
	@echo 'clang=$(EXPLORE_CLANG)'
	@printf '%s\n' 'flags=$(subst ','\'',$(CPPFLAGS) $(EXPLORED_FLAGS))'
	@echo 'engine=$(EXPLORE_ENGINE)'
	@echo 'lib=$(EXPLORE_LIB)'

# What the other tools show of findings/, and its schedules replayed.
SCRIPT_TESTS += tests/explore/findings_test.py tests/explore/replay_findings.sh
ifneq (,$(shell command -v $(EXPLORE_CLANG)))
TEST_NEEDS += $(EXPLORE)/pool $(EXPLORE_TRACE)
endif
