/*
 * SPDX-License-Identifier: MIT
 *
 * resolve.c - finds the function and line of an address with libdw (elfutils), which reads DWARF 2
 * to 5, finds separate debug files by build-id and debug link, and is maintained by the
 * distribution.
 *
 * A module is placed at the recorded base, so that the addresses of the process are valid for
 * executables, position-independent or not, and for shared objects.
 */
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols_int.h"

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

void symbols_open(struct symbols_binary *b)
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

void symbols_close(struct symbols_binary *b)
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

void symbols_resolve(struct symbols_binary *b, uint64_t address, char out[SYMBOLS_TEXT])
{
	/* A return address points to the next instruction, which may belong to the next line. */
	uint64_t call = address > b->is.base ? address - 1 : address;
	const char *function, *source = NULL;
	char name[SYMBOLS_TEXT];
	Dwfl_Line *line;
	int number = 0;

	symbols_open(b);
	if (b->problem) {
		without_symbols(b, address, b->problem, out);
		return;
	}
	function = dwfl_module_addrname(b->file->module, call);
	if (function) {
		symbols_demangle(function, name, sizeof name);
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
