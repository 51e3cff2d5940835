#!/bin/sh
# copy.sh FOLDER: the sources of the page as they are now, beside the packages in FOLDER.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
for part in src tests dist; do
  rm -rf "${folder:?}/$part"
  cp -r "$here/$part" "$folder/"
done
cp "$here/build.mjs" "$here/tsconfig.json" "$here/package.json" "$folder/"
