#!/bin/sh
# readme_test.sh PROGRAM: runs every command of README.md's `sh` blocks, line by line, in a scratch folder that has the
# program at build/tepui. `make run` runs for real, into the scratch folder; other make targets are only planned, because
# this test is itself part of one. What watches is stopped after a while. A recipe's pictures have one light path for each
# pixel instead of dozens, a minute's work less; all else is as printed.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mkdir "$scratch/build"
export XDG_CACHE_HOME="$scratch/cache"
ln -s "$program" "$scratch/build/tepui"
ln -s "$root/recipes" "$scratch/recipes"
cd "$scratch"
# Continued lines are joined, comments and blank lines dropped.
sed -n '/^```sh$/,/^```$/ { /^```/d; p; }' "$root/README.md" | sed -e ':join' -e '/\\$/ { N; s/\\\n//; b join' -e '}' \
  -e 's/  *#.*//' -e '/^ *$/d' >commands
[ -s commands ] || {
  echo "README.md has no commands" >&2
  exit 1
}

quick='--set samples=1'
recipe=$(sed -n 's/^RECIPE ?= //p' "$root/Makefile")
while IFS= read -r command; do
  case $command in
    'make run'*) real="make -C '$root' OUT='$scratch/out' RECIPE='$recipe $quick' ${command#make }" ;;
    make*) real="make -C '$root' -n ${command#make}" ;;
    *--watch*) real="timeout -s INT 3 $command $quick; [ \$? -eq 124 ]" ;;
    'build/tepui run '*) real="$command $quick" ;;
    *) real=$command ;;
  esac
  if ! CI=true sh -c "$real" >answer 2>&1 </dev/null; then
    echo "README.md: failed: $command" >&2
    cat answer >&2
    exit 1
  fi
  echo "ok: $command"
done <commands
