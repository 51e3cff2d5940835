#!/usr/bin/python3
"""Water on two real DEMs beside GRASS and gdaldem; docs/water.md has the table, and why there are differences.

  grass_comparison.py PROGRAM FOLDER

FOLDER holds the DEMs. Prints what differs and the processor time of each step, and fails where more differs than is
explained. Says so and ends well where GRASS or the DEMs are not there.
"""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

import numpy

DEMS = ["bigtujunga_srtm30.tif", "greenriver_utah_lidar1m.tif"]

# One call of r.fill.dir raises what it can see at once, so it is called until nothing rises any more.
GRASS = r"""
set -e
r.in.gdal -o input="$DEM" output=dem --quiet
g.region raster=dem
took() { TIMEFORMAT="$1 %U %S"; shift; time "$@" --quiet >/dev/null 2>&1; }
{
  took slope r.slope.aspect elevation=dem slope=slope
  took flow r.watershed -s elevation=dem accumulation=drainage drainage=direction
  r.mapcalc "filled = dem" --quiet
  for round in $(seq 40); do
    took fill r.fill.dir input=filled output=next direction=unused
    r.mapcalc "risen = next - filled" --quiet --overwrite
    g.copy raster=next,filled --quiet --overwrite
    g.remove -f type=raster name=next,unused --quiet
    case $(r.univar -g risen | grep '^max=') in max=0) break ;; esac
  done
} 2>"$OUT/times"
r.mapcalc "lake = if(filled > dem, filled, null())" --quiet
r.clump -d input=lake output=lakes --quiet
for map in slope drainage direction filled lakes; do
  r.out.gdal -f -c input=$map output="$OUT/grass_$map.tif" type=Float64 nodata=-9e9 --quiet
done
"""


def run(command, **options):
    """Runs a command; its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def raster(file):
    """The samples of any raster, north first."""
    raw = file.with_suffix(".raw")
    run(["gdal_translate", "-q", "-of", "ENVI", "-ot", "Float64", file, raw])
    header = raw.with_suffix(".hdr").read_text().replace(" ", "")
    sides = dict(line.split("=", 1) for line in header.splitlines() if "=" in line)
    return numpy.fromfile(raw, "<f8").reshape(int(sides["lines"]), int(sides["samples"]))


def with_neighbours(mask):
    """The samples of a mask and those beside them."""
    padded = numpy.pad(mask, 1)
    height, width = mask.shape
    return numpy.any([padded[y : y + height, x : x + width] for y in range(3) for x in range(3)], axis=0)


class Land:
    def __init__(self, program, dem, work):
        self.program, self.dem, self.work = program, dem, work
        self.times, self.faults = {}, []
        environment = {**os.environ, "DEM": str(dem), "OUT": str(work)}
        run(["grass", "--tmp-location", dem, "--exec", "bash", "-c", GRASS], env=environment)
        for line in (work / "times").read_text().splitlines():
            step, user, system = line.split()
            self.spent(f"GRASS {step}", float(user) + float(system))
        self.spent("gdaldem slope", run(["gdaldem", "slope", "-q", dem, work / "gdaldem.tif"]))

    def spent(self, step, seconds):
        self.times[step] = self.times.get(step, 0) + seconds

    def make(self, name, line):
        """Writes what a one-liner makes of the DEM; its processor time, reading and writing included."""
        command = [self.program, "make", f"read file={self.dem}{line}", "-o", self.work / name]
        return run([*command, "--no-cache", "--threads", "1"])

    def ours(self, step, line, layer="height"):
        """A layer of what an operator makes of the DEM."""
        self.spent(step, self.make(f"{layer}.npy", line + (f" | take layer={layer}" if layer != "height" else "")))
        return numpy.load(self.work / f"{layer}.npy").astype(float)

    def theirs(self, name):
        return raster(self.work / f"grass_{name}.tif")

    def tell(self, text, holds):
        print(f"  {text}{'' if holds else '  TOO MUCH'}")
        if not holds:
            self.faults.append(f"{self.dem.stem}: {text}")

    def compare_slopes(self):
        ours = self.ours("slope", " | slope", "slope")
        # gdaldem adds heights in single precision before it takes differences.
        for name, file, bound in (("GRASS", "grass_slope.tif", 1e-4), ("gdaldem", "gdaldem.tif", 0.02)):
            # They leave the border out.
            most = numpy.abs(ours - raster(self.work / file))[1:-1, 1:-1].max()
            self.tell(f"slope: at most {most:.2g} degrees from {name}", most < bound)

    def compare_fills(self):
        dem, ours, theirs = self.ours("read", ""), self.ours("fill", " | fill"), self.theirs("filled")
        self.tell(f"fill: {(ours > dem).sum()} samples rise, {(theirs > dem).sum()} with GRASS", True)
        self.tell(f"fill: at {(ours > theirs).sum()} samples above GRASS", (ours <= theirs).all())
        below = (ours < theirs).sum()
        self.tell(f"fill: at {below} samples below GRASS", below <= 1e-4 * dem.size)
        self.make("pits.geojson", " | pits depth=0")
        pits = len(json.loads((self.work / "pits.geojson").read_text())["features"])
        lakes = int(self.theirs("lakes").max())
        self.tell(f"pits: {pits}, {lakes} with GRASS", abs(pits - lakes) <= 0.01 * lakes)

    def compare_flow(self):
        ours, theirs = self.ours("flow", " | flow", "flow_direction"), numpy.abs(self.theirs("direction"))
        # Theirs are 1 in the north-east, then anticlockwise; 0 where there is none.
        theirs = numpy.where(theirs == 0, 8, numpy.where(theirs == 8, 0, theirs))
        same = (ours == theirs).mean()
        self.tell(f"flow: {100 * same:.1f} % of the directions are the same", same > 0.97)
        cells = self.ours("drainage", " | flow", "drainage")
        cells = numpy.round(cells / cells.min())
        # Negative where water may come from beyond the border.
        ours, theirs = cells >= 1000, numpy.abs(self.theirs("drainage")) >= 1000
        for whose, one, other in (("our", ours, theirs), ("GRASS's", theirs, ours)):
            near = (one & with_neighbours(other)).sum() / one.sum()
            text = f"flow: {100 * near:.1f} % of {whose} channels are within a sample of the other's"
            self.tell(text, near > 0.95)


def main():
    program, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    dems = [folder / name for name in DEMS]
    if not shutil.which("grass") or not all(dem.exists() for dem in dems):
        print("water beside GRASS: not compared, for GRASS or the DEMs are not here")
        return
    faults = []
    for dem in dems:
        with tempfile.TemporaryDirectory() as work:
            print(dem.stem)
            land = Land(program, dem, pathlib.Path(work))
            land.compare_slopes()
            land.compare_fills()
            land.compare_flow()
            print("  processor time: " + ", ".join(f"{step} {s:.2f} s" for step, s in land.times.items()))
            faults += land.faults
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
