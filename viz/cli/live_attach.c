/*
 * SPDX-License-Identifier: MIT
 *
 * live_attach.c - cmd_live_watch of live_viewer.h: the viewer on one or two running sessions.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attach.h"
#include "cmd.h"
#include "last_recording.h"
#include "live_options.h"
#include "live_viewer.h"

/** Opens a session. Returns the viewer's reader, or null after an error message. */
static struct doze_reader *open_url(const char *url)
{
	char err[512];
	struct doze_reader *r = doze_reader_open_live(url, err, sizeof(err));
	if (!r)
		doze_complain("live: %s", err);
	return r;
}

/** Returns the part /HOST/SESSION of a URL, for the title of a pane. */
static const char *short_name(const char *url)
{
	const char *host = strstr(url, "/host/");
	return host ? host + strlen("/host/") : url;
}

/** Creates the folder for an incident in a session whose events are on its relay's disk. */
static int make_folder(void *ctx, int64_t from, char *folder, size_t size, char *err,
		       size_t err_size)
{
	(void)from;
	return cmd_recording_make(folder, size, ctx, err, err_size);
}

/** Makes --on save the screen but no events. relays: names the relays that have the events, for the
 * message. */
static void save_screens(struct doze_tui_options *t, const char *relays)
{
	t->save = make_folder;
	t->events_at = relays;
	t->ctx = (void *)short_name(t->title);
}

/** Shows two sessions, possibly on two hosts, one above the other. */
static int watch_two(const struct doze_options *o)
{
	struct doze_tui_options t = cmd_live_viewer(o);
	if (!cmd_live_has_screen(&t))
		return DOZE_EXIT_USAGE;
	t.title = o->operands[0];
	t.second_title = o->operands[1];
	t.duel[0] = short_name(t.title);
	t.duel[1] = short_name(t.second_title);
	t.duel_how = "two sessions";
	save_screens(&t, "the relays of both sessions");
	t.reader = open_url(t.title);
	t.second = t.reader ? open_url(t.second_title) : NULL;
	if (!t.once) {
		t.reopen = t.title;
		t.second_reopen = t.second_title;
	}
	if (t.second)
		return cmd_live_show(&t, t.title);
	doze_reader_free(t.reader);
	return DOZE_EXIT_INPUT;
}

static int watch_url(const struct doze_options *o, const char *url)
{
	struct doze_tui_options t = cmd_live_viewer(o);
	if (!cmd_live_has_screen(&t))
		return DOZE_EXIT_USAGE;
	t.reader = open_url(url);
	if (!t.reader)
		return DOZE_EXIT_INPUT;
	t.title = url;
	save_screens(&t, "the session's relay");
	t.reopen = t.once ? NULL : url;
	return cmd_live_show(&t, url);
}

/** Lists the sessions of a relay (null: of all relays on this machine) and shows the one that the
 * user chooses. */
static int choose(const struct doze_options *o, const char *relay)
{
	char url[800];
	int rc = doze_attach_list(relay, o->json, url, sizeof(url));
	if (rc != DOZE_EXIT_OK || url[0])
		return rc == DOZE_EXIT_OK ? watch_url(o, url) : rc;
	/* On a terminal, the user was asked and chose none. */
	if (!cmd_live_given.on.count || (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
		return rc;
	doze_complain("live: --on needs a session: give its URL");
	return DOZE_EXIT_USAGE;
}

/** Converts an operand HOST:PORT to a URL. Returns whether the operand names a relay without a
 * session. */
static bool is_relay(const char *operand, char *url, size_t size)
{
	if (strstr(operand, "/host/"))
		return false;
	snprintf(url, size, "%s%s", strstr(operand, "://") ? "" : "net://", operand);
	return true;
}

int cmd_live_watch(const struct doze_options *o)
{
	char relay[300];
	if (o->count > 2) {
		doze_complain(
		    "live: unexpected argument '%s': usage: doze live --attach [URL [URL]]",
		    o->operands[2]);
		return DOZE_EXIT_USAGE;
	}
	if (o->count == 2)
		return watch_two(o);
	if (o->count == 0)
		return choose(o, NULL);
	if (is_relay(o->operands[0], relay, sizeof(relay)))
		return choose(o, relay);
	return watch_url(o, o->operands[0]);
}
