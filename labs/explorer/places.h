/*
 * SPDX-License-Identifier: MIT
 *
 * places.h - the code that last made a plain access to an address (places.c).
 */
#ifndef DOZE_EXPLORE_PLACES_H
#define DOZE_EXPLORE_PLACES_H

#include <stdint.h>

void ex_place_note(uintptr_t addr, const void *pc);
void ex_place_show(int thread, uintptr_t addr);
void ex_place_show_step(int thread);

#endif
