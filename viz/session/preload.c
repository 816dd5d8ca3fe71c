/*
 * SPDX-License-Identifier: MIT
 *
 * preload.c - see preload.h.
 */
#include "preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "files.h"

/*
 * ---- Reads in an executable what decides whether the dynamic loader preloads libraries into it.
 * libelf checks the bounds of the tables; strings are read with pread,
 * which stops at the end of the file.
 */

struct session_elf {
	bool elf;              /* false: not an ELF file; the other members are then not set */
	bool same_machine;     /* has the architecture and word size of doze itself */
	bool narrow;           /* a 32-bit program */
	char interpreter[256]; /* path of the dynamic loader; "": statically linked */
	char address_san[128]; /* AddressSanitizer's shared library, if it is needed; or "" */
};

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
		/* GCC's library, then Clang's (clang -shared-libasan) */
		if (strstr(out->address_san, "libasan.so") ||
		    strstr(out->address_san, "libclang_rt.asan"))
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
	doze_close(&file);
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

/* Reads the headers and the dynamic section of a file, which may be damaged. Returns 0, or an
 * errno value if the file cannot be opened. */
static int session_elf_read(const char *path, struct session_elf *out)
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

/* Returns whether the dynamic loader is musl's, which cannot load libraries built for glibc. */
static bool session_elf_is_musl(const struct session_elf *e)
{
	return strstr(e->interpreter, "ld-musl") != NULL;
}

/* ---- Recording a program that does not use libdoze (--any) ---- */

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

	doze_close(&file);
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

/* Finds the file that the kernel will execute for a program: its executable or, for a script, the
 * executable that interprets it. Returns 0, or an errno value. */
static int session_any_executable(const char *program, char *path, size_t size)
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
	char pid[16], library[PATH_MAX] = "", added[2 * PATH_MAX] = "", list[4 * PATH_MAX] = "";
	bool wrap = !(given && strstr(given, FD_WRAPPER)) && takes_wrapper(program, any) &&
		    dlopen(FD_WRAPPER, RTLD_LAZY);

	if (given)
		(void)setenv("LD_PRELOAD", given, 1);
	(void)unsetenv(GIVEN);
	any = any && doze_file_find(SESSION_ANY_LIBRARY, library, sizeof(library));
	if (!wrap && !any)
		return;
	append(added, sizeof(added), wrap ? FD_WRAPPER : "");
	append(added, sizeof(added), library);
	append(list, sizeof(list), given ? given : "");
	append(list, sizeof(list), added);
	(void)setenv("LD_PRELOAD", list, 1);
	if (any) {
		/* which process the library records: this one, or all that load the library */
		(void)snprintf(pid, sizeof(pid), "%d", (int)getpid());
		(void)setenv("DOZE_ANY", follow ? "follow" : pid, 1);
		/* the library takes this out again, for the programs that this one starts */
		(void)setenv("DOZE_ANY_PRELOAD", added, 1);
	}
	allow_sanitizer();
}
