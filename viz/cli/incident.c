/*
 * SPDX-License-Identifier: MIT
 *
 * incident.c - see incident.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../session/files.h"
#include "../session/signals.h"
#include "../trace/packets.h"
#include "../words/complain.h"
#include "incident.h"
#include "last_recording.h"

/* ---- Copies the data that the relay of a live session has on disk into a recording ---- */

int cmd_black_box_save(struct cmd_black_box *box, char *folder, size_t size, char *err,
		       size_t err_size)
{
	struct doze_packet_index x = {0};
	int rc;

	rc = doze_packet_index_update(&x, box->from, err, err_size);
	if (rc == 0)
		rc = cmd_recording_make(folder, size, box->program, err, err_size);
	if (rc == 0)
		rc = doze_excerpt(&x, box->since, INT64_MAX, folder, err, err_size);
	box->begins = x.from;
	doze_packet_index_free(&x);
	if (rc == 0)
		cmd_recording_remember(folder);
	return rc;
}

enum { SOON_MS = 300 }; /* wait this long for a page, in ms, before printing a message */

/* Runs in the child. Other threads of the viewer may have held any lock at the fork, so only
 * async-signal-safe functions are allowed. */
static _Noreturn void become(const char *doze, const char *const *argv, pid_t parent, int messages)
{
	const struct sched_param idle = {0};
	sigset_t none;
	int null = open("/dev/null", O_RDWR);

	setpgid(0, 0); /* the terminal's signals are meant for the viewer */
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	doze_die_with(parent, SIGTERM);
	(void)sched_setscheduler(0, SCHED_IDLE, &idle);
	dup2(null, 0);
	dup2(null, 1);
	dup2(messages, 2);
	/* Close the viewer's connections here: the relay must not wait for this process to close
	 * them. */
	close_range(3, ~0U, 0);
	execv(doze, (char *const *)argv);
	_exit(127);
}

static struct cmd_page *free_place(struct cmd_pages *p)
{
	for (size_t i = 0; i < CMD_PAGES_MAX; i++)
		if (!p->page[i].pid)
			return &p->page[i];
	return NULL;
}

static void start(struct cmd_page *page, const char *doze, const char *const *argv)
{
	pid_t parent = getpid();
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0)
		return;
	page->pid = fork();
	if (page->pid == 0)
		become(doze, argv, parent, fds[1]);
	close(fds[1]);
	page->messages = fds[0];
	if (page->pid > 0)
		return;
	close(fds[0]);
	page->pid = 0;
}

void cmd_page_begin(struct cmd_pages *p, const char *folder, int64_t from)
{
	char file[PATH_MAX + 16], begin[48];
	const char *const argv[] = {"doze", "report", begin, "-o", file, folder, NULL};
	struct cmd_page *page = free_place(p);

	snprintf(file, sizeof file, "%s/" CMD_INCIDENT_PAGE, folder);
	snprintf(begin, sizeof begin, "--from=%" PRId64 "ns", from);
	if (page) {
		snprintf(page->folder, sizeof page->folder, "%s", folder);
		start(page, p->doze ? p->doze : "/proc/self/exe", argv);
	}
	if (!page || !page->pid)
		snprintf(p->line, sizeof p->line,
			 "cannot write %.140s: too many processes: close other programs", file);
}

/* Reads what the process wrote to standard error, at most a few lines, into text. Removes the
 * prefix "doze: " and the final newline. */
static void read_messages(int fd, char *text, size_t size)
{
	static const char self[] = "doze: ";
	ssize_t n = read(fd, text, size - 1);

	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (strncmp(text, self, sizeof self - 1) == 0)
		memmove(text, text + sizeof self - 1, strlen(text) - sizeof self + 2);
}

static bool written(int status)
{
	return WIFEXITED(status) && (WEXITSTATUS(status) == DOZE_EXIT_OK ||
				     WEXITSTATUS(status) == DOZE_EXIT_INCONCLUSIVE);
}

/* Called when the process has exited. */
static void take_result(struct cmd_pages *p, struct cmd_page *page, int status)
{
	char why[160];

	read_messages(page->messages, why, sizeof why);
	close(page->messages);
	page->pid = 0;
	if (written(status))
		return;
	if (WIFSIGNALED(status))
		snprintf(why, sizeof why, "killed by signal %d", WTERMSIG(status));
	snprintf(p->line, sizeof p->line, "%s was not written: %s; try doze report %.90s -o FILE",
		 CMD_INCIDENT_PAGE, *why ? why : "doze cannot be started", page->folder);
}

const char *cmd_page_poll(struct cmd_pages *p)
{
	for (size_t i = 0; !p->line[0] && i < CMD_PAGES_MAX; i++) {
		struct cmd_page *page = &p->page[i];
		int status;

		if (page->pid && waitpid(page->pid, &status, WNOHANG) == page->pid)
			take_result(p, page, status);
	}
	if (!p->line[0])
		return NULL;
	memcpy(p->said, p->line, sizeof p->said);
	p->line[0] = '\0';
	return p->said;
}

/* Waits until the process exits (which closes its standard error) or a signal arrives. Returns
 * whether the process has exited. */
static bool wait_for(const struct cmd_page *page, int signals_fd, int ms)
{
	struct pollfd fds[] = {{.fd = page->messages}, {.fd = signals_fd, .events = POLLIN}};

	return poll(fds, 2, ms) > 0 && fds[0].revents & POLLHUP;
}

void cmd_page_end(struct cmd_pages *p, bool wait, int signals_fd)
{
	const char *line;

	while ((line = cmd_page_poll(p)))
		doze_complain("live: %s", line);
	for (size_t i = 0; i < CMD_PAGES_MAX; i++) {
		struct cmd_page *page = &p->page[i];
		int status;

		if (!page->pid)
			continue;
		if (wait && !wait_for(page, signals_fd, SOON_MS)) {
			doze_complain("live: writing %s/" CMD_INCIDENT_PAGE "; Ctrl-C stops this",
				      page->folder);
			wait = wait_for(page, signals_fd, -1);
		}
		if (!wait)
			(void)doze_signal_process(page->pid, SIGTERM);
		while (waitpid(page->pid, &status, 0) < 0 && errno == EINTR)
			;
		take_result(p, page, status);
		if ((line = cmd_page_poll(p)))
			doze_complain("live: %s", line);
	}
}
