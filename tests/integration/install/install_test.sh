#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs into a temporary root, then builds the program of README.md against that installation
# with pkg-config, as C and as C++, with the shared and the static library, and with CMake if there is
# one, and runs it; and the pool of tests/emit, with the installed hooks. Finally, `make uninstall` must
# leave no file.

cd "$(dirname "$0")/../../.." || exit 1
root=$(mktemp -d "${TMPDIR:-/tmp}/doze-install.XXXXXX") || exit 1
trap 'rm -rf "$root"' EXIT
prefix=$root/usr
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH

fail() {
	echo "FAILED: $1" >&2
	exit 1
}

# The first C block of the README contains the program.
awk '/^```$/ { inside = 0 } inside; /^```c$/ { inside = 1 }' README.md >"$root/program.c"
[ -s "$root/program.c" ] || fail "README.md has no C block"
lines=$(grep -c . "$root/program.c")
[ "$lines" -le 25 ] || fail "the program of README.md has $lines lines, about 20 are promised"
cp "$root/program.c" "$root/program.cc"

make --no-print-directory install PREFIX="$prefix" || fail "make install"

# build_and_run NAME COMPILER ARGUMENTS…
build_and_run() {
	what=$1
	shift
	"$@" -o "$root/program" || fail "$what does not build"
	output=$(LD_LIBRARY_PATH=$prefix/lib timeout 60 "$root/program") || fail "$what: exit $?"
	[ "$output" = "fib(30) = 832040" ] || fail "$what printed: $output"
	echo "ok: $what"
}

flags=$(pkg-config --cflags --libs doze) || fail "pkg-config does not find doze"
static=$(pkg-config --cflags --libs --static doze | sed 's/-ldoze/-l:libdoze.a/')
# shellcheck disable=SC2086 # flags are words
{
	build_and_run "C, shared" cc -Wall -Wextra -Werror -std=c99 "$root/program.c" $flags
	build_and_run "C, static" cc -Wall -Wextra -Werror -std=c11 "$root/program.c" $static
	build_and_run "C++, shared" c++ -Wall -Wextra -Werror "$root/program.cc" $flags
	sed 's/<doze.h>/<doze_inline.h>/' "$root/program.c" >"$root/inline.c"
	cp "$root/inline.c" "$root/inline.cc"
	build_and_run "C, shared, joins inlined" cc -O3 -fPIE -pie -Wall -Wextra -Werror -std=c99 "$root/inline.c" $flags
	build_and_run "C, static, joins inlined" cc -O3 -flto -Wall -Wextra -Werror -std=c11 "$root/inline.c" $static
	build_and_run "C++, shared, joins inlined" c++ -O3 -Wall -Wextra -Werror "$root/inline.cc" $flags
	cc -O3 -fPIC -shared -Wall -Wextra -Werror -Dmain=joins -o "$root/libjoins.so" "$root/inline.c" $flags ||
		fail "a shared object with inlined joins does not build"
}

# The pool with hooks; TRACE=0 installs none.
hooks=
if pkg-config --exists doze-emit; then
	hooks="add_executable(pool pool.c)
target_link_libraries(pool doze::emit)"
	cp tests/emit/pool.c "$root"
	# shellcheck disable=SC2046 # flags are words
	cc -Wall -Wextra -Werror -std=gnu11 -o "$root/pool" "$root/pool.c" $(pkg-config --cflags --libs doze-emit) ||
		fail "tests/emit/pool.c does not build"
	timeout 60 "$root/pool" healthy || fail "tests/emit/pool.c: exit $?"
	echo "ok: the installed hooks"
fi

if command -v cmake >/dev/null; then
	cat >"$root/CMakeLists.txt" <<-END
		cmake_minimum_required(VERSION 3.10)
		project(program C)
		find_package(doze 0.1 REQUIRED)
		add_executable(cmade program.c)
		target_link_libraries(cmade doze::doze)
		$hooks
	END
	{ cmake -S "$root" -B "$root/cmake" -DCMAKE_PREFIX_PATH="$prefix" && cmake --build "$root/cmake"; } \
		>"$root/cmake.log" 2>&1 || fail "CMake: $(cat "$root/cmake.log")"
	[ "$(timeout 60 "$root/cmake/cmade")" = "fib(30) = 832040" ] || fail "the program that CMake has built"
	[ -z "$hooks" ] || timeout 60 "$root/cmake/pool" healthy || fail "the pool that CMake has built: exit $?"
	sed -i 's/doze 0.1 REQ/doze 9 REQ/' "$root/CMakeLists.txt"
	! cmake -S "$root" -B "$root/newer" -DCMAKE_PREFIX_PATH="$prefix" >"$root/cmake.log" 2>&1 ||
		fail "CMake accepts doze as version 9"
	echo "ok: CMake"
else
	echo "skipped: CMake, which is not installed"
fi

[ "$("$prefix/bin/doze" version)" ] || fail "the installed doze does not run"
if [ -e "$prefix/lib/libdoze-tracepoints.so" ]; then
	"$prefix/bin/doze" doctor --quick | grep -q "the tracepoint provider loads: $prefix/" ||
		fail "the installed doze does not find its provider"
fi

# The shared object exports only the names of doze.h.
strangers=$(nm -D --defined-only "$prefix/lib/libdoze.so" | awk '{ print $3 }' | grep -v '^doze_')
[ -z "$strangers" ] || fail "libdoze.so exports more than doze_*: $strangers"

make --no-print-directory uninstall PREFIX="$prefix" || fail "uninstall"
left=$(find "$prefix" ! -type d)
[ -z "$left" ] || fail "make uninstall left: $left"
echo "ok: install and uninstall"
