/* SPDX-License-Identifier: MIT
 *
 * host.c - a program with a second thread that does not use libdoze. It repeatedly loads a plug-in,
 * uses it and unloads it. argv[1] is the plug-in. With argv[2] "w", the program waits each time for
 * the snapshot thread, which exists if the provider can be loaded.
 */
#include "corner_cases.h"

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

static int maps_have(const char *word)
{
	char line[4096];
	int found = 0;
	FILE *f = fopen("/proc/self/maps", "r");
	while (f != NULL && !found && fgets(line, sizeof line, f) != NULL)
		found = strstr(line, word) != NULL;
	if (f != NULL)
		(void)fclose(f);
	return found;
}

/* Returns the number of threads named doze-trace, and stores in *blocked the signals that all of
 * them block. */
static int tracer_threads(uint64_t *blocked)
{
	int n = 0;
	DIR *tasks = opendir("/proc/self/task");
	*blocked = 0;
	for (struct dirent *task; tasks != NULL && (task = readdir(tasks)) != NULL;) {
		char path[300], line[256];
		int tracer = 0;
		(void)snprintf(path, sizeof path, "/proc/self/task/%s/status", task->d_name);
		FILE *f = fopen(path, "r");
		while (f != NULL && fgets(line, sizeof line, f) != NULL) {
			if (strcmp(line, "Name:\tdoze-trace\n") == 0)
				tracer = 1;
			if (tracer && strncmp(line, "SigBlk:", 7) == 0)
				*blocked |= strtoull(line + 7, NULL, 16);
		}
		if (f != NULL)
			(void)fclose(f);
		n += tracer;
	}
	if (tasks != NULL)
		(void)closedir(tasks);
	return n;
}

static int blocks_crashes(uint64_t blocked)
{
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
	for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
		if (blocked >> (crashes[i] - 1) & 1)
			return 1;
	return 0;
}

static void *idle(void *arg)
{
	for (;;)
		corner_pause();
	return arg;
}

/* Runs one round. If the plug-in's pools start and end while the provider is being loaded, the
 * plug-in stays loaded. Once the provider is loaded, the plug-in must be unloaded. */
static int one_round(const char *path, int waits)
{
	uint64_t blocked;
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*use)(void);
	if (plugin == NULL)
		return corner_verdict(0, dlerror());
	*(void **)(void *)&use = dlsym(plugin, "use");
	if (use() != 1)
		return corner_verdict(0, "the plug-in does not work");
	bool seen = !waits;
	for (int i = 0; !seen && i < 5000; i++) {
		/* A thread blocks all signals for a moment while it starts. */
		seen = tracer_threads(&blocked) == 1 && !blocks_crashes(blocked);
		corner_pause();
	}
	if (!seen)
		return corner_verdict(0, "there is no tracer thread, or it blocks crash signals");
	if (waits && use() != 1)
		return corner_verdict(0, "the plug-in no longer works");
	(void)dlclose(plugin);
	return corner_verdict(!waits || !maps_have("corner-plugin"), "the plug-in is not unloaded");
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int wrong = argc < 2;
	if (pthread_create(&thread, NULL, idle, NULL) != 0)
		return 2;
	for (int i = 0; i < 20 && !wrong; i++)
		wrong = one_round(argv[1], argc > 2);
	if (getenv("LTTNG_UST_REGISTER_TIMEOUT") != NULL)
		wrong |= corner_verdict(0, "the environment was changed under a running thread");
	return wrong;
}
