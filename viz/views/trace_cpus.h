/*
 * SPDX-License-Identifier: MIT
 *
 * trace_cpus.h - how many CPUs the machine had on which a trace was recorded.
 */
#ifndef DOZE_VIZ_TRACE_CPUS_H
#define DOZE_VIZ_TRACE_CPUS_H

#include <stdint.h>

/** Returns the number of CPUs by the stream files in the trace's folder: LTTng writes one per CPU.
 * 0 if the folder is null, or if that is not known. */
uint32_t doze_trace_cpus(const char *folder);

#endif
