"""Values as other packages have them, where those are installed."""

import importlib.util
import pathlib
import shutil
import subprocess
import sys
import types
import unittest

import numpy as np

import tepui as tp
from support import TREE, Scratch, small

DEM = TREE / "examples/python/data/big_tujunga.tif"


def needs(*packages):
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, f"there is no {', '.join(missing)}")


def mesa():
    return tp.gradation(tp.materials(tp.circular_faults(tp.World(size=(2000, 1500), resolution=65, seed=7))))


class Place(Scratch):
    def expect_same(self, land, other):
        """But for how its reference system is spelt, which others spell otherwise."""
        np.testing.assert_array_equal(land.height, other.height)
        self.assertEqual((land.layers, land.relief), (other.layers, other.relief))
        for axis, same in zip(land.coordinates, other.coordinates):
            np.testing.assert_array_equal(axis, same)
        self.assertIn("UTM zone 11N", land.crs)


class Rasterio(Place):
    """What rasterio tells of an array; rasterio itself is not needed for it."""

    heights = np.round(100 * np.random.default_rng(3).random((5, 7))).astype(np.float32)

    def profile(self, **others):
        transform = (30, 0, 390000, 0, -30, 3800000)
        return {"transform": transform, "crs": "EPSG:32611", "nodata": None, "width": 7, "height": 5, **others}

    def test_samples_are_the_middles_of_cells(self):
        land = tp.Terrain.from_rasterio(self.heights, self.profile())
        np.testing.assert_array_equal(land.height, self.heights[::-1])
        (x, y), (rows, columns) = land.coordinates, land.shape
        self.assertEqual((x[0], y[-1], x[1] - x[0], land.cell), (390015, 3799985, 30, (30, 30)))
        same = {
            "three dimensions": (self.heights[None], self.profile()),
            "an Affine": (self.heights, self.profile(transform=types.SimpleNamespace(a=30, b=0, c=390000, d=0, e=-30, f=3800000))),
            "nine numbers": (self.heights, self.profile(transform=(30, 0, 390000, 0, -30, 3800000, 0, 0, 1))),
            "from the south": (self.heights[::-1], self.profile(transform=(30, 0, 390000, 0, 30, 3800000 - 150))),
            "from the east": (self.heights[:, ::-1], self.profile(transform=(-30, 0, 390000 + 210, 0, -30, 3800000))),
            "a dataset": (self.heights, types.SimpleNamespace(**self.profile(), scales=(1.0,), offsets=(0.0,))),
            "no more than a transform": (self.heights, {"transform": self.profile()["transform"], "crs": 32611}),
        }
        for name, given in same.items():
            with self.subTest(name):
                self.assertEqual(tp.Terrain.from_rasterio(*given).hash, land.hash)
        self.assertEqual(tp.Terrain.from_rasterio(land.height[::-1], land.profile).hash, land.hash)

    def test_what_stands_for_nothing_is_a_void(self):
        for dtype, nodata in ((np.float32, -9999), (np.int16, -32768), (np.float64, -1.7976931348623157e308),
                              (np.float32, -3.4028234663852886e38), (np.uint8, 255)):
            with self.subTest(f"{dtype} {nodata}"):
                given = self.heights.astype(dtype)
                with np.errstate(over="ignore"):
                    given[1, 2] = nodata
                land = tp.Terrain.from_rasterio(given, self.profile(nodata=nodata))
                self.assertEqual(np.argwhere(land["void"]).tolist(), [[3, 2]])
                self.assertTrue(0 <= land.height.min() and land.height.max() <= 100)
        self.assertNotIn("void", tp.Terrain.from_rasterio(self.heights, self.profile(nodata=np.nan)))

    def test_what_is_no_profile_is_refused(self):
        wrong = {
            "turned": self.profile(transform=(30, 1, 0, 1, -30, 0)),
            "in GDAL's order": self.profile(transform=(390000, 30, 0, 3800000, 0, -30)),
            "flat": self.profile(transform=(30, 0, 0, 0, 0, 0)),
            "five numbers": self.profile(transform=(30, 0, 0, 0, -30)),
            "texts": self.profile(transform="north"),
            "nowhere": self.profile(transform=(30, 0, np.nan, 0, -30, 0)),
            "none": {"crs": "EPSG:32611"},
            "another size": self.profile(width=8),
            "scaled": types.SimpleNamespace(**self.profile(), scales=(0.1,), offsets=(0.0,)),
            "an odd reference system": self.profile(crs=1.5),
        }
        for name, profile in wrong.items():
            with self.subTest(name), self.assertRaises(tp.RecipeError):
                tp.Terrain.from_rasterio(self.heights, profile)
        for array in (np.zeros((2, 5, 7)), np.zeros(7), np.zeros((0, 7))):
            with self.assertRaises(tp.RecipeError):
                tp.Terrain.from_rasterio(array, {"transform": (1, 0, 0, 0, -1, 0)})

    @needs("rasterio")
    def test_files_that_rasterio_reads_and_writes(self):
        import rasterio

        read = tp.read(file=DEM)
        with rasterio.open(DEM) as dataset:
            for profile in (dataset, dataset.profile, dict(dataset.profile)):
                self.expect_same(tp.Terrain.from_rasterio(dataset.read(1), profile), read)
        with rasterio.open(self.folder / "a.tif", "w", **read.profile) as file:
            file.write(read.height[::-1], 1)
        self.expect_same(tp.read(file=self.folder / "a.tif"), read)


@needs("xarray")
class Xarray(Place):
    def test_land_comes_back_as_it_was(self):
        import xarray

        holes = mesa().height.copy()
        holes[10:14, 20:26] = np.nan
        lands = {"made": mesa(), "on Earth": tp.read(file=DEM), "voids": tp.Terrain(holes, cell=31.25),
                 "smoothed over voids": tp.levelling(tp.Terrain(holes, cell=31.25)), "one row": tp.Terrain([[1, 2, 3]], cell=5)}
        for name, land in lands.items():
            with self.subTest(name):
                data = land.to_xarray()
                self.assertTrue(np.shares_memory(data["height"].values, land.height))
                self.assertEqual(tp.Terrain.from_xarray(data).hash, land.hash)
                turned = data.isel(y=slice(None, None, -1), x=slice(None, None, -1)).transpose("x", "y", ...)
                self.assertEqual(tp.Terrain.from_xarray(turned).hash, land.hash)
                data.to_netcdf(self.folder / "a.nc", engine="scipy")
                with xarray.open_dataset(self.folder / "a.nc", engine="scipy") as again:
                    self.assertEqual(tp.Terrain.from_xarray(again).hash, land.hash)

    def test_what_attributes_say_is_used(self):
        import xarray

        heights = np.array([[10, 20, 30], [40, -99, 60]], dtype=np.int16)
        x, y = [100, 110, 120], [50, 40]
        plain = tp.Terrain(np.ma.masked_equal(heights, -99) * 2.0 + 5, cell=10, origin=(100, 40), north_first=True)
        attributes = {"_FillValue": -99, "scale_factor": 2, "add_offset": 5, "units": "metres"}
        stored = xarray.DataArray(heights[None], dims=("band", "y", "x"), coords={"x": x, "y": y}, attrs=attributes)
        self.assertEqual(tp.Terrain.from_xarray(stored).hash, plain.hash)
        self.assertEqual(tp.Terrain.from_xarray(stored.to_dataset(name="elevation")).hash, plain.hash)
        degrees = xarray.DataArray(heights, coords={"lat": [34.2, 34.1], "lon": [-118, -117.9, -117.8]}, dims=("lat", "lon"))
        self.assertIn("WGS 84", tp.Terrain.from_xarray(degrees).crs)
        wrong = {
            "feet": stored.assign_attrs(units="ft"),
            "two times": xarray.concat([stored, stored], "time"),
            "no coordinates": stored.drop_vars("x"),
            "uneven": stored.assign_coords(x=[0, 1, 5]),
            "nowhere": stored.assign_coords(x=[0, np.nan, 2]),
            "dates": stored.assign_coords(x=np.array(["2020-01-01", "2020-01-02", "2020-01-03"], dtype="M8[ns]")),
            "other axes": stored.rename(x="easterly"),
            "several": xarray.Dataset({"a": stored, "b": stored}),
            "texts": stored.astype(str),
        }
        for name, data in wrong.items():
            with self.subTest(name), self.assertRaises(tp.RecipeError):
                tp.Terrain.from_xarray(data)

    @needs("rioxarray")
    def test_rioxarray_knows_its_place(self):
        import rioxarray

        land = tp.read(file=DEM)
        self.assertEqual(land.to_xarray().rio.crs.to_epsg(), 32611)
        with rioxarray.open_rasterio(DEM) as data:
            self.expect_same(tp.Terrain.from_xarray(data), land)


class Tables(Scratch):
    @needs("geopandas")
    def test_lines_are_a_table_of_geopandas(self):
        land = tp.stream_power(tp.read(file=DEM), age=0.1)
        rivers = tp.rivers(land)
        table = rivers.to_geodataframe()
        self.assertEqual((len(table), table.crs.to_epsg()), (len(rivers), 32611))
        low, high = np.array(land.coordinates, dtype=object)[:, None].ravel(), table.total_bounds
        self.assertTrue(low[0][0] <= high[0] and high[2] <= low[0][-1] and low[1][0] <= high[1] and high[3] <= low[1][-1])
        own = sum(np.hypot(*np.diff(part[:, :2], axis=0).T).sum() for i in range(len(rivers)) for part in rivers.parts(i))
        self.assertAlmostEqual(table.length.sum() / own, 1, places=9)
        features = [{"points": [[0, 0], [9, 0]], "name": "way", "width": 3, "note": "a"}, {"points": [[1, 2]], "shape": "point"}]
        table = tp.Lines(features, crs=4326).to_geodataframe()
        self.assertEqual((table.crs.to_epsg(), list(table.geom_type)), (4326, ["LineString", "Point"]))
        self.assertEqual((table["width"][0], table["note"][0], table["name"][1]), (3, "a", None))
        self.assertEqual(len(tp.Lines().to_geodataframe().geometry), 0)

    @needs("pandas")
    def test_sweeps_are_tables_of_pandas(self):
        import pandas

        table = tp.load("mesa", resolution=33).sweep("seed=1..3", age=[0.2, 0.8], measure=lambda one: {"top": one["land"].height.max()})
        self.assertIsInstance(table, pandas.DataFrame)
        self.assertEqual((list(table.columns), len(table)), (["seed", "age", "top"], 6))
        self.assertEqual(sorted(table["age"].unique()), [0.2, 0.8])


class Meshes(Scratch):
    @needs("trimesh")
    def test_a_mesh_of_trimesh_is_the_same_solid(self):
        mesh = tp.polygonize(tp.implicitize(mesa()), cell=50)
        own, about = mesh.to_trimesh(), mesh.info()
        self.assertTrue(own.is_watertight)
        self.assertAlmostEqual(own.volume / about["volume"], 1, places=6)
        self.assertEqual(2 - own.euler_number, 2 * about["genus"])

    @unittest.skipUnless(shutil.which("blender"), "there is no Blender")
    def test_blender_has_the_module_and_the_mesh(self):
        program = self.folder / "look.py"
        program.write_text(
            f"import sys\nsys.path.append({str(pathlib.Path(tp.__file__).parents[1])!r})\n"
            "import bpy, numpy as np, tepui as tp\ntp.cache('', memory=1 << 28)\n"
            "corners = [[0, 0, 0], [100, 0, 0], [0, 100, 0], [0, 0, 100]]\nsides = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]\n"
            "mesh = tp.Mesh(corners, sides, attributes={'wet': [0, 1, 2, 3]}).to_blender('tip')\n"
            "wet = [one.value for one in mesh.attributes['wet'].data]\n"
            "land = tp.polygonize(tp.implicitize(tp.noise(tp.World(resolution=33, seed=7))), cell=100)\n"
            "made = land.to_blender()\n"
            "print('told', mesh.name, len(mesh.polygons), wet, made.validate(), len(made.polygons) == len(land.triangles),"
            " land.hash, sep='|')\n"
        )
        command = ["blender", "--background", "--factory-startup", "--python-exit-code", "1", "--python", str(program)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=self.folder)
        told = [line for line in done.stdout.splitlines() if line.startswith("told")]
        land = tp.polygonize(tp.implicitize(tp.noise(tp.World(resolution=33, seed=7))), cell=100)
        self.assertEqual(told, [f"told|tip|4|[0.0, 1.0, 2.0, 3.0]|False|True|{land.hash}"], done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
