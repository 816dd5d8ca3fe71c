/*
 * SPDX-License-Identifier: MIT
 *
 * symbols.c - the binaries of all processes, the files that have their symbols, and a cache of the
 * lines that were requested.
 */
#include "symbols.h"

#include <ctype.h>
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../model/observer.h"
#include "../model/saved.h"

enum { SYMBOLS_TEXT = 192, SYMBOLS_PATH = 512 };

struct symbols_file; /* a file that libdw has opened */

struct symbols_binary {
	struct doze_binary is; /* is.path points to `path` below */
	char path[SYMBOLS_PATH];
	bool asked;                /* open_file was called, so `file` and `problem` are valid */
	struct symbols_file *file; /* owned; null: see `problem` */
	const char *problem;       /* why the file has no symbols; static; null: no problem */
};

/*
 * ---- Readable names of C++ and Rust functions ----
 *
 * libstdc++ demangles names of C++. It is loaded when the first such name is met, so doze itself
 * needs no C++; without it, names stay as they are. Rust's usual names are mangled like those of a
 * C++ namespace, with escapes for other characters and a hash at the end.
 */

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

/* Writes the name of a function as its programmer would: of C++ without parameters, of Rust without
 * the hash. Other names are copied. */
static void readable_name(const char *name, char *out, size_t size)
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

/*
 * ---- The function and line of an address ----
 *
 * They come from libdw (elfutils), which reads DWARF 2 to 5, finds separate debug files by build-id
 * and debug link, and is maintained by the distribution. A module is placed at the recorded base,
 * so that the addresses of the process are valid for executables, position-independent or not, and
 * for shared objects.
 */

struct symbols_file {
	Dwfl *dwfl;          /* owned */
	Dwfl_Module *module; /* not owned */
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static struct symbols_file *file_new(const struct symbols_binary *b)
{
	static char *debug_path;
	static const Dwfl_Callbacks callbacks = {
	    .find_debuginfo = dwfl_standard_find_debuginfo,
	    .section_address = dwfl_offline_section_address,
	    .debuginfo_path = &debug_path,
	};
	struct symbols_file *f = calloc(1, sizeof *f);

	if (!f)
		return NULL;
	f->dwfl = dwfl_begin(&callbacks);
	if (f->dwfl)
		f->module = dwfl_report_elf(f->dwfl, b->path, b->path, -1, b->is.base, false);
	if (f->dwfl)
		(void)dwfl_report_end(f->dwfl, NULL, NULL);
	if (f->module)
		return f;
	dwfl_end(f->dwfl);
	free(f);
	return NULL;
}

/* Returns whether the file has the recorded build-id. If none was recorded, the file must have none
 * either. */
static bool same_build(const struct symbols_binary *b, const struct symbols_file *f)
{
	const unsigned char *id;
	GElf_Addr at, bias;
	int n;

	if (!dwfl_module_getelf(f->module, &bias))
		return false;
	n = dwfl_module_build_id(f->module, &id, &at);
	if (n > DOZE_BUILD_ID)
		n = DOZE_BUILD_ID;
	return (size_t)(n > 0 ? n : 0) == b->is.id_length &&
	       (n <= 0 || !memcmp(id, b->is.id, (size_t)n));
}

/* Opens the binary's file if necessary, and compares its build-id. */
static void open_file(struct symbols_binary *b)
{
	if (b->asked)
		return;
	b->asked = true;
	b->problem = NULL;
	b->file = access(b->path, R_OK) ? NULL : file_new(b);
	if (!b->file)
		b->problem = access(b->path, R_OK) ? "the file is missing here" : "not an ELF file";
	else if (!same_build(b, b->file))
		b->problem = "the file is not the recorded one: its build-id differs";
}

static void close_file(struct symbols_binary *b)
{
	if (b->file) {
		dwfl_end(b->file->dwfl);
		free(b->file);
	}
	b->file = NULL;
	b->asked = false;
}

static void without_symbols(const struct symbols_binary *b, uint64_t address, const char *why,
			    char out[SYMBOLS_TEXT])
{
	(void)snprintf(out, SYMBOLS_TEXT, "%.80s+0x%" PRIx64 " (%s)", base_name(b->path),
		       address - b->is.base, why);
}

/* Writes the function and line of an address in the process; the address must be within the
 * binary. */
static void resolve(struct symbols_binary *b, uint64_t address, char out[SYMBOLS_TEXT])
{
	/* A return address points to the next instruction, which may belong to the next line. */
	uint64_t call = address > b->is.base ? address - 1 : address;
	const char *function, *source = NULL;
	char name[SYMBOLS_TEXT];
	Dwfl_Line *line;
	int number = 0;

	open_file(b);
	if (b->problem) {
		without_symbols(b, address, b->problem, out);
		return;
	}
	function = dwfl_module_addrname(b->file->module, call);
	if (function) {
		readable_name(function, name, sizeof name);
		function = name;
	}
	line = dwfl_module_getsrc(b->file->module, call);
	if (line)
		source = dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL);
	if (source && number > 0)
		(void)snprintf(out, SYMBOLS_TEXT, "%.80s (%.80s:%d)", function ? function : "?",
			       base_name(source), number);
	else if (function)
		(void)snprintf(out, SYMBOLS_TEXT,
			       "%.80s (%.60s, no line numbers: build it with -g)", function,
			       base_name(b->path));
	else
		without_symbols(b, address, "stripped: no symbols", out);
}

/* ---- The table of a model ---- */

enum {
	BINARIES = 1024, /* limit for all processes together; further binaries are ignored */
	LINES = 256,     /* size of the cache */
	BUFFERS = 8,
};

struct line {
	uint32_t host;
	int32_t vpid;
	uint64_t address; /* 0: this entry is free */
	char text[SYMBOLS_TEXT];
};

struct symbols {
	struct symbols_binary *at[BINARIES]; /* owned */
	size_t count;
	struct line line[LINES]; /* a cache, indexed by a hash of the address */
};

static void on_free(void *ctx)
{
	struct symbols *s = ctx;

	for (size_t i = 0; i < s->count; i++) {
		close_file(s->at[i]);
		free(s->at[i]);
	}
	free(s);
}

static const struct doze_observer observer = {.free = on_free};

static struct symbols *table_of(struct doze_model *m)
{
	struct symbols *s = m ? doze_model_observed_by(m, &observer) : NULL;

	if (s)
		return s;
	s = calloc(1, sizeof *s);
	if (s && doze_model_observe(m, &observer, s))
		return s;
	free(s);
	return NULL;
}

static struct symbols_binary *find(const struct symbols *s, const struct doze_binary *b)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct doze_binary *is = &s->at[i]->is;

		if (is->host == b->host && is->vpid == b->vpid && is->base == b->base)
			return s->at[i];
	}
	return NULL;
}

static struct symbols_binary *create(struct symbols *s, const struct doze_binary *b)
{
	struct symbols_binary *n =
	    s->count < BINARIES ? calloc(1, sizeof(struct symbols_binary)) : NULL;

	if (!n)
		return NULL;
	n->is = (struct doze_binary){.host = b->host, .vpid = b->vpid, .base = b->base};
	return s->at[s->count++] = n;
}

void doze_symbols_add(struct doze_model *m, const struct doze_binary *b)
{
	struct symbols *s = table_of(m);
	struct symbols_binary *old = s ? find(s, b) : NULL;

	if (s && !old)
		old = create(s, b);
	if (!old)
		return;
	close_file(old);
	if (b->path) {
		old->is.size = b->size;
		(void)snprintf(old->path, sizeof old->path, "%s", b->path);
		old->is.path = old->path;
	}
	if (b->id_length) {
		old->is.id_length = b->id_length;
		memcpy(old->is.id, b->id, sizeof old->is.id);
	}
}

static void binary_saved(struct symbols_binary *b, struct doze_saved *s)
{
	struct doze_binary is = b->is;
	bool has_path = is.path;

	is.path = NULL;
	(void)doze_saved_value(s, is);
	(void)doze_saved_value(s, has_path);
	(void)doze_saved_bytes(s, b->path, sizeof b->path);
	if (!s->loads || s->failed)
		return;
	b->path[sizeof b->path - 1] = '\0';
	b->is = is;
	b->is.path = has_path ? b->path : NULL;
}

void doze_symbols_saved(struct doze_model *m, struct doze_saved *s)
{
	struct symbols *all = table_of(m);
	size_t count = all ? all->count : 0;

	if (!all || !doze_saved_value(s, count)) {
		(void)doze_saved_fail(s);
		return;
	}
	for (size_t i = 0; i < count && !s->failed; i++) {
		struct symbols_binary *b =
		    s->loads ? create(all, &(struct doze_binary){0}) : all->at[i];

		if (b)
			binary_saved(b, s);
		else
			(void)doze_saved_fail(s);
	}
}

static struct symbols_binary *containing(const struct symbols *s, const struct doze_pool_view *p,
					 uint64_t address)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct doze_binary *b = &s->at[i]->is;

		if (b->host == p->host && b->vpid == p->vpid && b->path && address >= b->base &&
		    address - b->base < b->size)
			return s->at[i];
	}
	return NULL;
}

static bool lists_process(const struct symbols *s, const struct doze_pool_view *p)
{
	for (size_t i = 0; s && i < s->count; i++)
		if (s->at[i]->is.host == p->host && s->at[i]->is.vpid == p->vpid)
			return true;
	return false;
}

static struct line *remembered(struct symbols *s, const struct doze_pool_view *p, uint64_t address)
{
	struct line *l = &s->line[address * UINT64_C(0x9e3779b97f4a7c15) >> 56];

	if (l->address == address && l->host == p->host && l->vpid == p->vpid)
		return l;
	*l = (struct line){.host = p->host, .vpid = p->vpid, .address = address};
	return l;
}

static char *buffer(void)
{
	static char text[BUFFERS][SYMBOLS_TEXT + 16];
	static unsigned n;

	return text[n++ % BUFFERS];
}

const char *doze_symbols_line(const struct doze_model *m, const struct doze_pool_view *p,
			      uint64_t address)
{
	struct symbols *s = m ? doze_model_observed_by(m, &observer) : NULL;
	struct symbols_binary *b;
	char *out = buffer();
	struct line *l;

	*out = '\0';
	if (!address || !p)
		return out;
	if (!lists_process(s, p)) {
		(void)snprintf(out, SYMBOLS_TEXT,
			       "0x%" PRIx64 " (the trace does not list the program's files)",
			       address);
		return out;
	}
	l = remembered(s, p, address);
	b = *l->text ? NULL : containing(s, p, address);
	if (b)
		resolve(b, address, l->text);
	else if (!*l->text)
		(void)snprintf(l->text, sizeof l->text,
			       "0x%" PRIx64 " (in no file that was loaded when the recording "
			       "started)",
			       address);
	(void)snprintf(out, SYMBOLS_TEXT, "%s", l->text);
	return out;
}

const char *doze_symbols_posted(const struct doze_model *m, const struct doze_pool_view *p,
				uint64_t address)
{
	struct symbols *s = m ? doze_model_observed_by(m, &observer) : NULL;
	char *out = buffer();

	*out = '\0';
	if (address && p && lists_process(s, p))
		(void)snprintf(out, SYMBOLS_TEXT + 16, ", posted at %s",
			       doze_symbols_line(m, p, address));
	return out;
}
