/*
 * SPDX-License-Identifier: MIT
 *
 * view.c - see view.h.
 */
#include "view.h"

#include <stdlib.h>
#include <string.h>

void *doze_view_state(const struct doze_view *view)
{
	void *state = calloc(1, view->size ? view->size : 1);

	if (state && view->defaults)
		memcpy(state, view->defaults, view->size);
	return state;
}
