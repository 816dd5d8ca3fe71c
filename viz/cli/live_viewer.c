/*
 * SPDX-License-Identifier: MIT
 *
 * live_viewer.c - see live_viewer.h.
 */
#include "live_viewer.h"

#include <unistd.h>

#include "cmd.h"
#include "live_options.h"
#include "tui_options.h"

/* Duration of --once without a time: the program may run forever. */
enum { ONCE_MS = 1000 };

bool cmd_live_has_screen(const struct doze_tui_options *t)
{
	if (t->once || (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
		return true;
	doze_complain("live: the viewer needs a terminal: use --once for one screen, or "
		      "'doze record' and 'doze timeline'");
	return false;
}

struct doze_tui_options cmd_live_viewer(const struct doze_options *o)
{
	struct doze_tui_options t = doze_tui_from(o);
	t.live = true;
	if (t.once_ms < 0)
		t.once_ms = ONCE_MS;
	t.triggers = &cmd_live_given.on;
	t.bell = cmd_live_given.bell;
	t.banner = cmd_live_given.banner;
	return t;
}

static void ignore(void *ctx, const struct doze_live_session *s)
{
	(void)ctx, (void)s;
}

/** Checks that the relay still answers. An interactive user can see how far the screen lags behind,
 * but with --once a stalled relay looks like an idle program. */
static int check_relay(const char *url)
{
	char err[512];
	if (doze_live_sessions(url, ignore, NULL, err, sizeof(err)) >= 0)
		return DOZE_EXIT_OK;
	doze_complain("live: %s: the screen may lack the latest events", err);
	return DOZE_EXIT_INCONCLUSIVE;
}

int cmd_live_show(const struct doze_tui_options *t, const char *url)
{
	struct doze_tui_result result = {0};
	int rc = doze_tui_run(t, &result);
	if (!result.abandoned) {
		doze_reader_free(t->reader);
		doze_reader_free(t->second);
	}
	if (rc == DOZE_EXIT_OK && t->once && result.status == DOZE_READER_STOPPED)
		rc = check_relay(url);
	return rc == DOZE_EXIT_OK && result.saw_loss ? DOZE_EXIT_INCONCLUSIVE : rc;
}
