# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/cli/demo/burst.c \
	viz/cli/demo/demo.c \
	viz/cli/demo/fib.c \
	viz/cli/demo/latch.c \
	viz/cli/demo/phases.c \
	viz/cli/demo/trickle.c \
	viz/cli/demo/work.c

# The workload that does not use libdoze is a program of its own.
BROADCAST_SRC := viz/cli/demo/foreign/broadcast.c
BROADCAST     := $(BUILD)/doze-demo-broadcast
PRODUCTS      += $(BROADCAST)
LINT_SRC      += $(BROADCAST_SRC)

$(BROADCAST): $(call objs,$(BROADCAST_SRC))
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS)

.PHONY: demo
demo: all ## the live demo; without a terminal: record, timeline and storm summary
	@BUILD=$(BUILD) viz/cli/demo/show
