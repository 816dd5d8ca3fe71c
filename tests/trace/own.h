/*
 * SPDX-License-Identifier: MIT
 *
 * own.h - what the process gets for itself, so that tests that run beside it do not meet. For
 * rig.c; as root only; once for the process and its later children.
 */
#ifndef DOZE_TESTS_TRACE_OWN_H
#define DOZE_TESTS_TRACE_OWN_H

#include <stdbool.h>

/** Empty /run/lttng and /dev/shm. False, with errno, where that is not allowed. */
bool own_mounts(void);
/** A loopback network: ports, and the abstract socket by which one doze waits for another. Where
 * that is not allowed all goes on without. */
void own_network(void);

#endif
