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
"""
WRONG = """
import tepui as tp

tp.noise(tp.World(), hight=3)
tp.noise(tp.World(), sum="ridge")
tp.levelling(tp.strata())
tp.levelling()
tp.rivers(tp.noise()).height
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
        def complaints(name, text):
            (self.folder / name).write_text(text)
            command = ["/usr/bin/mypy", "--cache-dir", str(self.folder / "cache"), "--no-error-summary", "--follow-imports=silent", name]
            environment = {**os.environ, "MYPYPATH": str(pathlib.Path(tp.__file__).parents[1])}
            done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env=environment)
            return done.stdout.splitlines()

        self.assertEqual(complaints("right.py", RIGHT), [])
        lines = {int(line.split(":")[1]) for line in complaints("wrong.py", WRONG) if ": error:" in line}
        self.assertEqual(lines, {4, 5, 6, 7, 8})


if __name__ == "__main__":
    unittest.main()
