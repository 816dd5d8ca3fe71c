/*
 * SPDX-License-Identifier: MIT
 *
 * queue_test.c - viz/viewer: the queue from the reader's thread to the main thread. Also runs under
 * ThreadSanitizer.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/fixtures/suite.h"
#include "viz/viewer/store/queue.h"

enum { MANY = 100000, BATCH = 100 };

static struct tui_queue *queue;
static int fd;
static struct tui_fed batch[BATCH];

static bool put_event(int i)
{
	char name[32], thread[16];
	struct doze_event e = {
	    .ts = i, .kind = DOZE_EV_mark, .procname = thread, .u.mark.text = name};
	bool ok;

	snprintf(name, sizeof name, "mark %d", i);
	snprintf(thread, sizeof thread, "thread %d", i % 1000);
	ok = tui_queue_put(queue, &(struct tui_put){.kind = TUI_ITEM_EVENT, .ev = &e});
	/* Overwrites the event's strings, which are valid only during the call. */
	memset(name, 'x', sizeof name);
	memset(thread, 'x', sizeof thread);
	return ok;
}

static void *put_many(void *arg)
{
	int *refused = arg;

	for (int i = 0; i < MANY; i++)
		*refused += !put_event(i);
	return NULL;
}

static bool readable(int ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, ms) == 1;
}

static void keeps_all_in_order(void)
{
	int refused = 0, seen = 0;
	bool right = true;
	pthread_t thread;

	queue = tui_queue_new(&fd);
	CU_ASSERT_FALSE(readable(0));
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, put_many, &refused), 0);
	while (seen < MANY && readable(5000)) {
		size_t n = tui_queue_take(queue, batch, BATCH);

		for (size_t i = 0; i < n; i++, seen++) {
			char name[32], owner[16];

			snprintf(name, sizeof name, "mark %d", seen);
			snprintf(owner, sizeof owner, "thread %d", seen % 1000);
			right = right && batch[i].ev.ts == seen &&
				strcmp(batch[i].ev.u.mark.text, name) == 0 &&
				strcmp(batch[i].ev.procname, owner) == 0;
		}
	}
	pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(seen, MANY);
	CU_ASSERT_TRUE(right);
	CU_ASSERT_EQUAL(refused, 0);
	CU_ASSERT_FALSE(readable(0));
	tui_queue_free(queue);
}

static void close_lets_go(void)
{
	int refused = 0;
	pthread_t thread;

	queue = tui_queue_new(&fd);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, put_many, &refused), 0);
	/* The queue is probably full by now, and the thread is waiting. The test is valid even if
	 * the queue is not full. */
	usleep(50000);
	tui_queue_close(queue);
	pthread_join(thread, NULL); /* the watchdog names this test if it hangs */
	CU_ASSERT_TRUE(refused >= MANY - TUI_QUEUE_ITEMS);
	tui_queue_free(queue);
}

static void cuts_long_text(void)
{
	char text[200];
	struct doze_event e = {.kind = DOZE_EV_mark, .u.mark.text = text};

	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	queue = tui_queue_new(&fd);
	tui_queue_put(queue, &(struct tui_put){.kind = TUI_ITEM_EVENT, .ev = &e});
	e.u.mark.text = NULL; /* an event without its text must not crash the queue */
	tui_queue_put(queue, &(struct tui_put){.kind = TUI_ITEM_EVENT, .ev = &e});
	CU_ASSERT_EQUAL(tui_queue_take(queue, batch, BATCH), 2);
	CU_ASSERT_EQUAL(strlen(batch[0].ev.u.mark.text), TUI_ITEM_TEXT - 1);
	CU_ASSERT_STRING_EQUAL(batch[1].ev.u.mark.text, "");
	tui_queue_free(queue);
}

static const struct suite_test tests[] = {
    {"every event arrives in order, with its text and its thread's name", keeps_all_in_order},
    {"closing the queue releases a reader that waits for space", close_lets_go},
    {"long text is truncated, and null text is accepted", cuts_long_text},
};

SUITE_MAIN("tui queue", tests)
