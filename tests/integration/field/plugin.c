/*
 * SPDX-License-Identifier: MIT
 *
 * plugin.c - a program, and a shared object whose constructor creates a pool and runs jobs: libdoze
 * then runs while glibc's loader holds its lock. Compiled twice, as the object with -DPLUGIN.
 */
#include <dlfcn.h>
#include <stdio.h>

#ifdef PLUGIN
#include <time.h>
#include <unistd.h>

#include "lib/doze.h"

static doze_pool *pool;

static void nothing(size_t begin, size_t end, void *arg)
{
	(void)begin;
	(void)end;
	(void)arg;
}

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((constructor)) static void init(void)
{
	double begun = now();

	if (doze_pool_create(&pool, NULL))
		return;
	printf("created in %.3f s\n", now() - begun);
	doze_for(pool, 0, 100, 1, nothing, NULL);
}

__attribute__((destructor)) static void fini(void)
{
	doze_pool_free(pool);
}

__attribute__((visibility("default"))) void more(void);

void more(void)
{
	for (int i = 0; i < 40; i++) {
		doze_for(pool, 0, 100, 1, nothing, NULL);
		(void)usleep(10000);
	}
}

#else

int main(int argc, char **argv)
{
	void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	void (*more)(void);

	if (!plugin) {
		fprintf(stderr, "plugin: %s\n", argc > 1 ? dlerror() : "no argument");
		return 2;
	}
	*(void **)(void *)&more = dlsym(plugin, "more");
	more();
	(void)dlclose(plugin);
	return 0;
}
#endif
