/*
 * SPDX-License-Identifier: MIT
 *
 * symbols.h - translates the address of a caller to its function and line.
 *
 * The reader calls doze_symbols_add for each binary that the trace lists; a view requests the line
 * of an address. A binary's file is opened when its first address is requested. The file is looked
 * for at its recorded path and must have the recorded build-id. The table belongs to the model; the
 * thread that owns the model makes all calls, which may read files.
 */
#ifndef DOZE_VIZ_SYMBOLS_H
#define DOZE_VIZ_SYMBOLS_H

#include "../model/model.h"
#include "../trace/binary.h"

/** Adds a binary to the model's table. If out of memory, ignores the binary. */
void doze_symbols_add(struct doze_model *, const struct doze_binary *);

struct doze_saved;
/** Saves the table of binaries, or loads it (model/saved.h). */
void doze_symbols_saved(struct doze_model *, struct doze_saved *);

/** Returns the location of a return address, such as "publish (burst.c:88)". Without symbols,
 * returns the file and offset, and the reason: "a.out+0x1234 (stripped: no symbols)". Returns ""
 * for address 0. The text is in one of eight static buffers, which are reused in turn. The pool
 * identifies the process. */
const char *doze_symbols_line(const struct doze_model *, const struct doze_pool_view *,
			      uint64_t address);
/** Returns ", posted at " and the location, or "" if the address is 0, the model has no table, or
 * the model is null. */
const char *doze_symbols_posted(const struct doze_model *, const struct doze_pool_view *,
				uint64_t address);

#endif
