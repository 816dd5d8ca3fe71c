/*
 * SPDX-License-Identifier: MIT
 *
 * tp_probes.c - the probes: LTTng's macros make them from doze_tp.h.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include "doze_tp.h"
