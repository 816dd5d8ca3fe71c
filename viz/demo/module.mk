# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/demo/burst.c \
	viz/demo/demo.c \
	viz/demo/fib.c \
	viz/demo/latch.c \
	viz/demo/phases.c \
	viz/demo/trickle.c \
	viz/demo/work.c

.PHONY: demo
demo: all ## the live demo; without a terminal: record, timeline and storm summary
	@BUILD=$(BUILD) viz/demo/show
