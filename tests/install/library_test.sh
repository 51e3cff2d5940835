#!/bin/sh
# library_test.sh BUILD: what was built is installed, moved to another place, and used from there: the program without
# the source tree, and the library by examples/library, through CMake and through pkg-config.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
  echo "$1" >&2
  shift
  for file; do cat "$file" >&2; done
  exit 1
}
quietly() { "$@" >log 2>&1 || fail "failed: $*" log; }

quietly cmake --install "$build" --prefix "$scratch/first place"
mv "first place" "a place"
place="$scratch/a place"
! grep -rlF "$root" "$place" || fail "these installed files name the source tree"

# The program alone: presets and the files they read are inside.
program="$place/bin/tepui"
[ "$("$program" --version | sed -n 1p)" = "tepui $(sed -n 's/^project(tepui VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt")" ] ||
  fail "--version does not begin with the project's version"
"$program" presets --json | sed -n 's/.*"name": "\([^"]*\)".*/\1/p' >names
[ -s names ] || fail "the installed program has no presets"
while read -r preset; do quietly "$program" check "$preset"; done <names
quietly "$program" run mesa --resolution 65 -o out

# Every header stands on the standard library alone.
(cd "$place/include" && find tepui -name '*.h' | sort | sed 's/.*/#include <&>/') >all.cpp
[ "$(wc -l <all.cpp)" -gt 30 ] || fail "headers are missing" all.cpp
quietly c++ -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Werror -I"$place/include" all.cpp

quietly cmake -S "$root/examples/library" -B cmake -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$place"
quietly ninja -C cmake
quietly cmake/mesa by_cmake.tif
grep -q '^heights from ' log || fail "the example tells no heights" log

# A graph of the same operators makes the same land, and computes only what a change reaches.
quietly cmake/graph by_graph.tif
[ "$(grep -c 'was computed' log)" = 4 ] && [ "$(grep -c 'was known' log)" = 2 ] ||
  fail "the graph does not compute what it should" log
cmp by_cmake.tif by_graph.tif || fail "the graph makes other land than its operators"

# pkg-config escapes the space of the place.
PKG_CONFIG_PATH="$place/lib/pkgconfig" pkg-config --cflags --libs tepui >flags
eval "quietly c++ -std=c++20 -O2 '$root/examples/library/mesa.cpp' $(cat flags) -o mesa"
quietly ./mesa by_pkg_config.tif
cmp by_cmake.tif by_pkg_config.tif || fail "the two ways give different files"

# The line of the example's first comment makes the same land.
line=$(sed -n "s|^//   tepui make '\(.*\)'.*|\1|p" "$root/examples/library/mesa.cpp")
words=$(sed -n 's|^//     \(--world .*\) -o mesa.tif$|\1|p' "$root/examples/library/mesa.cpp")
# shellcheck disable=SC2086
quietly "$program" make "$line" $words -o by_program.tif
"$program" compare by_cmake.tif by_program.tif --json >log 2>&1 || fail "cannot compare" log
grep -q '"equal": true' log || fail "the library and the program make different land" log

# Only the same minor version will do.
for version in 0.0 99.0; do
  sed "s/tepui 0\.[0-9]*/tepui $version/" "$root/examples/library/CMakeLists.txt" >CMakeLists.txt
  ! cmake -S . -B "other" -G Ninja -DCMAKE_PREFIX_PATH="$place" >log 2>&1 || fail "version $version was found"
  grep -q "with requested version \"$version\"" log || fail "refused for another reason" log
done

# `make install`, and what it says of the PATH.
if [ "$build" = "$root/build" ]; then
  quietly make -C "$root" install PREFIX="$scratch/by make"
  grep -qF "export PATH=\"$scratch/by make/bin:" log || fail "make install does not say what to add to PATH" log
  "by make/bin/tepui" --version >answer || fail "make install left no program" log
  PATH="$scratch/by make/bin:$PATH" quietly make -C "$root" install PREFIX="$scratch/by make"
  ! grep -q 'export PATH' log || fail "make install asks for what PATH has" log
fi
