#!/usr/bin/env python3
"""What holds of the studio whatever its user does, seen from a page."""

import json
import os
import pathlib
import random
import re
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from page import Closed, Studio, wait_until  # noqa: E402

RECIPE = """{
  // Noise, made level.
  "tepui": 1, "title": "Hills", /* of no place */
  "seed": 3,
  "world": { "size": [1000, 800], "resolution": 300 },  // metres
  "vars": { "tall": 200, "wide": "5%" /* of the shorter side */ },
  "nodes": {
    "hills": { "op": "noise", "height": "$tall", "octaves": 5 },
    // Walked on for long.
    "land": { "op": "levelling", "in": "hills", "radius": "$wide" }
  },
  "outputs": { "land.tif": "land" }
}
"""
COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


class Laws(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.recipe = self.folder / "hills.json"
        self.recipe.write_text(RECIPE)

    def tearDown(self):
        self.scratch.cleanup()

    def saved(self, page, text=None):
        wait_until(lambda: (self.recipe.read_text() == text if text else True) and page.ask("targets") and self.last_recipe(page)["state"] == "saved", "saved")

    @staticmethod
    def last_recipe(page):
        return next(text for text in reversed(page.texts) if text.get("say") == "recipe")

    @staticmethod
    def heights(frames, land):
        """The land that height frames hold, row by row from the north."""
        width, height = land["samples"]
        rows = [[0.0] * width for _ in range(height)]
        for kind, head, cells in frames:
            if kind != "height" or head["generation"] != land["generation"] or head["preview"] != land["preview"]:
                continue
            w, h = head["samples"]
            numbers = struct.unpack(f"<{w * h}H", cells)
            for j in range(h):
                for i in range(w):
                    rows[head["row"] * 256 + j][head["column"] * 256 + i] = head["offset"] + head["scale"] * numbers[j * w + i]
        return rows

    def test_the_last_value_dragged_is_what_run_makes(self):
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            for step in range(20):
                page.ask("set", path="vars.tall", value=150 + 7 * step, hold=True)
            page.frames, page.texts = [], page.texts[-50:]
            page.ask("release")
            page.settle()
            land = next(text for text in reversed(page.texts) if text.get("say") == "land" and not text["preview"])
            wait_until(lambda: "283" in self.recipe.read_text(), "saved")
            shown = self.heights(page.frames, land)
            out = self.folder / "out"
            told = subprocess.run([os.environ["TEPUI_PROGRAM"], "run", "hills.json", "-o", out, "--no-cache", "--json"], cwd=self.folder,
                                  check=True, capture_output=True, text=True)
            node = next(node for node in json.loads(told.stdout)["nodes"] if node["name"] == "land")
            made = next(text for text in reversed(page.texts) if text.get("say") == "node" and text["node"] == "land" and "hash" in text and not text["preview"])
            self.assertEqual(made["hash"], node["hash"])
            # The cells themselves, within half a step of 16 bits.
            subprocess.run([os.environ["TEPUI_PROGRAM"], "convert", "out/land.tif", "land.npy"], cwd=self.folder, check=True, capture_output=True)
            data = (self.folder / "land.npy").read_bytes()
            cells = struct.unpack(f"<{land['samples'][0] * land['samples'][1]}f", data[-4 * land["samples"][0] * land["samples"][1]:])
            worst = max(abs(a - b) for a, b in zip((h for row in shown for h in row), cells))
            low, high = land["range"]
            self.assertLessEqual(worst, (high - low) / 65535)

    def test_a_hundred_edits_undone_restore_the_bytes(self):
        draw = random.Random(1)
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            for _ in range(100):
                if draw.random() < 0.5:
                    page.ask("set", path="vars.tall", value=draw.randrange(1, 900), hold=draw.random() < 0.5)
                elif draw.random() < 0.5:
                    page.ask("set", path="nodes.land." + draw.choice(["radius", "in", "iterations"]), value=draw.choice([3, "hills", "2%"]))
                elif draw.random() < 0.3:
                    page.ask("reset", path=draw.choice(["nodes.hills.octaves", "vars.wide", "title", "outputs.land.tif"]))
                else:
                    page.ask(draw.choice(["undo", "redo"]))
            while "error" not in page.ask("undo"):
                pass
            page.ask("release")
            self.saved(page, RECIPE)

    def test_comments_outlast_a_hundred_edits(self):
        draw = random.Random(2)
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            for _ in range(100):
                path, value = draw.choice([("vars.tall", draw.randrange(900)), ("seed", draw.randrange(99)), ("vars.wide", f"{draw.randrange(1, 9)}%"),
                                           ("nodes.hills.octaves", draw.randrange(1, 9)), ("nodes.land.radius", draw.randrange(1, 50)), ("vars.more", 1)])
                self.assertNotIn("error", page.ask("set", path=path, value=value))
            page.ask("save")
            self.saved(page)
            self.assertEqual(COMMENTS.findall(self.recipe.read_text()), COMMENTS.findall(RECIPE))

    def test_a_slow_reader_grows_nothing(self):
        self.recipe.write_text(RECIPE.replace('"resolution": 300', '"resolution": 1025'))
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            with studio.page(key=page.key) as slow:
                slow.credits = False
                # Two lands, again and again, so that nothing new is to be kept but what waits for the slow one.
                for step in range(4):
                    page.ask("set", path="vars.tall", value=200 + step % 2)
                    page.until("land", preview=False)
                before = studio.memory()
                for step in range(40):
                    page.ask("set", path="vars.tall", value=200 + step % 2)
                    page.until("land", preview=False)
                self.assertLess(studio.memory() - before, 64 << 20)

    def test_kill_while_saving_leaves_old_or_new(self):
        for attempt in range(12):
            self.recipe.write_text(RECIPE)
            with Studio("hills.json", folder=self.folder) as studio:
                page = studio.page()
                page.ask("set", path="vars.tall", value=777)
                time.sleep(0.45 + 0.01 * attempt)
                studio.end(signal.SIGKILL)
                page.close()
            self.assertIn(self.recipe.read_text(), (RECIPE, RECIPE.replace('"tall": 200', '"tall": 777')))

    def test_an_end_saves_what_was_done(self):
        with Studio("hills.json", folder=self.folder) as studio:
            page = studio.page()
            page.ask("set", path="vars.tall", value=5, hold=True)
            self.assertEqual(studio.end()[0], 0)
            page.close()
        self.assertEqual(self.recipe.read_text(), RECIPE.replace('"tall": 200', '"tall": 5'))

    def test_links_and_modes_are_kept(self):
        real = self.folder / "real.json"
        self.recipe.rename(real)
        self.recipe.symlink_to("real.json")
        real.chmod(0o640)
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.ask("set", path="vars.tall", value=5)
            wait_until(lambda: real.read_text() != RECIPE, "saved")
            self.saved(page)
        self.assertTrue(self.recipe.is_symlink())
        self.assertEqual(stat.S_IMODE(real.stat().st_mode), 0o640)

    def test_what_was_swapped_is_not_written(self):
        def link(path):
            (self.folder / "victim").write_text("mine")
            path.symlink_to("victim")

        for swap in (link, lambda path: os.mkfifo(path), lambda path: path.mkdir(), lambda path: path.symlink_to("/dev/null")):
            self.recipe.write_text(RECIPE)
            with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
                page.settle()
                self.recipe.unlink()
                swap(self.recipe)
                page.ask("set", path="vars.tall", value=5)
                failed = page.until("failed")
                self.assertIn("hills.json", failed["message"])
                self.assertEqual(page.ask("undo").get("error"), None)
            if (self.folder / "victim").exists():
                self.assertEqual((self.folder / "victim").read_text(), "mine")
            self.recipe.rmdir() if self.recipe.is_dir() and not self.recipe.is_symlink() else self.recipe.unlink()

    def test_a_pipe_or_a_device_is_no_recipe(self):
        os.mkfifo(self.folder / "pipe.json")
        for name in ("pipe.json", "/dev/zero", "/dev/tty", "."):
            done = subprocess.run([os.environ["TEPUI_PROGRAM"], "studio", name, "--no-open"], cwd=self.folder, capture_output=True, timeout=60, text=True)
            self.assertEqual(done.returncode, 2, done.stderr)

    def test_a_clean_page_follows_the_file(self):
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            self.recipe.write_text(RECIPE.replace('"tall": 200', '"tall": 321'))
            recipe = page.until("recipe", text=RECIPE.replace('"tall": 200', '"tall": 321'))
            self.assertEqual(recipe["state"], "saved")

    def test_both_change_different_places(self):
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            page.ask("set", path="vars.tall", value=5)
            self.recipe.write_text(RECIPE.replace('"seed": 3', '"seed": 4'))
            both = RECIPE.replace('"tall": 200', '"tall": 5').replace('"seed": 3', '"seed": 4')
            wait_until(lambda: self.recipe.read_text() == both, "both")

    def test_both_change_the_same_place(self):
        theirs = RECIPE.replace('"tall": 200', '"tall": 6')
        for take, text in (("mine", RECIPE.replace('"tall": 200', '"tall": 5')), ("theirs", theirs)):
            self.recipe.write_text(RECIPE)
            with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
                page.settle()
                page.ask("set", path="vars.tall", value=5)
                self.recipe.write_text(theirs)
                conflict = page.until("conflict")
                self.assertEqual(conflict["places"], [{"path": "vars.tall", "mine": "5", "theirs": "6"}])
                time.sleep(1)
                self.assertEqual(self.recipe.read_text(), theirs)
                page.ask("resolve", take=take)
                wait_until(lambda text=text: self.recipe.read_text() == text, take)

    def test_two_studios_on_one_file_agree(self):
        with Studio("hills.json", folder=self.folder) as one, Studio("hills.json", folder=self.folder) as other:
            with one.page() as mine, other.page() as theirs:
                mine.settle()
                theirs.settle()
                mine.ask("set", path="vars.tall", value=5)
                theirs.until("recipe", text=RECIPE.replace('"tall": 200', '"tall": 5'))
                theirs.ask("set", path="seed", value=9)
                both = RECIPE.replace('"tall": 200', '"tall": 5').replace('"seed": 3', '"seed": 9')
                mine.until("recipe", text=both)
                wait_until(lambda: self.recipe.read_text() == both, "both")

    def test_a_point_tells_its_history(self):
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            for x, y in ((0, 0), (500, 400), (1000, 800), (333, 77)):
                told = page.ask("point", x=x, y=y)
                self.assertEqual([step["node"] for step in told["history"]], ["hills", "land"])
                self.assertAlmostEqual(sum(step["change"] for step in told["history"]), told["history"][-1]["height"], places=3)
                line = page.ask("section", line=[[x, y], [x + 1, y]], samples=2)
                self.assertAlmostEqual(line["height"][0], told["height"], places=3)

    def test_a_section_shows_the_rock(self):
        self.recipe.write_text(RECIPE.replace('"op": "levelling", "in": "hills", "radius": "$wide"', '"op": "gradation", "in": "hills", "rock": "beds"').replace(
            '"nodes": {', '"nodes": { "beds": { "op": "strata", "beds": [{ "rock": "shale", "thickness": 30 }, { "rock": "sandstone", "thickness": 20 }] },').replace(
            ', "wide": "5%"', ""))
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            section = page.ask("section", line=[[0, 400], [1000, 400]], samples=50)
            self.assertEqual(len(section["distance"]), 50)
            self.assertEqual(section["distance"][-1], 1000)
            self.assertEqual({rock["name"] for rock in section["rocks"]}, {"shale", "sandstone"})
            for height, column in zip(section["height"], section["columns"]):
                self.assertAlmostEqual(column[0][0], height, places=2)
                for upper, lower in zip(column, column[1:]):
                    self.assertEqual(upper[1], lower[0])
                    self.assertNotEqual(upper[2], lower[2])

    def test_a_section_shows_the_rock_of_materials(self):
        self.recipe.write_text(RECIPE.replace('"radius": "$wide" }', '"radius": "$wide" }, "worn": { "op": "materials", "in": "hills", "count": 4 }'))
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            page.ask("show", node="worn")
            page.settle()
            section = page.ask("section", line=[[0, 400], [1000, 400]], samples=50)
            self.assertGreater(len(section["rocks"]), 1)
            for height, column in zip(section["height"], section["columns"]):
                if column:
                    self.assertAlmostEqual(column[0][0], height, places=2)

    def test_a_section_of_a_volume_shows_its_caves(self):
        cave = ('"radius": "$wide" }, "solid": { "op": "implicitize", "in": "land" }, "cave": { "op": "sculpt", "in": "solid", "heights": "ground",'
                ' "strokes": [{ "shape": "sphere", "at": [50, 50, -12], "radius": "6%", "energy": -40 }] }')
        self.recipe.write_text(RECIPE.replace('"radius": "$wide" }', cave))
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            for node, runs in (("solid", 1), ("cave", 2)):
                page.ask("show", node=node)
                page.settle()
                section = page.ask("section", line=[[0, 400], [1000, 400]], samples=21)
                self.assertTrue(section["solid"])
                self.assertEqual(len(section["columns"][10]), runs)
                for height, column in zip(section["height"], section["columns"]):
                    self.assertEqual(column[0][0], height)
                    for upper, lower in zip(column, column[1:]):
                        self.assertGreaterEqual(upper[1], lower[0])

    def test_exports_are_of_a_legal_size(self):
        self.recipe.write_text(RECIPE.replace("[1000, 800]", "[1000, 1000]"))
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            for target in page.ask("targets")["targets"]:
                done = page.ask("export", target=target["name"], size=300)
                self.assertNotIn("error", done)
                self.assertTrue(target["any"] or done["size"] in target["sizes"])
                for file in done["files"]:
                    self.assertGreater((self.folder / done["folder"] / file).stat().st_size, 0)
                if target["name"] == "unreal":
                    manifest = json.loads((self.folder / done["folder"] / "hills.manifest.json").read_text())
                    self.assertIs(next(iter(manifest["files"][0]["import"].values()))["legal"], True)

    def test_caves_go_to_engines_as_land_with_holes_and_parts(self):
        cave = ('"radius": "$wide" }, "solid": { "op": "implicitize", "in": "land" }, "cave": { "op": "sculpt", "in": "solid",'
                ' "strokes": [{ "shape": "sphere", "radius": "8%", "energy": -40 }] }')
        self.recipe.write_text(RECIPE.replace("[1000, 800]", "[1000, 1000]").replace('"radius": "$wide" }', cave))
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            page.ask("show", node="cave")
            page.settle()
            for target, files in {"unreal": ["hills.png", "hills_holes.png", "hills_parts.glb"], "gis": ["hills.glb"]}.items():
                done = page.ask("export", target=target, size=127)
                self.assertLessEqual(set(files), set(done.get("files", [])), done)
            png = (self.folder / "exports/unreal/hills_holes.png").read_bytes()
            self.assertEqual(struct.unpack(">II", png[16:24]), (127, 127))
            self.assertNotIn("land_with_holes", self.recipe.read_text())

    def test_a_dropped_dem_becomes_a_node(self):
        subprocess.run([os.environ["TEPUI_PROGRAM"], "make", "noise", "-o", "dem.png", "--resolution", "65", "--no-cache", "-q"], cwd=self.folder, check=True)
        data = (self.folder / "dem.png").read_bytes()
        (self.folder / "dem.png").unlink()
        for left in self.folder.glob("*.manifest.json"):
            left.unlink()
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            file = page.ask("receive", name="dem.png", bytes=len(data))["file"]
            for at in range(0, len(data), 5000):
                head = json.dumps({"file": file, "offset": at}).encode()
                head += b" " * (-len(head) % 4)
                page.send_frame(2, struct.pack("<II", 16, len(head)) + head + data[at : at + 5000])
            self.assertEqual([ask["name"] for ask in page.ask("received", file=file, answers={})["asks"]], ["cell", "range"])
            self.assertEqual(page.ask("received", file=file, answers={"cell": 5, "range": [10, 60]})["asks"], [])
            land = page.until("land", node="dem", preview=False)
            self.assertEqual(land["samples"], [65, 65])
            self.assertEqual(land["size"], [320, 320])
            self.assertEqual((self.folder / "dem.png").read_bytes(), data)
            # Another program makes it again: the page follows.
            page.settle()
            subprocess.run([os.environ["TEPUI_PROGRAM"], "make", "noise seed=4", "-o", "dem.png", "--resolution", "33", "--no-cache", "-q"], cwd=self.folder, check=True)
            self.assertEqual(page.until("land", node="dem", preview=False, samples=[33, 33])["samples"], [33, 33])

    def test_a_half_of_a_file_is_not_left(self):
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.ask("receive", name="dem.tif", bytes=1000)
            self.assertTrue((self.folder / "dem.tif").exists())
            studio.end()
        self.assertFalse((self.folder / "dem.tif").exists())

    def test_a_still_appears_pass_by_pass(self):
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            camera = {"eye": [500, -600, 700], "target": [500, 400, 0], "field_of_view": 40}
            self.assertNotIn("error", page.ask("still", camera=camera, size=[64, 48], samples=4))
            stills = []
            while not stills or stills[-1]["pass"] + 1 < stills[-1]["passes"] or stills[-1]["row"] + stills[-1]["rows"] < 48:
                message = page.receive()
                if isinstance(message, tuple) and message[0] == "still":
                    stills.append(message[1])
                    self.assertEqual(len(message[2]), 4 * 64 * message[1]["rows"])
            self.assertEqual([head["pass"] for head in stills], [0, 1, 2])

    def test_every_node_has_a_thumbnail(self):
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            wait_until(lambda: page.ask("targets") and {head["node"] for kind, head, _ in page.frames if kind == "picture"} == {"hills", "land"}, "thumbnails")
            for kind, _, cells in page.frames:
                if kind == "picture":
                    self.assertTrue(cells.startswith(b"\x89PNG"))

    def test_solids_come_as_meshes(self):
        self.recipe.write_text(RECIPE.replace('"radius": "$wide" }', '"radius": "$wide" }, "solid": { "op": "implicitize", "in": "land" }'))
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            page.ask("show", node="solid")
            mesh = page.until("mesh", node="solid", preview=False)
            page.settle()
            blocks = [head for kind, head, _ in page.frames if kind == "mesh" and not head["preview"]]
            finest = [head for head in blocks if head["level"] == 0]
            self.assertEqual(sum(head["triangles"] for head in finest), mesh["triangles"])
            self.assertEqual(len(finest), mesh["blocks"])
            self.assertGreater(len(blocks), len(finest))

    def test_a_broken_recipe_keeps_its_last_land(self):
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            self.recipe.write_text(RECIPE.replace('"octaves": 5', '"octaves": 5, "octvaes": 4'))
            while not (recipe := page.until("recipe"))["problems"]:
                pass
            self.assertEqual((recipe["problems"][0]["line"], recipe["problems"][0]["path"]), (8, "hills.octvaes"))
            self.assertTrue(page.ask("point", x=1, y=1)["height"])
            self.recipe.write_text(RECIPE)
            page.until("recipe", problems=[])

    def test_a_preset_gets_a_file_when_it_is_saved(self):
        with Studio("mesa", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            self.assertIn("error", page.ask("save"))
            self.assertEqual(page.ask("save", name="own.json")["file"], "own.json")
            page.ask("set", path="vars.age", value=0.5)
            wait_until(lambda: '"age": 0.5,' in (self.folder / "own.json").read_text(), "saved")
            self.assertIn("error", page.ask("save", name="hills.json"))
            page.ask("open", preset="butte")
            self.assertEqual(self.last_recipe(page)["file"], None)

    def test_stop_and_pause(self):
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            page.ask("pause", on=True)
            page.texts = []
            page.ask("set", path="vars.tall", value=5)
            page.ask("targets")
            self.assertFalse([text for text in page.texts if text.get("say") in ("land", "settled")])
            page.ask("pause", on=False)
            page.settle()
            page.ask("stop")
            page.ask("set", path="vars.tall", value=6)
            page.settle()

    def test_compare_shows_the_first_and_changes_nothing(self):
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            first = next(text for text in reversed(page.texts) if text.get("say") == "land")["range"]
            page.ask("set", path="vars.tall", value=20)
            page.settle()
            page.ask("compare", on=True)
            page.settle()
            self.assertEqual(next(text for text in reversed(page.texts) if text.get("say") == "land")["range"], first)
            page.ask("compare", on=False)
            page.settle()
            self.assertNotEqual(next(text for text in reversed(page.texts) if text.get("say") == "land")["range"], first)
            self.assertIn('"tall": 20', self.last_recipe(page)["text"])

    def test_edits_of_the_graph_undone_restore_the_bytes(self):
        draw = random.Random(3)
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()

            def some(count):
                names = [node["name"] for node in self.last_recipe(page)["nodes"]]
                return draw.sample(names, min(count, len(names)))

            done = 0
            for _ in range(60):
                one, other = some(1)[0], some(1)[0]
                answer = draw.choice([
                    lambda: page.ask("add", op=draw.choice(["noise", "combine", "levelling", "nothing"]), at=[draw.randrange(99), 5]),
                    lambda: page.ask("add", op="levelling", onto={"node": one, "port": "in"}),
                    lambda: page.ask("connect", node=one, port=draw.choice(["in", "with", "mask"]), **{"from": draw.choice([other, None])}),
                    lambda: page.ask("insert", node=one, onto={"node": other, "port": "in"}),
                    lambda: page.ask("duplicate", nodes=some(2)),
                    lambda: page.ask("remove", nodes=[name for name in some(1) if draw.random() < 0.5] or ["nobody"]),
                    lambda: page.ask("rename", node=one, name=draw.choice(["__proto__", "a-b", "a.b", other])),
                    lambda: page.ask("group", name=draw.choice(["A", "B // \"x\""]), nodes=some(2), colour="#102030"),
                    lambda: page.ask("place", at={one: [draw.randrange(500), 1.5], other: None}, hold=draw.random() < 0.5),
                ])()
                done += "error" not in answer
                self.assertEqual(self.last_recipe(page)["step"] <= done, True)
            self.assertGreater(done, 20)
            while "error" not in page.ask("undo"):
                pass
            self.saved(page, RECIPE)

    def test_a_place_computes_nothing_again(self):
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            page.ask("targets")
            page.texts, page.frames = [], []
            for step in range(20):
                page.ask("place", at={"hills": [step, 0]}, hold=True)
            page.ask("release")
            page.ask("group", name="All", nodes=["hills", "land"])
            recipe = self.last_recipe(page)
            self.assertEqual(recipe["ui"], {"at": {"hills": [19, 0]}, "groups": [{"name": "All", "nodes": ["hills", "land"], "colour": None}]})
            self.assertEqual([step["label"] for step in recipe["history"]], ["place", "group All"])
            page.ask("undo")
            page.ask("undo")
            self.saved(page, RECIPE)
            self.assertEqual([text for text in page.texts if text.get("say") in ("land", "settled", "node")], [])
            self.assertEqual([kind for kind, _, _ in page.frames if kind != "picture"], [])

    def test_an_unfinished_node_lets_the_rest_be_computed(self):
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            made = page.ask("add", op="combine")["node"]
            recipe = self.last_recipe(page)
            self.assertEqual(recipe["problems"], [])
            self.assertEqual({problem["path"] for problem in recipe["unfinished"]}, {made})
            self.assertIn("needs an input", page.ask("show", node=made)["error"]["message"])
            page.ask("set", path="vars.tall", value=321)
            page.until("land", node="land", preview=False)
            page.ask("connect", node=made, port="in", **{"from": "hills"})
            page.ask("connect", node=made, port="with", **{"from": "land"})
            self.assertEqual(self.last_recipe(page)["unfinished"], [])
            page.ask("show", node=made)
            page.until("land", node=made, preview=False)

    def test_a_renamed_node_stays_what_it_is(self):
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()

            def hash_of(name):
                return page.until("node", node=name, preview=False, cached=False)["hash"] if not known(name) else known(name)

            def known(name):
                return next((text["hash"] for text in reversed(page.texts) if text.get("say") == "node" and text["node"] == name and text.get("hash")), None)

            before = hash_of("land")
            page.texts = page.texts[-1:]
            page.ask("rename", node="land", name="moor")
            page.settle()
            self.assertEqual(self.last_recipe(page)["shown"]["node"], "moor")
            self.assertEqual(self.last_recipe(page)["outputs"], ["land.tif"])
            self.assertEqual(hash_of("moor"), before)

    def test_what_is_removed_is_healed(self):
        with Studio("hills.json", folder=self.folder) as studio, studio.page() as page:
            page.settle()
            page.ask("remove", nodes=["land"])
            recipe = self.last_recipe(page)
            self.assertEqual([node["name"] for node in recipe["nodes"]], ["hills"])
            self.assertEqual(recipe["shown"]["node"], "hills")
            self.assertIn('"land.tif": "hills"', recipe["text"])
            self.assertEqual(COMMENTS.findall(recipe["text"])[0], "// Noise, made level.")
            page.until("land", node="hills", preview=False)
            # Without any node there is nothing to compute, and one may be added.
            page.ask("remove", nodes=["hills"])
            self.assertEqual(self.last_recipe(page)["problems"][0]["message"], "the recipe has no nodes")
            page.ask("add", op="noise")
            self.assertEqual(self.last_recipe(page)["problems"], [])
            page.until("land", node="noise", preview=False)


if __name__ == "__main__":
    unittest.main()
