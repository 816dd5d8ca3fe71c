/*
 * SPDX-License-Identifier: MIT
 *
 * elf_file.h - reads in an executable what decides whether the dynamic loader preloads libraries
 * into it.
 */
#ifndef DOZE_VIZ_SESSION_ELF_FILE_H
#define DOZE_VIZ_SESSION_ELF_FILE_H

#include <stdbool.h>

struct session_elf {
	bool elf;              /* false: not an ELF file; the other members are then not set */
	bool same_machine;     /* has the architecture and word size of doze itself */
	bool narrow;           /* a 32-bit program */
	char interpreter[256]; /* path of the dynamic loader; "": statically linked */
	char address_san[128]; /* AddressSanitizer's shared library, if it is needed; or "" */
};

/** Reads the headers and the dynamic section of a file, which may be damaged. Returns 0, or an
 * errno value if the file cannot be opened. */
int session_elf_read(const char *path, struct session_elf *);

/** Returns whether the dynamic loader is musl's, which cannot load libraries built for glibc. */
bool session_elf_is_musl(const struct session_elf *);

#endif
