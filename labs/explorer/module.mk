# SPDX-License-Identifier: MIT
#
# The explorer: runs the library's own files under a scheduler of its own. See README.md.
# A program that explores something lists the explored objects and $(EXPLORE_ENGINE): see
# tests/proof/module.mk.
#
# Explored code is compiled by clang, for two of its options: with -femulated-tls it asks the
# explorer for each thread-local variable, and with -fsanitize=thread it reports each plain access
# (the explorer defines the callbacks; the sanitizer is not linked). coro.c supports x86-64 and
# aarch64.

EXPLORE_CLANG ?= clang
EXPLORE := $(BUILD)/explore

# From the bottom up: each file uses those before it (perform.c and ops.c, play.c and play_search.c use each
# other).
EXPLORE_SRC := $(addprefix labs/explorer/,fail.c coro.c places.c heap.c share.c order.c plain.c memory.c locks.c rules.c record.c \
	sink_defaults.c schedule.c ops.c perform.c actions.c state.c visited.c graph.c search.c script.c play_show.c \
	play_search.c play.c main.c) \
	viz/trace/grow.c viz/trace/policies.c $(sort $(wildcard viz/trace/policies/*.c))
# A suspended thread must have nothing below its sp; other machines have no red zone.
EXPLORE_ARCH := $(if $(findstring x86_64,$(shell $(CC) -dumpmachine)),-mno-red-zone)
EXPLORE_FLAGS := -std=gnu11 -fno-pie -fno-stack-protector $(EXPLORE_ARCH) $(WARNINGS) -g
EXPLORE_ENGINE_FLAGS := $(EXPLORE_FLAGS) -O2

# The library's files, except those that use the operating system (os_stub.c replaces them) or a tracer.
EXPLORE_LIB = $(filter-out lib/os.c lib/quota.c lib/guard.c lib/atomic.c lib/fork.c,$(LIB_SRC)) \
	labs/explorer/os_stub.c
# Tables of scenarios omit trailing fields.
EXPLORED_FLAGS := $(EXPLORE_FLAGS) -Wno-missing-field-initializers -O1 -fsanitize=thread -femulated-tls -DDOZE_EXPLORE \
	-DDOZE_TRACE_SINK -DDOZE_DEQUE_CAPACITY_DEFAULT=4 -Ilabs/explorer \
	-Dmalloc=ex_malloc -Dcalloc=ex_calloc -Drealloc=ex_realloc -Dfree=ex_free \
	-Daligned_alloc=ex_aligned_alloc -Dposix_memalign=ex_posix_memalign -Dstrdup=ex_strdup

TRACE_WRITER_SRC := labs/explorer/trace_writer.c

$(EXPLORE)/engine/%.o: %.c $(FLAGS_FILE)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(EXPLORE_ENGINE_FLAGS) -MMD -MP -c -o $@ $<

# $(call explored,FOLDER,FLAGS): the rule that compiles explored code to objects in FOLDER
define explored
$(EXPLORE)/$(1)/%.o: %.c $(FLAGS_FILE) labs/explorer/module.mk
	$$(call say,CLANG,$$<)
	@mkdir -p $$(@D)
	$$(Q)$$(EXPLORE_CLANG) $$(CPPFLAGS) $$(EXPLORED_FLAGS) $(2) -MMD -MP -c -o $$@ $$<
endef
$(eval $(call explored,lib,))
$(eval $(call explored,lib-jec2,-DDOZE_BITS_JEC=2))
$(eval $(call explored,lib-jec1,-DDOZE_BITS_JEC=1))

EXPLORE_ENGINE := $(patsubst %.c,$(EXPLORE)/engine/%.o,$(EXPLORE_SRC))
explored_lib = $(patsubst %.c,$(EXPLORE)/$(1)/%.o,$(EXPLORE_LIB))

# explore-trace FILE DIR: writes the events of a schedule as a CTF trace, for doze replay and the
# other commands. Built by default: labs/lab uses it if it exists.
EXPLORE_TRACE := $(EXPLORE)/explore-trace
all: $(EXPLORE_TRACE)
$(EXPLORE_TRACE): $(call objs,labs/explorer/explore_trace.c $(TRACE_WRITER_SRC)) $(BUILD)/libdoze-viz.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(VIZ_LIBS) -lm

-include $(shell find $(EXPLORE) -name '*.d' 2>/dev/null)
