#!/bin/sh
# install.sh PACKAGES FOLDER: the packages of PACKAGES/package-lock.json, into FOLDER/node_modules. Needs npm and its
# registry, once.
set -eu
packages=$1
folder=$2
mkdir -p "$folder"
if cmp -s "$packages/package-lock.json" "$folder/installed" && [ -d "$folder/node_modules" ]; then exit 0; fi
rm -f "$folder/installed"
cp "$packages/package.json" "$packages/package-lock.json" "$folder/"
npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel=error --cache "$folder/cache" \
  --fetch-retries=2 --fetch-timeout=20000 || {
  echo "npm could not install the packages of $packages; without its registry, configure with -DTEPUI_NPM_TESTS=OFF" >&2
  exit 1
}
cp "$packages/package-lock.json" "$folder/installed"
