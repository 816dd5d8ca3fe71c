/*
 * SPDX-License-Identifier: MIT
 *
 * tls.c - thread-local variables of the explored code: one copy for each coroutine.
 *
 * With -femulated-tls each access to such a variable calls __emutls_get_address with the variable's
 * control block. The copies are stored in the threads' heaps. So each copy has its own address
 * (which a thread may pass to others), belongs to the state, and is freed when its thread ends.
 */
#include "engine.h"

#include <string.h>

/** A thread-local variable, as the compiler describes it to __emutls_get_address. */
struct emutls_control {
	size_t size, align;
	void *object;
	const void *initial; /* initial value; null if all bytes are zero */
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

/** Frees the running thread's copies. Called on its coroutine after its function has returned. */
void ex_tls_end(int thread)
{
	for (unsigned k = 0; k < EX_MAX_TLS; k++)
		if (W->t[thread].tls[k])
			ex_heap_free(W->t[thread].tls[k]);
}
