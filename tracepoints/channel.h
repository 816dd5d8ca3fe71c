/*
 * SPDX-License-Identifier: MIT
 *
 * channel.h - the buffers that a recording of the pool needs, for whoever makes the session.
 *
 * LTTng has one ring buffer per CPU (and user), in shared memory: sub-buffer size × count each.
 * An event of level `states` takes about 58 bytes with its contexts, one of level `jobs` about 42.
 *
 * Measured on 2 CPUs with 8 workers, discarded events of one run, recorded to disk / sent live with
 * a timer of 50 ms. `fib` at level jobs is the worst demo workload: 5.9 million events in 2 to 3 s.
 *
 *                   fib, jobs           burst, jobs   burst, states
 *   128 KiB × 4     946,816 / many          0 / 0         0 / 0
 *   512 KiB × 4     35,691  / 275,978       0 / 0         0 / 0
 *     1 MiB × 4     0       / 31,762        0 / 0         0 / 0
 *     1 MiB × 8     0       / 0             0 / 0         0 / 0
 *
 * (LTTng 2.13 sometimes reports the number of discarded events with bit 63 set by mistake: mask
 * it.)
 */
#ifndef DOZE_TRACEPOINTS_CHANNEL_H
#define DOZE_TRACEPOINTS_CHANNEL_H

#include <stdint.h>

#define DOZE_CHANNEL_NAME "doze"

/** Bytes of a sub-buffer, and how many: powers of two, as LTTng demands. */
#define DOZE_CHANNEL_SUBBUF_SIZE  (1u << 20)
#define DOZE_CHANNEL_SUBBUF_COUNT 8u
#define DOZE_CHANNEL_SUBBUF_MIN   (1u << 16)

/** What the kernel and LTTng say about lost events may have this bit set; see above. */
#define DOZE_CHANNEL_LOST_MASK ((UINT64_C(1) << 63) - 1)

/** The size for a machine with so many CPUs and so many bytes free in /dev/shm: the usual one, or
 * the largest that fits into half of what is free; never below the minimum. A container's /dev/shm
 * has 64 MiB as a rule, and a write beyond what is there kills the traced program (SIGBUS). */
static inline uint64_t doze_channel_subbuf_size(unsigned cpus, uint64_t shm_free)
{
	uint64_t size = DOZE_CHANNEL_SUBBUF_SIZE;

	while (size > DOZE_CHANNEL_SUBBUF_MIN &&
	       size * DOZE_CHANNEL_SUBBUF_COUNT * cpus > shm_free / 2)
		size /= 2;
	return size;
}

/** Read timer in microseconds for sub-buffers of that size: so often the consumer daemon looks for
 * full ones. In this time a CPU that writes 100 MB a second, about twice the worst workload above,
 * fills one. (With 64 KiB × 8, `fib` at level jobs lost about 100,000 events at 10 ms, none at 0.6
 * and at 1 ms; without a timer none to 60,000.)
 *
 * Without this timer the program says itself that one is full, by a write to a pipe: four system
 * calls of a worker in the middle of an event. And a program that is killed before it wrote leaves
 * a sub-buffer that nobody reads, and a session whose data is pending for ever: stopping it never
 * returns (LTTng 2.13; tests/integration/session/ctl_test.c). */
static inline unsigned doze_channel_read_us(uint64_t subbuf_size)
{
	return (unsigned)(subbuf_size * 10000 >> 20);
}

#endif
