/*
 * SPDX-License-Identifier: MIT
 *
 * binaries.h - passes descriptions of binaries from the reader's thread to the model. The
 * descriptions have no fixed place among the events, and the paths in them are too long for the
 * items of the event queue.
 */
#ifndef DOZE_TUI_BINARIES_H
#define DOZE_TUI_BINARIES_H

#include <pthread.h>

#include "../trace/binary.h"

struct doze_model;
struct tui_binary;

struct tui_binaries {
	pthread_mutex_t lock;     /* protects `first` */
	struct tui_binary *first; /* owned */
};

void tui_binaries_init(struct tui_binaries *);
/** Called on the reader's thread. Stores a copy of the description; if out of memory, drops it. */
void tui_binaries_put(struct tui_binaries *, const struct doze_binary *);
/** Called on the main thread. Passes the collected descriptions to the model; a null model drops
 * them. */
void tui_binaries_take(struct tui_binaries *, struct doze_model *);

#endif
