/*
 * SPDX-License-Identifier: MIT
 *
 * preload.c - see preload.h.
 */
#include "preload.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "any.h"
#include "elf_file.h"
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

/* Returns whether the file is doze, which runs without the wrappers: see doze_preload_leave. */
static bool is_doze(const char *path)
{
	struct stat own, other;

	return !stat("/proc/self/exe", &own) && !stat(path, &other) && own.st_dev == other.st_dev &&
	       own.st_ino == other.st_ino;
}

/* Returns whether the program is one of this machine's glibc programs other than doze, and does not
 * use AddressSanitizer's library. */
static bool takes_wrapper(const char *program, bool any)
{
	char path[PATH_MAX];
	struct session_elf e;
	int error = any ? session_any_executable(program, path, sizeof(path))
			: doze_find_program(program, path, sizeof(path));

	return !error && !is_doze(path) && !session_elf_read(path, &e) && e.elf && e.same_machine &&
	       !session_elf_is_musl(&e) && !e.address_san[0];
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

/* Appends an entry to the value of LD_PRELOAD. */
static void append(char *list, size_t size, const char *entry)
{
	size_t n = strlen(list);

	(void)snprintf(list + n, size - n, "%s%s", n && *entry ? ":" : "", entry);
}

void session_preload(const char *program, bool any, bool follow)
{
	const char *given = doze_preload_given();
	char library[PATH_MAX] = "", added[2 * PATH_MAX] = "", list[4 * PATH_MAX] = "";
	bool wrap = !(given && strstr(given, FD_WRAPPER)) && takes_wrapper(program, any) &&
		    dlopen(FD_WRAPPER, RTLD_LAZY);

	if (given)
		(void)setenv("LD_PRELOAD", given, 1);
	(void)unsetenv(GIVEN);
	any = any && session_any_environment(follow, library, sizeof(library));
	if (!wrap && !any)
		return;
	append(added, sizeof(added), wrap ? FD_WRAPPER : "");
	append(added, sizeof(added), library);
	append(list, sizeof(list), given ? given : "");
	append(list, sizeof(list), added);
	(void)setenv("LD_PRELOAD", list, 1);
	if (any) /* the library takes this out again, for the programs that this one starts */
		(void)setenv("DOZE_ANY_PRELOAD", added, 1);
	allow_sanitizer();
}
