/*
 * SPDX-License-Identifier: MIT
 *
 * binaries.c - see binaries.h.
 */
#include "binaries.h"

#include <stdlib.h>
#include <string.h>

#include "../explain/symbols.h"

struct tui_binary {
	struct tui_binary *next;
	struct doze_binary is;
	char path[];
};

void tui_binaries_init(struct tui_binaries *b)
{
	pthread_mutex_init(&b->lock, NULL);
	b->first = NULL;
}

void tui_binaries_put(struct tui_binaries *b, const struct doze_binary *is)
{
	size_t length = is->path ? strlen(is->path) + 1 : 0;
	struct tui_binary *n = malloc(sizeof *n + length);

	if (!n)
		return;
	n->is = *is;
	if (is->path)
		n->is.path = memcpy(n->path, is->path, length);
	pthread_mutex_lock(&b->lock);
	n->next = b->first;
	b->first = n;
	pthread_mutex_unlock(&b->lock);
}

void tui_binaries_take(struct tui_binaries *b, struct doze_model *m)
{
	struct tui_binary *n, *next;

	pthread_mutex_lock(&b->lock);
	n = b->first;
	b->first = NULL;
	pthread_mutex_unlock(&b->lock);
	for (; n; n = next) {
		next = n->next;
		if (m)
			doze_symbols_add(m, &n->is);
		free(n);
	}
}
