#!/bin/bash
# completion_test.sh BUILD: what Tab offers. Bash is asked by way of its completion function, fish by its own command;
# where fish and zsh are not installed, a line says so (`make test-full` installs them).
set -eu
build=$1
tepui=$build/tepui
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir folder
touch land.tif 'my land.tif'
"$tepui" new mesa -o my.json >/dev/null

failures=0
# expect SHELL LINE WANTED: the answers, sorted, each in [].
expect() {
  local got
  got=$("ask_$1" "$2")
  if [[ $got != "$3" ]]; then
    failures=$((failures + 1))
    printf '%s: after "%s"\n  wanted %s\n  got    %s\n' "$1" "$2" "$3" "$got" >&2
  fi
}
listed() { LC_ALL=C sort | sed 's/.*/[&]/' | tr -d '\n'; }

# shellcheck disable=SC1090
. <("$tepui" completion bash)
# Only works while bash itself completes; what it was told is in $told.
compopt() { told+=" $*"; }
told=
ask_bash() {
  local line=${1//=/ = }
  read -ra COMP_WORDS <<<"$line"
  COMP_WORDS[0]=$tepui
  [[ $line != *' ' || $line == *'= ' ]] || COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _tepui "$tepui" "${COMP_WORDS[COMP_CWORD]}" ''
  [[ ${#COMPREPLY[@]} = 0 ]] || printf '%s\n' "${COMPREPLY[@]}" | listed
}
ask_fish() {
  # shellcheck disable=SC2016
  PATH=$build:$PATH HOME=$scratch fish --no-config -c 'source tepui.fish; complete -C "$argv"' "$1" | cut -f1 | listed
}

presets=$("$tepui" presets --json | sed -n 's/.*"name": "\([^"]*\)".*/\1/p' | listed)
operators=$("$tepui" ops --json | sed -n 's/^      "name": "\([^"]*\)".*/\1/p' | listed)
commands=$("$tepui" --help | sed -n '/^Subcommands:/,/^$/ s/^  \([a-z]*\) .*/\1/p' | listed)
files='[folder][land.tif][my land.tif][my.json]'
[[ $presets == *'[mesa]'* && $operators == *'[noise]'* && $commands == *'[run]'* ]]

expect bash 'tepui ' "$commands"
expect bash 'tepui ru' '[rules][run]'
expect bash 'tepui --ver' '[--version]'
expect bash 'tepui run --se' '[--seed][--set]'
expect bash 'tepui run mesa --seed 5 --se' '[--set]'
expect bash 'tepui run mesa --set age=1 --set ag' '[age=]'
expect bash 'tepui run mesa --seed ' ''
expect bash 'tepui explain ' "$operators"
expect bash 'tepui explain circ' '[circular_faults]'
expect bash 'tepui explain --json circ' '[circular_faults]'
expect bash 'tepui new ' "$presets"
expect bash 'tepui new mesa -o la' '[land.tif]'
expect bash 'tepui run mes' '[mesa][mesa_life]'
expect bash 'tepui run my' '[my land.tif][my.json]'
expect bash 'tepui run mesa -o ' '[folder]'
expect bash 'tepui run mesa --output=fo' '[folder]'
expect bash 'tepui run my.json --only mesa.t' '[mesa.tif]'
expect bash 'tepui run my.json --set faults.lim' '[faults.limit=]'
expect bash 'tepui run my.json --set faults.limit=a' '[along_x][around_centre]'
expect bash 'tepui run no_such.json --set a' ''
expect bash 'tepui info ' "$files"
expect bash 'tepui info my.json#ro' '[my.json#rock]'
expect bash 'tepui render land.tif --set cam' '[camera=]'
expect bash 'tepui render land.tif --set camera=to' '[top]'
expect bash 'tepui completion ' '[bash][fish][zsh]'
expect bash 'tepui no_such_command ' "$commands"
expect bash 'tepui run -- mes' '[mesa][mesa_life]'

# A name that goes on gets no space after it, a folder its slash.
told=
COMP_WORDS=("$tepui" run my.json --set ag) COMP_CWORD=4
_tepui "$tepui" ag --set
[[ $told == ' -o nospace' ]] || { echo "after 'age=' bash was told:$told" >&2 && exit 1; }
told=
COMP_WORDS=("$tepui" run mesa -o fo) COMP_CWORD=4
_tepui "$tepui" fo -o
[[ $told == ' -o filenames' ]] || { echo "of folders bash was told:$told" >&2 && exit 1; }

# A recipe that is broken, enormous or no file offers nothing, and says nothing.
echo '{ "nodes": {' >broken.json
truncate -s 1G enormous.json
mkfifo pipe.json
for recipe in broken.json enormous.json pipe.json folder; do
  answer=$(timeout 10 "$tepui" complete run "$recipe" --set '' 2>&1)
  [[ $answer == none ]] || { echo "$recipe: $answer" >&2 && exit 1; }
done

for shell in zsh fish; do
  if ! command -v "$shell" >/dev/null; then
    echo "not checked: $shell is not here"
    continue
  fi
  "$tepui" completion "$shell" >"tepui.$shell"
  "$shell" --no-exec "tepui.$shell"
  echo "checked: $shell"
done
if command -v fish >/dev/null; then
  expect fish 'tepui ru' '[rules][run]'
  expect fish 'tepui run --se' '[--seed][--set]'
  expect fish 'tepui explain circ' '[circular_faults]'
  expect fish 'tepui new ' "$presets"
  expect fish 'tepui run my.json --set faults.limit=a' '[faults.limit=along_x][faults.limit=around_centre]'
  expect fish 'tepui run mesa --output=fo' '[--output=folder/]'
fi
[[ $failures = 0 ]]
