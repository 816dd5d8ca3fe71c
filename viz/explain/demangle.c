/*
 * SPDX-License-Identifier: MIT
 *
 * demangle.c - readable names of C++ and Rust functions.
 *
 * libstdc++ demangles names of C++. It is loaded when the first such name is met, so doze itself
 * needs no C++; without it, names stay as they are. Rust's usual names are mangled like those of a
 * C++ namespace, with escapes for other characters and a hash at the end.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols_int.h"

typedef char *demangle_fn(const char *, char *, size_t *, int *);

static demangle_fn *demangler(void)
{
	static demangle_fn *found;
	static bool asked;
	void *library;

	if (asked)
		return found;
	asked = true;
	library = dlopen("libstdc++.so.6", RTLD_LAZY);
	if (library)
		*(void **)(void *)&found = dlsym(library, "__cxa_demangle");
	return found;
}

static const char *const escapes[][2] = {
    {"$LT$", "<"},  {"$GT$", ">"},  {"$RF$", "&"},  {"$BP$", "*"},  {"$C$", ","},   {"$LP$", "("},
    {"$RP$", ")"},  {"$u20$", " "}, {"$u7b$", "{"}, {"$u7d$", "}"}, {"$u5b$", "["}, {"$u5d$", "]"},
    {"$u27$", "'"}, {"$u3b$", ";"}, {"$u2b$", "+"}, {"..", "::"},
};

/* Replaces Rust's escapes. The text only becomes shorter. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from;) {
		size_t i = 0, count = sizeof escapes / sizeof escapes[0];

		while (i < count && strncmp(from, escapes[i][0], strlen(escapes[i][0])) != 0)
			i++;
		if (i == count) {
			*to++ = *from++;
			continue;
		}
		for (const char *s = escapes[i][1]; *s; s++)
			*to++ = *s;
		from += strlen(escapes[i][0]);
	}
	*to = 0;
}

/* Returns the length of a name without "::h" and the 16 digits of Rust's hash; 0 if it has none. */
static size_t length_without_hash(const char *name)
{
	size_t n = strlen(name);

	if (n <= 19 || strncmp(name + n - 19, "::h", 3) != 0)
		return 0;
	for (size_t i = n - 16; i < n; i++)
		if (!isxdigit((unsigned char)name[i]))
			return 0;
	return n - 19;
}

/* Cuts off the list of parameters of a C++ function: the first parenthesis outside of angle
 * brackets that does not begin "(anonymous namespace)". */
static void cut_parameters(char *name)
{
	int depth = 0;

	for (char *p = name; *p; p++) {
		depth += (*p == '<') - (*p == '>' && p > name && p[-1] != '-');
		if (*p == '(' && depth == 0 && p > name && strncmp(p, "(anonymous", 10) != 0) {
			*p = 0;
			return;
		}
	}
}

void symbols_demangle(const char *name, char *out, size_t size)
{
	demangle_fn *demangle = strncmp(name, "_Z", 2) == 0 ? demangler() : NULL;
	char copy[1024];
	int status = 0;

	/* The compiler appends a suffix that starts with a dot to the name of a function's copy. */
	(void)snprintf(copy, sizeof copy, "%s", name);
	if (demangle && strstr(copy, ".llvm."))
		*strstr(copy, ".llvm.") = 0;
	char *plain = demangle ? demangle(copy, NULL, NULL, &status) : NULL;
	if (!plain) {
		(void)snprintf(out, size, "%s", name);
		return;
	}
	size_t rust = length_without_hash(plain);
	if (rust) {
		plain[rust] = 0;
		unescape(plain);
	} else {
		cut_parameters(plain);
	}
	(void)snprintf(out, size, "%s", plain + (rust && plain[0] == '_' && plain[1] == '<'));
	free(plain);
}
