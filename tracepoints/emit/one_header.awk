# SPDX-License-Identifier: MIT
#
# one_header.awk - makes one header of doze_emit.h and of the headers of this tree that it includes, so
# that a program needs no others: awk -f one_header.awk tracepoints/emit/doze_emit.h

function folder_of(path)
{
	return match(path, /.*\//) ? substr(path, 1, RLENGTH) : ""
}

# Removes "name/.." from a path, so that each file has one name.
function plain(path)
{
	while (sub(/[^\/.]+\/\.\.\//, "", path))
		continue
	return path
}

function expand(path,    line, other)
{
	if (path in seen)
		return
	seen[path] = 1
	while ((getline line <path) > 0) {
		if (line ~ /^#include "/) {
			other = line
			gsub(/^#include "|".*$/, "", other)
			expand(plain(folder_of(path) other))
		} else {
			print line
		}
	}
	close(path)
}

BEGIN {
	expand(ARGV[1])
}
