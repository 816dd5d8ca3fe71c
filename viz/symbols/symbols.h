/*
 * SPDX-License-Identifier: MIT
 *
 * symbols.h - translates the address of a caller to its function and line.
 *
 * The reader passes each listed binary on; a view requests the line of an address. The file with
 * the symbols is opened when the first address in it is requested. It is searched by its recorded
 * path and must have the recorded build-id. The table belongs to the model; the thread that owns
 * the model makes all calls, which may read files.
 */
#ifndef DOZE_VIZ_SYMBOLS_H
#define DOZE_VIZ_SYMBOLS_H

#include "../event/binary.h"
#include "../model/model.h"

/** Adds the description of a binary. The model owns the table. If out of memory, leaves the binary
 * out. */
void doze_symbols_add(struct doze_model *, const struct doze_binary *);

/** Returns the location of a return address, in a static buffer, one of eight in turn: "publish
 * (burst.c:88)"; without symbols the file and the offset, with the reason: "a.out+0x1234 (stripped:
 * no symbols)". "" for address 0. The pool identifies the process. */
const char *doze_symbols_line(const struct doze_model *, const struct doze_pool_view *,
			      uint64_t address);
/** Returns ", posted at " and the line; "" for address 0, without a table, or if the model is null.
 */
const char *doze_symbols_posted(const struct doze_model *, const struct doze_pool_view *,
				uint64_t address);

#endif
