/*
 * SPDX-License-Identifier: MIT
 *
 * explore_site.h - the position of a step in the source.
 */
#ifndef DOZE_EXPLORE_SITE_H
#define DOZE_EXPLORE_SITE_H

#include <stdint.h>

/** A step's place in the source: the object as the source writes it, the function, and the line.
 * `line` fills a word, so that a site has no padding: states, which contain sites, are compared as
 * bytes. */
struct ex_site {
	const char *what, *func, *file;
	uint64_t line;
};
#define EX_HERE(what) ((struct ex_site){(what), __func__, __FILE__, __LINE__})

#endif
