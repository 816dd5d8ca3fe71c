/*
 * SPDX-License-Identifier: MIT
 *
 * symbols.c - the names of global variables, from the program's own symbol table (ELF, section
 * .symtab). A name stays valid when the explorer or a scenario gets another variable; an address
 * does not. A program without a symbol table (stripped) has no names.
 */
#include "symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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
