#!/bin/sh
# full_size.sh PROGRAM...: runs every shipped recipe at full size with each program, and the first one also with 1 and 7
# threads and without SIMD; every node must have the same hash each time. Pictures promise less and are not compared.
set -eu
cd "$(dirname "$0")/../.."
first=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# "name hash" of every node, sorted, whatever the layout of the JSON and the order of its keys.
hashes() {
  tr -d ' \n' | sed 's/{/\n/g' | sed -n '/"op":/ {
    s/.*"name":"\([^"]*\)".*"hash":"\([^"]*\)".*/\1 \2/p; t
    s/.*"hash":"\([^"]*\)".*"name":"\([^"]*\)".*/\2 \1/p
  }' | sort
}

# make RECIPE PROGRAM [OPTION...]: writes the hashes to $scratch/made.
make() {
  recipe=$1
  shift
  program=$1
  shift
  "$program" run "$recipe" -o "$scratch/out" --json --no-cache "$@" >"$scratch/answer" 2>"$scratch/messages" </dev/null || {
    cat "$scratch/messages" >&2
    exit 1
  }
  hashes <"$scratch/answer" >"$scratch/made"
  [ -s "$scratch/made" ] || {
    echo "$program run $recipe --json names no node" >&2
    exit 1
  }
}

differences=0
compare() {
  make "$@"
  if ! cmp -s "$scratch/wanted" "$scratch/made"; then
    differences=$((differences + 1))
    echo "different: $*" >&2
    diff "$scratch/wanted" "$scratch/made" >&2 || true
  fi
}

for recipe in $(find recipes -name '*.json' | sort); do
  make "$recipe" "$first"
  mv "$scratch/made" "$scratch/wanted"
  compare "$recipe" "$first" --threads 1
  compare "$recipe" "$first" --threads 7
  compare "$recipe" "$first" --simd SCALAR
  for program in "$@"; do
    [ "$program" = "$first" ] || compare "$recipe" "$program"
  done
  echo "compared: $recipe ($(wc -l <"$scratch/wanted") nodes)"
done
[ "$differences" = 0 ]
