/*
 * SPDX-License-Identifier: MIT
 *
 * shown.h - names that a scenario gives to objects (shown.c).
 */
#ifndef DOZE_EXPLORE_SHOWN_NAMES_H
#define DOZE_EXPLORE_SHOWN_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define EX_MAX_GIVEN 56

struct ex_given {
	uintptr_t addr;
	const char *name;
	size_t size; /* 0 if the name is for games; else the number of bytes that reports call so */
};

/** Returns the name that the scenario gave to the object, or null. */
const char *ex_given_name(uintptr_t addr);
/** Returns the name that the scenario gave to the memory at the address, or null. */
const char *ex_given_memory(uintptr_t addr);

#endif
