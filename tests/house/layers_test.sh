#!/bin/sh
# The layer check passes on a tree that looks downward and fails on each kind of upward look, naming the file.
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

mkdir "$tree/tepui"
cp "$root/tepui/CMakeLists.txt" "$tree/tepui/"
plant tepui/core/low.h ''
plant tepui/erode/middle.h '#include "tepui/core/low.h"'
plant tepui/recipe/high.cpp '#include "tepui/erode/middle.h"'
check || fail "a tree that looks downward was refused"

for planted in 'tepui/core/bad.h #include "tepui/recipe/high.h"' \
               'tepui/erode/bad.cpp #include "tepui/io/files.h"' \
               'tepui/erode/bad.cpp   #  include "tepui/io/files.h"' \
               'tepui/core/bad.h #include <tepui/recipe/high.h>'; do
  file=${planted%% *}
  plant "$file" "${planted#* }"
  ! check || fail "an upward look was let through: $planted"
  grep -q "$file looks upward" "$tree/answer" || fail "the file is not named: $planted"
  rm "$tree/$file"
done

echo 'add_subdirectory(core)' >"$tree/tepui/CMakeLists.txt"
! check || fail "a tree without a list of modules was let through"
