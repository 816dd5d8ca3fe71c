/*
 * SPDX-License-Identifier: MIT
 *
 * trace_compass.c - writes an analysis file for Eclipse Trace Compass, which reads LTTng traces
 * itself but does not know what doze's events mean. The file contains a state provider, a time
 * graph view and a view of counters ("data-driven analysis"), with instructions in a comment. Its
 * contents do not depend on the trace; the trace is still read, to detect a wrong folder.
 */
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

static void view(FILE *out)
{
	fputs("  <timeGraphView id=\"doze.view.workers\">\n"
	      "    <head>\n"
	      "      <analysis id=\"doze.analysis.workers\"/>\n"
	      "      <label value=\"doze: workers\"/>\n"
	      "    </head>\n",
	      out);
	states(out, true);
	/* Without <name>, an entry is named after its attribute, the worker's number. A <name> of
	 * type self would name it after the attribute's value, which is its first state. */
	fputs("    <entry path=\"processes/*\">\n"
	      "      <entry path=\"*\">\n"
	      "        <entry path=\"*\">\n"
	      "          <display type=\"self\"/>\n"
	      "        </entry>\n"
	      "      </entry>\n"
	      "    </entry>\n"
	      "  </timeGraphView>\n",
	      out);
}

static void counters_view(FILE *out)
{
	fputs("  <xyView id=\"doze.view.counters\">\n"
	      "    <head>\n"
	      "      <analysis id=\"doze.analysis.workers\"/>\n"
	      "      <label value=\"doze: counters\"/>\n"
	      "    </head>\n"
	      "    <entry path=\"counters/*\">\n"
	      "      <entry path=\"*\">\n"
	      "        <entry path=\"*\">\n"
	      "          <display type=\"self\"/>\n"
	      "        </entry>\n"
	      "      </entry>\n"
	      "    </entry>\n"
	      "  </xyView>\n",
	      out);
}

/* Writes the rule that adds `step` to the number of workers in state s when an event's field (`to`
 * or `from`) names that state. */
static void one_count(FILE *out, enum doze_state s, const char *field, int step)
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
		"          <stateAttribute type=\"location\" value=\"counters\"/>\n"
		"          <stateAttribute type=\"constant\" value=\"%s\"/>\n"
		"          <stateValue type=\"int\" value=\"%d\" increment=\"true\"/>\n"
		"        </then>\n"
		"      </stateChange>\n",
		field, doze_state_name(s), doze_state_name(s), step);
}

static void one_change(FILE *out, enum doze_state s)
{
	fprintf(out,
		"      <stateChange>\n"
		"        <if>\n"
		"          <condition>\n"
		"            <field name=\"to\"/>\n"
		"            <stateValue type=\"string\" value=\"%s\"/>\n"
		"          </condition>\n"
		"        </if>\n"
		"        <then>\n"
		"          <stateAttribute type=\"location\" value=\"worker\"/>\n"
		"          <stateValue type=\"int\" value=\"$%s\"/>\n"
		"        </then>\n"
		"      </stateChange>\n",
		doze_state_name(s), doze_state_name(s));
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
	for (int s = 1; s < DOZE_STATE_COUNT; s++) {
		one_change(out, (enum doze_state)s);
		one_count(out, (enum doze_state)s, "to", 1);
		one_count(out, (enum doze_state)s, "from", -1);
	}
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
	view(x->out);
	counters_view(x->out);
	provider(x->out);
	fputs("</tmfxml>\n", x->out);
}

const struct doze_export_format doze_export_trace_compass = {
    .name = "trace-compass",
    .what = "an analysis file for Eclipse Trace Compass, with instructions",
    .end = end,
};
