/*
 * SPDX-License-Identifier: MIT
 *
 * explore_site.h - the position of a step in the source.
 */
#ifndef DOZE_EXPLORE_SITE_H
#define DOZE_EXPLORE_SITE_H

#include <stdint.h>

/** The object as written, the function, and the line. `line` is a full word, because a site is part
 * of a state, which is compared as bytes. */
struct ex_site {
	const char *what, *func, *file;
	uint64_t line;
};
#define EX_HERE(what) ((struct ex_site){(what), __func__, __FILE__, __LINE__})

#endif
