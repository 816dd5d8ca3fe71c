/*
 * SPDX-License-Identifier: MIT
 *
 * any.c - see any.h.
 */
#include "any.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "elf_file.h"
#include "files.h"
#include "preload.h"

#define SCRIPTS_MAX 5 /* the kernel allows as many interpreters that are scripts themselves */

/* ---- which file is executed ---- */

/* Replaces the path of a script by that of its interpreter, as the kernel does: the first word
 * after
 * "#!". A text without that line is run by execvp with /bin/sh. Returns false if the file is not a
 * script. */
static bool interpreter_of(char *path, size_t size)
{
	char line[256];
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = file < 0 ? 0 : read(file, line, sizeof(line) - 1);

	if (file >= 0)
		(void)close(file);
	line[n > 0 ? n : 0] = 0;
	if (n <= 0 || strncmp(line, "\177ELF", 4) == 0)
		return false;
	if (strncmp(line, "#!", 2) != 0) {
		(void)snprintf(path, size, "/bin/sh");
		return true;
	}
	char *word = line + 2 + strspn(line + 2, " \t");
	word[strcspn(word, " \t\r\n")] = 0;
	(void)snprintf(path, size, "%s", word);
	return true;
}

int session_any_executable(const char *program, char *path, size_t size)
{
	int error = doze_find_program(program, path, size);

	for (int i = 0; !error && i < SCRIPTS_MAX && interpreter_of(path, size); i++)
		error = access(path, X_OK) ? errno : 0;
	return error;
}

/* ---- programs that cannot be recorded ---- */

/* Returns whether executing the file gives the process other privileges, or null. In such a
 * process, the loader ignores LD_PRELOAD. */
static const char *privilege_of(const char *path)
{
	struct statvfs fs;
	struct stat st;

	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) > 0 ||
	    (statvfs(path, &fs) == 0 && fs.f_flag & ST_NOSUID) || stat(path, &st))
		return NULL;
	if (st.st_mode & S_ISUID && st.st_uid != getuid())
		return "the set-user-ID bit";
	if (st.st_mode & S_ISGID && st.st_mode & S_IXGRP && st.st_gid != getgid())
		return "the set-group-ID bit";
	if (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0)
		return "file capabilities";
	return NULL;
}

static bool is_preloaded_first(const char *library)
{
	const char *list = doze_preload_given();
	char first[PATH_MAX];

	if (!list)
		return false;
	list += strspn(list, ": ");
	(void)snprintf(first, sizeof(first), "%.*s", (int)strcspn(list, ": "), list);
	return strstr(first, library) != NULL;
}

/* Writes why the executable cannot be recorded and returns -1, or returns 0. */
static int check_executable(const char *program, const char *path, char *err, size_t size)
{
	const char *privilege = privilege_of(path);
	struct session_elf e;

	err[0] = 0;
	if (session_elf_read(path, &e) || !e.elf)
		return 0; /* executing the file will fail, and the error will be reported */
	if (!e.same_machine)
		(void)snprintf(err, size,
			       "%s: built for another machine%s: --any records only programs "
			       "built for the machine of doze",
			       path, e.narrow ? " (32 bits)" : "");
	else if (!e.interpreter[0])
		(void)snprintf(err, size,
			       "%s: statically linked, so --any cannot load its library into it: "
			       "link it dynamically",
			       path);
	else if (session_elf_is_musl(&e))
		(void)snprintf(err, size,
			       "%s: built for musl (%s), which cannot load the library of --any: "
			       "build it for glibc",
			       path, e.interpreter);
	else if (privilege)
		(void)snprintf(err, size,
			       "%s: has %s, so the loader ignores the library of --any: record a "
			       "copy, which 'cp' makes without it",
			       path, privilege);
	else if (e.address_san[0] && !is_preloaded_first(e.address_san))
		(void)snprintf(err, size,
			       "%s: AddressSanitizer must be loaded before the library of --any: "
			       "give the program as '--any -- env LD_PRELOAD=%s %s'",
			       path, e.address_san, program);
	return err[0] ? -1 : 0;
}

static int check_library(char *err, size_t size)
{
	char library[PATH_MAX];

	err[0] = 0;
	if (!doze_file_find(SESSION_ANY_LIBRARY, library, sizeof(library)))
		(void)snprintf(err, size,
			       SESSION_ANY_LIBRARY
			       ": not found in the folder of doze or in ../lib, "
			       "but --any needs it: try 'doze doctor'");
	else if (strpbrk(library, ": "))
		(void)snprintf(err, size,
			       "%s: LD_PRELOAD cannot contain this path: install doze in a folder "
			       "without a blank or colon in its name",
			       library);
	return err[0] ? -1 : 0;
}

int session_any_check(const char *program, char *err, size_t size)
{
	char path[PATH_MAX];
	int error = session_any_executable(program, path, sizeof(path));

	if (error) {
		(void)snprintf(err, size,
			       "cannot start %s: %s: %s: check the first line of the script",
			       program, path, strerror(error));
		return -1;
	}
	if (check_executable(program, path, err, size))
		return -1;
	return check_library(err, size);
}

/* ---- the environment of the program ---- */

bool session_any_environment(bool follow, char *library, size_t size)
{
	char pid[16];

	if (!doze_file_find(SESSION_ANY_LIBRARY, library, size))
		return false;
	(void)snprintf(pid, sizeof(pid), "%d", (int)getpid());
	(void)setenv("DOZE_ANY", follow ? "follow" : pid, 1);
	return true;
}
