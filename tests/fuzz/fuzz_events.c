/*
 * SPDX-License-Identifier: MIT
 *
 * fuzz_events.c - feeds events with arbitrary values in arbitrary order to the model and the views.
 * Half of the inputs begin with a correct sequence, so that wakes, storms and latches are open when
 * the random events begin.
 */
#include <stdlib.h>
#include <string.h>

#include "consume.h"
#include "fuzz.h"
#include "tests/fixtures/synthetic_pool.h"
#include "viz/trace/fields.h"

#define EVENTS 200

static struct doze_event story[EVENTS];

static void make_story(void)
{
	static struct synthetic_pool h = {
	    .events = EVENTS, .workers = 6, .woken = 5, .useful = 1, .cpus = 2};
	uint64_t lost;

	for (int i = 0; i < EVENTS; i++)
		if (synthetic_pool_next(&h, &story[i], &lost) != TRACE_WRITER_EVENT)
			story[i] = story[i / 2];
}

/* Returns a small number in most cases, so that workers, ids and states match, and sometimes any
 * number. */
static uint64_t number(struct fuzz_random *r)
{
	static const uint64_t edges[] = {0,          UINT64_MAX, INT64_MAX,
					 1ull << 63, UINT32_MAX, 1u << 31};

	switch (fuzz_below(r, 8)) {
	case 0:
		return fuzz_random(r);
	case 1:
		return edges[fuzz_below(r, sizeof(edges) / sizeof(edges[0]))];
	default:
		return fuzz_below(r, 10);
	}
}

static void set_field(struct doze_event *e, const struct doze_field_spec *f, struct fuzz_random *r)
{
	static const char *const texts[] = {"",       "jec",           "rfc",
					    "tickle", "\x1b[2J\xff\n", "forkjoin"};
	char *at = (char *)e + f->offset;
	uint64_t v = number(r);
	uint32_t v32 = (uint32_t)v;
	const char *text = texts[fuzz_below(r, sizeof(texts) / sizeof(texts[0]))];

	switch (f->store) {
	case DOZE_STORE_string:
		memcpy(at, &text, sizeof(text));
		break;
	case DOZE_STORE_enum: /* the decoder stores only values that the vocabulary contains */
		v32 = (uint32_t)fuzz_below(r, 4);
		memcpy(at, &v32, sizeof(v32));
		break;
	case DOZE_STORE_64:
		memcpy(at, &v, sizeof(v));
		break;
	case DOZE_STORE_32:
		memcpy(at, &v32, sizeof(v32));
		break;
	case DOZE_STORE_bool:
		*(bool *)at = v & 1;
		break;
	default:
		*(uint8_t *)at = (uint8_t)v;
	}
}

static void any_event(struct doze_event *e, struct fuzz_random *r)
{
	int64_t ts = e->ts;

	*e = doze_event_prototype((enum doze_event_kind)fuzz_below(r, DOZE_EV_COUNT));
	for (const struct doze_field_spec *f = doze_common_fields; f->name; f++)
		set_field(e, f, r);
	for (const struct doze_field_spec *f = doze_event_fields(e->kind); f->name; f++)
		set_field(e, f, r);
	e->has_words = fuzz_below(r, 2);
	e->host = (uint32_t)fuzz_below(r, 2);
	e->vpid = (int32_t)fuzz_below(r, 3);
	e->vtid = (int32_t)number(r);
	e->ts = ts;
}

static void damage(struct doze_event *e, struct fuzz_random *r)
{
	const struct doze_field_spec *spec = doze_event_fields(e->kind);
	size_t fields = 0;

	while (spec[fields].name)
		fields++;
	if (fields == 0 || fuzz_below(r, 4) == 0)
		any_event(e, r);
	else
		set_field(e, &spec[fuzz_below(r, fields)], r);
	if (fuzz_below(r, 10) == 0)
		e->ts = (int64_t)(number(r) % (DOZE_TS_MAX + 1));
}

static void one(uint64_t seed, uint64_t input)
{
	struct consumer *c = consume_begin(input);
	struct fuzz_random r;
	size_t wild;
	int64_t ts = 0;

	fuzz_random_init(&r, seed, input);
	wild = fuzz_below(&r, 2) ? 1 : 1 + fuzz_below(&r, 40);
	for (size_t i = 0, n = fuzz_below(&r, EVENTS); i < n; i++) {
		struct doze_event e = story[i];

		if (wild == 1)
			e.ts = ts += (int64_t)fuzz_below(&r, 100000);
		if (wild == 1)
			any_event(&e, &r);
		else if (fuzz_below(&r, wild) == 0)
			damage(&e, &r);
		consume_event(c, &e);
		if (fuzz_below(&r, 100) == 0)
			consume_loss(c, e.ts - 1000, e.ts, number(&r));
	}
	consume_end(c);
}

int main(int argc, char **argv)
{
	make_story();
	return fuzz_main("fuzz_events", argc, argv, 1000000, one);
}
