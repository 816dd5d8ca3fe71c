# SPDX-License-Identifier: MIT
# Suites of the library's modules; each links help.c.
LIB_SUITES := counters deque injector latch config pool join spawn scope broadcast future parallel
UNIT_TESTS += $(LIB_SUITES:%=tests/unit/lib/%_test.c:180)

$(LIB_SUITES:%=$(BUILD)/tests/unit/lib/%_test): $(call objs,tests/unit/lib/help.c)

# Suites that read the events: the library once more, with sink.c in the tracer's place. Suite and
# library become one object, so that the linker has no use for libdoze.a.
$(eval $(call variant,sink,-DDOZE_TRACE_SINK))
SINK_SUITES := jec
SINK_SRC = $(LIB_SRC) tests/unit/lib/sink.c tests/unit/lib/help.c
UNIT_TESTS += $(SINK_SUITES:%=tests/unit/lib/%_test.c:180)

$(SINK_SUITES:%=$(BUILD)/obj/tests/unit/lib/%_test.o): $(BUILD)/obj/%.o: $(BUILD)/obj-sink/%.o \
		$(patsubst %.c,$(BUILD)/obj-sink/%.o,$(SINK_SRC))
	@mkdir -p $(@D)
	$(Q)$(LD) -r -o $@ $(sort $(filter %.o,$^))
