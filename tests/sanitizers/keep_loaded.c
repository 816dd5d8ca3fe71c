/*
 * SPDX-License-Identifier: MIT
 *
 * keep_loaded.c - linked into all programs of SAN=address: keeps plug-ins loaded. Leaks are
 * reported when a program exits, and lsan.supp cannot name the functions of a plug-in that was
 * unloaded before.
 */
int dlclose(void *handle);

/* The Makefile exports this function, so that libraries call it, too. */
__attribute__((visibility("default"))) int dlclose(void *handle)
{
	(void)handle;
	return 0;
}
