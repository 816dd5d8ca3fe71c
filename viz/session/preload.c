/*
 * SPDX-License-Identifier: MIT
 *
 * preload.c - see preload.h.
 */
#include "preload.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"

/* Holds the LD_PRELOAD that doze was started with, after doze has executed itself without it. */
#define GIVEN      "DOZE_GIVEN_PRELOAD"
#define WRAPPERS   "liblttng-ust"
#define FD_WRAPPER "liblttng-ust-fd.so.1"

const char *doze_preload_given(void)
{
	const char *given = getenv(GIVEN);

	return given ? given : getenv("LD_PRELOAD");
}

/* Copies the entries of LD_PRELOAD that are not LTTng's. They are separated by colons or blanks. */
static void without_wrappers(const char *list, char *out, size_t size)
{
	size_t n = 0;

	out[0] = 0;
	while (*list) {
		size_t length = strcspn(list, ": ");
		bool ours = memmem(list, length, WRAPPERS, strlen(WRAPPERS)) != NULL;

		if (length && !ours && n + length + 2 < size)
			n += (size_t)snprintf(out + n, size - n, "%s%.*s", n ? ":" : "",
					      (int)length, list);
		list += length;
		list += strspn(list, ": ");
	}
}

void doze_preload_leave(char **argv)
{
	const char *preload = getenv("LD_PRELOAD");
	char rest[4096];

	if (!preload || !strstr(preload, WRAPPERS) || getenv(GIVEN))
		return;
	without_wrappers(preload, rest, sizeof(rest));
	(void)setenv(GIVEN, preload, 1);
	if (*rest)
		(void)setenv("LD_PRELOAD", rest, 1);
	else
		(void)unsetenv("LD_PRELOAD");
	(void)execv("/proc/self/exe", argv);
	/* LD_PRELOAD has done its work in this process; only the program needs it. */
}

/* Returns whether the file is a program that takes preloaded libraries of this machine's format,
 * and does not use AddressSanitizer's library. */
static bool takes_wrapper(const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool takes = false;
	const Elf64_Ehdr *elf = MAP_FAILED;
	size_t size = 0;

	if (file >= 0 && fstat(file, &st) == 0 && st.st_size > (off_t)sizeof(*elf)) {
		size = (size_t)st.st_size;
		elf = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
	}
	if (elf != MAP_FAILED) {
		takes = memcmp(elf->e_ident, ELFMAG, SELFMAG) == 0 &&
			elf->e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
			!memmem(elf, size, "libasan.so", strlen("libasan.so"));
		(void)munmap((void *)(uintptr_t)elf, size);
	}
	if (file >= 0)
		(void)close(file);
	return takes;
}

/* The program may execute another one, which uses AddressSanitizer: turns off that check. */
static void allow_sanitizer(void)
{
	const char *before = getenv("ASAN_OPTIONS");
	char options[4096];

	(void)snprintf(options, sizeof(options), "verify_asan_link_order=0%s%s", before ? ":" : "",
		       before ? before : "");
	(void)setenv("ASAN_OPTIONS", options, 1);
}

void session_preload(const char *program)
{
	const char *given = doze_preload_given();
	char path[PATH_MAX], list[8192];

	if (given)
		(void)setenv("LD_PRELOAD", given, 1);
	(void)unsetenv(GIVEN);
	if ((given && strstr(given, FD_WRAPPER)) ||
	    doze_find_program(program, path, sizeof(path)) || !takes_wrapper(path) ||
	    !dlopen(FD_WRAPPER, RTLD_LAZY))
		return;
	(void)snprintf(list, sizeof(list), "%s%s%s", given ? given : "", given ? ":" : "",
		       FD_WRAPPER);
	(void)setenv("LD_PRELOAD", list, 1);
	allow_sanitizer();
}
