/*
 * SPDX-License-Identifier: MIT
 *
 * fields.c - the table of fields. Rows are in the order of the catalogue.
 */
#include "fields.h"

#include <string.h>

#include "../../lib/trace_enums.h"

/*
 * ---- Translates the enum labels of a trace to values.
 * the lists are in lib/trace_enums.h. A linear search is fast enough,
 * because it runs once per label of an enum class, not per event.
 */

#define LABEL(n)           #n,
#define LABELS(name, list) [DOZE_VOCAB_##name] = (const char *const[]){DOZE_##list(LABEL) NULL},

static const char *const *const vocabs[DOZE_VOCAB_COUNT] = {DOZE_VOCABS(LABELS)};

int doze_vocab_value(enum doze_vocab vocab, const char *label)
{
	const char *const *l = vocabs[vocab];

	for (int i = 0; l[i]; i++)
		if (strcmp(l[i], label) == 0)
			return i;
	return -1;
}

const char *doze_vocab_label(enum doze_vocab vocab, int value)
{
	for (int i = 0; i < value; i++)
		if (!vocabs[vocab][i])
			return NULL;
	return vocabs[vocab][value];
}

#define AT(member) offsetof(struct doze_event, member)
#define ROW(n, how, vocab, member, minor)                                                          \
	{                                                                                          \
		n, DOZE_STORE_##how, vocab, AT(member), minor                                      \
	}
#define U8(n, member)                   ROW(n, u8, 0, member, 0)
#define N32_SINCE(n, member, minor)     ROW(n, 32, 0, member, minor)
#define N64_SINCE(n, member, minor)     ROW(n, 64, 0, member, minor)
#define FLAG_SINCE(n, member, minor)    ROW(n, bool, 0, member, minor)
#define TEXT_SINCE(n, member, minor)    ROW(n, string, 0, member, minor)
#define ENUM_SINCE(n, v, member, minor) ROW(n, enum, DOZE_VOCAB_##v, member, minor)
#define N32(n, member)                  N32_SINCE(n, member, 0)
#define N64(n, member)                  N64_SINCE(n, member, 0)
#define FLAG(n, member)                 FLAG_SINCE(n, member, 0)
#define TEXT(n, member)                 TEXT_SINCE(n, member, 0)
#define ENUM(n, v, member)              ENUM_SINCE(n, v, member, 0)
#define END                                                                                        \
	{                                                                                          \
		NULL, 0, 0, 0, 0                                                                   \
	}

typedef struct doze_field_spec row;

const struct doze_field_spec doze_common_fields[] = {
    N32("pool", pool), N32("worker", worker), N64("old", old_word), N64("new", new_word), END,
};

static const row pool_start[] = {
    TEXT("policy", u.pool_start.policy),
    TEXT("version", u.pool_start.version),
    N32("workers", u.pool_start.workers),
    N32("schema_major", u.pool_start.schema_major),
    N32("schema_minor", u.pool_start.schema_minor),
    N32("rounds_until_sleepy", u.pool_start.rounds_until_sleepy),
    N32("rounds_until_sleeping", u.pool_start.rounds_until_sleeping),
    ENUM("word", word, u.pool_start.word.kind),
    U8("bits_sleeping", u.pool_start.word.bits_sleeping),
    U8("bits_inactive", u.pool_start.word.bits_inactive),
    U8("bits_jec", u.pool_start.word.bits_jec),
    TEXT_SINCE("name", u.pool_start.name, 1),
    ENUM_SINCE("level", level, u.pool_start.level, 2),
    N32_SINCE("cpus_online", u.pool_start.limits.cpus_online, 4),
    N64_SINCE("quota_milli", u.pool_start.limits.quota_milli, 4),
    N64_SINCE("throttled_ns", u.pool_start.limits.throttled_ns, 4),
    END,
};

static const row pool_stop[] = {
    N64_SINCE("throttled_ns", u.pool_stop.limits.throttled_ns, 4),
    END,
};

static const row worker_start[] = {
    N32("tid", u.worker_start.tid),
    TEXT("name", u.worker_start.name),
    N32_SINCE("cpus", u.worker_start.cpus.count, 4),
    N64_SINCE("cpu_mask", u.worker_start.cpus.mask, 4),
    END,
};

static const row worker_stop[] = {
    N64_SINCE("run_delay_ns", u.worker_stop.run_delay_ns, 3),
    N32_SINCE("cpus", u.worker_stop.cpus.count, 4),
    N64_SINCE("cpu_mask", u.worker_stop.cpus.mask, 4),
    END,
};

static const row worker_state[] = {
    ENUM("from", state, u.state.from),
    ENUM("to", state, u.state.to),
    ENUM("reason", reason, u.state.reason),
    N64("jobs_run", u.state.jobs_run),
    N64("jobs_published", u.state.jobs_published),
    N64_SINCE("cpu_ns", u.state.cpu_ns, 1),
    N32_SINCE("left_in_deques", u.state.left_in_deques, 1),
    FLAG_SINCE("left_injected", u.state.left_injected, 1),
    END,
};

static const row jec[] = {ENUM("cause", jec_cause, u.jec.cause), END};

static const row latch[] = {
    N64("id", u.latch.id),
    ENUM("kind", latch_kind, u.latch.kind),
    N32("owner", u.latch.owner),
    ENUM("from", latch_state, u.latch.from),
    ENUM("to", latch_state, u.latch.to),
    END,
};

static const row post[] = {
    ENUM("queue", queue, u.post.queue),      N32("jobs", u.post.jobs),
    FLAG("was_empty", u.post.was_empty),     N32("idle", u.post.idle),
    N32("sleeping", u.post.sleeping),        N32("wakes", u.post.wakes),
    N64("decision_id", u.post.decision_id),  N64_SINCE("job", u.post.job, 1),
    N64_SINCE("caller", u.post.caller, 1),   N32_SINCE("skipped", u.post.skipped, 1),
    N64_SINCE("caller2", u.post.caller2, 1), N64_SINCE("caller3", u.post.caller3, 1),
    N64_SINCE("caller4", u.post.caller4, 1), END,
};

static const row wake[] = {
    N32("target", u.wake.target),           N64("wake_id", u.wake.wake_id),
    N64("decision_id", u.wake.decision_id), ENUM("cause", cause, u.wake.cause),
    ENUM("scope", scope, u.wake.scope),     END,
};

static const row woken[] = {
    N64("wake_id", u.woken.wake_id),
    N64_SINCE("cpu_ns", u.woken.cpu_ns, 1),
    END,
};
static const row sleep_abort[] = {ENUM("by", abort, u.sleep_abort.by), END};

static const row blocked[] = {
    N32("active", u.deadlock.active),
    N32("blocked", u.deadlock.blocked),
    END,
};

static const row mark[] = {TEXT("text", u.mark.text), END};

static const row snapshot[] = {
    TEXT("policy", u.snapshot.policy),
    N32("workers", u.snapshot.workers),
    ENUM("state", state, u.snapshot.state),
    ENUM("word", word, u.snapshot.word.kind),
    U8("bits_sleeping", u.snapshot.word.bits_sleeping),
    U8("bits_inactive", u.snapshot.word.bits_inactive),
    U8("bits_jec", u.snapshot.word.bits_jec),
    N64("new", old_word), /* stored as the old word, too: a snapshot has no field `old` */
    N64("jobs_run", u.snapshot.jobs_run),
    N64("jobs_published", u.snapshot.jobs_published),
    ENUM_SINCE("level", level, u.snapshot.level, 2),
    N64_SINCE("cpu_ns", u.snapshot.cpu_ns, 3),
    N64_SINCE("run_delay_ns", u.snapshot.run_delay_ns, 3),
    N32_SINCE("cpus_online", u.snapshot.limits.cpus_online, 4),
    N32_SINCE("cpus", u.snapshot.cpus.count, 4),
    N64_SINCE("cpu_mask", u.snapshot.cpus.mask, 4),
    N64_SINCE("quota_milli", u.snapshot.limits.quota_milli, 4),
    N64_SINCE("throttled_ns", u.snapshot.limits.throttled_ns, 4),
    END,
};

static const row job_start[] = {
    N64("job", u.job.id),
    ENUM("source", source, u.job.source),
    END,
};

static const row job_taken[] = {
    N64("job", u.job.id),
    ENUM("source", source, u.job.source),
    N32("skipped", u.job.skipped),
    END,
};

static const row job_end[] = {N64("job", u.job.id), END};

static const row steal[] = {
    N32("victim", u.steal.victim),
    ENUM("result", steal, u.steal.result),
    N64("job", u.steal.job),
    END,
};

static const row lock[] = {
    ENUM("kind", lock, u.lock.kind),
    N32("owner", u.lock.owner),
    FLAG("contended", u.lock.contended),
    END,
};

static const row search[] = {N32("rounds", u.search.rounds), END};

static const row crew[] = {N64_SINCE("start", u.crew.start, 5), END};

static const row wait[] = {
    ENUM_SINCE("kind", wait_kind, u.wait.kind, 5),
    N64_SINCE("address", u.wait.address, 5),
    N64_SINCE("caller", u.wait.caller, 5),
    END,
};

static const row wake_site[] = {
    ENUM_SINCE("kind", wait_kind, u.wake_site.kind, 5),
    N64_SINCE("caller", u.wake_site.caller, 5),
    N64_SINCE("calls", u.wake_site.calls, 5),
    N64_SINCE("nobody", u.wake_site.nobody, 5),
    END,
};

static const row wait_totals[] = {
    N64_SINCE("waits", u.wait_totals.waits, 5),
    N64_SINCE("woken", u.wait_totals.woken, 5),
    N64_SINCE("again", u.wait_totals.again, 5),
    N64_SINCE("timed_out", u.wait_totals.timed_out, 5),
    FLAG_SINCE("paused", u.wait_totals.paused, 5),
    END,
};

/* Only the common fields. */
static const row nothing[] = {END};

/* Events that are not listed have only the common fields. */
static const row *const fields_of[DOZE_EV_COUNT] = {
    [DOZE_EV_pool_start] = pool_start,
    [DOZE_EV_pool_stop] = pool_stop,
    [DOZE_EV_worker_start] = worker_start,
    [DOZE_EV_worker_stop] = worker_stop,
    [DOZE_EV_worker_state] = worker_state,
    [DOZE_EV_jec] = jec,
    [DOZE_EV_latch] = latch,
    [DOZE_EV_post] = post,
    [DOZE_EV_wake] = wake,
    [DOZE_EV_woken] = woken,
    [DOZE_EV_sleep_abort] = sleep_abort,
    [DOZE_EV_blocked] = blocked,
    [DOZE_EV_unblocked] = blocked,
    [DOZE_EV_deadlock] = blocked,
    [DOZE_EV_mark] = mark,
    [DOZE_EV_snapshot] = snapshot,
    [DOZE_EV_job_taken] = job_taken,
    [DOZE_EV_job_start] = job_start,
    [DOZE_EV_job_end] = job_end,
    [DOZE_EV_steal] = steal,
    [DOZE_EV_lock] = lock,
    [DOZE_EV_search] = search,
    [DOZE_EV_crew] = crew,
    [DOZE_EV_wait] = wait,
    [DOZE_EV_wake_site] = wake_site,
    [DOZE_EV_wait_totals] = wait_totals,
};

const struct doze_field_spec *doze_event_fields(enum doze_event_kind kind)
{
	return fields_of[kind] ? fields_of[kind] : nothing;
}

bool doze_event_has_field(enum doze_event_kind kind, const struct doze_field_spec *f)
{
	if (kind == DOZE_EV_snapshot) /* a snapshot has its counters word in `new`, and no `old` */
		return strcmp(f->name, "old") != 0;
	if (f->offset != AT(old_word) && f->offset != AT(new_word))
		return kind != DOZE_EV_unknown;
	return kind == DOZE_EV_worker_state || kind == DOZE_EV_jec || kind == DOZE_EV_post ||
	       kind == DOZE_EV_wake || kind == DOZE_EV_sleep_abort;
}

enum doze_event_kind doze_event_kind_named(const char *name)
{
	for (int kind = DOZE_EV_unknown + 1; kind < DOZE_EV_COUNT; kind++)
		if (strcmp(doze_event_name((enum doze_event_kind)kind), name) == 0)
			return (enum doze_event_kind)kind;
	return DOZE_EV_unknown;
}

struct doze_event doze_event_prototype(enum doze_event_kind kind)
{
	const char **text[DOZE_EVENT_TEXTS];
	struct doze_event e;

	memset(&e, 0, sizeof(e));
	e.kind = kind;
	e.cpu = e.vpid = e.vtid = e.worker = -1;
	doze_event_texts(&e, text);
	for (int i = 0; i < DOZE_EVENT_TEXTS; i++)
		if (text[i])
			*text[i] = "";
	if (kind == DOZE_EV_latch)
		e.u.latch.owner = -1;
	else if (kind == DOZE_EV_post)
		e.u.post.idle = e.u.post.sleeping = -1;
	else if (kind == DOZE_EV_wake)
		e.u.wake.target = -1;
	else if (kind == DOZE_EV_steal)
		e.u.steal.victim = -1;
	else if (kind == DOZE_EV_lock)
		e.u.lock.owner = -1;
	return e;
}
