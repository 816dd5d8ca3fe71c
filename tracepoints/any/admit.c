/*
 * SPDX-License-Identifier: MIT
 *
 * admit.c - which process is recorded, from when to when.
 *
 * `doze record --any` names the process in DOZE_ANY. When the preload's constructor runs in it, the
 * preload takes itself out of LD_PRELOAD at once, so that the programs that this one starts run
 * without it: they may use another C library, whose loader would die. If the process executes
 * another program, exec_calls.c puts it back. With DOZE_ANY=follow it stays, and all processes are
 * recorded.
 *
 * The provider is loaded just before the program's own constructors and main, by a thread of its
 * own (trace_load.c). A constructor cannot do it: the thread that runs it holds the loader's lock.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "any.h"
#include "lib/trace_load.h"
#include "real.h"

#define EXPORT __attribute__((visibility("default")))
/* Crews have numbers above it if the program also contains libdoze, whose pools count from 1. */
#define BESIDE_LIBDOZE 1000

/* ---- before main ---- */

/* Looks for the note of lib/create.c in an object's notes, which have the same layout. */
static int has_libdoze(struct dl_phdr_info *object, size_t size, void *none)
{
	(void)size, (void)none;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		const char *at = (const char *)(uintptr_t)(object->dlpi_addr + part->p_vaddr);
		const char *end = at + part->p_memsz;

		while (part->p_type == PT_NOTE && (size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
			const ElfW(Nhdr) *note = (const void *)at;

			if (note->n_namesz == sizeof "doze" &&
			    memcmp(note + 1, "doze", sizeof "doze") == 0)
				return 1;
			at += sizeof *note + ((note->n_namesz + 3) & ~3u) +
			      ((note->n_descsz + 3) & ~3u);
		}
	}
	return 0;
}

/* Takes what doze added out of LD_PRELOAD, in place: other threads do not exist yet, and the
 * program's own pointer to the environment is to the same strings. */
static void leave_preload(void)
{
	char *list = getenv("LD_PRELOAD");
	char *at = list && *any_recording.preload ? strstr(list, any_recording.preload) : NULL;
	size_t length = strlen(any_recording.preload);

	if (!at)
		return;
	if (at > list && (at[-1] == ':' || at[-1] == ' '))
		at--, length++;
	memmove(at, at + length, strlen(at + length) + 1);
	if (!*list)
		(void)unsetenv("LD_PRELOAD");
}

static void read_environment(void)
{
	const char *who = secure_getenv("DOZE_ANY"), *self = secure_getenv("DOZE_ANY_PRELOAD");

	if (!who || !self)
		return;
	any_recording.follows = strcmp(who, "follow") == 0;
	any_recording.pid = getpid();
	if (!any_recording.follows && strtol(who, NULL, 10) != any_recording.pid)
		any_recording.pid = 0;
	(void)snprintf(any_recording.preload, sizeof any_recording.preload, "%s", self);
	if (!any_recording.follows)
		leave_preload();
}

__attribute__((constructor)) static void prepare(void)
{
	any_real_find();
	read_environment();
	any_jitter_start();
	any_budget_start();
	if (any_recording.pid &&
	    !any_crews_start(dl_iterate_phdr(has_libdoze, NULL) ? BESIDE_LIBDOZE : 0))
		any_recording.pid = 0;
}

/* ---- fork ---- */

static void before_fork(void)
{
	any_me.busy++; /* LTTng creates threads in its own handlers */
}

static void after_fork_parent(void)
{
	any_me.busy--;
}

/* Only this thread exists here. Its events would be those of another process. */
static void after_fork_child(void)
{
	bool was_on = atomic_exchange_explicit(&any_recording.on, false, memory_order_relaxed);

	any_waits_reset();
	any_crews_reset();
	any_sites_reset();
	if (was_on && any_recording.follows) {
		any_recording.pid = getpid();
		doze_trace_boot();
		atomic_store_explicit(&any_recording.on, true, memory_order_relaxed);
		any_thread_begins(NULL, false);
	}
	any_me.busy--;
}

/* ---- from main to exit ---- */

static void boot(void)
{
	any_me.busy++;
	doze_trace_boot();
	any_provider_read_limits();
	/* ThreadSanitizer's allocator cannot be called before the sanitizer knows the thread. */
	if (!dlsym(RTLD_DEFAULT, "__tsan_init"))
		*(void **)(void *)&any_recording.init_thread =
		    dlsym(RTLD_DEFAULT, "lttng_ust_init_thread");
	/* After trace_load.c's handlers, so that these enclose them. */
	(void)pthread_atfork(before_fork, after_fork_parent, after_fork_child);
	atomic_store_explicit(&any_recording.on, true, memory_order_relaxed);
	any_thread_begins(NULL, false);
	(void)any_in_crew();
	any_me.busy--;
}

static void finish(void)
{
	if (!any_is_recorded() ||
	    !atomic_exchange_explicit(&any_recording.on, false, memory_order_relaxed))
		return;
	any_me.busy++;
	any_crews_stop();
	any_me.busy--;
}

static int (*program_main)(int, char **, char **);

/* The handler is registered here because handlers run in reverse order: after those of the program,
 * and before the loader's, which ends LTTng. A destructor of this object would run after that. */
static int main_of_program(int argc, char **argv, char **envp)
{
	(void)atexit(finish);
	return program_main(argc, argv, envp);
}

EXPORT int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv,
			     void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
			     void *stack_end);
EXPORT int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv,
			     void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
			     void *stack_end)
{
	__typeof__(&__libc_start_main) real;

	*(void **)(void *)&real = dlsym(RTLD_NEXT, "__libc_start_main");
	if (any_recording.pid) {
		boot();
		program_main = program;
		program = main_of_program;
	}
	return real(program, argc, argv, init, fini, rtld_fini, stack_end);
}

/* A process that ends without its destructors. A child of vfork shares the parent's memory, but has
 * another number. */
EXPORT _Noreturn void _exit(int status)
{
	finish();
	if (any_is_recorded()) {
		any_me.busy++;
		(void)doze_trace_hold();
	}
	(void)any_kernel(SYS_exit_group, status, 0, 0, 0);
	__builtin_trap();
}

EXPORT _Noreturn void _Exit(int status)
{
	_exit(status);
}
