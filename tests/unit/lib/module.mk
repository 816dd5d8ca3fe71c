# SPDX-License-Identifier: MIT
# Suites of the library's modules; each links help.c.
LIB_SUITES := counters deque slab injector latch config pool join spawn scope scope_order scope_many owed broadcast \
	bulk_memory future parallel deadlock handlers hazard waits fair quota create end end_calls job_records threads guest \
	stack broadcast_order suspend suspend_life future_cycle future_timed future_graph fork inline
UNIT_TESTS += $(LIB_SUITES:%=tests/unit/lib/%_test.c:180)

$(LIB_SUITES:%=$(BUILD)/tests/unit/lib/%_test): $(call objs,tests/unit/lib/help.c)

# The suites that join, once more with doze_inline.h, in a program that is built with -O3.
$(eval $(call variant,inlined,-O3 -include lib/doze_inline.h))
INLINED_SUITES := join guest end fair future_cycle
UNIT_TESTS += $(INLINED_SUITES:%=tests/unit/lib/inlined_%_test.c:180)

$(INLINED_SUITES:%=$(BUILD)/obj/tests/unit/lib/inlined_%_test.o): $(BUILD)/obj/tests/unit/lib/inlined_%.o: \
		$(BUILD)/obj-inlined/tests/unit/lib/%.o $(BUILD)/obj/tests/unit/lib/help.o
	@mkdir -p $(@D)
	$(Q)$(LD) -r -o $@ $(sort $(filter %.o,$^))

# Suites that read the events: they use the library built once more, with sink.c in place of the
# tracer. Suite and library become one object, so that the linker does not use libdoze.a.
$(eval $(call variant,sink,-DDOZE_TRACE_SINK -DDOZE_TICKLE_POINT=sink_point))
SINK_SUITES := steal jec jec_run demand bulk strand forced forced_deadlock quiet
SINK_SRC = $(LIB_SRC) labs/explorer/sink_defaults.c $(addprefix tests/unit/lib/,sink.c help.c hold.c)
UNIT_TESTS += $(SINK_SUITES:%=tests/unit/lib/%_test.c:180)

$(SINK_SUITES:%=$(BUILD)/obj/tests/unit/lib/%_test.o): $(BUILD)/obj/%.o: $(BUILD)/obj-sink/%.o \
		$(patsubst %.c,$(BUILD)/obj-sink/%.o,$(SINK_SRC))
	@mkdir -p $(@D)
	$(Q)$(LD) -r -o $@ $(sort $(filter %.o,$^))

# The same suites with a JEC of 2 bits: it wraps around after two posts, so a sleepy worker may find
# the old value again, in which case only the last check prevents the sleep.
$(eval $(call variant,jec2,-DDOZE_BITS_JEC=2 -DDOZE_NO_TRACE))
NARROW_SUITES := counters pool join spawn scope scope_order scope_many broadcast
UNIT_TESTS += $(NARROW_SUITES:%=tests/unit/lib/narrow_%_test.c:180)

$(NARROW_SUITES:%=$(BUILD)/obj/tests/unit/lib/narrow_%_test.o): $(BUILD)/obj/tests/unit/lib/narrow_%.o: \
		$(BUILD)/obj-jec2/tests/unit/lib/%.o \
		$(patsubst %.c,$(BUILD)/obj-jec2/%.o,$(LIB_SRC) tests/unit/lib/help.c)
	@mkdir -p $(@D)
	$(Q)$(LD) -r -o $@ $(sort $(filter %.o,$^))

# The forced schedules once more, on two protocols as they were first published: RFC 5 without a
# last check, and a tickle that stores. Both lose a wake, and the suite shows when.
$(eval $(call variant,texts,-DDOZE_TRACE_SINK -DDOZE_TICKLE_POINT=sink_point -DDOZE_RFC_AS_WRITTEN=1 -DDOZE_TICKLE_STORES=1))
UNIT_TESTS += tests/unit/lib/texts_forced_test.c:180
$(BUILD)/obj/tests/unit/lib/texts_forced_test.o: $(BUILD)/obj-texts/tests/unit/lib/forced_test.o \
		$(patsubst %.c,$(BUILD)/obj-texts/%.o,$(SINK_SRC))
	@mkdir -p $(@D)
	$(Q)$(LD) -r -o $@ $(sort $(filter %.o,$^))

# bulk_memory makes individual allocations fail.
$(BUILD)/tests/unit/lib/bulk_memory_test: private LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc
# suspend_life makes thread creation fail.
$(BUILD)/tests/unit/lib/suspend_life_test: private LDFLAGS += -Wl,--wrap=pthread_create
# strand holds workers that were notified.
$(BUILD)/tests/unit/lib/strand_test: private LDFLAGS += -Wl,--wrap=pthread_cond_wait
$(BUILD)/tests/unit/lib/future_graph_test: $(call objs,$(FUTURE_GRAPH_SRC))
