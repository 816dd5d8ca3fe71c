/*
 * SPDX-License-Identifier: MIT
 *
 * script.h - runs schedules written in words, and random walks (script.c).
 */
#ifndef DOZE_EXPLORE_SCRIPT_H
#define DOZE_EXPLORE_SCRIPT_H

#include "engine.h"

int ex_script(const struct ex_options *opt, struct ex_result *r, const char *file);
bool ex_script_take(FILE *f, const char *name, void (*before)(struct ex_action));
bool ex_script_load(const char *file, void (*before)(struct ex_action));
int ex_walk(const struct ex_options *opt, struct ex_result *r, uint64_t seed);

#endif
