/*
 * SPDX-License-Identifier: MIT
 *
 * cut.c - a program that ends while the thread that sends snapshots is in the middle of an event.
 *
 *     cut exec|_exit MILLISECONDS
 *
 * That thread spends MILLISECONDS in its first event, because LTTng asks for the thread's number
 * there, after it has reserved the event's place in the buffer, and before it says that the event
 * is complete. Meanwhile the program executes itself once more, or calls _exit.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_bool in_event;
static useconds_t hold_us;

/* Instead of that of the C library. */
pid_t gettid(void)
{
	char name[16] = "";

	(void)pthread_getname_np(pthread_self(), name, sizeof name);
	if (strcmp(name, "doze-trace") == 0 && hold_us) {
		in_event = true;
		usleep(hold_us);
	}
	return (pid_t)syscall(SYS_gettid);
}

int main(int argc, char **argv)
{
	char *second[] = {argv[0], NULL};

	if (argc < 3)
		return 5;
	hold_us = (useconds_t)atol(argv[2]) * 1000;
	for (int i = 0; i < 5000 && !in_event; i++)
		usleep(1000);
	printf("%s\n", in_event ? "in an event" : "no event");
	fflush(stdout);
	if (strcmp(argv[1], "exec") == 0)
		execv("/proc/self/exe", second);
	_exit(5);
}
