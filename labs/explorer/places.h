/*
 * SPDX-License-Identifier: MIT
 *
 * places.h - declarations of places.c: which code last made a plain access to an address.
 */
#ifndef DOZE_EXPLORE_PLACES_H
#define DOZE_EXPLORE_PLACES_H

#include <stdint.h>
#include <stdio.h>

void ex_place_note(uintptr_t addr, const void *pc);
void ex_place_note_step(int thread, uintptr_t addr);
/** `what` says what the access is: one of the constants. */
#define EX_RACE "race"
#define EX_USE  "use" /* of freed memory */
void ex_place_show(const char *what, int thread, uintptr_t addr);
void ex_place_show_step(const char *what, int thread);
/** Describes the memory at the address in words, for reports (heap.c). The text is valid until the
 * next call. */
const char *ex_name_memory(uintptr_t addr);

/** Begins to record each thread's calls. The program must be at its start. */
void ex_calls_follow(void);
void ex_call_enter(const void *pc);
void ex_call_leave(void);
/** Prints an address in each function that the thread is in, the outermost first, each after a
 * tab. */
void ex_calls_show(FILE *to, int thread);

#endif
