/*
 * SPDX-License-Identifier: MIT
 *
 * rule_text.h - describes each rule of the checker in one sentence.
 */
#ifndef DOZE_VIZ_RULE_TEXT_H
#define DOZE_VIZ_RULE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/** Returns the i-th rule, or null after the last one. */
const char *doze_rule_name(size_t i);
/** Returns the sentence of a rule, or "" if the rule is unknown. */
const char *doze_rule_text(const char *rule);
struct doze_saved;
/** Saves the name of a rule, or loads it (model/saved.h): the loaded name is a string constant. */
void doze_rule_saved(struct doze_saved *, const char **rule);
/** Prints all rules with their sentences. */
void doze_rules_print(FILE *out);

#endif
