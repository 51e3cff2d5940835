#!/bin/sh
# Prints the C++ files of the tree: those git tracks and new ones it does not ignore.
set -eu
cd "$(dirname "$0")/../.."
if files=$(git ls-files --cached --others --exclude-standard -- '*.h' '*.cpp' 2>/dev/null) && [ -n "$files" ]; then
  for file in $files; do [ ! -f "$file" ] || echo "$file"; done
else
  find apps bench examples reference tepui tests -name '*.h' -o -name '*.cpp'
fi
