"""The types of the module hold what they promise."""

import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys
import unittest

import tepui as tp
from support import Scratch
from tepui import _operators, _stubs

RIGHT = """
import numpy as np
import tepui as tp

world = tp.World(size="8km", resolution=257, seed=7)
land: tp.Terrain = tp.stream_power(tp.noise(world, height="1.2km", octaves=5), rock=tp.strata(), age=0.8)
rivers: tp.Lines = tp.rivers(land)
land.save("land.tif")
total: float = float(np.sum(land.height))
tp.combine(land, tp.levelling(land), mask=land.only("mask"))
worn: tp.Terrain = tp.weathering(land, retreat=30, every=[5, "10m"])
first: tp.Value = worn.stages[0]
"""
WRONG = """
import tepui as tp

tp.noise(tp.World(), hight=3)
tp.noise(tp.World(), sum="ridge")
tp.levelling(tp.strata())
tp.levelling()
tp.rivers(tp.noise()).height
tp.noise(every=5)
tp.weathering(tp.noise(), every=World)
tp.Terrain.from_rasterio()
"""


class Types(Scratch):
    def test_stubs_name_all_that_the_module_has(self):
        stub = _stubs.text()
        compile(stub, "__init__.pyi", "exec")
        for name in tp.__all__:
            self.assertTrue(f"def {name}(" in stub or f" as {name}" in stub, name)
        self.assertEqual((pathlib.Path(tp.__file__).parent / "__init__.pyi").read_text(), stub)

    @unittest.skipUnless(os.access("/usr/bin/mypy", os.X_OK), "there is no mypy")
    def test_mypy_takes_what_is_right_and_finds_what_is_wrong(self):
        for name, text in (("right.py", RIGHT), ("wrong.py", WRONG)):
            (self.folder / name).write_text(text)
        command = ["/usr/bin/mypy", "--cache-dir", str(self.folder / "cache"), "--no-error-summary", "--follow-imports=silent", "--explicit-package-bases"]
        environment = {**os.environ, "MYPYPATH": str(pathlib.Path(tp.__file__).parents[1])}
        done = subprocess.run([*command, "right.py", "wrong.py", str(pathlib.Path(tp.__file__).parent / "__init__.pyi")], capture_output=True, text=True, cwd=self.folder, env=environment)
        complaints = [line.split(":")[:2] for line in done.stdout.splitlines() if ": error:" in line]
        lines = [int(line) for name, line in complaints if name == "wrong.py"]
        self.assertEqual((len(complaints), set(lines)), (len(lines), set(range(4, 4 + len(WRONG.splitlines()) - 3))))


if __name__ == "__main__":
    unittest.main()
