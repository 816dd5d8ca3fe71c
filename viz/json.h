/*
 * SPDX-License-Identifier: MIT
 *
 * json.h - the one thing about JSON that printf cannot do.
 */
#ifndef DOZE_VIZ_JSON_H
#define DOZE_VIZ_JSON_H

#include <stdio.h>

/** Prints text as a JSON string, quotes included. Bytes above 126 go through as they are: what is
 * UTF-8 stays UTF-8. Null prints `null`. */
void doze_json_text(FILE *, const char *text);

#endif
