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


class Numbers(unittest.TestCase):
    """What places, corners and pixels may be."""

    def test_points_of_any_layout_and_type_are_taken_rightly(self):
        rock = tp.strata(beds="shale:60:0.2,sandstone:40:0.8")
        solid = tp.implicitize(tp.noise(small(resolution=17)))
        points = np.random.default_rng(1).integers(0, 100, (50, 3))
        backwards, read_only = points.astype(float)[::-1].copy()[::-1], points.astype(float)
        read_only.setflags(write=False)
        same = {
            "doubles": points.astype(float), "floats": points.astype(np.float32), "bytes": points.astype(np.uint8),
            "big endian": points.astype(">f8"), "columns first": np.asfortranarray(points), "backwards": backwards,
            "every other": np.repeat(points, 2, axis=0)[::2], "list": points.tolist(), "read-only": read_only,
            "masked": np.ma.masked_array(points, mask=False),
            "unaligned": np.frombuffer(b"x" + points.astype(float).tobytes(), offset=1).reshape(points.shape),
        }
        for tell in (rock.resistance, solid.field, solid.inside, solid.gradient, solid.resistance):
            expected = tell(points)
            for name, given in same.items():
                with self.subTest(f"{tell.__name__} {name}"):
                    np.testing.assert_array_equal(tell(given), expected)
            self.assertEqual(len(tell(np.zeros((0, 3)))), 0)
            for name, wrong in {
                "complex": points + 1j, "texts": [["a", "b", "c"]], "objects": np.array([[None, 1, 2]]), "none": None,
                "dates": np.zeros((2, 3), dtype="M8[s]"), "one point": [1, 2, 3], "pairs": [[1, 2]], "cube": points[None],
                "of several lengths": [[1, 2, 3], [1, 2]],
            }.items():
                with self.subTest(f"{tell.__name__} {name}"), self.assertRaises(tp.RecipeError):
                    tell(wrong)
        self.assertFalse(solid.inside(np.ma.masked_all((2, 3))).any())

    def test_what_cannot_be_meant_is_refused(self):
        planet, land, corners = tp.planet(level=4), tp.Terrain(np.zeros((2, 2))), np.eye(3)
        wrong = {
            "texts as places": lambda: planet.heights("a", 0), "complex places": lambda: planet.heights(1j, 0),
            "places that do not fit": lambda: planet.heights([1, 2, 3], [1, 2]),
            "a text as spacing": lambda: planet.heights(0, 0, spacing="x"), "no spacing": lambda: planet.heights(0, 0, spacing=0),
            "texts as corners": lambda: tp.Mesh([["a", "b", "c"]], [[0, 0, 0]]), "complex corners": lambda: tp.Mesh(corners * 1j, [[0, 1, 2]]),
            "four indices": lambda: tp.Mesh(corners, [0, 1, 2, 1]), "no corners": lambda: tp.Mesh(np.zeros((0, 3)), np.zeros((0, 3), int)),
            "texts in lines": lambda: tp.Lines([{"points": [["a", "b"]]}]), "no points": lambda: tp.Lines([{"name": "x"}]),
            "no dict": lambda: tp.Lines([3]), "no part": lambda: tp.Lines([{"points": []}]),
            "fractions of pixels": lambda: tp.Image(np.zeros((4, 4, 3))), "bright pixels": lambda: tp.Image(np.full((2, 2, 3), 300)),
            "flat pixels": lambda: tp.Image(np.zeros((4, 4), np.uint8)), "no pixels": lambda: tp.Image(np.zeros((0, 4, 3), np.uint8)),
            "three sides of a cell": lambda: tp.Terrain(land.height, cell=(1, 2, 3)), "a text as cell": lambda: tp.Terrain(land.height, cell="a"),
            "a relief upside down": lambda: tp.Terrain(land.height, relief=(5, 1)), "half a relief": lambda: tp.Terrain(land.height, relief=5),
            "like a number": lambda: tp.Terrain(land.height, like=3), "a world like a number": lambda: tp.World(like=3),
            "a layer without a name": lambda: tp.Terrain(land.height, layers={"": land.height}),
            "an odd kind": lambda: tp.Terrain(land.height, layers={"a": (land.height, "", "blob")}),
            "a layer with holes": lambda: land.with_layer("a", [[np.nan, 1], [1, 1]]),
            "computing a number": lambda: tp.compute(3), "showing a number": lambda: tp.Live().show(3),
            "threads below none": lambda: tp.threads(-1), "memory below none": lambda: tp.cache("", memory=-1),
        }
        for name, call in wrong.items():
            with self.subTest(name), self.assertRaises(tp.RecipeError):
                call()
        with self.assertRaises(tp.Error):
            tp.Mesh(corners, [[0, 1, 2]], attributes={"wet": [1, 2]})

    def test_nothing_is_copied_that_need_not_be(self):
        """What is asked for twice is the same memory."""
        mesh = tp.polygonize(tp.implicitize(tp.noise(small(resolution=17))), cell=100)
        rivers, planet = tp.rivers(tp.stream_power(tp.noise(small(), height=300))), tp.planet(level=4)
        picture = tp.Image(np.zeros((4, 4, 3), np.uint8))
        for tell in (
            lambda: tp._native.mesh_columns(mesh._value)["positions"], lambda: tp._native.mesh_columns(mesh._value)["triangles"],
            lambda: tp._native.lines_columns(rivers._value)["vertices"], lambda: tp._native.planet_columns(planet._value)["height"],
            lambda: picture.pixels,
        ):
            once, again = tell(), tell()
            self.assertTrue(np.shares_memory(once, again))
            self.assertFalse(once.flags.writeable or once.flags.owndata)


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
        np.testing.assert_allclose(np.linalg.norm(columns["directions"], axis=1), 1, rtol=1e-6)
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
