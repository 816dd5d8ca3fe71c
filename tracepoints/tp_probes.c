/*
 * SPDX-License-Identifier: MIT
 *
 * tp_probes.c - the probes, which LTTng's macros generate from doze_tp.h.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include "doze_tp.h"
