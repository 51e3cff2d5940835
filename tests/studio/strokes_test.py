#!/usr/bin/env python3
"""Strokes of a brush, seen from a page: what is drawn, undone, saved and changed by others."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from page import Studio, wait_until  # noqa: E402

TREE = pathlib.Path(__file__).parents[2]
PAPER = TREE / "recipes/papers/003"
RECIPE = """{
  // Noise, worn down.
  "tepui": 1,
  "seed": 3,
  "world": { "size": [1000, 800], "resolution": 200 },
  "nodes": {
    "hills": { "op": "noise", "height": 200, "octaves": 5 },
    "land": { "op": "levelling", "in": "hills", "radius": "5%" }
  },
  "outputs": { "land.tif": "land" }
}
"""
SOLID = """{
  "tepui": 1,
  "world": { "size": [200, 200], "resolution": 41, "sea_level": 0 },
  "nodes": {
    "beds": { "op": "strata" },
    "hills": { "op": "noise", "height": 40 },
    "rock": { "op": "implicitize", "in": "hills", "rock": "beds", "floor": 20 },
    "worn": { "op": "adjust", "in": "hills", "offset": 1 }
  },
  "outputs": { "rock.stl": { "from": "rock", "cell": 20 } }
}
"""
EMPTY = '{"type": "FeatureCollection", "features": [\n]}\n'
LINE = [[100, 100], [300.25, 300, None, 0.5], [500, 200]]
RAISE = {"tool": "raise", "radius": 60, "amount": 40}


def last(page, say, **facts):
    return next(text for text in reversed(page.texts) if text.get("say") == say and all(text.get(k) == v for k, v in facts.items()))


def hash_of(page, node):
    return next(text["hash"] for text in reversed(page.texts) if text.get("say") == "node" and text["node"] == node and "hash" in text and not text["preview"])


def until_hash(page, node, wanted):
    """Waits until all of the node has this hash: of several edits in a row, one may be shown before the last one comes."""
    hashes = lambda: [text["hash"] for text in page.texts if text.get("say") == "node" and text["node"] == node and "hash" in text and not text["preview"]]  # noqa: E731
    while hashes()[-1:] != [wanted]:
        page.until("node", node=node, preview=False)


def run(recipe, out, *words):
    """The hashes of the recipe's nodes as the program alone makes them."""
    done = subprocess.run([os.environ["TEPUI_PROGRAM"], "run", recipe.name, "-o", out, "--no-cache", "--json", *words], cwd=recipe.parent, check=True,
                          capture_output=True, text=True)
    return {node["name"]: node["hash"] for node in json.loads(done.stdout)["nodes"]}


class Strokes(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name) / "work"
        self.folder.mkdir()
        self.recipe = self.folder / "hills.json"
        self.recipe.write_text(RECIPE)
        self.out = pathlib.Path(self.scratch.name) / "out"

    def tearDown(self):
        self.scratch.cleanup()

    def studio(self, name="hills.json"):
        return Studio(name, folder=self.folder)

    def saved(self, page):
        wait_until(lambda: page.ask("targets") and last(page, "recipe")["state"] == "saved", "saved")

    def drawn(self, page, **what):
        answer = page.ask("stroke", **{"line": LINE, "properties": RAISE, "after": "land", "op": "paint", **what})
        self.assertNotIn("error", answer)
        return answer

    def files(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}

    def test_a_stroke_is_what_run_makes_of_the_saved_files(self):
        with self.studio() as studio, studio.page() as page:
            page.settle()
            self.drawn(page)
            self.drawn(page, after="land_paint", line=[[200, 300, 7.5, 0.25]], properties={"tool": "set", "radius": 90, "name": "dam"})
            answer = page.ask("stroke", line=[[600, 600], [700, 600], [650, 700]], closed=True, onto={"node": "land_paint", "port": "strokes"},
                              properties={"tool": "lower", "radius": 20, "amount": 9})
            self.assertEqual(answer, {"re": page.last_id, "node": "land_paint", "lines": "land_paint_strokes", "stroke": 2, "made": False})
            page.settle()
            self.saved(page)
            made = run(self.recipe, self.out)
            for node in ("land_paint_strokes", "land_paint"):
                self.assertEqual(hash_of(page, node), made[node])
            self.assertEqual([(one["lines"], one["count"], one["feeds"]) for one in last(page, "recipe")["strokes"]],
                             [("land_paint_strokes", 3, [{"node": "land_paint", "port": "strokes"}])])
            listed = page.ask("strokes", lines="land_paint_strokes", **{"from": 1})
            self.assertEqual((listed["total"], listed["from"], len(listed["strokes"])), (3, 1, 2))
            self.assertEqual(listed["strokes"][0], {"line": [[200, 300, 7.5]], "closed": False,
                                                    "properties": {"tool": "set", "radius": 90, "name": "dam"}})
            self.assertTrue(listed["strokes"][1]["closed"])

    def test_strokes_undone_leave_the_first_bytes(self):
        draw = random.Random(4)
        with self.studio() as studio, studio.page() as page:
            page.settle()
            first = hash_of(page, "land")
            for _ in range(60):
                act = draw.random()
                if act < 0.6:
                    page.ask("stroke", line=[[draw.randrange(-200, 1200), draw.randrange(1000)] for _ in range(draw.randrange(1, 5))],
                             after=draw.choice(["land", "hills", "land_paint"]), op="paint", hold=draw.random() < 0.3,
                             properties={"radius": draw.randrange(1, 90), draw.choice(["amount", "strength", "layer"]): draw.choice([1, "x"])})
                elif act < 0.7:
                    page.ask("unstroke", lines=draw.choice(["land_paint_strokes", "hills_paint_strokes"]), stroke=draw.randrange(3))
                elif act < 0.8:
                    page.ask("set", path="seed", value=draw.randrange(9))
                elif act < 0.9:
                    page.ask(draw.choice(["undo", "redo", "release"]))
                else:
                    page.ask("save")
            page.ask("goto", step=0)
            page.ask("release")
            page.settle()
            self.saved(page)
            self.assertEqual(self.files(), {"hills.json": RECIPE.encode()})
            page.ask("show", node="land", layer=None)
            page.ask("set", path="seed", value=4)
            page.settle()
            page.ask("undo")
            page.settle()
            self.assertEqual(hash_of(page, "land"), first)

    def test_strokes_before_and_after_a_generator_outlast_another_seed(self):
        with self.studio() as studio, studio.page() as page:
            self.drawn(page)
            self.drawn(page, after="hills")
            text = last(page, "recipe")["text"]
            self.assertNotIn("error", page.ask("set", path="seed", value=99))
            page.ask("release")
            page.settle()
            self.saved(page)
            self.assertEqual(self.recipe.read_text(), text.replace('"seed": 3', '"seed": 99'))
            self.assertEqual([one["count"] for one in last(page, "recipe")["strokes"]], [1, 1])
            self.assertEqual(run(self.recipe, self.out)["land_paint"], hash_of(page, "land_paint"))

    def test_the_last_of_a_held_hand_counts_and_is_one_step(self):
        with self.studio() as studio, studio.page() as page:
            for step in range(10):
                answer = self.drawn(page, line=[[100, 100], [200 + step, 300]], hold=True)
                self.assertEqual((answer["stroke"], answer["made"]), (0, True))
            page.ask("release")
            self.drawn(page, after="land_paint", line=[[1, 1]], hold=True)
            self.assertEqual(len(last(page, "recipe")["history"]), 2)
            self.assertEqual(page.ask("strokes", lines="land_paint_strokes")["strokes"][0]["line"], [[100, 100, 0], [209, 300, 0]])
            self.assertIn("error", page.ask("stroke", line=[], after="land", op="paint", hold=True))
            self.drawn(page, after="land_paint", line=[[2, 2]], hold=True)
            self.assertEqual(page.ask("strokes", lines="land_paint_strokes")["total"], 2)
            page.ask("undo")
            self.assertEqual(page.ask("strokes", lines="land_paint_strokes")["total"], 1)
            page.ask("undo")
            self.assertEqual(last(page, "recipe")["text"], RECIPE)

    def test_what_is_odd_is_defined_or_refused(self):
        with self.studio() as studio, studio.page() as page:
            page.settle()
            self.drawn(page, line=[[-1e6, 1e9]])
            self.drawn(page, after="land_paint", line=[[5, 5], [5, 5], [5, 5]])
            page.settle()
            before = last(page, "recipe")["text"]
            for text in ("NaN", "1e999", "Infinity", "-1e10", '"1"', "null"):
                page.last_id += 1
                page.send('{"do":"stroke","id":%d,"line":[[0,%s]],"after":"land","op":"paint"}' % (page.last_id, text))
                # What is no JSON has no number to be answered by.
                self.assertIn("error", page.until_answer(None if text in ("NaN", "1e999", "Infinity") else page.last_id))
            for what in ({"after": "gone"}, {"op": "noise"}, {"op": "sculpt"}, {"onto": {"node": "land", "port": "strokes"}, "after": None},
                         {"after": "land_paint", "line": [[0, 0]] * 4097}, {"line": []}, {"line": [[0, 0], [1, 1]], "closed": True},
                         {"properties": {f"p{i}": 1 for i in range(33)}}, {"after": "land_paint", "properties": {"radius": "wide"}}):
                asked = {"line": LINE, "after": "land", "op": "paint", **what}
                if asked["after"] is None:
                    del asked["after"]
                self.assertIn("error", page.ask("stroke", **asked), what)
            self.assertIn("error", page.ask("unstroke", lines="land_paint_strokes", stroke=2))
            self.assertIn("error", page.ask("unstroke", lines="land", stroke=0))
            self.assertIn("error", page.ask("strokes", lines="gone"))
            self.assertEqual(page.ask("strokes", lines="land_paint_strokes")["total"], 2)
            self.assertEqual(last(page, "recipe")["text"], before)

    def test_brushes_on_rock(self):
        self.recipe.write_text(SOLID)
        with self.studio() as studio, studio.page() as page:
            page.settle()
            curve = {"falloff": 6, "energy": -15}
            one = self.drawn(page, after="rock", op="sculpt", line=[[80, 80, 20], [120, 120, 20]], properties=curve)
            two = self.drawn(page, after=one["node"], op="sculpt", line=[[80, 120, 20], [120, 80, 20]], properties=curve)
            self.assertEqual((one["made"], two["made"], two["stroke"]), (True, False, 1))
            hard = self.drawn(page, after=one["node"], op="rock_body", line=[[100, 100, 20]], properties={"radius": 30, "resistance": 0.5})
            again = self.drawn(page, after="rock", op="rock_body", line=[[50, 50, 20]], properties={"radius": 30, "resistance": -0.5})
            self.assertEqual((hard["node"], again["made"], again["stroke"]), (again["node"], False, 1))
            recipe = last(page, "recipe")
            wires = {node["name"]: {wire["port"]: wire["from"] for wire in node["inputs"]} for node in recipe["nodes"]}
            self.assertEqual(wires["rock"]["rock"], hard["node"])
            self.assertEqual(wires[hard["node"]]["in"], "beds")
            self.assertEqual(recipe["outputs"], ["rock.stl"])
            self.assertIn(f'"from": "{one["node"]}", "cell"', recipe["text"])
            self.assertEqual([node["name"] for node in recipe["nodes"] if node["brush"]], [one["node"], hard["node"]])
            self.assertIn("error", page.ask("stroke", line=LINE, after="worn", op="rock_body"))
            self.assertIn("error", page.ask("stroke", line=LINE, after="rock", op="paint"))
            page.settle()
            self.saved(page)
            made = run(self.recipe, self.out)
            until_hash(page, one["node"], made[one["node"]])

    def test_brushes_in_turn(self):
        self.recipe.write_text(SOLID)
        brushes = [("sculpt", {"falloff": 9, "energy": -15}), ("smooth", {"radius": 12, "strength": 1}), ("strata_erosion", {"radius": 15, "depth": 4}),
                   ("sea_erosion", {"radius": 20}), ("sculpt", {"falloff": 9, "energy": 15}), ("smooth", {"radius": 12, "strength": 0.5})]
        with self.studio() as studio, studio.page() as page:
            page.settle()
            after, made = "rock", []
            for at, (op, properties) in enumerate(brushes):
                line = [[40 + 20 * at, 60, 20], [60 + 20 * at, 140, 10]]
                after = self.drawn(page, after=after, op=op, line=line, properties=properties)["node"]
                made.append(after)
            self.assertEqual(made, ["rock_sculpt", "rock_smooth", "rock_strata_erosion", "rock_sea_erosion", "rock_sculpt_2", "rock_smooth_2"])
            page.settle()
            self.saved(page)
            alone = run(self.recipe, self.out)
            until_hash(page, after, alone[after])

    def test_figure_25_stroke_by_stroke(self):
        full = bool(os.environ.get("TEPUI_ALL_RECIPES"))
        text = (PAPER / "figure_25.json").read_text()
        text = text if full else text.replace('"resolution": 551', '"resolution": 61')
        log = (PAPER / "benagil_strokes.geojson").read_text()
        whole = pathlib.Path(self.scratch.name) / "whole"
        whole.mkdir()
        for folder, strokes in ((self.folder, EMPTY), (whole, log)):
            (folder / "figure_25.json").write_text(text)
            (folder / "benagil_strokes.geojson").write_text(strokes)
        self.recipe.unlink()
        alone = whole / "figure_25.json"
        alone.write_text(text.replace('"outputs": {', '"outputs": { "carved.stl": { "from": "carved", "cell": 8 },'))
        made = run(alone, self.out, "--only", "carved.stl")
        with self.studio("figure_25.json") as studio, studio.page() as page:
            page.ask("show", node="carved", layer=None)
            page.settle()
            first = hash_of(page, "carved")
            features = json.loads(log)["features"]
            for number, feature in enumerate(features):
                answer = page.ask("stroke", line=feature["geometry"]["coordinates"], onto={"node": "carved", "port": "along"}, properties=feature["properties"])
                self.assertEqual((answer.get("stroke"), answer.get("lines")), (number, "log"))
                page.texts, page.frames = page.texts[-20:], []
            page.ask("set", path="seed", value=8)
            page.ask("undo")
            until_hash(page, "carved", made["carved"])
            page.ask("goto", step=0)
            until_hash(page, "carved", first)
            self.saved(page)
            self.assertEqual(self.files(), {"figure_25.json": text.encode(), "benagil_strokes.geojson": EMPTY.encode()})

    # Files.

    def test_bytes_that_are_not_touched_stay(self):
        log = (TREE / "recipes/data/strokes.geojson").read_text()
        (self.folder / "log.geojson").write_text(log)
        self.recipe.write_text(RECIPE.replace('"land":', '"log": { "op": "read_lines", "file": "./log.geojson" },\n    "land":').replace(
            '"levelling", "in": "hills", "radius": "5%"', '"paint", "in": "hills", "strokes": "log"'))
        with self.studio() as studio, studio.page() as page:
            page.settle()
            self.assertEqual(last(page, "recipe")["strokes"][0]["count"], log.count('"Feature"'))
            answer = page.ask("stroke", line=LINE, onto={"node": "land", "port": "strokes"}, properties=RAISE)
            self.assertEqual((answer["lines"], answer["made"]), ("log", False))
            page.settle()
            self.saved(page)
            now = (self.folder / "log.geojson").read_text()
            end = log.rindex("}}") + 2
            self.assertEqual((now[:end], now[now.rindex("}}") + 2:]), (log[:end], log[end:]))
            self.assertEqual(run(self.recipe, self.out)["land"], hash_of(page, "land"))
            page.ask("undo")
            self.saved(page)
            self.assertEqual((self.folder / "log.geojson").read_text(), log)

    def test_files_that_hold_more_than_strokes_are_refused(self):
        others = {"polygons": '{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}', "none": "null"}
        for name, geometry in others.items():
            (self.folder / f"{name}.geojson").write_text(EMPTY.replace("\n", '\n{"type":"Feature","properties":{},"geometry":%s}\n' % geometry, 1))
        (self.folder.parent / "outer.geojson").write_text(EMPTY)
        for name in [*others, "../outer", "absent"]:
            self.recipe.write_text(RECIPE.replace('"land":', '"log": { "op": "read_lines", "file": "%s.geojson" },\n    "land":' % name).replace(
                '"levelling", "in": "hills", "radius": "5%"', '"paint", "in": "hills", "strokes": "log"'))
            with self.studio() as studio, studio.page() as page:
                answer = page.ask("stroke", line=LINE, onto={"node": "land", "port": "strokes"}, properties=RAISE)
                self.assertIn("error", answer, name)
                self.assertEqual(last(page, "recipe")["strokes"], [])
                self.assertEqual(last(page, "recipe")["step"], 0)

    def test_a_preset_keeps_strokes_until_it_is_saved(self):
        self.recipe.unlink()
        with self.studio("painted_valley") as studio, studio.page() as page:
            page.ask("set", path="world.resolution", value=65)
            self.assertEqual(page.ask("stroke", line=LINE, onto={"node": "plan", "port": "strokes"}, properties=RAISE)["lines"], "drawn")
            self.assertTrue(page.ask("stroke", line=LINE, after="land", op="paint", properties=RAISE)["made"])
            page.settle()
            time.sleep(1)
            self.assertEqual(self.files(), {})
            (self.folder / "painted_valley_land_paint.geojson").write_text("mine")
            self.assertNotIn("error", page.ask("save", name="mine.json"))
            self.assertEqual((self.folder / "painted_valley_land_paint.geojson").read_text(), "mine")
            page.settle()
            self.saved(page)
            made = run(self.folder / "mine.json", self.out)
            self.assertEqual(made["land_paint"], hash_of(page, "land_paint"))

    def test_saving_by_another_name_copies_the_strokes(self):
        with self.studio() as studio, studio.page() as page:
            self.drawn(page)
            self.saved(page)
            before = self.files()
            self.assertIn("error", page.ask("save", name="hills.json"))
            self.assertNotIn("error", page.ask("save", name="other.json"))
            self.drawn(page, after="land_paint")
            self.saved(page)
            after = self.files()
            for name, data in before.items():
                self.assertEqual(after[name], data, name)
            self.assertEqual(len(after), len(before) + 2)
            for name, count in (("hills.json", 1), ("other.json", 2)):
                file = json.loads(after[name].decode().replace("// Noise, worn down.", ""))["nodes"]["land_paint_strokes"]["file"]
                self.assertEqual(after[file].decode().count('"Feature"'), count)

    def test_what_others_draw_comes_in_as_a_step(self):
        feature = '{"type":"Feature","properties":{"tool":"raise","radius":60,"amount":40,"pressure_per_vertex":null},"geometry":{"type":"Point","coordinates":[9,9]}}'
        with self.studio() as studio, studio.page() as page:
            self.drawn(page)
            self.saved(page)
            file = self.folder / "hills_land_paint.geojson"
            text = file.read_text()
            file.write_text(text.replace("\n]", ",\n" + feature + "\n]"))
            wait_until(lambda: page.ask("targets") and last(page, "recipe")["history"][-1]["label"] == "changed outside", "seen")
            self.assertEqual(page.ask("strokes", lines="land_paint_strokes")["total"], 2)
            # Both at once: nothing of either is lost.
            self.drawn(page, after="land_paint", line=[[7, 7]])
            file.write_text(text.replace("\n]", ",\n" + feature + ",\n" + feature.replace("9,9", "8,8") + "\n]"))
            self.saved(page)
            wait_until(lambda: page.ask("strokes", lines="land_paint_strokes")["total"] == 4 and file.read_text().count('"Feature"') == 4, "merged")
            self.saved(page)
            # What is none is kept out, and not written over.
            file.write_text("{")
            page.until("failed")
            self.drawn(page, after="land_paint", line=[[6, 6]])
            page.until("failed")
            self.assertEqual(file.read_text(), "{")
            page.ask("goto", step=0)
            self.assertEqual(last(page, "recipe")["text"], RECIPE)

    def test_kill_while_saving_leaves_files_that_go_together(self):
        for attempt in range(12):
            for path in self.folder.iterdir():
                path.unlink()
            self.recipe.write_text(RECIPE)
            with self.studio() as studio:
                page = studio.page()
                self.drawn(page)
                time.sleep(0.46 + 0.008 * attempt)
                studio.end(signal.SIGKILL)
                page.close()
            file = self.folder / "hills_land_paint.geojson"
            if self.recipe.read_text() != RECIPE:
                self.assertIn("land_paint_strokes", self.recipe.read_text())
                self.assertTrue(file.exists())
            if file.exists() and file.stat().st_size:
                self.assertEqual(len(json.loads(file.read_text())["features"]), 1)

    def test_what_was_swapped_is_not_written(self):
        for swap in (lambda path: path.symlink_to("victim"), lambda path: os.mkfifo(path), lambda path: path.mkdir(), lambda path: path.symlink_to("/dev/null")):
            self.recipe.write_text(RECIPE)
            (self.folder / "victim").write_text("mine")
            with self.studio() as studio, studio.page() as page:
                self.drawn(page)
                self.saved(page)
                file = self.folder / "hills_land_paint.geojson"
                file.unlink()
                swap(file)
                self.drawn(page, after="land_paint")
                self.assertIn("hills_land_paint", page.until("failed")["message"])
                self.assertEqual((self.folder / "victim").read_text(), "mine")
                self.assertNotIn("error", page.ask("undo"))
            shutil.rmtree(self.folder)
            self.folder.mkdir()

    def test_a_new_name_is_never_that_of_something_there(self):
        (self.folder / "victim").write_text("mine")
        (self.folder / "hills_land_paint.geojson").symlink_to("victim")
        (self.folder / "hills_land_paint_2.geojson").write_text("theirs")
        with self.studio() as studio, studio.page() as page:
            self.drawn(page)
            self.saved(page)
            self.assertEqual((self.folder / "victim").read_text(), "mine")
            self.assertEqual((self.folder / "hills_land_paint_2.geojson").read_text(), "theirs")
            self.assertIn('"hills_land_paint_3.geojson"', self.recipe.read_text())

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_folder_that_cannot_be_written_keeps_strokes_in_memory(self):
        self.folder.chmod(0o555)
        with self.studio() as studio, studio.page() as page:
            self.drawn(page)
            page.until("failed")
            self.assertEqual(page.ask("strokes", lines="land_paint_strokes")["total"], 1)
        self.folder.chmod(0o755)

    def test_exports_and_comparisons_have_the_strokes(self):
        with self.studio() as studio, studio.page() as page:
            page.settle()
            node = last(page, "recipe")["shown"]["node"]
            first = hash_of(page, node)
            answer = self.drawn(page, after=node, properties={"tool": "set", "radius": 4000, "hardness": 1, "target": 123}, line=[[500, 500]])
            page.settle()
            point = page.ask("point", x=500, y=500)
            self.assertAlmostEqual(point["height"], 123, places=3)
            self.assertNotIn("error", page.ask("section", line=[[100, 100], [900, 900]], samples=9))
            exported = page.ask("export", target="gis", size=65)
            self.assertNotIn("error", exported)
            page.ask("compare", on=True)
            page.settle()
            self.assertEqual(hash_of(page, node), first)
            page.ask("compare", on=False)
            page.settle()
            self.assertEqual(last(page, "recipe")["shown"]["node"], answer["node"])


if __name__ == "__main__":
    unittest.main()
