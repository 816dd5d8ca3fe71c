/*
 * SPDX-License-Identifier: MIT
 *
 * json_writer.h - writes JSON to a stream, with commas, indentation and escapes.
 *
 *	struct doze_json j = {.out = stdout};
 *	doze_json_open(&j, 0, '{');
 *	doze_json_int(&j, "n", 3);
 *	doze_json_close(&j, '}');
 *
 * name is null inside an array. Up to 30 levels can be nested. The caller checks the stream for
 * write errors.
 */
#ifndef DOZE_VIZ_JSON_WRITER_H
#define DOZE_VIZ_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct doze_json {
	FILE *out;      /* not owned */
	unsigned level; /* nesting depth */
	uint32_t begun; /* bit n: level n already has an element */
};

/** Opens an object or an array. bracket is '{' or '['. */
void doze_json_open(struct doze_json *, const char *name, char bracket);
/** Closes an object or an array. bracket is '}' or ']'. After the outermost one, writes a
 * newline. */
void doze_json_close(struct doze_json *, char bracket);
void doze_json_int(struct doze_json *, const char *name, int64_t v);
void doze_json_uint(struct doze_json *, const char *name, uint64_t v);
/** Writes a number, or null for NaN and infinity, which JSON cannot represent. */
void doze_json_real(struct doze_json *, const char *name, double v);
void doze_json_bool(struct doze_json *, const char *name, bool v);
/** Writes a string, with control characters escaped, or null for a null pointer. */
void doze_json_string(struct doze_json *, const char *name, const char *v);
void doze_json_null(struct doze_json *, const char *name);

#endif
