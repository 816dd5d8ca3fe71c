/*
 * SPDX-License-Identifier: MIT
 *
 * formats.c - the table of formats, and functions that several formats use.
 */
#include <string.h>

#include "../words/waker_words.h"
#include "export.h"

const struct doze_export_format *const doze_export_formats[] = {
    &doze_export_perfetto, &doze_export_csv,           &doze_export_json,
    &doze_export_svg,      &doze_export_trace_compass, NULL,
};

const struct doze_export_format *doze_export_find(const char *name)
{
	for (const struct doze_export_format *const *f = doze_export_formats; *f; f++)
		if (strcmp((*f)->name, name) == 0)
			return *f;
	return NULL;
}

const struct doze_pool_view *doze_export_pool(struct doze_export *x,
					      const struct doze_worker_key *k)
{
	size_t n = doze_model_pools(x->model);

	for (size_t i = 0; i < n; i++) {
		size_t row = (x->last_pool + i) % n; /* try the pool of the previous call first */
		const struct doze_pool_view *p = doze_model_pool(x->model, row);

		if (p->pool == k->pool && p->vpid == k->vpid && p->host == k->host) {
			x->last_pool = row;
			return p;
		}
	}
	return NULL;
}

const char *doze_export_waker(const struct doze_export *x, const struct doze_pool_view *p,
			      int32_t vtid)
{
	const struct doze_thread_view *t =
	    p && vtid >= 0 ? doze_model_thread(x->model, p->row, vtid) : NULL;

	if (t && t->worker)
		return doze_waker_phrase(x->model, p->row, -1, vtid);
	return t ? t->name : "";
}
