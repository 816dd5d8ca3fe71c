/*
 * SPDX-License-Identifier: MIT
 *
 * ctl.c - runs one request to the session daemon in a child process, with a deadline.
 */
#include "ctl.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <lttng/lttng.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../tracepoints/channel.h"
#include "files.h"
#include "signals.h"

/** Runs in the child: performs the operation, sends the reply and exits without the caller's
 * clean-up (stdio buffers, exit handlers). */
static _Noreturn void child(pid_t parent, int fd, void (*fn)(const void *, struct ctl_reply *),
			    const void *arg)
{
	struct ctl_reply r = {0};
	/* Die with the supervisor. Otherwise a child that is blocked on a hung daemon would keep
	 * the supervisor's socket and start-up lock open. */
	doze_die_with(parent, SIGKILL);
	/* liblttng-ctl prints warnings to stderr, where the viewer may be drawing. */
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0 && dup2(null, 1) >= 0 && dup2(null, 2) >= 0)
		fn(arg, &r);
	ssize_t n = write(fd, &r, sizeof(r));
	_exit(n == (ssize_t)sizeof(r) ? 0 : 1);
}

/** Waits for the reply. Returns CTL_OK once it has arrived. */
static enum ctl_status await(int fd, int64_t until, int call_fd)
{
	for (;;) {
		int64_t left = until - doze_now_ms();
		struct pollfd p[] = {{.fd = fd, .events = POLLIN},
				     {.fd = call_fd, .events = POLLIN}};
		int n = poll(p, 2, left > 0 ? (int)left : 0);
		if (n > 0)
			return p[0].revents ? CTL_OK : CTL_GIVEN_UP;
		if (n == 0 || errno != EINTR)
			return CTL_TIMEOUT;
	}
}

static struct ctl_reply failed(enum ctl_status status, const char *what, int err)
{
	struct ctl_reply r = {.status = status};
	snprintf(r.text, sizeof(r.text), "%s%s%s", what, err ? ": " : "", err ? strerror(err) : "");
	return r;
}

/* Runs fn(arg, reply) in a child process until it replies, deadline_ms have passed, or call_fd
 * (-1: none) becomes readable. Used by the operations above. */
static struct ctl_reply session_ctl_run(void (*fn)(const void *, struct ctl_reply *),
					const void *arg, unsigned deadline_ms, int call_fd)
{
	int64_t until = doze_now_ms() + deadline_ms;
	int fds[2];
	if (pipe2(fds, O_CLOEXEC))
		return failed(CTL_REFUSED, "cannot create a pipe", errno);
	pid_t parent = getpid(), pid = fork();
	if (pid == 0)
		child(parent, fds[1], fn, arg);
	int err = errno;
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return failed(CTL_REFUSED, "cannot create a process", err);
	}
	struct ctl_reply r =
	    failed(await(fds[0], until, call_fd), "the session daemon does not answer", 0);
	if (r.status == CTL_OK && read(fds[0], &r, sizeof(r)) != (ssize_t)sizeof(r))
		r = failed(CTL_REFUSED, "the process that talks to the session daemon crashed", 0);
	close(fds[0]);
	doze_signal_process(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return r;
}

pid_t session_ctl_daemon_pid(void)
{
	/* The order in which liblttng-ctl looks for a daemon: the system's daemon if the user may
	 * use it, otherwise the user's own. */
	static const char system_dir[] = "/var/run/lttng";
	char path[4096];
	snprintf(path, sizeof(path), "%s/client-lttng-sessiond", system_dir);
	if (access(path, W_OK) == 0) {
		snprintf(path, sizeof(path), "%s/lttng-sessiond.pid", system_dir);
		return doze_pid_read(path);
	}
	const char *home = getenv("LTTNG_HOME");
	if (!home)
		home = getenv("HOME");
	snprintf(path, sizeof(path), "%s/.lttng/lttng-sessiond.pid", home ? home : "");
	return doze_pid_read(path);
}

/*
 * ---- The requests to the session daemon, as calls of liblttng-ctl.
 *
 * Why these settings:
 *
 * - One channel, discard mode: an overwriting buffer would drop older events silently, and a
 *   blocking buffer would make the traced program wait. Lost events are counted and shown.
 * - Buffers per user: they outlive the traced program, so a live viewer can still read the last
 *   packets, and a program that calls exec stays in the same trace. The process tracker excludes
 *   other programs of the user.
 * - Contexts vpid and vtid: a worker's key is (host, vpid, pool, worker). Context procname: the
 *   name of an outside thread.
 */

/** Interval at which unfinished packets are written, in microseconds: if a process crashes, at most
 * this much of its recording is lost. */
#define SWITCH_US            1000000
#define METADATA_SUBBUF_SIZE 65536
/** How long a destruction may take. If LTTng does not finish it, a part of the trace is lost, so
 * that must not be said too early; but a recording of a killed program ends soon. */
#define DESTRUCTION_MS       10000
#define BRIEF_DESTRUCTION_MS 3000

static void refuse(struct ctl_reply *r, const char *what, int code)
{
	/* Some functions of liblttng-ctl return negative codes, others positive ones. */
	enum lttng_error_code e = (enum lttng_error_code)abs(code);
	switch (e) {
	case LTTNG_ERR_NO_SESSIOND:
		r->status = CTL_ABSENT;
		break;
	case LTTNG_ERR_SESS_NOT_FOUND:
	case LTTNG_ERR_NO_SESSION:
		r->status = CTL_GONE;
		return; /* CTL_GONE needs no message in r->text */
	case LTTNG_ERR_EXIST_SESS:
		r->status = CTL_TAKEN;
		break;
	default:
		r->status = CTL_REFUSED;
		break;
	}
	snprintf(r->text, sizeof(r->text), "%s: %s", what, lttng_strerror(-(int)e));
}

/* ---- asking whether a daemon runs, and for its sessions ---- */

static void ask(const void *arg, struct ctl_reply *r)
{
	const char *own = arg;
	struct lttng_session *list = NULL;
	size_t used = 0;
	if (lttng_session_daemon_alive() != 1) {
		r->status = CTL_ABSENT;
		return;
	}
	int n = lttng_list_sessions(&list);
	if (n < 0) {
		refuse(r, "cannot list its sessions", n);
		return;
	}
	r->count = (uint64_t)n;
	for (int i = 0; i < n; i++) {
		const char *name = list[i].name;
		r->others += !own || strcmp(name, own) != 0;
		if (used + strlen(name) + 2 < sizeof(r->names))
			used += (size_t)sprintf(r->names + used, "%s%s", used ? " " : "", name);
	}
	free(list);
}

struct ctl_reply session_ctl_ask(const char *own, unsigned deadline_ms)
{
	return session_ctl_run(ask, own, deadline_ms, -1);
}

/* ---- asking whether a process has registered ---- */

static void find_process(const void *arg, struct ctl_reply *r)
{
	pid_t pid = *(const pid_t *)arg;
	struct lttng_domain domain = {.type = LTTNG_DOMAIN_UST};
	struct lttng_handle *h = lttng_create_handle(NULL, &domain);
	struct lttng_event *list = NULL;
	int n = h ? lttng_list_tracepoints(h, &list) : -LTTNG_ERR_NOMEM;

	r->status = CTL_GONE;
	if (n < 0 && n != -LTTNG_ERR_UST_LIST_FAIL) /* which means that there is no process */
		refuse(r, "cannot list the processes", n);
	for (int i = 0; i < n; i++)
		if (list[i].pid == pid)
			r->status = CTL_OK;
	free(list);
	lttng_destroy_handle(h);
}

struct ctl_reply session_ctl_registered(pid_t pid, unsigned deadline_ms)
{
	return session_ctl_run(find_process, &pid, deadline_ms, -1);
}

/* ---- creating the session ---- */

/* Asks for CTF 1.8, which every Babeltrace 2 reads. LTTng has the choice, and CTF 2 as its default,
 * since 2.15; earlier libraries do not have the function. */
static void choose_format(struct lttng_session_descriptor *d)
{
	enum { CTF_1_8 = 1 }; /* of enum lttng_trace_format */
	int (*set)(struct lttng_session_descriptor *, int) =
	    (int (*)(struct lttng_session_descriptor *, int))dlsym(
		RTLD_DEFAULT, "lttng_session_descriptor_set_trace_format");

	if (set)
		(void)set(d, CTF_1_8);
}

static int create_session(const struct ctl_plan *p)
{
	struct lttng_session_descriptor *d =
	    p->relay ? lttng_session_descriptor_live_network_create(p->name, p->relay, NULL,
								    p->live_timer_us)
		     : lttng_session_descriptor_local_create(p->name, p->output);
	if (!d)
		return LTTNG_ERR_INVALID;
	choose_format(d);
	int code = (int)lttng_create_session_ext(d);
	lttng_session_descriptor_destroy(d);
	return code == LTTNG_OK ? 0 : code;
}

/** The metadata channel describes the other channels; no recording can be read without it. By
 * default, LTTng writes it only when the session ends or a program leaves it. */
static void describe_metadata(struct lttng_channel *c)
{
	snprintf(c->name, sizeof(c->name), "metadata");
	c->attr.subbuf_size = METADATA_SUBBUF_SIZE;
	c->attr.num_subbuf = 2;
	c->attr.switch_timer_interval = SWITCH_US;
}

static void describe_events(struct lttng_channel *c, const struct ctl_plan *p)
{
	snprintf(c->name, sizeof(c->name), "%s", DOZE_CHANNEL_NAME);
	c->enabled = 1; /* LTTng 2.16 leaves a new channel disabled otherwise; others ignore this */
	c->attr.overwrite = 0;
	c->attr.subbuf_size = p->subbuf_size;
	c->attr.num_subbuf = DOZE_CHANNEL_SUBBUF_COUNT;
	/* A live session has a live timer, and LTTng does not accept a switch timer in addition. */
	c->attr.switch_timer_interval = p->relay ? 0 : SWITCH_US;
	c->attr.read_timer_interval = doze_channel_read_us(p->subbuf_size);
	c->attr.tracefile_size = p->file_size;
	c->attr.tracefile_count = p->file_count;
}

/* LTTng 2.16 refuses to configure this channel; program.c has another means. */
static int add_metadata(struct lttng_handle *h, struct lttng_channel *metadata, bool *refused)
{
	int code = lttng_enable_channel(h, metadata);

	*refused = code == -LTTNG_ERR_INVALID_CHANNEL_NAME;
	return *refused ? 0 : code;
}

static int add_channels(struct lttng_handle *h, const struct ctl_plan *p, bool *late_metadata)
{
	struct lttng_channel *metadata = lttng_channel_create(&h->domain);
	struct lttng_channel *events = lttng_channel_create(&h->domain);
	int code = LTTNG_ERR_NOMEM;
	if (metadata && events) {
		describe_metadata(metadata);
		describe_events(events, p);
		code = p->relay ? 0 : add_metadata(h, metadata, late_metadata);
		if (code == 0)
			code = lttng_enable_channel(h, events);
	}
	lttng_channel_destroy(metadata);
	lttng_channel_destroy(events);
	return code;
}

static int add_context(struct lttng_handle *h, enum lttng_event_context_type type)
{
	struct lttng_event_context context = {.ctx = type};
	return lttng_add_context(h, &context, NULL, DOZE_CHANNEL_NAME);
}

static int enable(struct lttng_handle *h, const char *name, enum lttng_loglevel_type type,
		  int level)
{
	struct lttng_event *e = lttng_event_create();
	if (!e)
		return LTTNG_ERR_NOMEM;
	e->type = LTTNG_EVENT_TRACEPOINT;
	snprintf(e->name, sizeof(e->name), "%s", name);
	e->loglevel_type = type;
	e->loglevel = level;
	int code = lttng_enable_event(h, e, DOZE_CHANNEL_NAME);
	lttng_event_destroy(e);
	return code;
}

static int add_events(struct lttng_handle *h, enum doze_detail detail)
{
	static const int levels[] = {
	    [DOZE_DETAIL_STATES] = LTTNG_LOGLEVEL_INFO,
	    [DOZE_DETAIL_JOBS] = LTTNG_LOGLEVEL_DEBUG_FUNCTION,
	    [DOZE_DETAIL_ALL] = LTTNG_LOGLEVEL_DEBUG,
	};
	return enable(h, "doze:*", LTTNG_EVENT_LOGLEVEL_RANGE, levels[detail]);
}

/* Enables the events that list the binaries of each process. From these events, viewers derive the
 * source lines of the process's posts. */
static int add_binaries(struct lttng_handle *h)
{
	int code = enable(h, "lttng_ust_statedump:bin_info", LTTNG_EVENT_LOGLEVEL_ALL, 0);
	return code ? code : enable(h, "lttng_ust_statedump:build_id", LTTNG_EVENT_LOGLEVEL_ALL, 0);
}

static int track(const struct ctl_plan *p)
{
	struct lttng_process_attr_tracker_handle *t = NULL;
	enum lttng_error_code code = lttng_session_get_tracker_handle(
	    p->name, LTTNG_DOMAIN_UST, LTTNG_PROCESS_ATTR_VIRTUAL_PROCESS_ID, &t);
	if (code != LTTNG_OK)
		return (int)code;
	enum lttng_process_attr_tracker_handle_status s =
	    lttng_process_attr_tracker_handle_set_tracking_policy(
		t, LTTNG_TRACKING_POLICY_INCLUDE_SET);
	if (s == LTTNG_PROCESS_ATTR_TRACKER_HANDLE_STATUS_OK)
		s = lttng_process_attr_virtual_process_id_tracker_handle_add_pid(t, p->pid);
	lttng_process_attr_tracker_handle_destroy(t);
	return s == LTTNG_PROCESS_ATTR_TRACKER_HANDLE_STATUS_OK ? 0 : LTTNG_ERR_UNK;
}

static void create(const void *arg, struct ctl_reply *r)
{
	const struct ctl_plan *p = arg;
	struct lttng_domain domain = {.type = LTTNG_DOMAIN_UST, .buf_type = LTTNG_BUFFER_PER_UID};
	struct lttng_handle *h = lttng_create_handle(p->name, &domain);
	const char *step = "no memory";
	int code = LTTNG_ERR_NOMEM;
#define STEP(text, call)                                                                           \
	if (step = (text), (code = (call)) != 0)                                                   \
	goto out
	if (!h)
		goto out;
	STEP("cannot create a session", create_session(p));
	STEP("cannot create a channel", add_channels(h, p, &r->late_metadata));
	STEP("cannot add the context vpid", add_context(h, LTTNG_EVENT_CONTEXT_VPID));
	STEP("cannot add the context vtid", add_context(h, LTTNG_EVENT_CONTEXT_VTID));
	STEP("cannot add the context procname", add_context(h, LTTNG_EVENT_CONTEXT_PROCNAME));
	STEP("cannot restrict the tracing session to the pid given", p->pid ? track(p) : 0);
	STEP("cannot enable the events", add_events(h, p->detail));
	STEP("cannot enable the state dump (lttng_ust_statedump)", add_binaries(h));
	STEP("cannot start the session", lttng_start_tracing(p->name));
#undef STEP
out:
	if (code)
		refuse(r, step, code);
	lttng_destroy_handle(h);
}

struct ctl_reply session_ctl_create(const struct ctl_plan *plan, unsigned deadline_ms)
{
	return session_ctl_run(create, plan, deadline_ms, -1);
}

/* ---- destroying the session ---- */

/* When a count is lower than the previous one, the consumer daemon assumes an overflow and adds
 * 2^63 (observed in live sessions). The lower bits are still correct. */
static uint64_t count_discarded(const char *name)
{
	struct lttng_domain domain = {.type = LTTNG_DOMAIN_UST, .buf_type = LTTNG_BUFFER_PER_UID};
	struct lttng_handle *h = lttng_create_handle(name, &domain);
	struct lttng_channel *list = NULL;
	uint64_t sum = 0, one;
	int n = h ? lttng_list_channels(h, &list) : 0;
	for (int i = 0; i < n; i++)
		if (lttng_channel_get_discarded_event_count(&list[i], &one) == 0)
			sum += one & DOZE_CHANNEL_LOST_MASK;
	free(list);
	lttng_destroy_handle(h);
	return sum;
}

/** Destroys the session. All complete sub-buffers have been written by the time tracing has
 * stopped, so a bounded wait suffices. A bound is necessary: if a thread ended in the middle of an
 * event, as in a program that is killed, its sub-buffer is never complete. Then lttng-sessiond
 * removes the session from its list, but its last rotation waits for that sub-buffer for ever, and
 * that CPU's events from there on are lost. Sets *unfinished if the bound was reached. */
static int destroy_session(const char *name, int limit_ms, bool *unfinished)
{
	struct lttng_destruction_handle *h = NULL;
	enum lttng_error_code result, code = lttng_destroy_session_ext(name, &h);
	if (code != LTTNG_OK || !h)
		return (int)code;
	switch (lttng_destruction_handle_wait_for_completion(h, limit_ms)) {
	case LTTNG_DESTRUCTION_HANDLE_STATUS_TIMEOUT:
		*unfinished = true;
		break;
	case LTTNG_DESTRUCTION_HANDLE_STATUS_COMPLETED:
		code = lttng_destruction_handle_get_result(h, &result) ==
			       LTTNG_DESTRUCTION_HANDLE_STATUS_OK
			   ? result
			   : LTTNG_ERR_UNK;
		break;
	default:
		code = LTTNG_ERR_UNK; /* the daemon exited in the meantime */
		break;
	}
	lttng_destruction_handle_destroy(h);
	return (int)code;
}

static void destroy_within(const char *name, int limit_ms, struct ctl_reply *r)
{
	/* Stopping waits until the consumer daemon has written all buffers; only then is the count
	 * final. A session that was already stopped is not an error. */
	int stopped = lttng_stop_tracing(name);
	if (stopped == -LTTNG_ERR_TRACE_ALREADY_STOPPED)
		stopped = 0;
	if (stopped == 0)
		r->count = count_discarded(name);
	int code = destroy_session(name, limit_ms, &r->unfinished);
	if (code != LTTNG_OK) {
		refuse(r, "cannot destroy the session", code);
	} else if (stopped != 0) {
		/* The session no longer exists; how much of its trace was written is unknown. */
		refuse(r, "cannot stop tracing", stopped);
		r->status = CTL_GONE;
	}
}

static void destroy(const void *name, struct ctl_reply *r)
{
	destroy_within(name, DESTRUCTION_MS, r);
}

static void destroy_briefly(const void *name, struct ctl_reply *r)
{
	destroy_within(name, BRIEF_DESTRUCTION_MS, r);
}

static void drop(const void *arg, struct ctl_reply *r)
{
	int code = lttng_destroy_session_no_wait(arg);
	if (code)
		refuse(r, "cannot destroy the session", code);
}

struct ctl_reply session_ctl_destroy(const char *name, enum ctl_hurry hurry, unsigned deadline_ms,
				     int call_fd)
{
	static void (*const how[])(const void *, struct ctl_reply *) = {
	    [CTL_WAIT] = destroy,
	    [CTL_BRIEFLY] = destroy_briefly,
	    [CTL_UNLESS_CALLED] = destroy_briefly,
	    [CTL_HURRY] = drop,
	};
	return session_ctl_run(how[hurry], name, deadline_ms, call_fd);
}
