# SPDX-License-Identifier: MIT
#
# man3.awk - man pages of section 3 from the comments of doze.h.
#
# usage: awk -v out=FOLDER -v version=V -f lib/man3.awk lib/doze.h
#
# A comment /** … */ at the left margin and the declarations right below it make a page. A comment
# that begins with "Like NAME, but" or "Like NAME and", where NAME is the name of the page before,
# belongs to that page. The first declared name is the name of the page; the other names get a page
# that refers to it. The file's own comment becomes doze(3).

function escape(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	sub(/^[.']/, "\\\\\\&&", text)
	return text
}

# Returns the name that a declaration declares: the word before its first parenthesis, or after "} ".
function declared(code, name)
{
	if (code ~ /^typedef struct/) {
		name = code
		sub(/.*} */, "", name)
		sub(/;.*/, "", name)
		return name
	}
	name = code
	sub(/\(.*/, "", name)
	sub(/.*[ *]/, "", name)
	return name
}

function heading(file, title)
{
	printf ".TH %s 3 \"\" \"doze %s\" \"Library functions\"\n", toupper(title), version >file
}

# Returns the first clause of the first sentence, in lower case.
function summary(text)
{
	gsub(/ ?\([^)]*\)/, "", text)
	sub(/[.;:].*/, "", text)
	if (text !~ /^[A-Z][A-Z]/)
		text = tolower(substr(text, 1, 1)) substr(text, 2)
	return text
}

function flush_page(file, list, i)
{
	if (names_n == 0 || text == "")
		return
	file = out "/" names[1] ".3"
	heading(file, names[1])
	for (i = 1; i <= names_n; i++)
		list = list (i > 1 ? ", " : "") names[i]
	print ".SH NAME\n" list " \\- " escape(summary(text)) >file
	print ".SH SYNOPSIS\n.nf\n.B #include <doze.h>\n" >file
	printf "%s", code_of_page >file
	print ".fi\n.SH DESCRIPTION" >file
	printf "%s", described >file
	print ".SH SEE ALSO\n.BR doze (3)" >file
	close(file)
	for (i = 2; i <= names_n; i++) {
		file = out "/" names[i] ".3"
		print ".so man3/" names[1] ".3" >file
		close(file)
	}
	index_of_pages = index_of_pages ".TP\n.BR " names[1] " (3)\n" escape(summary(text)) "\n"
}

function start_page(new_text)
{
	joins = names_n > 0 && new_text ~ "^Like " names[1] "(, but| and) "
	if (!joins) {
		flush_page()
		names_n = 0
		code_of_page = described = ""
		text = new_text
	} else {
		described = described ".PP\n"
	}
	pending = new_text
	first_of_last = names_n + 1
}

function end_declaration(i)
{
	names[++names_n] = declared(code)
	code_of_page = code_of_page escape_lines(code)
	code = ""
}

function escape_lines(text, parts, n, i, result)
{
	n = split(text, parts, "\n")
	for (i = 1; i <= n; i++)
		result = result (parts[i] == "" && i == n ? "" : escape(parts[i]) "\n")
	return result
}

# Adds the last comment to its page. Called when its declarations are known, because a comment that
# belongs to the page before is headed by their names.
function end_comment_group(i, list)
{
	if (pending == "")
		return
	if (joins)
		for (i = first_of_last; i <= names_n; i++)
			list = list (list ? ", " : "") names[i]
	described = described (list ? ".B " list ":\n" : "") escape(pending) "\n"
	pending = ""
}

# ---- the file's own comment ----
NR == 1, /\*\// {
	line = $0
	if (line ~ /SPDX|^\/\*|\*\//)
		next
	sub(/^ \*[ ]?/, "", line)
	if (line ~ /^doze\.h - /) {
		about = substr(line, 10)
		sub(/\.$/, "", about)
		next
	}
	if (line != "")
		preface = preface (gap && preface ? ".PP\n" : "") escape(line) "\n"
	gap = line == ""
	next
}

# ---- documented declarations ----
/^\/\*\*/ {
	end_comment_group()
	comment = 1
	new_text = ""
}
comment {
	line = $0
	closed = line ~ /\*\//
	sub(/^\/\*\* ?/, "", line)
	sub(/^ \* ?/, "", line)
	sub(/ *\*\/.*/, "", line)
	new_text = new_text (new_text == "" || line == "" ? "" : " ") line
	if (closed) {
		comment = 0
		start_page(new_text)
		code = ""
		taking = 1
	}
	next
}
taking && /^(typedef|[a-z].*\()/ || code != "" {
	code = code $0 "\n"
	if (code ~ /^typedef [^{]*$/ && $0 ~ /;$/) { # a function type: described only in doze.h
		code = ""
		next
	}
	if ((code ~ /^typedef struct/ && $0 ~ /^}/) || (code !~ /{/ && $0 ~ /;$/))
		end_declaration()
	next
}
/^$/ || /^#/ || /^\/\*/ {
	taking = 0
}

END {
	end_comment_group()
	flush_page()
	file = out "/doze.3"
	heading(file, "doze")
	print ".SH NAME\ndoze \\- " escape(about) >file
	print ".SH SYNOPSIS\n.nf\n.B #include <doze.h>\n.PP" >file
	print "cc \\&... $(pkg\\-config \\-\\-cflags \\-\\-libs doze)\n.fi\n.SH DESCRIPTION" >file
	printf "%s", preface >file
	printf ".SH PAGES\n%s", index_of_pages >file
	print ".SH SEE ALSO\n.BR doze (1)" >file
}
