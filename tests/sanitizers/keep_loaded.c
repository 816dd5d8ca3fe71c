/*
 * SPDX-License-Identifier: MIT
 *
 * keep_loaded.c - keeps plug-ins loaded; linked into all programs of SAN=address. Leaks are
 * reported when a program exits, and lsan.supp cannot name the functions of a plug-in that has been
 * unloaded by then.
 */
int dlclose(void *handle);

/* The Makefile exports this function, so that it also receives calls from libraries. */
__attribute__((visibility("default"))) int dlclose(void *handle)
{
	(void)handle;
	return 0;
}
