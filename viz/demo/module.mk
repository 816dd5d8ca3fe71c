# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/demo/burst.c \
	viz/demo/demo.c \
	viz/demo/fib.c \
	viz/demo/latch.c \
	viz/demo/phases.c \
	viz/demo/textbook.c \
	viz/demo/trickle.c \
	viz/demo/work.c

# The workload that does not use libdoze is a program of its own.
BROADCAST_SRC := viz/demo/foreign/broadcast.c
BROADCAST     := $(BUILD)/doze-demo-broadcast
PRODUCTS      += $(BROADCAST)
LINT_SRC      += $(BROADCAST_SRC)

$(BROADCAST): $(call objs,$(BROADCAST_SRC))
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS)

.PHONY: demo
demo: all ## the live demo; without a terminal: record, timeline and storm summary
	@BUILD=$(BUILD) viz/demo/show
