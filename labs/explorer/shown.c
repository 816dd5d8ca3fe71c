/*
 * SPDX-License-Identifier: MIT
 *
 * shown.c - what a scenario adds to the picture of a game: rows in words, and names of objects.
 */
#include "engine.h"

#include <stdarg.h>

void ex_show_in_play(void (*show)(void))
{
	E->rows = show;
}

/** Prints a row of the state of a game (play_show.c). */
void ex_row(const char *label, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	printf("row\t%s\t", label);
	vprintf(format, args);
	printf("\n");
	va_end(args);
}

uint64_t ex_peek(const volatile void *p, unsigned size)
{
	return ex_mem_read((uintptr_t)p, size);
}

bool ex_exists(const volatile void *p)
{
	uintptr_t addr = (uintptr_t)p;
	return p && !ex_is_freed(addr) && ex_heap_reached(addr);
}

static void give(struct ex_given given)
{
	unsigned i = 0;
	while (i + 1 < EX_MAX_GIVEN && E->given[i].name &&
	       (given.size ? E->given[i].name != given.name
			   : E->given[i].size || E->given[i].addr != given.addr))
		i++;
	E->given[i] = given;
}

void ex_name_object(const volatile void *p, const char *name)
{
	give((struct ex_given){(uintptr_t)p, name, 0});
}

void ex_name_range(const volatile void *p, size_t size, const char *name)
{
	give((struct ex_given){(uintptr_t)p, name, size});
}

const char *ex_given_name(uintptr_t addr)
{
	for (unsigned i = 0; i < EX_MAX_GIVEN && E->given[i].name; i++)
		if (E->given[i].addr == addr && !E->given[i].size)
			return E->given[i].name;
	return NULL;
}

const char *ex_given_memory(uintptr_t addr)
{
	for (unsigned i = 0; i < EX_MAX_GIVEN && E->given[i].name; i++)
		if (addr - E->given[i].addr < E->given[i].size)
			return E->given[i].name;
	return NULL;
}
