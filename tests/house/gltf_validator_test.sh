#!/bin/sh
# gltf_validator_test.sh TEPUI FOLDER: Khronos' glTF validator finds neither errors nor warnings in our GLB files. It is
# installed from npm into FOLDER; without npm or its registry the test is skipped, unless CI is set.
set -eu
tepui=$1
tools=$2
version=2.0.0-dev.3.10
skip_code=77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

lacking() {
  if [ -n "${CI-}" ]; then
    echo "failed: $1" >&2
    exit 1
  fi
  echo "skipped: $1"
  exit $skip_code
}

module=$tools/node_modules/gltf-validator
for program in node npm; do
  command -v "$program" >/dev/null || lacking "gltf-validator needs $program, which is not here"
done
if ! grep -qsF "\"version\": \"$version\"" "$module/package.json"; then
  mkdir -p "$tools"
  npm install --prefix "$tools" --no-save --no-package-lock --no-audit --no-fund --loglevel=error \
    --cache "$tools/cache" --fetch-retries=1 --fetch-timeout=20000 "gltf-validator@$version" >"$scratch/npm" 2>&1 || {
    [ -z "${CI-}" ] || cat "$scratch/npm" >&2
    lacking "npm cannot install gltf-validator $version"
  }
fi

cat >"$scratch/validate.cjs" <<'SCRIPT'
const [, , place, ...files] = process.argv;
const { readFileSync } = require('fs');
const validator = require(place);
(async () => {
  for (const file of files) {
    const { issues, info } = await validator.validateBytes(new Uint8Array(readFileSync(file)));
    const bad = issues.messages.filter((message) => message.severity < 2);
    for (const { code, message, pointer } of bad) console.log(`${file}: ${code} at ${pointer}: ${message}`);
    if (bad.length || issues.truncated) process.exitCode = 1;
    else console.log(`${file}: ${info.totalTriangleCount} triangles, ${info.materialCount} materials`);
  }
})().catch((error) => {
  console.log(String(error));
  process.exitCode = 1;
});
SCRIPT

cd "$scratch"
export XDG_CACHE_HOME="$scratch/cache"
{
  "$tepui" run mesa --resolution 65 --only mesa.glb -o out && mv out/mesa.glb textured.glb
  "$tepui" make noise --resolution 2 -o smallest.glb
  "$tepui" make noise --size 300x100 --resolution 31 -o oblong.glb
  "$tepui" make noise --resolution 9 -o land.ply -o land.stl -o land.obj
  for format in ply stl obj; do "$tepui" convert "land.$format" "from_$format.glb"; done
  "$tepui" convert textured.glb again.glb
} >log 2>&1 || {
  cat log >&2
  exit 1
}
node validate.cjs "$module" ./*.glb >answers || {
  cat answers >&2
  exit 1
}
cat answers
[ "$(wc -l <answers)" -eq 7 ] || {
  echo "not every file was looked at" >&2
  exit 1
}
grep -q '^./textured.glb: 8192 triangles, 1 materials' answers

# The validator can tell: a file that is cut short must not pass.
head -c 600 textured.glb >cut.glb
if node validate.cjs "$module" ./cut.glb >answers; then
  echo "gltf-validator finds nothing wrong with half a file" >&2
  exit 1
fi
