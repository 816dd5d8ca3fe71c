/*
 * SPDX-License-Identifier: MIT
 *
 * tls.c - thread-local variables of the explored code: one copy for each coroutine.
 *
 * With -femulated-tls the compiler asks __emutls_get_address for the address of each such variable,
 * at each access, with a control block that names it. Here the copies lie in the threads' own
 * heaps, so they have addresses of their own (other threads may be handed one), belong to the
 * state, and are freed when their thread ends.
 */
#include "engine.h"

#include <string.h>

/** Laid out by the compiler. */
struct emutls_control {
	size_t size, align;
	void *object;
	const void *initial; /* null: all zeros */
};

void *__emutls_get_address(struct emutls_control *control);
void *__emutls_get_address(struct emutls_control *control)
{
	unsigned k = 0;
	while (k < EX_MAX_TLS && E->tls_key[k] && E->tls_key[k] != control)
		k++;
	if (k == EX_MAX_TLS)
		ex_give_up("gave up: the explored code has more than %d thread-local variables",
			   EX_MAX_TLS);
	E->tls_key[k] = control;
	void **copy = &W->t[E->cur].tls[k];
	if (!*copy) {
		*copy = ex_heap_alloc(control->align, control->size);
		if (control->initial)
			memcpy(*copy, control->initial, control->size);
	}
	return *copy;
}

/** On the coroutine, its function has returned. */
void ex_tls_end(int thread)
{
	for (unsigned k = 0; k < EX_MAX_TLS; k++)
		if (W->t[thread].tls[k])
			ex_heap_free(W->t[thread].tls[k]);
}
