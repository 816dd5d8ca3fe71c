/*
 * SPDX-License-Identifier: MIT
 *
 * quote_test.c - viz/words: arbitrary bytes from a trace are quoted correctly in every format.
 */
#include "viz/words/quote.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/suite.h"

static char *quoted(void (*quote)(FILE *, const char *), const char *text)
{
	static char *result;
	size_t size;
	FILE *f;

	free(result);
	result = NULL;
	f = open_memstream(&result, &size);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	quote(f, text);
	fclose(f);
	return result;
}

static void json_escapes(void)
{
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_json, "plain"), "\"plain\"");
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_json, "a\"b\\c"), "\"a\\\"b\\\\c\"");
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_json, "\n\x1b"), "\"\\u000a\\u001b\"");
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_json, ""), "\"\"");
}

static void csv_quotes(void)
{
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_csv, "plain"), "plain");
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_csv, "a,b"), "\"a,b\"");
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_csv, "say \"x\"\n"), "\"say \"\"x\"\"\n\"");
}

static void xml_entities(void)
{
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_xml, "<a href=\"x\">&</a>"),
			       "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;");
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_xml, "a\x01\x1b[2Jb"), "a[2Jb");
}

#define FFFD "\xef\xbf\xbd"

static void invalid_utf8(void)
{
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_xml, "gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f");
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_xml, "a\xff\xc3"), "a" FFFD FFFD);
	/* An overlong encoding. */
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_xml, "\xc0\xaf"), FFFD FFFD);
	/* A surrogate. */
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_xml, "\xed\xa0\x80"), FFFD FFFD FFFD);
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_xml, "\xf4\x90\x80\x80"), FFFD FFFD FFFD FFFD);
	CU_ASSERT_STRING_EQUAL(quoted(doze_quote_xml, "\xf0\x9f\x98\xb4"), "\xf0\x9f\x98\xb4");
}

static const struct suite_test tests[] = {
    {"JSON escapes quotes, backslashes and control characters", json_escapes},
    {"CSV quotes a field only when necessary", csv_quotes},
    {"XML escapes markup and drops control characters", xml_entities},
    {"invalid UTF-8 is replaced byte by byte", invalid_utf8},
};

SUITE_MAIN("quote", tests)
