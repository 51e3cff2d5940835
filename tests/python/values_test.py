"""Values as arrays, arrays as values."""

import gc
import json
import os
import pickle
import time
import unittest
import weakref

import numpy as np

import tepui as tp
from support import Scratch, small


def hills(rows=40, columns=60):
    y, x = np.mgrid[0:rows, 0:columns]
    return (100 * np.sin(x / 9) * np.cos(y / 7) + x).astype(np.float32)


class Land(Scratch):
    def test_layers_are_views_that_outlive_the_land(self):
        land = tp.slope(tp.noise(small()))
        height, name = land.height, land.layers[-1]
        self.assertFalse(height.flags.writeable or height.flags.owndata)
        self.assertEqual(height.__array_interface__["data"], land["height"].__array_interface__["data"])
        with self.assertRaises(ValueError):
            height[0, 0] = 1
        with self.assertRaises(ValueError):
            height.setflags(write=True)
        before, gone = height.copy(), weakref.ref(land)
        slope = land[name]
        del land
        gc.collect()
        tp.cache("", memory=256 << 20)  # lets go of what it held
        self.assertIsNone(gone())
        [tp.noise(small(seed=i)).height for i in range(20)]  # takes what memory was freed
        np.testing.assert_array_equal(height, before)
        self.assertTrue(np.isfinite(slope).all())

    def test_a_layer_arrives_without_being_copied(self):
        land = tp.Terrain(np.zeros((4097, 4097), dtype=np.float32))
        land._value
        best = min(self.seconds(lambda: tp._native.layer(land._value, "height")) for _ in range(20))
        self.assertLess(best, 200e-6)  # a copy of its 64 MB takes a hundred times as long

    @staticmethod
    def seconds(call):
        began = time.perf_counter()
        call()
        return time.perf_counter() - began

    def test_rows_run_from_south_to_north(self):
        heights = hills()
        land = tp.Terrain(heights, cell=5, origin=(100, 200))
        np.testing.assert_array_equal(land.height, heights)
        self.assertEqual((land.y[0], land.y[1], land.x[2]), (200, 205, 110))
        turned = tp.Terrain(heights[::-1], cell=5, origin=(100, 200), north_first=True)
        self.assertEqual(turned.hash, land.hash)
        land.save(self.folder / "a.tif")
        again = tp.read(file=self.folder / "a.tif")
        np.testing.assert_array_equal(again.height, heights)
        self.assertEqual(again.cell, (5, 5))

    def test_arrays_of_any_layout_and_type_are_taken_rightly(self):
        heights = np.round(hills()) + 0  # no -0, which whole numbers do not have
        land = tp.Terrain(heights)
        same = {
            "double": heights.astype(np.float64),
            "half": tp.Terrain(heights.astype(np.float16)).height,
            "short": heights.astype(np.int16),
            "big endian": heights.astype(">f4"),
            "big endian short": heights.astype(">i2"),
            "columns first": np.asfortranarray(heights),
            "backwards": heights[::-1, ::-1].copy()[::-1, ::-1],
            "every other": np.repeat(heights, 2, axis=1)[:, ::2],
            "list": heights.tolist(),
            "masked": np.ma.masked_array(heights, mask=False),
            "unaligned": np.frombuffer(b"x" + heights.tobytes(), dtype=np.float32, offset=1).reshape(heights.shape),
        }
        read_only = heights.copy()
        read_only.setflags(write=False)
        same["read-only"] = read_only
        for name, array in same.items():
            with self.subTest(name):
                self.assertEqual(tp.Terrain(array).hash, land.hash)
        heights[0, 0] = 1e6  # the land has its own
        self.assertNotEqual(land.height[0, 0], 1e6)

    def test_arrays_that_are_no_land_are_refused(self):
        wrong = {
            "complex": np.zeros((3, 3), dtype=complex), "objects": np.array([[None, 1]]), "texts": np.array([["a"]]),
            "times": np.zeros((2, 2), dtype="M8[s]"), "one row": np.zeros(5), "a cube": np.zeros((2, 2, 2)),
            "a number": np.float32(5), "nothing": np.zeros((0, 5)), "no columns": np.zeros((5, 0)),
            "nowhere a number": np.full((4, 4), np.nan), "beyond floats": np.full((2, 2), 1e300),
        }
        for name, array in wrong.items():
            with self.subTest(name), self.assertRaises(tp.RecipeError):
                tp.Terrain(array)
        for options in (dict(cell=0), dict(cell=-1), dict(cell=np.nan), dict(origin=(np.inf, 0)), dict(crs="nonsense"),
                        dict(layers={"a": np.zeros((3, 3))})):
            with self.subTest(str(options)), self.assertRaises(tp.RecipeError):
                tp.Terrain(np.zeros((4, 4)), **options)
        with self.assertRaises(tp.RecipeError):
            tp.Terrain()

    def test_voids_become_a_mask_and_are_filled(self):
        heights = hills()
        holes = heights.copy()
        holes[10:14, 20:26] = np.nan
        holes[0, 0] = -np.inf
        land = tp.Terrain(holes)
        np.testing.assert_array_equal(land["void"] > 0, ~np.isfinite(holes))
        known = np.isfinite(holes)
        np.testing.assert_array_equal(land.height[known], heights[known])
        self.assertLess(np.abs(land.height - heights)[~known].max(), 60)
        masked = np.ma.masked_array(heights, mask=~known)
        self.assertEqual(tp.Terrain(masked).hash, land.hash)
        one = tp.Terrain([[5.0]])
        self.assertEqual((one.shape, one.height[0, 0]), ((1, 1), 5))

    def test_layers_can_be_added(self):
        land = tp.Terrain(hills(), layers={"wet": hills() > 50, "age": (hills(), "a", "continuous")})
        self.assertEqual(land.layers, ["height", "wet", "age"])
        self.assertEqual(land.layer_info("wet"), ("", "mask", 0))
        self.assertEqual(land.layer_info("age")[:2], ("a", "continuous"))
        more = land.with_layer("deep", -land.height, unit="m").with_height(land.height + 1)
        np.testing.assert_array_equal(more.height, land.height + 1)
        self.assertEqual(more.layers, ["height", "wet", "age", "deep"])
        masked = tp.adjust(land, mask=land.only("wet"), offset=10)
        self.assertTrue((masked.height[land["wet"] == 0] == land.height[land["wet"] == 0]).all())
        self.assertGreater(masked.height.sum(), land.height.sum())
        with self.assertRaises(tp.RecipeError) as caught:
            land["wett"]
        self.assertEqual(caught.exception.hint, "did you mean 'wet'?")
        with self.assertRaises(tp.RecipeError):
            land.with_layer("short", np.zeros((3, 3)))

    def test_a_place_on_earth_stays(self):
        land = tp.Terrain(hills(), cell=30, origin=(390000, 3800000), crs="EPSG:32611")
        self.assertIn("UTM zone 11N", land.crs)
        x, y = land.coordinates
        self.assertEqual((x[0], y[0], x[1] - x[0]), (390000, 3800000, 30))
        land.save(self.folder / "a.tif")
        again = tp.open(self.folder / "a.tif")
        np.testing.assert_array_equal(again.coordinates[1], y)
        degrees = tp.Terrain(hills(), cell=1 / 3600, origin=(-118.2, 34.3), crs="EPSG:4326")
        self.assertAlmostEqual(degrees.cell[1], 30.8, delta=0.2)

    def test_files_of_other_kinds(self):
        land = tp.noise(small())
        for name in ("a.png", "a.glb", "a.exr", "a.asc", "a.npy"):
            told = land.save(self.folder / name)
            self.assertEqual(told[0]["bytes"], os.path.getsize(self.folder / name))
        with self.assertRaises(tp.RecipeError):
            land.save(self.folder / "a.xyz")
        with self.assertRaises(tp.RecipeError):
            land.save(self.folder / "a.png", cog=True)
        with self.assertRaises(tp.Error):
            land.save("/nowhere/at/all.tif")
        mesh = tp.open(self.folder / "a.glb")
        self.assertIsInstance(mesh, tp.Mesh)
        self.assertEqual(mesh.triangles.max(), len(mesh.vertices) - 1)

    def test_ten_thousand_values_leave_no_memory(self):
        tp.cache("", memory=0)
        self.addCleanup(tp.cache, "", memory=256 << 20)
        world = small(resolution=17)

        def some(count):
            for i in range(count):
                land = tp.Terrain(np.full((9, 9), i))
                tp.noise(world, octaves=1, seed=i)
                land["height"]
                land.only("height")
            tp.levelling(tp.noise(world, seed=count)).height
            gc.collect()

        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

        some(1000)
        before = resident()
        some(10000)
        self.assertLess(resident() - before, 8 << 20)


class Others(Scratch):
    def test_lines(self):
        land = tp.stream_power(tp.noise(small(), height=300), age=0.5)
        rivers = tp.rivers(land)
        self.assertGreater(len(rivers), 3)
        self.assertEqual(rivers.vertices.shape[1], 3)
        self.assertFalse(rivers.vertices.flags.writeable)
        self.assertEqual(sum(len(part) for i in range(len(rivers)) for part in rivers.parts(i)), len(rivers.vertices))
        for name in rivers.attributes:
            self.assertIn(len(rivers[name]), (len(rivers), len(rivers.vertices)))
        collection = json.loads(json.dumps(rivers.__geo_interface__))
        self.assertEqual(len(collection["features"]), len(rivers))
        self.assertEqual(collection["features"][0]["geometry"]["type"], "LineString")

    def test_lines_from_arrays(self):
        lines = tp.Lines([
            {"points": [[0, 0], [10, 0], [10, 10]], "name": "way", "width": 3, "depth": [1, 2, 3], "note": "a"},
            {"points": [[0, 0, 5]], "shape": "point"},
            {"points": [[[0, 0], [9, 0], [9, 9]], [[3, 1], [4, 1], [4, 2]][::-1]], "shape": "polygon"},
        ])
        self.assertEqual(lines.names, ["way", "", ""])
        self.assertEqual(list(lines["depth"][:3]), [1, 2, 3])
        self.assertTrue(np.isnan(lines["depth"][3:]).all())
        self.assertEqual(lines["note"], ["a", None, None])
        types = [f["geometry"]["type"] for f in lines.__geo_interface__["features"]]
        self.assertEqual(types, ["LineString", "Point", "Polygon"])
        lines.save(self.folder / "a.gpkg")
        self.assertEqual(len(tp.open(self.folder / "a.gpkg")), 3)
        for wrong in ({"points": [[np.nan, 0], [1, 1]]}, {"points": [[0, 0], [1, 1]], "depth": [1]},
                      {"points": [[0, 0], [1, 1]], "shape": "blob"}, {"points": [[0], [1]]}):
            with self.assertRaises(tp.RecipeError, msg=str(wrong)):
                tp.Lines([wrong])
        self.assertEqual(len(tp.Lines()), 0)

    def test_rock(self):
        rock = tp.strata(beds=[dict(rock="shale", thickness=60, resistance=0.2), dict(rock="lime", thickness=40)])
        points = np.random.default_rng(1).uniform(0, 100, (5000, 3))
        rho = rock.resistance(points)
        self.assertEqual(rho.shape, (5000,))
        np.testing.assert_array_equal(rho[:7], rock.resistance(points[:7]))
        np.testing.assert_array_equal(rho[::-1], rock.resistance(points[::-1]))
        names = rock.rocks(points)
        self.assertEqual(set(names), {"shale", "lime"})
        np.testing.assert_array_equal(rho == np.float32(0.2), [name == "shale" for name in names])
        for wrong in (np.zeros(3), np.zeros((2, 2))):
            with self.assertRaises(tp.RecipeError):
                rock.resistance(wrong)
        self.assertEqual(len(rock.resistance(np.zeros((0, 3)))), 0)

    def test_volumes(self):
        land = tp.noise(small(resolution=33))
        solid = tp.implicitize(land)
        above = np.column_stack([np.full(9, 1000.0), np.full(9, 1000.0), np.linspace(-100, 800, 9)])
        inside, field = solid.inside(above), solid.field(above)
        self.assertEqual(inside.dtype, bool)
        np.testing.assert_array_equal(inside, field > 0)
        ground = land.height[16, 16]
        self.assertTrue(solid.inside([[1000, 1000, ground - 2]])[0])
        self.assertFalse(solid.inside([[1000, 1000, ground + 2]])[0])
        self.assertEqual(solid.gradient(above).shape, (9, 3))
        self.assertFalse(solid.inside([[np.nan, 0, 0]])[0])
        low, high = solid.bounds
        self.assertLess(low[2], high[2])

    def test_meshes(self):
        mesh = tp.polygonize(tp.implicitize(tp.noise(small(resolution=17))), cell=100)
        self.assertEqual((mesh.vertices.shape[1], mesh.triangles.dtype), (3, np.uint32))
        again = tp.Mesh(mesh.vertices, mesh.triangles)
        self.assertEqual(again.info()["triangles"], mesh.info()["triangles"])
        np.testing.assert_allclose(again.vertices, mesh.vertices, atol=1e-3)
        for vertices, triangles in ((np.zeros((2, 2)), [[0, 1, 1]]), (np.zeros((3, 3)), [[0, 1, 3]]),
                                    (np.full((3, 3), np.nan), [[0, 1, 2]]), (np.zeros((3, 3)), [[0, 1, -1]])):
            with self.assertRaises(tp.RecipeError):
                tp.Mesh(vertices, triangles)

    def test_planets(self):
        planet = tp.planet(seed=3, level=4)
        columns = planet.columns
        self.assertGreaterEqual(len(columns), 22)
        for name in ("height", "rain", "plate", "receiver"):
            self.assertEqual(len(columns[name]), len(columns["directions"]), name)
        np.testing.assert_allclose(np.linalg.norm(columns["directions"], axis=1), 1)
        self.assertEqual(columns["triangles"].max(), len(columns["height"]) - 1)
        heights = planet.heights([[0, 10], [20, 30]], 40.0, spacing=100_000)
        self.assertEqual(heights.shape, (2, 2))
        self.assertEqual(planet.heights(20, 40, spacing=100_000), heights[1, 0])
        for place in ((91, 0), (np.nan, 0), (0, np.inf)):
            with self.assertRaises(tp.RecipeError):
                planet.heights(*place)

    def test_pictures(self):
        land = tp.noise(small(), height=300)
        picture = land.render(size=(64, 48), samples=1)
        self.assertEqual(picture.pixels.shape[:2], (48, 64))
        self.assertGreater(picture.pixels.std(), 5)
        figure = land.figure("hypsometry")
        self.assertGreater(figure.pixels.std(), 5)
        with self.assertRaises(tp.RecipeError):
            land.figure("hypsography")
        with self.assertRaises(tp.RecipeError):
            land.render(camara="top")
        picture.save(self.folder / "a.png")
        np.testing.assert_array_equal(tp.Image(picture.pixels).pixels, picture.pixels)
        rock, solid = tp.strata(), tp.implicitize(tp.noise(small(resolution=17)))
        self.assertGreater(solid.render(size=(48, 32), samples=1).pixels.std(), 5)
        for value in (land, rock, picture, tp.Lines([{"points": [[0, 0], [9, 9]]}])):
            self.assertEqual(value._repr_png_()[:8], b"\x89PNG\r\n\x1a\n")
            self.assertGreater(len(value._repr_png_()), 300)


if __name__ == "__main__":
    unittest.main()
