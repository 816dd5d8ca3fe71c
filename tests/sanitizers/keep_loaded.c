/*
 * SPDX-License-Identifier: MIT
 *
 * keep_loaded.c - part of all programs of SAN=address. Leaks are looked for when a program ends,
 * and a plug-in that is gone by then has no name that lsan.supp could tell from ours. So plug-ins
 * stay.
 */
int dlclose(void *handle);

/* The Makefile exports it, so that libraries call it, too. */
__attribute__((visibility("default"))) int dlclose(void *handle)
{
	(void)handle;
	return 0;
}
