#!/bin/sh
# The layer check passes on a tree that looks downward and fails on each kind of wrong look, naming the files.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

fail() {
  echo "$1" >&2
  cat "$tree/answer" >&2
  exit 1
}
check() { "$root/tests/house/check_layers.py" "$tree" >"$tree/answer" 2>&1; }
plant() {
  mkdir -p "$tree/$(dirname "$1")"
  printf '#pragma once\n#include <vector>\n%s\n' "$2" >"$tree/$1"
}
# refused WHAT WORDS FILE...: what was planted is refused in these words; then the files are taken away again.
refused() {
  what=$1
  words=$2
  shift 2
  ! check || fail "$what was let through"
  grep -qF "$words" "$tree/answer" || fail "$what is not refused by name"
  [ "$(wc -l <"$tree/answer")" -eq 2 ] || fail "more is refused than $what"
  for file in "$@"; do rm "$tree/$file"; done
}

mkdir -p "$tree/tepui/io"
cp "$root/tepui/CMakeLists.txt" "$tree/tepui/"
echo 'tepui_module(io ROOMS file raster DEPENDS terrain LIBRARIES PNG::PNG)' >"$tree/tepui/io/CMakeLists.txt"
plant tepui/core/low.h ''
plant tepui/erode/middle.h '#include "tepui/core/low.h"'
plant tepui/recipe/high.cpp '#include "tepui/erode/middle.h"'
plant tepui/io/file/disk.h '#include "tepui/core/low.h"'
plant tepui/io/raster/image.h '#include "tepui/io/file/disk.h"'
plant tepui/io/read.h '#include "tepui/io/raster/image.h"'
plant tepui/io/read.cpp '#include "tepui/io/read.h"'
printf '#pragma once  // internal\n' >"$tree/tepui/core/inner.h"
plant tepui/core/low.cpp '#include "tepui/core/inner.h"'
printf '#pragma once  // internal\n#include "tepui/core/inner.h"\n' >"$tree/tepui/core/second_inner.h"
check || fail "a tree that looks downward was refused"

for planted in 'tepui/core/bad.h #include "tepui/recipe/high.h"' \
               'tepui/erode/bad.cpp #include "tepui/io/files.h"' \
               'tepui/erode/bad.cpp   #  include "tepui/io/files.h"' \
               'tepui/core/bad.h #include <tepui/recipe/high.h>' \
               'tepui/io/file/bad.h #include "tepui/io/raster/image.h"' \
               'tepui/io/raster/bad.cpp #include "tepui/io/read.h"'; do
  file=${planted%% *}
  plant "$file" "${planted#* }"
  used=$(echo "$planted" | sed 's/.*["<]\(.*\)[">]/\1/')
  refused "an upward look ($planted)" "$file looks upward: it includes $used" "$file"
done

plant tepui/io/attic/bad.h ''
refused "a room that is not listed" "tepui/io/attic/bad.h is in a room that tepui/io/CMakeLists.txt does not list" \
  tepui/io/attic/bad.h

plant tepui/erode/one.h '#include "tepui/erode/two.h"'
plant tepui/erode/two.h ''
plant tepui/erode/two.cpp '#include "tepui/erode/one.h"'
refused "a circle of two units" "tepui/erode: these include each other in a circle: one, two" \
  tepui/erode/one.h tepui/erode/two.h tepui/erode/two.cpp

plant tepui/io/raster/one.h '#include "tepui/io/raster/two.h"'
plant tepui/io/raster/two.cpp '#include "tepui/io/raster/three.h"'
plant tepui/io/raster/three.cpp '#include "tepui/io/raster/one.h"'
refused "a circle of three units" \
  "tepui/io: these include each other in a circle: raster/one, raster/three, raster/two" \
  tepui/io/raster/one.h tepui/io/raster/two.cpp tepui/io/raster/three.cpp

plant tepui/erode/bad.h '#include "tepui/core/inner.h"'
refused "a public header that includes an internal one" \
  "tepui/erode/bad.h is for users of the library, but includes the internal tepui/core/inner.h" tepui/erode/bad.h

check || fail "the tree is not as it was"
echo 'add_subdirectory(core)' >"$tree/tepui/CMakeLists.txt"
! check || fail "a tree without a list of modules was let through"
