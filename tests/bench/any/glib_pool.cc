/*
 * SPDX-License-Identifier: MIT
 *
 * glib_pool.cc - GLib's thread pool: N short calls, pushed one by one.
 */
#include <glib.h>
#include <stdlib.h>

static void work(gpointer item, gpointer none)
{
	(void)item, (void)none;
	for (volatile int i = 0; i < 100000; i = i + 1)
		continue;
}

int main(int argc, char **argv)
{
	GThreadPool *pool = g_thread_pool_new(work, NULL, 4, TRUE, NULL);

	for (long i = 1; i <= (argc > 1 ? atol(argv[1]) : 1); i++) {
		g_thread_pool_push(pool, GINT_TO_POINTER(i), NULL);
		if (i % 8 == 0)
			g_usleep(500);
	}
	g_thread_pool_free(pool, FALSE, TRUE);
	return 0;
}
