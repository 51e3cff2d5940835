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
[ "$(grep -c 'NoError' answers)" -ge 12 ]

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
