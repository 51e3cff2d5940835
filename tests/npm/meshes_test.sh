#!/bin/sh
# meshes_test.sh TEPUI MESHES MODULES: programs that we did not write accept what Tepui writes. TEPUI makes land, MESHES
# closed and open meshes of every kind; check_meshes.cjs looks at them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tepui=$1
meshes=$2
modules=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cd "$scratch"
mkdir files
export XDG_CACHE_HOME="$scratch/cache"
{
  "$tepui" run mesa --resolution 65 --only mesa.glb -o out && mv out/mesa.glb files/textured.glb
  cd files
  "$tepui" make noise --resolution 2 -o smallest.glb
  "$tepui" make noise --world 300x100 --resolution 31 -o oblong.glb
  "$tepui" make noise --resolution 33 -o quantised.glb --out quantise=true
  "$tepui" make noise --resolution 33 -o compressed.glb --out meshopt=true --out quantise=true
  "$tepui" make noise --resolution 65 -o every_sample.glb --out error=0
  "$tepui" make noise --resolution 65 -o levels.glb --out lods=3 --out collision=true
  "$tepui" make noise --resolution 65 -o small.glb --out lods=2 --out quantise=true --out meshopt=true
  "$tepui" make noise --resolution 33 -o scene.glb --out scene=true
  "$tepui" make 'noise | implicitize' --resolution 33 -o closed_volume_g0.glb --out cell=16 --out lods=2 --out collision=true
  mv closed_volume_g0_lod1.glb closed_lod_g0.glb
  mv closed_volume_g0_collision.glb closed_collision_g0.glb
  "$tepui" make 'noise | implicitize' --resolution 33 -o closed_small_volume_g0.glb --out cell=16 --out quantise=true --out meshopt=true
  "$tepui" make 'noise | implicitize' --resolution 33 -o textured_volume.glb --out cell=16 --out texture=128 --out quantise=true
  "$tepui" make 'noise | implicitize' --resolution 33 -o volume_tile.glb --out cell=16 --out tiles=2,2 --out quantise=true
  "$tepui" make 'noise | climate | soil | plants | scatter density=0.1' --world 600 --resolution 65 -o trees.glb
  cat >../woods.json <<'JSON'
{ "tepui": 1, "world": { "size": [600, 600], "resolution": 65, "sea_level": 20 },
  "nodes": {
    "hills": { "op": "noise", "height": 60 },
    "climate": { "op": "climate", "in": "hills" },
    "soil": { "op": "soil", "in": "climate" },
    "land": { "op": "plants", "in": "soil" },
    "trees": { "op": "scatter", "in": "land", "density": 0.1 },
    "solid": { "op": "implicitize", "in": "land" } },
  "outputs": {
    "woods.glb": { "from": "land", "scatter": "trees" },
    "woods_small.glb": { "from": "land", "scatter": "trees", "quantise": true, "meshopt": true },
    "woods_tile.glb": { "from": "land", "scatter": "trees", "tiles": [2, 2], "lods": 2, "collision": true },
    "covered_volume.glb": { "from": "solid", "cell": 10 } } }
JSON
  "$tepui" run ../woods.json -o .
  "$tepui" make noise --resolution 9 -o land.ply -o land.stl -o land.obj
  for format in ply stl obj; do "$tepui" convert "land.$format" "from_$format.glb"; done
  "$tepui" convert textured.glb again.glb
  "$tepui" convert compressed.glb unpacked.glb
  "$meshes" .
} >"$scratch/log" 2>&1 || {
  cat "$scratch/log" >&2
  exit 1
}
cd "$scratch"
node "$here/check_meshes.cjs" "$modules" files >answers || {
  cat answers >&2
  exit 1
}
cat answers
grep -q '^every_sample.glb: 8192 triangles, 1 materials' answers
grep -q '^levels_collision.glb: ' answers
grep -q '^woods.glb: .* 3 materials' answers
[ "$(grep -c '^woods_tile.*: ' answers)" -eq 12 ]
[ "$(grep -c 'NoError' answers)" -ge 15 ]

# They can tell: half a file and an open cube must not pass.
mkdir cut open
head -c 600 files/textured.glb >cut/cut.glb
cp files/open_cube.glb open/closed_g0.glb
for wrong in cut open; do
  if node "$here/check_meshes.cjs" "$modules" "$wrong" >answers; then
    echo "nothing is found wrong with what is $wrong" >&2
    exit 1
  fi
done
