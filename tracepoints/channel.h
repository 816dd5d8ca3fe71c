/*
 * SPDX-License-Identifier: MIT
 *
 * channel.h - the buffers that a recording of the pool needs, for whoever makes the session.
 *
 * LTTng has one ring buffer per CPU (and user), in shared memory: sub-buffer size × count each.
 * An event of level `states` takes about 60 bytes with its contexts, one of level `jobs` about 35.
 */
#ifndef DOZE_TRACEPOINTS_CHANNEL_H
#define DOZE_TRACEPOINTS_CHANNEL_H

#define DOZE_CHANNEL_NAME "doze"

/** Bytes of a sub-buffer, and how many: powers of two, as LTTng demands. */
#define DOZE_CHANNEL_SUBBUF_SIZE  (1u << 20)
#define DOZE_CHANNEL_SUBBUF_COUNT 8u

#endif
