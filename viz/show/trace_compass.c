/*
 * SPDX-License-Identifier: MIT
 *
 * trace_compass.c - writes an analysis file for Eclipse Trace Compass, which reads LTTng traces
 * itself but does not know what doze's events mean. The file contains a state provider, a time
 * graph view and a view of counters ("data-driven analysis"), with instructions in a comment. Its
 * contents do not depend on the trace; the trace is still read, to detect a wrong folder.
 */
#include <string.h>

#include "../words/palette.h"
#include "export.h"

static void states(FILE *out, bool with_colors)
{
	for (int s = 0; s < DOZE_STATE_COUNT; s++) {
		fprintf(out, "    <definedValue name=\"%s\" value=\"%d\"",
			doze_state_name((enum doze_state)s), s);
		if (with_colors) {
			const char *hex = doze_ink_state((enum doze_state)s)->hex;

			fprintf(out, " color=\"%s\"", hex ? hex : "#ffffff");
		}
		fputs("/>\n", out);
	}
}

/* The XML comment omits the trace's name, which could contain the end of a comment. */
static const char instructions[] =
    "<!--\n"
    "  An analysis of doze traces for Eclipse Trace Compass.\n"
    "  1. Open the trace in Trace Compass: File, Open Trace, the folder that contains the\n"
    "     file `metadata`.\n"
    "  2. In the Project Explorer, right-click Traces, Manage XML Analyses, Import, this\n"
    "     file, and enable it.\n"
    "  3. Under the trace, Views: double-click `doze: workers` for the states of each worker,\n"
    "     or `doze: counters` for the number of workers in each state.\n"
    "  Both use the events doze:worker_state and are grouped by process and pool. If the\n"
    "  beginning of the trace is missing, the counters still begin at 0.\n"
    "-->\n";

/* Writes a view of the attributes below `path`: by process, pool and, last, worker or state.
 * Without <name>, an entry is named after its attribute, such as the worker's number. A <name> of
 * type self would name it after the attribute's value, which is its first state. */
static void view(FILE *out, const char *element, const char *name, const char *path)
{
	fprintf(out,
		"  <%s id=\"doze.view.%s\">\n"
		"    <head>\n"
		"      <analysis id=\"doze.analysis.workers\"/>\n"
		"      <label value=\"doze: %s\"/>\n"
		"    </head>\n",
		element, name, name);
	if (!strcmp(name, "workers"))
		states(out, true);
	fprintf(out,
		"    <entry path=\"%s/*\">\n"
		"      <entry path=\"*\">\n"
		"        <entry path=\"*\">\n"
		"          <display type=\"self\"/>\n"
		"        </entry>\n"
		"      </entry>\n"
		"    </entry>\n"
		"  </%s>\n",
		path, element);
}

/* Writes a rule that changes an attribute of a location when an event's field (`to` or `from`)
 * names state s. */
static void rule(FILE *out, enum doze_state s, const char *field, const char *location,
		 const char *attribute, const char *change)
{
	fprintf(out,
		"      <stateChange>\n"
		"        <if>\n"
		"          <condition>\n"
		"            <field name=\"%s\"/>\n"
		"            <stateValue type=\"string\" value=\"%s\"/>\n"
		"          </condition>\n"
		"        </if>\n"
		"        <then>\n"
		"          <stateAttribute type=\"location\" value=\"%s\"/>\n"
		"%s"
		"          <stateValue type=\"int\" value=\"%s/>\n"
		"        </then>\n"
		"      </stateChange>\n",
		field, doze_state_name(s), location, attribute, change);
}

/* Writes the rules for a state: a worker enters it, and the number of workers in it changes. */
static void rules(FILE *out, enum doze_state s)
{
	char value[64], count[96];

	snprintf(value, sizeof value, "$%s\"", doze_state_name(s));
	snprintf(count, sizeof count,
		 "          <stateAttribute type=\"constant\" value=\"%s\"/>\n",
		 doze_state_name(s));
	rule(out, s, "to", "worker", "", value);
	rule(out, s, "to", "counters", count, "1\" increment=\"true\"");
	rule(out, s, "from", "counters", count, "-1\" increment=\"true\"");
}

static void provider(FILE *out)
{
	fputs("  <stateProvider id=\"doze.analysis.workers\" version=\"1\">\n"
	      "    <head>\n"
	      "      <traceType id=\"org.eclipse.linuxtools.lttng2.ust.tracetype\"/>\n"
	      "      <label value=\"doze: sleep and wake\"/>\n"
	      "    </head>\n",
	      out);
	states(out, false);
	fputs("    <location id=\"worker\">\n"
	      "      <stateAttribute type=\"constant\" value=\"processes\"/>\n"
	      "      <stateAttribute type=\"eventField\" value=\"context._vpid\"/>\n"
	      "      <stateAttribute type=\"eventField\" value=\"pool\"/>\n"
	      "      <stateAttribute type=\"eventField\" value=\"worker\"/>\n"
	      "    </location>\n"
	      "    <location id=\"counters\">\n"
	      "      <stateAttribute type=\"constant\" value=\"counters\"/>\n"
	      "      <stateAttribute type=\"eventField\" value=\"context._vpid\"/>\n"
	      "      <stateAttribute type=\"eventField\" value=\"pool\"/>\n"
	      "    </location>\n"
	      "    <eventHandler eventName=\"doze:worker_state\">\n",
	      out);
	for (int s = 1; s < DOZE_STATE_COUNT; s++)
		rules(out, (enum doze_state)s);
	fputs("    </eventHandler>\n"
	      "  </stateProvider>\n",
	      out);
}

static void end(struct doze_export *x)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<tmfxml xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
	      "xsi:noNamespaceSchemaLocation=\"xmlDefinition.xsd\">\n",
	      x->out);
	fputs(instructions, x->out);
	view(x->out, "timeGraphView", "workers", "processes");
	view(x->out, "xyView", "counters", "counters");
	provider(x->out);
	fputs("</tmfxml>\n", x->out);
}

const struct doze_export_format doze_export_trace_compass = {
    .name = "trace-compass",
    .what = "an analysis file for Eclipse Trace Compass, with instructions",
    .end = end,
};
