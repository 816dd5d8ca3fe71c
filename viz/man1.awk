# SPDX-License-Identifier: MIT
#
# man1.awk - makes a man page of section 1 from the output of `doze help COMMAND`.
#
# usage: doze help storms | awk -v page=doze-storms -v version=V -f viz/man1.awk >doze-storms.1
#
# The text has parts with an empty line between them: usage, summary, explanation, and lists that
# begin with a word and a colon ("Options:"). Outside lists, lines that begin with blanks are printed
# as they are.

function escape(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	sub(/^[.']/, "\\\\\\&&", text)
	return text
}

function section(title)
{
	print ".SH " toupper(title)
}

# "  -o, --output=PATH   where the result goes": the name, two or more blanks, and the description.
# "  doze check t   all findings": a command, and what it does.
function example(line, at)
{
	sub(/^ +/, "", line)
	at = match(line, /  +/)
	print ".PP\n.nf\n.B " escape(at ? substr(line, 1, at - 1) : line) "\n.fi"
	if (at)
		print escape(substr(line, at + RLENGTH))
}

function entry(line, at, name)
{
	sub(/^ +/, "", line)
	at = match(line, /  +/)
	name = at ? substr(line, 1, at - 1) : line
	print ".TP\n.B " escape(name)
	if (at)
		print escape(substr(line, at + RLENGTH))
}

BEGIN {
	printf ".TH %s 1 \"\" \"doze %s\" \"User commands\"\n", toupper(page), version
}

NR == 1 {
	usage = $0
	sub(/^usage: /, "", usage)
	next
}
NR == 2 {
	next
}
NR == 3 {
	section("name")
	summary = $0
	sub(/^doze /, "", summary)
	sub(/\.$/, "", summary)
	print page " \\- " escape(summary)
	section("synopsis")
	print ".B " escape(usage)
	section("description")
	print escape(toupper(substr(summary, 1, 1)) substr(summary, 2)) "."
	described = 1
	next
}

# The title of a list: the word before the colon, or before a remark in parentheses.
/^[A-Z][A-Za-z ]*( \(.*\))?:$/ {
	title = $0
	sub(/( \(.*\))?:$/, "", title)
	section(title)
	examples = title == "Examples"
	list = 1
	gap = 0
	next
}
/^Policies: / {
	section("policies")
	print escape(substr($0, 11))
	list = gap = 0
	next
}
/^$/ {
	if (kept)
		print ".fi"
	gap = !list
	list = kept = 0
	next
}
gap {
	if (described)
		print ".PP"
	gap = 0
}
list && /^ / {
	if (examples)
		example($0)
	else
		entry($0)
	next
}
/^ / && !kept {
	print ".nf"
	kept = 1
}
!/^ / && kept {
	print ".fi"
	kept = 0
}
{
	print escape($0)
}

END {
	if (kept)
		print ".fi"
	section("see also")
	print page == "doze" ? ".BR doze (3)" : ".BR doze (1)"
}
