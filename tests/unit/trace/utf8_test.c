/*
 * SPDX-License-Identifier: MIT
 *
 * utf8_test.c - viz/trace/utf8: cleaned text cannot affect the terminal or the adjacent
 * text.
 */
#include "tests/fixtures/suite.h"
#include "viz/trace/utf8.h"

static void keeps_clean_text(void)
{
	static const char *const clean[] = {"", "phase 2", "\xc3\x9cm \xc3\x9f",
					    "\xe6\x97\xa5\xe6\x9c\xac", "\xf0\x9f\x98\xb4 zzz"};
	char out[64];

	for (size_t i = 0; i < sizeof clean / sizeof clean[0]; i++) {
		doze_text_clean(out, sizeof out, clean[i]);
		CU_ASSERT_STRING_EQUAL(out, clean[i]);
		CU_ASSERT_TRUE(doze_text_is_clean(clean[i]));
	}
	doze_text_clean(out, sizeof out, NULL);
	CU_ASSERT_STRING_EQUAL(out, "");
}

static void replaces_unsafe_characters(void)
{
	static const struct {
		const char *dirty, *clean;
	} c[] = {
	    {"a\x1b[31mb\n", "a?[31mb?"},
	    {"a\x7f", "a?"},
	    {"\xc2\x9b"
	     "2J",
	     "?2J"},                              /* CSI as a two-byte C1 control */
	    {"\x9b", "?"},                        /* CSI as a single raw byte */
	    {"a\xe2\x80\xae.txt", "a?.txt"},      /* right-to-left override */
	    {"\xe2\x81\xa6x\xe2\x81\xa9", "?x?"}, /* bidirectional isolates */
	    {"\xd8\x9c\xe2\x80\x8b\xef\xbb\xbf", "???"},
	    {"\xe2\x80\xa8", "?"},             /* line separator */
	    {"\xc0\xaf\xed\xa0\x80", "?????"}, /* overlong encoding and surrogate */
	    {"cut \xe6\x97", "cut "},
	    {"cut \xe6\x97 inside", "cut ?? inside"},
	};
	char out[64];

	for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
		doze_text_clean(out, sizeof out, c[i].dirty);
		CU_ASSERT_STRING_EQUAL(out, c[i].clean);
		CU_ASSERT_FALSE(doze_text_is_clean(c[i].dirty));
		CU_ASSERT_TRUE(doze_text_is_clean(out));
	}
}

static void cuts_between_characters(void)
{
	char out[4];

	doze_text_clean(out, sizeof out, "ab\xc3\xbc");
	CU_ASSERT_STRING_EQUAL(out, "ab");
	doze_text_clean(out, sizeof out,
			"a\xc3\xbc"
			"b");
	CU_ASSERT_STRING_EQUAL(out, "a\xc3\xbc");
}

static const struct suite_test tests[] = {
    {"clean text is unchanged", keeps_clean_text},
    {"control, bidirectional and hidden characters and invalid bytes are replaced",
     replaces_unsafe_characters},
    {"text is truncated only between characters", cuts_between_characters},
};
SUITE_MAIN("event: clean text", tests)
