#!/bin/sh
# look_test.sh TEPUI FOLDER: three.js in Chromium and Blender show the colours of our pictures on the GLBs of land. What
# is from npm goes into FOLDER/node_modules. Mean colours of 8 x 8 parts, without light, may differ by BOUND of 255.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tepui=$(realpath "$1")
mkdir -p "$2"
folder=$(cd "$2" && pwd)
bound=2
cp "$here/package.json" "$here/package-lock.json" "$folder/"
npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel=error --cache "$folder/cache" >"$folder/log" 2>&1 || {
  cat "$folder/log" >&2
  exit 1
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export XDG_CACHE_HOME="$scratch/cache"

quietly() {
  "$@" >log 2>&1 || {
    cat log >&2
    exit 1
  }
}

# judge WHO WHAT ANSWER: the difference is small, and the parts are not all alike.
judge() {
  echo "$1, $2: $3"
  python3 - "$3" "$bound" <<'PYTHON'
import json, sys
answer, bound = json.loads(sys.argv[1]), float(sys.argv[2])
good = "error" not in answer and answer["difference"] <= bound and answer["spread"] > 3 * bound
sys.exit(0 if good else f"colours differ by more than {bound} of 255, or are all alike: {answer}")
PYTHON
}

compare() {
  judge three.js "$1" "$(node "$here/three_top.mjs" "$folder/node_modules" "$2" "$3" "[$4, $5]")"
  quietly blender --background --factory-startup --python-exit-code 1 --python "$here/blender_top.py" -- "$2" "$3" "$4" "$5"
  judge Blender "$1" "$(sed -n 's/^answer //p' log)"
}

for recipe in mesa highland; do
  quietly "$tepui" run "$recipe" --resolution 257 --only "$recipe.glb" -o out
  quietly "$tepui" bake "$here/../../recipes/$recipe.json#land" --resolution 257 -o maps
  compare "$recipe" "out/$recipe.glb" "maps/${recipe}_land_colour.png" 257 257
done
# A volume shows on its vertices what lies on its land, and so it looks like the land's own map.
cat >covered.json <<'JSON'
{ "tepui": 1, "world": { "size": [2048, 2048], "resolution": 129 },
  "nodes": {
    "hills": { "op": "noise", "height": 400 },
    "climate": { "op": "climate", "in": "hills" },
    "soil": { "op": "soil", "in": "climate" },
    "land": { "op": "plants", "in": "soil" },
    "solid": { "op": "implicitize", "in": "land" } },
  "outputs": { "volume.glb": { "from": "solid", "cell": 8 } } }
JSON
quietly "$tepui" run covered.json -o out
quietly "$tepui" bake covered.json#land -o maps
compare volume out/volume.glb maps/covered_land_colour.png 129 129
quietly "$tepui" make noise --resolution 129 -o noise.tif
quietly "$tepui" convert noise.tif quantised.glb --out quantise=true
quietly "$tepui" bake noise.tif -o maps
compare quantised quantised.glb maps/noise_colour.png 129 129

# They can tell: the map of another land must not pass.
if (compare wrong out/mesa.glb maps/highland_land_colour.png 257 257) >/dev/null 2>&1; then
  echo "the colours of another land pass" >&2
  exit 1
fi
