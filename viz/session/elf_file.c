/*
 * SPDX-License-Identifier: MIT
 *
 * elf_file.c - see elf_file.h. libelf checks the bounds of the tables; strings are read with pread,
 * which stops at the end of the file.
 */
#include "elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static void read_string(int file, uint64_t at, char *out, size_t size)
{
	ssize_t n = pread(file, out, size - 1, (off_t)at);

	out[n > 0 ? n : 0] = 0;
}

/* Returns the offset in the file of an address in the program, or 0. */
static uint64_t offset_of(Elf *elf, uint64_t address)
{
	size_t count = 0;
	GElf_Phdr p;

	(void)elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_LOAD && address >= p.p_vaddr &&
		    address - p.p_vaddr < p.p_filesz)
			return address - p.p_vaddr + p.p_offset;
	return 0;
}

/* GCC's library, then Clang's (clang -shared-libasan). */
static bool is_address_san(const char *library)
{
	return strstr(library, "libasan.so") || strstr(library, "libclang_rt.asan");
}

/* Looks for AddressSanitizer among the libraries that the dynamic section names. */
static void read_needed(int file, Elf *elf, const GElf_Phdr *p, struct session_elf *out)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)p->p_offset, p->p_filesz, ELF_T_DYN);
	uint64_t strings = 0;
	GElf_Dyn d;

	for (int i = 0; data && gelf_getdyn(data, i, &d) && d.d_tag != DT_NULL; i++)
		if (d.d_tag == DT_STRTAB)
			strings = offset_of(elf, d.d_un.d_ptr);
	for (int i = 0; strings && gelf_getdyn(data, i, &d) && d.d_tag != DT_NULL; i++) {
		if (d.d_tag != DT_NEEDED)
			continue;
		read_string(file, strings + d.d_un.d_val, out->address_san,
			    sizeof(out->address_san));
		if (is_address_san(out->address_san))
			return;
	}
	out->address_san[0] = 0;
}

static void read_segments(int file, Elf *elf, struct session_elf *out)
{
	size_t count = 0;
	GElf_Phdr p;

	(void)elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &p))
			continue;
		if (p.p_type == PT_INTERP)
			read_string(file, p.p_offset, out->interpreter, sizeof(out->interpreter));
		if (p.p_type == PT_DYNAMIC)
			read_needed(file, elf, &p, out);
	}
}

static bool read_header(const char *path, int *file, Elf **elf, GElf_Ehdr *header)
{
	(void)elf_version(EV_CURRENT);
	*file = open(path, O_RDONLY | O_CLOEXEC);
	*elf = *file < 0 ? NULL : elf_begin(*file, ELF_C_READ, NULL);
	return *elf && elf_kind(*elf) == ELF_K_ELF && gelf_getehdr(*elf, header);
}

static void close_both(int file, Elf *elf)
{
	(void)elf_end(elf); /* accepts null */
	if (file >= 0)
		(void)close(file);
}

static bool is_like_doze(const GElf_Ehdr *header)
{
	GElf_Ehdr own;
	Elf *elf;
	int file;
	bool same = read_header("/proc/self/exe", &file, &elf, &own) &&
		    own.e_machine == header->e_machine &&
		    own.e_ident[EI_CLASS] == header->e_ident[EI_CLASS] &&
		    own.e_ident[EI_DATA] == header->e_ident[EI_DATA];

	close_both(file, elf);
	return same;
}

int session_elf_read(const char *path, struct session_elf *out)
{
	GElf_Ehdr header;
	Elf *elf;
	int file, error = 0;

	*out = (struct session_elf){0};
	if (read_header(path, &file, &elf, &header)) {
		out->elf = true;
		out->same_machine = is_like_doze(&header);
		out->narrow = header.e_ident[EI_CLASS] == ELFCLASS32;
		read_segments(file, elf, out);
	} else if (file < 0) {
		error = errno;
	}
	close_both(file, elf);
	return error;
}

bool session_elf_is_musl(const struct session_elf *e)
{
	return strstr(e->interpreter, "ld-musl") != NULL;
}
