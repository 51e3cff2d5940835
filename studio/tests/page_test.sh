#!/bin/sh
# page_test.sh FOLDER TEPUI: the committed page in Debian's Chromium, with a stand-in for the program and with itself.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
work=$folder/page
mkdir -p "$work"
"$here/tests/copy.sh" "$work"
ln -sfn ../node_modules "$work/node_modules"
cd "$work"
export TEPUI="$2"
exec timeout 900 node --test tests/shape_test.mjs tests/page_test.mjs tests/brush_test.mjs tests/hand_test.mjs tests/program_test.mjs tests/walk_test.mjs tests/stranger_test.mjs tests/graph_test.mjs
