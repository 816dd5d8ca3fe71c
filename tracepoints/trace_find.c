/*
 * SPDX-License-Identifier: MIT
 *
 * trace_find.c - see trace_find.h. Not compiled with TRACE=0.
 *
 * If DOZE_TRACEPOINTS is set, only that path is tried. Otherwise the provider is searched for, in
 * this order: beside the object that contains this code (libdoze, or a program that links it
 * statically); beside the executable; in its ../lib; in the library folder of the installation; in
 * the dynamic loader's path; at the path in DOZE_TRACEPOINTS_ALSO. A set-user-ID program ignores
 * these variables.
 */
#include "trace_find.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROVIDER    "libdoze-tracepoints.so"
#define WAIT_MS_MAX 60000ul
/* Least value of LTTNG_UST_REGISTER_TIMEOUT. LTTng uses the variable for two time limits. One is
 * for the registration: LTTng's constructor waits for it and holds glibc's loader lock meanwhile,
 * which calls for a short limit, in case the daemon hangs. The other one, never shorter than 10 ms,
 * is for each answer of the daemon about the program's events: a later answer ends the connection
 * for good, and the program is never traced. On a busy machine, answers take longer than 10 ms. */
#define REPLY_MS  200
#define TEXT(n)   QUOTED(n)
#define QUOTED(n) #n

static const char *env(const char *name)
{
	return secure_getenv(name);
}

bool doze_trace_env_off(void)
{
	const char *v = env("DOZE_TRACE");

	return v && strcmp(v, "0") == 0;
}

static bool parse_wait(const char *text, unsigned long *ms)
{
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	*ms = strtoul(text, &end, 10);
	return *end == '\0' && *ms <= WAIT_MS_MAX;
}

const char *doze_trace_env_wait_text(void)
{
	const char *text = env("DOZE_TRACE_WAIT_MS");
	unsigned long ms;

	return parse_wait(text, &ms) && ms > REPLY_MS ? text : TEXT(REPLY_MS);
}

unsigned doze_trace_env_wait_ms(void)
{
	static bool said; /* the message has been printed before */
	const char *text = env("DOZE_TRACE_WAIT_MS");
	unsigned long ms;

	if (parse_wait(text, &ms))
		return (unsigned)ms;
	if (text && !__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		fprintf(stderr,
			"doze: DOZE_TRACE_WAIT_MS=%s: not a number from 0 to %lu: not waiting\n",
			text, WAIT_MS_MAX);
	return 0;
}

/* RTLD_GLOBAL, because LTTng looks up the probes' symbols; RTLD_NODELETE, because LTTng's threads
 * run the provider's code. */
static void *load(const char *path)
{
	return dlopen(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
}

/* Loads the provider in the folder of `file`, if there is one. */
static void *load_beside(const char *file)
{
	char path[PATH_MAX];
	const char *slash = strrchr(file, '/');
	int n;

	if (!slash)
		return 0;
	n = snprintf(path, sizeof(path), "%.*s/" PROVIDER, (int)(slash - file), file);
	if (n < 0 || (size_t)n >= sizeof(path) || access(path, R_OK) != 0)
		return 0;
	return load(path);
}

/* Covers a build, which has all files in one directory, and an installation, which has bin/ and
 * lib/. */
static void *load_beside_executable(void)
{
	static const char lib[] = "/../lib/";
	char path[PATH_MAX + sizeof(lib)];
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
	void *handle;
	char *slash;

	if (n <= 0)
		return 0;
	path[n] = '\0';
	handle = load_beside(path);
	slash = strrchr(path, '/');
	if (handle || !slash)
		return handle;
	memcpy(slash, lib, sizeof(lib));
	return load_beside(path);
}

static void *load_from_usual_places(void)
{
	static const char anchor; /* its address is in the object that contains this code */
	void *handle = 0;
	Dl_info here;

	if (dladdr(&anchor, &here) && here.dli_fname)
		handle = load_beside(here.dli_fname);
	if (!handle)
		handle = load_beside_executable();
#ifdef DOZE_LIBDIR
	if (!handle)
		handle = load_beside(DOZE_LIBDIR "/");
#endif
	if (!handle)
		handle = load(PROVIDER);
	/* As a last resort, try the provider of the `doze` that traces this program, in case the
	 * program was linked statically and moved away from its provider. */
	if (!handle && env("DOZE_TRACEPOINTS_ALSO"))
		handle = load(env("DOZE_TRACEPOINTS_ALSO"));
	return handle;
}

void *doze_trace_find_provider(void)
{
	const char *wanted = env("DOZE_TRACEPOINTS");
	void *handle = wanted ? load(wanted) : load_from_usual_places();
	const char *why = handle ? 0 : dlerror();

	if (!handle && (wanted || doze_trace_env_wait_ms() > 0))
		fprintf(stderr,
			"doze: no trace: %s: is LTTng-UST installed? Set DOZE_TRACEPOINTS to the "
			"path of " PROVIDER "\n",
			why ? why : "the provider was not found");
	return handle;
}
