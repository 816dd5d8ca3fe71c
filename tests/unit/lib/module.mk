# SPDX-License-Identifier: MIT
# Suites of the library's modules; each links help.c.
LIB_SUITES := counters deque injector latch config pool join spawn scope broadcast future parallel \
	deadlock hazard
UNIT_TESTS += $(LIB_SUITES:%=tests/unit/lib/%_test.c:180)

$(LIB_SUITES:%=$(BUILD)/tests/unit/lib/%_test): $(call objs,tests/unit/lib/help.c)

# Suites that read the events: the library once more, with sink.c in the tracer's place. Suite and
# library become one object, so that the linker has no use for libdoze.a.
$(eval $(call variant,sink,-DDOZE_TRACE_SINK))
SINK_SUITES := jec jec_run
SINK_SRC = $(LIB_SRC) tests/unit/lib/sink.c tests/unit/lib/help.c
UNIT_TESTS += $(SINK_SUITES:%=tests/unit/lib/%_test.c:180)

$(SINK_SUITES:%=$(BUILD)/obj/tests/unit/lib/%_test.o): $(BUILD)/obj/%.o: $(BUILD)/obj-sink/%.o \
		$(patsubst %.c,$(BUILD)/obj-sink/%.o,$(SINK_SRC))
	@mkdir -p $(@D)
	$(Q)$(LD) -r -o $@ $(sort $(filter %.o,$^))

# The same suites with a JEC of 2 bits: it comes round after two posts, so a sleepy worker may find it
# unchanged when it is not, and the last look has to save it.
$(eval $(call variant,jec2,-DDOZE_BITS_JEC=2 -DDOZE_NO_TRACE))
NARROW_SUITES := counters pool join spawn scope broadcast
UNIT_TESTS += $(NARROW_SUITES:%=tests/unit/lib/narrow_%_test.c:180)

$(NARROW_SUITES:%=$(BUILD)/obj/tests/unit/lib/narrow_%_test.o): $(BUILD)/obj/tests/unit/lib/narrow_%.o: \
		$(BUILD)/obj-jec2/tests/unit/lib/%.o \
		$(patsubst %.c,$(BUILD)/obj-jec2/%.o,$(LIB_SRC) tests/unit/lib/help.c)
	@mkdir -p $(@D)
	$(Q)$(LD) -r -o $@ $(sort $(filter %.o,$^))
