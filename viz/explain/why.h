/*
 * SPDX-License-Identifier: MIT
 *
 * why.h - explains why something was late: the causal chain behind a job, a worker's delay or a
 * moment.
 *
 * doze_with_why makes a model follow one question while it processes events; after the end of the
 * trace, doze_why_answer returns the chain, from the effect backwards. The thread that owns the
 * model makes all calls. why.md defines which effect a question refers to, and what counts as a
 * cause.
 */
#ifndef DOZE_VIZ_WHY_H
#define DOZE_VIZ_WHY_H

#include <stdio.h>

#include "../model/model.h"

enum doze_why_kind { DOZE_WHY_none, DOZE_WHY_time, DOZE_WHY_job, DOZE_WHY_worker };

/** A question. A zeroed question asks for the longest delay of all. */
struct doze_why_question {
	enum doze_why_kind kind;
	int64_t time; /* ns after the trace's first event */
	uint64_t job;
	int32_t worker;
	const char *text; /* as the user typed it, borrowed */
	int64_t from, to; /* ns after the first event; delays outside this part are ignored, unless
			   * the question names a time or a job */
	uint32_t cpus;    /* number of CPUs of the traced machine; 0: the number of CPUs with
			   * events */
};

/** Parses TIME ("20ms"), JOB ("0x2a") or WORKER ("w3") into the target, a struct doze_why_question,
 * whose text borrows the value. If the value is invalid, leaves the target unchanged and returns a
 * description of valid values; otherwise returns null. */
const char *doze_check_why(const char *value, void *target);

enum { DOZE_WHY_STEPS = 14 };

/** One link of the chain: an event, and what it means for the effect. Plain text. */
struct doze_why_step {
	int64_t ts;     /* ns, trace time */
	int32_t worker; /* the acting worker; -1: an outside thread */
	int32_t vtid;
	enum doze_event_kind kind;
	char text[480];
	char rule[360];   /* the policy's rule that led to the event; "" if none did */
	char command[96]; /* doze command that shows the event: "timeline --from=1s --to=2s" */
};

struct doze_why_answer {
	bool found;         /* the trace contains the subject of the question */
	bool truncated;     /* earlier links of the chain are not included */
	int64_t delay;      /* how late the effect was, ns; 0: not late */
	char headline[480]; /* the answer in one line, or why there is none */
	size_t count;
	struct doze_why_step step[DOZE_WHY_STEPS]; /* steps of the chain, the effect first */
};

/** Attaches the question to a model. Pass it the result of doze_model_new, before the first event.
 * Copies the question. Returns the model, which owns the observer. If out of memory, frees the
 * model and returns null. Returns null if given null. */
struct doze_model *doze_with_why(struct doze_model *, const struct doze_why_question *);

/*
 * ---- A question about a time, answered from a part of the trace around that time
 *
 * The model is that of a part (model/part.h), and the whole trace is plain. Call
 * doze_why_part_begin before the part's first event, and stop once doze_why_part_settled returns
 * true.
 */

/** Tells the question that its model continues in the middle of the trace. */
void doze_why_part_begin(struct doze_model *);
/** Returns whether later events cannot change the answer, or an earlier part is needed. */
bool doze_why_part_settled(const struct doze_model *);
/** Ends the question, after doze_model_part_finish. Returns whether the answer is that of the whole
 * trace; otherwise, begin earlier. */
bool doze_why_part_end(struct doze_model *);

/** Answers the question attached to a finished model. Returns false if the model has no question,
 * or if memory ran out; then *out is undefined. */
bool doze_why_answer(const struct doze_model *, struct doze_why_answer *out);

/** Prints an answer. trace: the folder to show in the commands, or null. */
void doze_why_print(const struct doze_why_answer *, const struct doze_model *, const char *trace,
		    FILE *out);
void doze_why_json(const struct doze_why_answer *, const struct doze_why_question *,
		   const struct doze_model *, const char *trace, FILE *out);

#endif
