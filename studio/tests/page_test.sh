#!/bin/sh
# page_test.sh FOLDER: the committed page in Debian's Chromium.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
work=$folder/page
mkdir -p "$work"
"$here/tests/copy.sh" "$work"
ln -sfn ../node_modules "$work/node_modules"
cd "$work"
exec timeout 300 node --test tests/page_test.mjs
