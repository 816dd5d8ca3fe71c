/*
 * SPDX-License-Identifier: MIT
 *
 * symbols.c - the binaries of all processes, and the lines that were requested.
 */
#include "symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../model/observer.h"
#include "symbols_int.h"

enum {
	BINARIES = 1024, /* limit for all processes together; further binaries are ignored */
	LINES = 256,     /* size of the cache */
	BUFFERS = 8,
};

struct line {
	uint32_t host;
	int32_t vpid;
	uint64_t address; /* 0: this entry is free */
	char text[SYMBOLS_TEXT];
};

struct symbols {
	struct symbols_binary *at[BINARIES]; /* owned */
	size_t count;
	struct line line[LINES]; /* a cache, indexed by a hash of the address */
};

static void on_free(void *ctx)
{
	struct symbols *s = ctx;

	for (size_t i = 0; i < s->count; i++) {
		symbols_close(s->at[i]);
		free(s->at[i]);
	}
	free(s);
}

static const struct doze_observer observer = {.free = on_free};

static struct symbols *table_of(struct doze_model *m)
{
	struct symbols *s = m ? doze_model_observed_by(m, &observer) : NULL;

	if (s)
		return s;
	s = calloc(1, sizeof *s);
	if (s && doze_model_observe(m, &observer, s))
		return s;
	free(s);
	return NULL;
}

static struct symbols_binary *find(const struct symbols *s, const struct doze_binary *b)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct doze_binary *is = &s->at[i]->is;

		if (is->host == b->host && is->vpid == b->vpid && is->base == b->base)
			return s->at[i];
	}
	return NULL;
}

static struct symbols_binary *create(struct symbols *s, const struct doze_binary *b)
{
	struct symbols_binary *n =
	    s->count < BINARIES ? calloc(1, sizeof(struct symbols_binary)) : NULL;

	if (!n)
		return NULL;
	n->is = (struct doze_binary){.host = b->host, .vpid = b->vpid, .base = b->base};
	return s->at[s->count++] = n;
}

void doze_symbols_add(struct doze_model *m, const struct doze_binary *b)
{
	struct symbols *s = table_of(m);
	struct symbols_binary *old = s ? find(s, b) : NULL;

	if (s && !old)
		old = create(s, b);
	if (!old)
		return;
	symbols_close(old);
	if (b->path) {
		old->is.size = b->size;
		(void)snprintf(old->path, sizeof old->path, "%s", b->path);
		old->is.path = old->path;
	}
	if (b->id_length) {
		old->is.id_length = b->id_length;
		memcpy(old->is.id, b->id, sizeof old->is.id);
	}
}

static struct symbols_binary *containing(const struct symbols *s, const struct doze_pool_view *p,
					 uint64_t address)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct doze_binary *b = &s->at[i]->is;

		if (b->host == p->host && b->vpid == p->vpid && b->path && address >= b->base &&
		    address - b->base < b->size)
			return s->at[i];
	}
	return NULL;
}

static bool lists_process(const struct symbols *s, const struct doze_pool_view *p)
{
	for (size_t i = 0; s && i < s->count; i++)
		if (s->at[i]->is.host == p->host && s->at[i]->is.vpid == p->vpid)
			return true;
	return false;
}

static struct line *remembered(struct symbols *s, const struct doze_pool_view *p, uint64_t address)
{
	struct line *l = &s->line[address * UINT64_C(0x9e3779b97f4a7c15) >> 56];

	if (l->address == address && l->host == p->host && l->vpid == p->vpid)
		return l;
	*l = (struct line){.host = p->host, .vpid = p->vpid, .address = address};
	return l;
}

static char *buffer(void)
{
	static char text[BUFFERS][SYMBOLS_TEXT + 16];
	static unsigned n;

	return text[n++ % BUFFERS];
}

const char *doze_symbols_line(const struct doze_model *m, const struct doze_pool_view *p,
			      uint64_t address)
{
	struct symbols *s = m ? doze_model_observed_by(m, &observer) : NULL;
	struct symbols_binary *b;
	char *out = buffer();
	struct line *l;

	*out = '\0';
	if (!address || !p)
		return out;
	if (!lists_process(s, p)) {
		(void)snprintf(out, SYMBOLS_TEXT,
			       "0x%" PRIx64 " (the trace does not list the program's files)",
			       address);
		return out;
	}
	l = remembered(s, p, address);
	b = *l->text ? NULL : containing(s, p, address);
	if (b)
		symbols_resolve(b, address, l->text);
	else if (!*l->text)
		(void)snprintf(l->text, sizeof l->text,
			       "0x%" PRIx64 " (in no file that was loaded when the recording "
			       "started)",
			       address);
	(void)snprintf(out, SYMBOLS_TEXT, "%s", l->text);
	return out;
}

const char *doze_symbols_posted(const struct doze_model *m, const struct doze_pool_view *p,
				uint64_t address)
{
	struct symbols *s = m ? doze_model_observed_by(m, &observer) : NULL;
	char *out = buffer();

	*out = '\0';
	if (address && p && lists_process(s, p))
		(void)snprintf(out, SYMBOLS_TEXT + 16, ", posted at %s",
			       doze_symbols_line(m, p, address));
	return out;
}
