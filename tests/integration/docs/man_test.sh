#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Checks that every public name and every command has a man page with a name line and a description.
# If groff is installed, it must read all pages without a warning.

cd "$(dirname "$0")/../../.." || exit 1
build=${BUILD:-build}
make --no-print-directory docs || exit 1
bad=0

complain() {
	echo "FAILED: $1" >&2
	bad=1
}

# The symbols doze_inline_… are for the code that doze_inline.h puts into programs.
for name in $(nm -D --defined-only "$build/libdoze.so" | awk '$3 !~ /^doze_inline_/ { print $3 }') doze doze_config; do
	[ -s "$build/man/man3/$name.3" ] || complain "$name has no page in section 3"
done
for name in $("$build/doze" help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	page=$build/man/man1/doze-$name.1
	[ -s "$page" ] || complain "doze $name has no page in section 1"
	[ "$(sed -n '/^\.SH EXAMPLES/,/^\.SH [^E]/p' "$page" | grep -c "^\.B doze $name")" -ge 1 ] ||
		complain "$page: no example"
done
for page in "$build"/man/man?/*; do
	grep -q '^\.so ' "$page" && continue
	[ "$(sed -n '/^\.SH NAME/{n;p;}' "$page" | grep -c '\\- .')" -eq 1 ] ||
		complain "$page: no name line"
	[ "$(sed -n '/^\.SH DESCRIPTION/,/^\.SH [^D]/p' "$page" | wc -l)" -ge 3 ] ||
		complain "$page: no description"
	if command -v groff >/dev/null; then
		groff -man -Tutf8 -K utf8 -ww -z "$page" 2>"$build/man/.groff" || bad=1
		[ ! -s "$build/man/.groff" ] || complain "$page: $(cat "$build/man/.groff")"
	fi
done
echo "$(find "$build/man" -name '*.[13]' | wc -l) pages"
exit $bad
