#!/bin/sh
# bundle_test.sh FOLDER: the sources have no error of type, and studio/dist is what they make with the packages of the
# lock file, byte for byte once unpacked (versions of zlib pack differently). The lock file names no registry.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
work=$folder/bundle
mkdir -p "$work"
"$here/tests/copy.sh" "$work"
ln -sfn ../node_modules "$work/node_modules"
cd "$work"
node node_modules/typescript/bin/tsc --noEmit
if grep -n '"resolved"\|://' "$here/package-lock.json" | grep -v '"url"'; then
  echo "package-lock.json names a registry" >&2
  exit 1
fi

node build.mjs "$work/made"
cmp made/table.txt "$here/dist/table.txt" || {
  echo "studio/dist is not what the sources make: run 'node build.mjs dist' in studio" >&2
  exit 1
}
files=0
while read -r path name _; do
  [ "$path" != page ] || continue
  gzip -dc "made/$name" >one
  gzip -dc "$here/dist/$name" >two
  cmp one two
  files=$((files + 1))
done <made/table.txt
[ "$files" -ge 6 ]
[ "$(ls "$here/dist" | wc -l)" -eq $((files + 1)) ]

# It can tell: another letter in the sources makes another page.
sed -i 's/Waiting for the program/Waiting for a program/' src/shell/view_area.tsx
node build.mjs "$work/other"
! cmp -s other/table.txt "$here/dist/table.txt"
# What is bundled ships with its licence.
gzip -dc "$here/dist/licences.txt.gz" >licences
for name in @dagrejs/dagre @xyflow/react react react-dom scheduler three zustand; do grep -q "^$name [0-9].*, MIT" licences; done
