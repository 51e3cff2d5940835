"""Recipes from Python, and graphs of Python's as recipes."""

import json
import unittest

import tepui as tp
from support import TREE, Scratch, program, small


class Recipes(Scratch):
    def test_a_recipe_runs_to_the_bytes_of_the_command_line(self):
        for folder, run in (("a", None), ("b", lambda path: tp.load("mesa", resolution=65).run(path, only=FILES))):
            if run is None:
                words = [word for name in FILES for word in ("--only", name)]
                program("run", "mesa", "--resolution", "65", "-o", str(self.folder / folder), "--no-cache", *words)
            else:
                done = run(self.folder / folder)
        for name in FILES:
            self.assertEqual((self.folder / "a" / name).read_bytes(), (self.folder / "b" / name).read_bytes())
        self.assertEqual([node["name"] for node in done.nodes], ["faults", "rock", "mesa", "land"])

    def test_nodes_layers_and_changes(self):
        recipe = tp.load(TREE / "recipes/mesa.json", test_size=True)
        self.assertEqual(list(recipe), ["faults", "rock", "mesa", "land"])
        self.assertIn("material", recipe["rock"].layers)
        self.assertEqual(recipe["rock.material"].layers, ["material"])
        self.assertEqual(tp.levelling(recipe["mesa"], **recipe["land"]._node.given).hash, recipe["land"].hash)
        other = recipe.with_changes(seed=99)
        self.assertNotEqual(other["land"].hash, recipe["land"].hash)
        self.assertEqual(recipe.with_changes(set={"land.radius": 0}).with_changes()["land"].hash,
                         tp.levelling(recipe["mesa"], radius=0).hash)

    def test_errors_have_their_place(self):
        path = self.folder / "a.json"
        path.write_text('{ "tepui": 1, "nodes": {\n  "hills": { "op": "noise", "octaves": 99 } } }')
        told = json.loads(program("check", str(path), "--json", code=2))["error"]
        with self.assertRaises(tp.RecipeError) as caught:
            tp.load(path)
        error = caught.exception
        self.assertEqual((error.message, error.where), (told["message"], told["where"]))
        self.assertEqual((error.place.line, error.place.column, error.place.node, error.place.field),
                         (told["line"], told["column"], told["node"], told["field"]))
        for name, call in {
            "mezza": lambda: tp.load("mezza"),
            "no such variable": lambda: tp.load("mesa", vars={"nothing": 1}),
            "no such node": lambda: tp.load("mesa")["lnd"],
            "no such layer": lambda: tp.load("mesa", resolution=33)["land.nothing"].layers,
        }.items():
            with self.subTest(name), self.assertRaises(tp.RecipeError):
                call()
        with self.assertRaises(tp.RecipeError) as caught:
            tp.load("mezza")
        self.assertEqual(caught.exception.hint, "did you mean 'mesa'?")

    def test_sweeps_are_tables(self):
        recipe = tp.load("mesa", resolution=33)
        rows = recipe.sweep("seed=1..3", measure=lambda one: {"mean": float(one["land"].height.mean())})
        rows = rows if isinstance(rows, list) else rows.to_dict("records")
        self.assertEqual([row["seed"] for row in rows], [1, 2, 3])
        self.assertEqual(len({row["mean"] for row in rows}), 3)
        table = recipe.sweep(**{"rock.count": [3, 5]})
        table = table if isinstance(table, list) else table.to_dict("records")
        self.assertEqual(sorted(table[0])[-1], "width")

    def test_a_graph_becomes_a_recipe_that_the_command_line_runs(self):
        world = tp.World(size=(3000, 2000), resolution=65, seed=11, sea_level=20)
        rock = tp.strata(beds=[dict(rock="shale", thickness=60), dict(rock="sandstone", thickness="2%")])
        hills = tp.noise(world, height="300m")
        land = tp.stream_power(hills, rock=rock, age=0.5)
        both = tp.combine(land, tp.levelling(hills), mask=tp.mask(land, by="slope").only("mask"))
        outputs = {"land.tif": both, "hills.tif": {"from": hills}, "mask.png": tp.slope(land).only("slope")}
        tp.save_recipe(self.folder / "my.json", both=both, outputs=outputs, title="mine")
        told = json.loads(program("run", str(self.folder / "my.json"), "-o", str(self.folder / "out"), "--json",
                                  "--no-cache"))
        hashes = {node["name"]: node["hash"] for node in told["nodes"]}
        self.assertEqual(hashes["both"], both.hash)
        self.assertEqual(hashes["noise"], hills.hash)
        self.assertEqual(told["seed"], 11)
        again = tp.load(self.folder / "my.json")
        self.assertEqual(again["both"].hash, both.hash)
        self.assertEqual(json.loads(program("info", f"{self.folder}/my.json#both", "--json")), both.info())
        self.assertEqual(again.title, "mine")

    def test_stages_become_a_recipe(self):
        worn = tp.weathering(tp.circular_faults(small(resolution=33)), retreat=30, every=10)
        early = tp.levelling(worn.stages[20], radius=90)
        tp.save_recipe(self.folder / "my.json", worn=worn, early=early, outputs={"a.tif": worn, "b.tif": early})
        recipe = json.loads((self.folder / "my.json").read_text())
        self.assertEqual(recipe["nodes"]["worn"]["every"], 10)
        told = json.loads(program("run", str(self.folder / "my.json"), "-o", str(self.folder / "out"), "--json",
                                  "--no-cache"))
        hashes = {node["name"]: node["hash"] for node in told["nodes"]}
        self.assertEqual((hashes["worn"], hashes["early"]), (worn.hash, early.hash))
        again = tp.load(self.folder / "my.json")
        self.assertEqual(list(again["worn"].stages), [0, 10, 20, 30])
        self.assertEqual(again["worn"].stages[20].hash, again["worn@20"].hash)
        self.assertEqual(again["worn@20"].hash, worn.stages[20].hash)

    def test_files_are_named_from_the_recipe(self):
        land = tp.noise(small())
        land.save(self.folder / "hills.tif")
        read = tp.read(file=self.folder / "hills.tif")
        more = tp.levelling(tp.noise(tp.World(like=read, seed=4)))
        tp.save_recipe(self.folder / "my.json", more=more, outputs={"a.tif": more})
        recipe = json.loads((self.folder / "my.json").read_text())
        self.assertEqual(recipe["nodes"]["read"]["file"], "hills.tif")
        self.assertEqual(recipe["world"]["from"], "read")
        self.assertEqual(tp.load(self.folder / "my.json")["more"].hash, more.hash)

    def test_what_a_recipe_cannot_say_is_refused(self):
        @tp.operator
        def own(land: tp.Terrain):
            return land

        made = tp.Terrain([[1, 2], [3, 4]])
        for value in (tp.levelling(made), own(tp.noise(small()))):
            with self.assertRaises(tp.RecipeError):
                tp.save_recipe(self.folder / "a.json", land=value)
        with self.assertRaises(tp.RecipeError):
            tp.save_recipe(self.folder / "a.json")
        with self.assertRaises(tp.RecipeError):
            tp.save_recipe(self.folder / "a.json", land=tp.noise(small()), outputs={"land.xyz": "land"})
        self.assertFalse((self.folder / "a.json").exists())


FILES = ["mesa.tif", "mesa_material.png"]

if __name__ == "__main__":
    unittest.main()
