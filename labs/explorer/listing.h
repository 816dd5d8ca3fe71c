/*
 * SPDX-License-Identifier: MIT
 *
 * listing.h - declarations of schedule.c: schedule files, and steps in words.
 */
#ifndef DOZE_EXPLORE_LISTING_H
#define DOZE_EXPLORE_LISTING_H

#include "engine.h"

bool ex_schedule_write(const char *file, const struct ex_result *res, const char *header);
int ex_schedule_read(const char *file, struct ex_action *path, unsigned max);
void ex_describe(int thread, unsigned choice);
void ex_describe_flush(int thread);
void ex_describe_rest(bool failed);

#endif
