# SPDX-License-Identifier: MIT
# The sources of libdoze, in the order in which to read them.
LIB_SRC += \
	lib/create.c \
	lib/pool.c \
	lib/end.c \
	lib/thread.c \
	lib/guard.c \
	lib/worker.c \
	lib/steal.c \
	lib/owed.c \
	lib/job_records.c \
	lib/deque.c \
	lib/atomic.c \
	lib/slab.c \
	lib/injector.c \
	lib/core_latch.c \
	lib/latch.c \
	lib/suspend/suspend.c \
	lib/suspend/spare_threads.c \
	lib/suspend/wait_graph.c \
	$(sort $(wildcard lib/sleep/*.c)) \
	lib/forkjoin/deque.c \
	lib/forkjoin/queues.c \
	lib/forkjoin/sleep.c \
	lib/install.c \
	lib/join.c \
	lib/spawn.c \
	lib/scope.c \
	lib/broadcast.c \
	lib/future.c \
	lib/parallel.c \
	lib/stats.c \
	lib/deadlock_counts.c \
	lib/deadlock.c \
	lib/fork.c \
	lib/config.c \
	lib/error.c \
	lib/os.c \
	lib/quota.c

# For tests/integration/corner_cases: the library built with other flags, without a tracer.
.PHONY: lib-sources
lib-sources:
	@echo $(LIB_SRC)
