/*
 * SPDX-License-Identifier: MIT
 *
 * exec_calls.c - the functions that execute another program, interposed. If the recorded process
 * executes one, as env and shells do, that program is recorded, too: the preload puts itself back
 * into LD_PRELOAD, at the end, unless that program cannot take it. A child that was forked to
 * execute another program does so without the preload, or, with --follow, with it if it can take
 * it.
 */
#include <alloca.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "any.h"
#include "lib/trace_load.h"

#define EXPORT __attribute__((visibility("default")))
#if defined __x86_64__
#define MACHINE EM_X86_64
#else
#define MACHINE EM_AARCH64
#endif

/* ---- which programs can take the preload ---- */

/* Returns whether the file is dynamically linked against glibc of this machine; that of a script,
 * whether its interpreter is. */
static bool takes_preload(int file, int depth)
{
	char head[4096], loader[PATH_MAX];
	ssize_t size = file < 0 ? -1 : pread(file, head, sizeof head - 1, 0);
	const Elf64_Ehdr *elf = (const void *)head;
	bool takes = false;

	if (size > 2 && head[0] == '#' && head[1] == '!' && depth < 4) {
		head[size] = 0;
		char *name = head + 2 + strspn(head + 2, " \t");

		name[strcspn(name, " \t\n")] = 0;
		int interpreter = open(name, O_RDONLY | O_CLOEXEC);

		takes = takes_preload(interpreter, depth + 1);
		if (interpreter >= 0)
			(void)close(interpreter);
		return takes;
	}
	if (size < (ssize_t)sizeof *elf || memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0 ||
	    elf->e_ident[EI_CLASS] != ELFCLASS64 || elf->e_machine != MACHINE)
		return false;
	for (unsigned i = 0; i < elf->e_phnum; i++) {
		Elf64_Phdr part;

		if (pread(file, &part, sizeof part, (off_t)(elf->e_phoff + i * sizeof part)) !=
		    (ssize_t)sizeof part)
			return false;
		if (part.p_type != PT_INTERP || part.p_filesz >= sizeof loader)
			continue;
		size = pread(file, loader, part.p_filesz, (off_t)part.p_offset);
		loader[size > 0 ? size : 0] = 0;
		takes = size > 0 && !strstr(loader, "ld-musl");
	}
	return takes;
}

/* Opens the program that execvp would execute. */
static int open_in_path(const char *name)
{
	const char *list = getenv("PATH");
	char file[PATH_MAX];

	if (strchr(name, '/'))
		return open(name, O_RDONLY | O_CLOEXEC);
	for (list = list ? list : "/bin:/usr/bin"; *list; list += strspn(list, ":")) {
		size_t length = strcspn(list, ":");

		(void)snprintf(file, sizeof file, "%.*s/%s", (int)length, list, name);
		if (access(file, X_OK) == 0)
			return open(file, O_RDONLY | O_CLOEXEC);
		list += length;
	}
	return -1;
}

/* ---- the environment of the next program ---- */

static size_t length_of(char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

static const char name_of_list[] = "LD_PRELOAD=";
#define NAME_LENGTH (sizeof name_of_list - 1)

/* Writes the environment with the preload, or without it: `out` has room for two entries more than
 * `from`, and `entry` for the list. */
static void change_preload(char *const *from, bool with, char **out, char *entry, size_t room)
{
	const char *added = any_recording.preload;
	char before[PATH_MAX] = "";
	size_t n = 0;

	for (; from && *from; from++)
		if (strncmp(*from, name_of_list, NAME_LENGTH) == 0)
			(void)snprintf(before, sizeof before, "%s", *from + NAME_LENGTH);
		else
			out[n++] = *from;
	char *at = *added ? strstr(before, added) : NULL;
	if (at)
		(void)memmove(at - (at > before), at + strlen(added),
			      strlen(at + strlen(added)) + 1);
	(void)snprintf(entry, room, "%s%s%s%s", name_of_list, before, with && *before ? ":" : "",
		       with ? added : "");
	if (with || *before)
		out[n++] = entry;
	out[n] = NULL;
}

/* What to do about the preload in a program that is about to be executed. */
enum change { LEAVE, ADD, REMOVE };

/* Closes the file. The recorded process takes the preload along, and with --follow its children do,
 * unless the program cannot take it. */
static enum change change_for(int file)
{
	bool recorded = any_is_recorded();
	enum change change = LEAVE;

	if (recorded || any_recording.follows)
		change = takes_preload(file, 0) ? ADD : REMOVE;
	if (file >= 0)
		(void)close(file);
	return change;
}

/* What leave_program has done, for stay to undo. */
struct leaving {
	bool crews_ended, held;
};

/* If the recorded process becomes another program, its crews end here. */
static struct leaving leave_program(enum change change)
{
	struct leaving l = {false, false};
	int error;

	if (!any_is_recorded() || !atomic_load_explicit(&any_recording.on, memory_order_relaxed))
		return l;
	error = any_enter();
	if (change == ADD)
		any_crews_stop();
	l.crews_ended = change == ADD;
	l.held = doze_trace_hold();
	any_leave(error);
	return l;
}

/* The program was not executed after all. */
static void stay(struct leaving l)
{
	int error = any_enter();

	if (l.held)
		doze_trace_release();
	if (l.crews_ended)
		any_crews_go_on();
	any_leave(error);
}

/* A changed environment, on the stack of the function that declares it. */
#define ENVIRONMENT(envp, change)                                                                  \
	char **changed = alloca((length_of(envp) + 2) * sizeof *changed);                          \
	char entry[PATH_MAX * 4];                                                                  \
                                                                                                   \
	if ((change) != LEAVE) {                                                                   \
		change_preload(envp, (change) == ADD, changed, entry, sizeof entry);               \
		envp = changed;                                                                    \
	}

/* Searches the path if `file` has no slash, unless `exact`. */
static int execute(const char *file, char *const *argv, char *const *envp, bool exact)
{
	int (*real)(const char *, char *const *, char *const *);
	enum change change =
	    change_for(exact ? open(file, O_RDONLY | O_CLOEXEC) : open_in_path(file));
	struct leaving left = leave_program(change);
	int result;

	ENVIRONMENT(envp, change)
	*(void **)(void *)&real = dlsym(RTLD_NEXT, exact ? "execve" : "execvpe");
	result = real(file, argv, envp);
	stay(left);
	return result;
}

EXPORT int execve(const char *file, char *const *argv, char *const *envp)
{
	return execute(file, argv, envp, true);
}

EXPORT int execv(const char *file, char *const *argv)
{
	return execute(file, argv, environ, true);
}

EXPORT int execvp(const char *file, char *const *argv)
{
	return execute(file, argv, environ, false);
}

EXPORT int execvpe(const char *file, char *const *argv, char *const *envp)
{
	return execute(file, argv, envp, false);
}

EXPORT int fexecve(int file, char *const *argv, char *const *envp)
{
	int (*real)(int, char *const *, char *const *);
	enum change change = change_for(fcntl(file, F_DUPFD_CLOEXEC, 0));
	struct leaving left = leave_program(change);
	int result;

	ENVIRONMENT(envp, change)
	*(void **)(void *)&real = dlsym(RTLD_NEXT, "fexecve");
	result = real(file, argv, envp);
	stay(left);
	return result;
}

/* The new process is not this one, so only --follow matters. */
static int spawn(const char *name, pid_t *pid, const char *file,
		 const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
		 char *const *argv, char *const *envp)
{
	__typeof__(&posix_spawn) real;
	bool exact = strcmp(name, "posix_spawn") == 0;
	enum change change = LEAVE;

	if (any_recording.follows)
		change = change_for(exact ? open(file, O_RDONLY | O_CLOEXEC) : open_in_path(file));
	ENVIRONMENT(envp, change)
	*(void **)(void *)&real = dlsym(RTLD_NEXT, name);
	return real(pid, file, actions, attr, argv, envp);
}

EXPORT int posix_spawn(pid_t *restrict pid, const char *restrict file,
		       const posix_spawn_file_actions_t *restrict actions,
		       const posix_spawnattr_t *restrict attr, char *const *restrict argv,
		       char *const *restrict envp)
{
	return spawn("posix_spawn", pid, file, actions, attr, argv, envp);
}

EXPORT int posix_spawnp(pid_t *restrict pid, const char *restrict file,
			const posix_spawn_file_actions_t *restrict actions,
			const posix_spawnattr_t *restrict attr, char *const *restrict argv,
			char *const *restrict envp)
{
	return spawn("posix_spawnp", pid, file, actions, attr, argv, envp);
}

/* Copies the arguments of execl and its kin, the first of which is `arg`, and makes the call. */
#define EXECUTE_LIST(file, arg, exact, environment)                                                \
	va_list list;                                                                              \
	size_t n = 1;                                                                              \
                                                                                                   \
	va_start(list, arg);                                                                       \
	while (va_arg(list, char *))                                                               \
		n++;                                                                               \
	va_end(list);                                                                              \
	char **argv = alloca((n + 1) * sizeof *argv);                                              \
	argv[0] = (char *)(uintptr_t)arg;                                                          \
	va_start(list, arg);                                                                       \
	for (size_t i = 1; i <= n; i++)                                                            \
		argv[i] = va_arg(list, char *);                                                    \
	char *const *envp = environment;                                                           \
	va_end(list);                                                                              \
	return execute(file, argv, envp, exact)

EXPORT int execl(const char *file, const char *arg, ...)
{
	EXECUTE_LIST(file, arg, true, environ);
}

EXPORT int execlp(const char *file, const char *arg, ...)
{
	EXECUTE_LIST(file, arg, false, environ);
}

EXPORT int execle(const char *file, const char *arg, ...)
{
	EXECUTE_LIST(file, arg, true, va_arg(list, char *const *));
}
