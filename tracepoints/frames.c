/*
 * SPDX-License-Identifier: MIT
 *
 * frames.c - see frames.h. This is part of the provider, not of libdoze.
 *
 * It unwinds with backtrace() rather than by following frame pointers, because a program compiled
 * without frame pointers uses that register for other values. The frames of the probe, LTTng and
 * libdoze come first, so the callers to record begin at `caller`.
 */
#include "frames.h"

#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>

/* Number of frames to search for the caller; probe, hook and library account for about ten. */
#define SEARCHED 24

/* Number of callers to record, including the first; constant after the constructor. */
static unsigned wanted;

/* The TLS model is initial-exec: hooks may run anywhere, so the first use in a thread must not
 * allocate memory. */
static __attribute__((
    tls_model("initial-exec"))) _Thread_local uint64_t frames[DOZE_TP_FRAMES_MAX + 1];

__attribute__((constructor)) static void read_option(void)
{
	const char *text = secure_getenv("DOZE_TRACE_FRAMES");
	void *first[1];
	char *end;

	if (text == NULL || *text == '\0')
		return;
	unsigned long n = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || n < 1 || n > DOZE_TP_FRAMES_MAX) {
		fprintf(stderr,
			"doze: DOZE_TRACE_FRAMES=%s: not a number from 1 to %d: recording one "
			"caller of each post\n",
			text, DOZE_TP_FRAMES_MAX);
		return;
	}
	/* The first call loads the unwinder and allocates memory, so make it here, not in a
	 * hook. */
	if (n > 1 && backtrace(first, 1) > 0)
		wanted = (unsigned)n;
}

uint64_t doze_tp_frames(const void *caller)
{
	void *found[SEARCHED];

	if (wanted < 2)
		return 0;
	int n = backtrace(found, SEARCHED), at = 0;
	while (at < n && found[at] != caller)
		at++;
	for (unsigned i = 2; i <= DOZE_TP_FRAMES_MAX; i++) {
		int k = at + (int)i - 1;
		frames[i] = i <= wanted && k < n ? (uint64_t)(uintptr_t)found[k] : 0;
	}
	return frames[2];
}

uint64_t doze_tp_frame(unsigned n)
{
	return wanted < 2 ? 0 : frames[n];
}
