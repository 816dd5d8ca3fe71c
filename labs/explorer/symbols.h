/*
 * SPDX-License-Identifier: MIT
 *
 * symbols.h - declarations of symbols.c: the names of global variables.
 */
#ifndef DOZE_EXPLORE_SYMBOLS_H
#define DOZE_EXPLORE_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

/** An address in a global variable. */
struct ex_symbol {
	const char *name; /* static variables of functions: "FUNCTION.NAME" or "NAME.NUMBER" */
	unsigned number;  /* index among the variables of this name, in link order */
	uintptr_t offset; /* offset in bytes from the start of the variable */
};

/** Reads the program's symbol table. Called once, before the search. Without it, or if the file
 * cannot be read, no variable is known. */
void ex_symbols_load(void);
/** Finds the variable at an address. *found is valid until the program exits. Returns false if no
 * variable is known there. */
bool ex_symbol_at(uintptr_t addr, struct ex_symbol *found);
/** Returns the address of a variable plus the offset, or 0 if the program has no such variable. */
uintptr_t ex_symbol_address(const struct ex_symbol *wanted);

#endif
