/*
 * SPDX-License-Identifier: MIT
 *
 * json_writer.h - writes JSON to a stream: commas, nesting and escapes are taken care of.
 *
 *	struct doze_json j = {.out = stdout};
 *	doze_json_open(&j, 0, '{');
 *	doze_json_int(&j, "n", 3);
 *	doze_json_close(&j, '}');
 *
 * name is null inside an array. Nesting of up to 30 levels. Write errors are the stream's.
 */
#ifndef DOZE_VIZ_JSON_WRITER_H
#define DOZE_VIZ_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct doze_json {
	FILE *out;      /* weak */
	unsigned level; /* of nesting */
	uint32_t begun; /* bit n: level n has an element already */
};

/** bracket is '{' or '['. */
void doze_json_open(struct doze_json *, const char *name, char bracket);
/** bracket is '}' or ']'; after the outermost one comes a newline. */
void doze_json_close(struct doze_json *, char bracket);
void doze_json_int(struct doze_json *, const char *name, int64_t v);
void doze_json_uint(struct doze_json *, const char *name, uint64_t v);
/** Not a number and infinity become null: JSON has no words for them. */
void doze_json_real(struct doze_json *, const char *name, double v);
void doze_json_bool(struct doze_json *, const char *name, bool v);
/** Bytes that are no valid text for JSON (control characters) are escaped; null becomes null. */
void doze_json_string(struct doze_json *, const char *name, const char *v);
void doze_json_null(struct doze_json *, const char *name);

#endif
