#!/bin/sh
# install.sh FOLDER: the packages of package-lock.json, into FOLDER/node_modules. Needs npm and its registry, once.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
mkdir -p "$folder"
if cmp -s "$here/package-lock.json" "$folder/installed" && [ -d "$folder/node_modules" ]; then exit 0; fi
rm -f "$folder/installed"
cp "$here/package.json" "$here/package-lock.json" "$folder/"
npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel=error --cache "$folder/cache" \
  --fetch-retries=2 --fetch-timeout=20000 || {
  echo "npm could not install the packages of studio; without its registry, configure with -DTEPUI_NPM_TESTS=OFF" >&2
  exit 1
}
cp "$here/package-lock.json" "$folder/installed"
