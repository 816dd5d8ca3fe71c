/*
 * SPDX-License-Identifier: MIT
 *
 * channel.h - the sizes of the buffers for a recording of a pool.
 *
 * LTTng has one ring buffer per CPU and user, in shared memory, of sub-buffer size × count bytes.
 * An event of level `states` takes about 58 bytes with its contexts, one of level `jobs` about 42.
 * The table shows the numbers of events discarded in one run on 2 CPUs with 8 workers, recorded to
 * disk / sent live with a timer of 50 ms. `fib` at level `jobs` is the most demanding demo
 * workload: 5.9 million events in 2 to 3 s.
 *
 *                   fib, jobs           burst, jobs   burst, states
 *   128 KiB × 4     946,816 / many          0 / 0         0 / 0
 *   512 KiB × 4     35,691  / 275,978       0 / 0         0 / 0
 *     1 MiB × 4     0       / 31,762        0 / 0         0 / 0
 *     1 MiB × 8     0       / 0             0 / 0         0 / 0
 *
 * There are 64 sub-buffers of 128 KiB instead of 8 of 1 MiB, because since LTTng 2.15 only one
 * thread at a time may write to a sub-buffer. If a thread is preempted in the middle of an event,
 * the next thread on that CPU leaves the rest of the sub-buffer empty and takes the next one. In a
 * live session, 246 KB of events used up 8 sub-buffers of 1 MiB. With a consumer daemon that did
 * not read for 5 s, `fib --n=37 --repeat=2` at level `all`, which writes 6 MB, lost events on LTTng
 * 2.16 in 8 of 20 runs with 1 MiB × 8 (once it had written only 2.4 MB), and in none of 20 with
 * 128 KiB × 64, where a CPU filled at most 50 sub-buffers. LTTng 2.13 lost none.
 *
 * LTTng 2.13 sometimes reports a number of discarded events in which bit 63 is set by mistake, so
 * mask that bit.
 */
#ifndef DOZE_TRACEPOINTS_CHANNEL_H
#define DOZE_TRACEPOINTS_CHANNEL_H

#include <stdint.h>

#define DOZE_CHANNEL_NAME "doze"

/** Size of a sub-buffer in bytes, and number of sub-buffers. LTTng requires powers of two. */
#define DOZE_CHANNEL_SUBBUF_SIZE  (1u << 17)
#define DOZE_CHANNEL_SUBBUF_COUNT 64u
#define DOZE_CHANNEL_SUBBUF_MIN   (1u << 13)

/** Mask for the number of lost events that LTTng reports; see above. */
#define DOZE_CHANNEL_LOST_MASK ((UINT64_C(1) << 63) - 1)

/** Returns the sub-buffer size for a machine with `cpus` CPUs and `shm_free` bytes free in
 * /dev/shm: the default, or the largest size with which the buffers fit into half of the free
 * space, but at least the minimum. A container's /dev/shm usually has 64 MiB, and a write beyond
 * that kills the traced program (SIGBUS). */
static inline uint64_t doze_channel_subbuf_size(unsigned cpus, uint64_t shm_free)
{
	uint64_t size = DOZE_CHANNEL_SUBBUF_SIZE;

	while (size > DOZE_CHANNEL_SUBBUF_MIN &&
	       size * DOZE_CHANNEL_SUBBUF_COUNT * cpus > shm_free / 2)
		size /= 2;
	return size;
}

/** Returns the read timer, the interval in microseconds at which the consumer daemon checks for
 * full sub-buffers. In this interval a CPU that writes 100 MB per second, about twice the rate of
 * the worst workload above, fills an eighth of its ring buffer. (With 64 KiB × 8, `fib` at level
 * `jobs` lost about 100,000 events with a timer of 10 ms, none with 0.6 or 1 ms, and 0 to 60,000
 * without a timer.)
 *
 * Without this timer, the traced program reports a full sub-buffer by writing to a pipe, which
 * costs a worker four system calls in the middle of an event. If the program is killed before it
 * writes, the sub-buffer is never read, its data stays pending, and stopping the session never
 * returns (LTTng 2.13; tests/integration/session/ctl_test.c). */
static inline unsigned doze_channel_read_us(uint64_t subbuf_size)
{
	return (unsigned)(subbuf_size * DOZE_CHANNEL_SUBBUF_COUNT / 8 * 10000 >> 20);
}

#endif
