/*
 * SPDX-License-Identifier: MIT
 *
 * explore_site.h - where in the source a step is.
 */
#ifndef DOZE_EXPLORE_SITE_H
#define DOZE_EXPLORE_SITE_H

#include <stdint.h>

/** The object as written, the function, and the line. `line` fills its word, because a site is part
 * of a state, which is compared as bytes. */
struct ex_site {
	const char *what, *func, *file;
	uint64_t line;
};
#define EX_HERE(what) ((struct ex_site){(what), __func__, __FILE__, __LINE__})

#endif
