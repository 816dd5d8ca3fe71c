/*
 * SPDX-License-Identifier: MIT
 *
 * places.c - remembers which code last accessed an address, so that a report of a data race or of a
 * use after free can name that code.
 *
 * The places are kept only while a schedule is listed, and are not part of a state. The listing
 * contains a line "race THREAD PLACE" for each of the two accesses of a race, and "use THREAD
 * PLACE" for the access to freed memory. PLACE is an address in the program, which labs/lab
 * resolves, or FILE:LINE for an atomic step.
 *
 * With --calls, the listing also shows the functions that a thread is in at each of its steps, so
 * that labs/lab can name the operation that called a helper.
 *
 * Also the names of things in reports: of objects and ranges, given by the scenario, and of global
 * variables, from the program's own symbol table (ELF, section .symtab). A name stays valid when
 * the explorer or a scenario gets another variable; an address does not. A program without a symbol
 * table (stripped) has no names.
 */
#include "world.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE 4096u

/* Either an address in the program, or the source line of an atomic step. */
struct access {
	const void *pc;
	const char *file;
	uint64_t line;
};

static struct place {
	uintptr_t addr;
	struct access by[EX_MAX_THREADS];
} * places; /* allocated by the first access; an entry is overwritten when two addresses collide */

static struct place *place_of(uintptr_t addr)
{
	return &places[(unsigned)((addr >> 2) * 2654435761u) & (SIZE - 1)];
}

static void note(int thread, uintptr_t addr, struct access access)
{
	if (!E->listing || thread < 0)
		return;
	if (!places && !(places = calloc(SIZE, sizeof(*places))))
		abort();
	struct place *p = place_of(addr);
	if (p->addr != addr)
		*p = (struct place){.addr = addr};
	p->by[thread] = access;
}

/** Records that the running thread accesses the address from this instruction. */
void ex_place_note(uintptr_t addr, const void *pc)
{
	note(E->cur, addr, (struct access){pc, NULL, 0});
}

/** Records that the thread's current step accesses the address. */
void ex_place_note_step(int thread, uintptr_t addr)
{
	const struct ex_site *at = &W->t[thread].op.at;
	note(thread, addr, (struct access){NULL, at->file, at->line});
}

static void show(const char *what, int thread, struct access access)
{
	if (!E->listing || (!access.pc && !access.file))
		return;
	fprintf(E->listing, "%s\t%s\t", what, ex_thread_name(thread));
	if (access.file)
		fprintf(E->listing, "%s:%lu\n", access.file, (unsigned long)access.line);
	else
		fprintf(E->listing, "%p\n", access.pc);
}

/** Adds to the listing where the thread last accessed the address, if it is known. */
void ex_place_show(const char *what, int thread, uintptr_t addr)
{
	const struct place *p = places ? place_of(addr) : NULL;
	if (p && p->addr == addr)
		show(what, thread, p->by[thread]);
}

/** Adds to the listing where the thread's current step is in the source. */
void ex_place_show_step(const char *what, int thread)
{
	const struct ex_site *at = &W->t[thread].op.at;
	show(what, thread, (struct access){NULL, at->file, at->line});
}

#define DEPTH 32 /* deeper calls are not shown */

struct ex_calls {
	unsigned depth;
	const void *pc[DEPTH];
};

void ex_calls_follow(void)
{
	free(E->calls);
	E->calls = calloc(EX_MAX_THREADS, sizeof(*E->calls));
}

void ex_call_enter(const void *pc)
{
	if (!E->calls || E->cur < 0)
		return;
	struct ex_calls *c = &E->calls[E->cur];
	if (c->depth < DEPTH)
		c->pc[c->depth] = pc;
	c->depth++;
}

void ex_call_leave(void)
{
	if (E->calls && E->cur >= 0 && E->calls[E->cur].depth > 0)
		E->calls[E->cur].depth--;
}

void ex_calls_show(FILE *to, int thread)
{
	const struct ex_calls *c = E->calls ? &E->calls[thread] : NULL;
	for (unsigned i = 0; c && i < c->depth && i < DEPTH; i++)
		fprintf(to, "\t%p", c->pc[i]);
}

/* ---- names of global variables ---- */

/* Filled before the first state is saved, because the explorer saves and restores all globals. */
static struct {
	const Elf64_Sym *symbols;
	unsigned count;
	const char *names;
} table;

/** Maps the program's file, which stays mapped until the process exits. Returns null if that
 * fails. */
static const char *map_program(void)
{
	struct stat status;
	void *file = MAP_FAILED;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) == 0 && (size_t)status.st_size >= sizeof(Elf64_Ehdr))
		file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	return file == MAP_FAILED ? NULL : file;
}

void ex_symbols_load(void)
{
	const char *file = map_program();
	if (!file || memcmp(file, ELFMAG, SELFMAG) != 0 || file[EI_CLASS] != ELFCLASS64)
		return;
	const Elf64_Ehdr *header = (const void *)file;
	const Elf64_Shdr *sections = (const void *)(file + header->e_shoff);
	for (unsigned i = 0; i < header->e_shnum; i++) {
		if (sections[i].sh_type != SHT_SYMTAB)
			continue;
		table.symbols = (const void *)(file + sections[i].sh_offset);
		table.count = (unsigned)(sections[i].sh_size / sizeof(Elf64_Sym));
		table.names = file + sections[sections[i].sh_link].sh_offset;
	}
}

/** Returns variable number i of the symbol table, or null if symbol i is not a variable. */
static const Elf64_Sym *variable(unsigned i)
{
	const Elf64_Sym *s = &table.symbols[i];
	return ELF64_ST_TYPE(s->st_info) == STT_OBJECT && s->st_shndx != SHN_UNDEF ? s : NULL;
}

bool ex_symbol_at(uintptr_t addr, struct ex_symbol *found)
{
	for (unsigned i = 0; i < table.count; i++) {
		const Elf64_Sym *s = variable(i);
		if (!s || addr < s->st_value || addr - s->st_value >= s->st_size)
			continue;
		found->name = table.names + s->st_name;
		found->offset = addr - s->st_value;
		found->number = 0;
		for (unsigned k = 0; k < i; k++)
			if (variable(k) &&
			    strcmp(table.names + variable(k)->st_name, found->name) == 0)
				found->number++;
		return true;
	}
	return false;
}

uintptr_t ex_symbol_address(const struct ex_symbol *wanted)
{
	unsigned number = 0;
	for (unsigned i = 0; i < table.count; i++) {
		const Elf64_Sym *s = variable(i);
		if (s && strcmp(table.names + s->st_name, wanted->name) == 0 &&
		    number++ == wanted->number)
			return s->st_value + wanted->offset;
	}
	return 0;
}

/* ---- names that a scenario gives ---- */

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
