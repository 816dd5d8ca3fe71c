/*
 * SPDX-License-Identifier: MIT
 *
 * rule_text.h - the checker's rules in words.
 */
#ifndef DOZE_VIZ_RULE_TEXT_H
#define DOZE_VIZ_RULE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/** Returns the i-th rule; null when there are no more. */
const char *doze_rule_name(size_t i);
/** Returns what a rule demands, in a sentence; "" for an unknown one. */
const char *doze_rule_text(const char *rule);
/** Prints all rules with their sentences. */
void doze_rules_print(FILE *out);

#endif
