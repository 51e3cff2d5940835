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


if __name__ == "__main__":
    unittest.main()
