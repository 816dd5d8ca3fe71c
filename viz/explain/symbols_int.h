/*
 * SPDX-License-Identifier: MIT
 *
 * symbols_int.h - a binary and the file that has its symbols.
 */
#ifndef DOZE_VIZ_SYMBOLS_INT_H
#define DOZE_VIZ_SYMBOLS_INT_H

#include "symbols.h"

enum { SYMBOLS_TEXT = 192, SYMBOLS_PATH = 512 };

struct symbols_file; /* a file that libdw has opened */

struct symbols_binary {
	struct doze_binary is; /* is.path points to `path` below */
	char path[SYMBOLS_PATH];
	bool asked;                /* symbols_open was called, so `file` and `problem` are valid */
	struct symbols_file *file; /* owned; null: see `problem` */
	const char *problem;       /* why the file has no symbols; static; null: no problem */
};

/* Defined in resolve.c. */
/* Opens the binary's file if necessary, and compares its build-id. */
void symbols_open(struct symbols_binary *);
void symbols_close(struct symbols_binary *);
/* Writes the function and line of an address in the process; the address must be within the
 * binary. */
void symbols_resolve(struct symbols_binary *, uint64_t address, char out[SYMBOLS_TEXT]);

/* Defined in demangle.c. */
/* Writes the name of a function as its programmer would: of C++ without parameters, of Rust without
 * the hash. Other names are copied. */
void symbols_demangle(const char *name, char *out, size_t size);

#endif
