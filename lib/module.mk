# SPDX-License-Identifier: MIT
# libdoze. One line a file; the list is the order to read them in.
LIB_SRC += \
	lib/pool.c \
	lib/thread.c \
	lib/worker.c \
	lib/taken.c \
	lib/wait.c \
	lib/deque.c \
	lib/injector.c \
	lib/fifo.c \
	lib/latch.c \
	lib/suspend/suspend.c \
	lib/suspend/spare.c \
	lib/suspend/edges.c \
	lib/sleep/jec.c \
	lib/sleep/wake.c \
	lib/sleep/report.c \
	lib/sleep/rfc.c \
	lib/sleep/local.c \
	lib/sleep/block.c \
	lib/sleep/spare.c \
	lib/sleep/chain.c \
	lib/sleep/go.c \
	lib/sleep/tickle.c \
	lib/sleep/spin.c \
	lib/sleep/condvar.c \
	lib/sleep/registry.c \
	lib/forkjoin/queues.c \
	lib/forkjoin/sleep.c \
	lib/install.c \
	lib/join.c \
	lib/spawn.c \
	lib/spawn_many.c \
	lib/scope.c \
	lib/broadcast.c \
	lib/future.c \
	lib/future_timed.c \
	lib/parallel.c \
	lib/stats.c \
	lib/deadlock.c \
	lib/pools.c \
	lib/fork.c \
	lib/config.c \
	lib/error.c \
	lib/os.c \
	lib/quota.c \
	lib/tsan.c
