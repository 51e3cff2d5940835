#!/bin/sh
# run_changed.py in a small tree: what has passed is left out until anything it depends on changes, and what fails is
# never taken for passed.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/tests/house" "$tree/programs" "$tree/folder"
cp "$root/tests/house/run_changed.py" "$tree/tests/house/"
cd "$tree"

# Each test notes that it ran; what it does next is in its program.
program() { printf '#!/bin/sh\necho %s >>%s/ran\n%s\n' "$1" "$tree" "$2" >"programs/$1" && chmod +x "programs/$1"; }
for name in alone tree house folder shaky; do program $name ''; done
echo 1 >data.json
echo 1 >page.md
echo 1 >source.cpp
echo 1 >folder/file
printf '/build/\n/programs/\n/ran\n/log\n' >.gitignore
cat >CMakeLists.txt <<'LIST'
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES NONE)
enable_testing()
foreach(name alone tree house shaky)
  add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/programs/${name} WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
endforeach()
add_test(NAME folder COMMAND ${PROJECT_SOURCE_DIR}/programs/folder ${PROJECT_SOURCE_DIR}/folder)
set_tests_properties(house PROPERTIES LABELS house)
set_tests_properties(tree PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(alone PROPERTIES ENVIRONMENT "KNOB=$ENV{KNOB}")
LIST
cat >CMakePresets.json <<'PRESETS'
{ "version": 6,
  "configurePresets": [{ "name": "quick", "generator": "Ninja", "binaryDir": "${sourceDir}/build" }],
  "testPresets": [{ "name": "quick", "configurePreset": "quick" }] }
PRESETS
git init -q .
cmake --preset quick >log

# expect CODE NAMES WHAT: run_changed.py ends so and runs these tests, in any order.
expect() {
  : >ran
  code=0
  tests/house/run_changed.py quick build >log 2>&1 || code=$?
  ran=$(sort ran | tr '\n' ' ')
  [ "$ran" = "$2" ] && [ "$(test "$code" = 0 && echo passes || echo fails)" = "$1" ] || {
    echo "$3: ran '$ran' and ended with $code; should run '$2', and it $1" >&2
    cat log >&2
    exit 1
  }
}
expect passes 'alone folder house shaky tree ' 'the first time'
expect passes '' 'nothing changed'
program alone ': edited'
expect passes 'alone ' 'a program changed'
echo 2 >source.cpp
expect passes 'house ' 'a source changed, and no program'
echo 2 >more.cpp
expect passes 'house tree ' 'there is another source'
echo 2 >page.md
expect passes 'house ' 'a page changed'
echo 2 >data.json
expect passes 'house tree ' 'data changed'
echo 2 >more.json
expect passes 'house tree ' 'there is more data'
echo 2 >folder/more
expect passes 'folder house tree ' 'there is more in the folder that a command names'
KNOB=2 cmake --preset quick >log
expect passes 'alone ' "a test's environment changed"

# Failures: again and again, until it passes; what passes beside them is done with.
program shaky 'exit 1'
expect fails 'shaky ' 'a program fails'
expect fails 'shaky ' 'it fails again'
program shaky ''
expect passes '' 'as it was when it last passed'
program alone ': twice'
expect passes 'alone ' 'a program changed again'
program alone ': edited'
expect passes '' 'as it was when it passed before'
program shaky 'kill -9 $$'
expect fails 'shaky ' 'a program is killed'
expect fails 'shaky ' 'it is killed again'
rm programs/shaky
expect fails '' 'a program is missing'
expect fails '' 'it is missing still'
# A pass of what is there no more counts for nothing.
program shaky "echo ': later' >>$tree/programs/shaky"
expect passes 'shaky ' 'a program that changes while it runs'
expect passes 'shaky ' 'and once more'
# Nor one under another setting: tests never see those of whoever calls.
program shaky '[ -z "${GTEST_FILTER:-}${RC_PARAMS:-}${TEPUI_UPDATE_GOLDEN:-}" ]'
GTEST_FILTER=None.* RC_PARAMS=max_success=1 TEPUI_UPDATE_GOLDEN=1 expect passes 'shaky ' 'settings from outside'
expect passes '' 'nothing changed at the end'
