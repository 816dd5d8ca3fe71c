/*
 * SPDX-License-Identifier: MIT
 *
 * layout.c - see layout.h.
 */
#include "layout.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAME 64

/* One member declaration of a structure: `uint64_t content_size`, `integer { size = 64; … }
 * content_size`. */
struct member {
	char name[MAX_NAME];
	uint32_t bits; /* bits of one element */
	uint32_t count;
};

/* Returns the end of the declaration at p, its `;` outside braces, or null. */
static const char *declaration_end(const char *p)
{
	int depth = 0;

	for (; *p; p++) {
		if (*p == '{')
			depth++;
		else if (*p == '}' && --depth < 0)
			return NULL;
		else if (*p == ';' && depth == 0)
			return p;
	}
	return NULL;
}

/* Returns the number of bits of the type: from `size = N` within braces, or from the digits of
 * uintN_t and uintN_clock_…_t. */
static uint32_t type_bits(const char *p, const char *end)
{
	const char *size = strstr(p, "size = ");
	const char *digits = p;

	if (size && size < end)
		return (uint32_t)strtoul(size + 7, NULL, 10);
	if (strncmp(p, "unsigned long ", 14) == 0)
		return 64;
	if (strncmp(p, "uint", 4) != 0)
		return 0;
	for (digits = p + 4; digits < end && isdigit((unsigned char)*digits);)
		digits++;
	return digits > p + 4 && *digits == '_' ? (uint32_t)strtoul(p + 4, NULL, 10) : 0;
}

/* Reads the name of the member: the last word before the end, or before the bracket of an array. */
static bool member_read(struct member *m, const char *p, const char *end)
{
	const char *last = end, *first;

	m->bits = type_bits(p, end);
	m->count = 1;
	if (last[-1] == ']') {
		while (last > p && *last != '[')
			last--;
		m->count = (uint32_t)strtoul(last + 1, NULL, 10);
	}
	for (first = last; first > p && (isalnum((unsigned char)first[-1]) || first[-1] == '_');)
		first--;
	if (first == last || (size_t)(last - first) >= sizeof(m->name))
		return false;
	snprintf(m->name, sizeof(m->name), "%.*s", (int)(last - first), first);
	return m->bits > 0 && m->bits % 8 == 0 && m->bits <= 64 && m->count <= 64;
}

static const char *skip_space(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

/* Walks a structure that begins at byte *at. p: its text after the opening brace. */
static bool walk(const char *p, uint32_t *at, struct doze_layout *l)
{
	struct member m;
	const char *end;

	for (p = skip_space(p); *p && *p != '}'; p = skip_space(end + 1)) {
		end = declaration_end(p);
		if (!end || !member_read(&m, p, end))
			return l->end > 0;
		if (strcmp(m.name, "content_size") == 0 && m.bits == 64)
			l->content_at = *at;
		else if (strcmp(m.name, "packet_size") == 0 && m.bits == 64)
			l->packet_at = *at;
		else if (strcmp(m.name, "timestamp_begin") == 0 && m.bits == 64)
			l->first_at = *at;
		else if (strcmp(m.name, "timestamp_end") == 0 && m.bits == 64)
			l->last_at = *at;
		*at += m.bits / 8 * m.count;
		if (l->content_at && l->packet_at)
			l->end = *at;
		if (l->end && l->first_at && l->last_at)
			return true;
	}
	return *p == '}';
}

/* Returns the text after the opening brace of structure `what`. A structure that is given by name
 * is looked up. */
static const char *structure(const char *text, const char *what)
{
	const char *p = strstr(text, what);
	char named[MAX_NAME];
	size_t n;

	if (!p)
		return NULL;
	p += strlen(what);
	if (*p == '{')
		return p + 1;
	n = strcspn(p, " ;{\n");
	if (n == 0 || n + 10 >= sizeof(named))
		return NULL;
	snprintf(named, sizeof(named), "struct %.*s {", (int)n, p);
	p = strstr(text, named);
	return p ? p + strlen(named) : NULL;
}

/* Returns whether all stream classes have the same packet context: each names the same structure,
 * or there is only one class. */
static bool one_context(const char *text)
{
	static const char what[] = "packet.context := struct ";
	const char *first = strstr(text, what);

	for (const char *p = first; p; p = strstr(p + 1, what)) {
		size_t n = strcspn(first, ";{");

		if (p != first && (first[n] != ';' || strncmp(p, first, n + 1) != 0))
			return false;
	}
	return true;
}

bool doze_layout_find(struct doze_layout *l, const char *text)
{
	const char *header = structure(text, "packet.header := struct ");
	const char *context = structure(text, "packet.context := struct ");
	uint32_t at = 0;

	*l = (struct doze_layout){0};
	return header && context && one_context(text) && walk(header, &at, l) &&
	       walk(context, &at, l) && l->end > 0;
}
