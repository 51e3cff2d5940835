"""Every shipped recipe has the same hashes in Python as on the command line. With TEPUI_ALL_RECIPES=1 the program runs
all of them, otherwise some, chosen by their names."""

import collections
import json
import os
import re
import subprocess
import unittest
import warnings
import zlib

import tepui as tp
from support import PROGRAM, TREE


def is_run(path):
    return "TEPUI_ALL_RECIPES" in os.environ or zlib.crc32(path.encode()) % 5 == 0


def changes(path):
    """What makes a recipe as small as its tests have it, as words of the command line."""
    plain = re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', lambda found: found[1] or "", path.read_text(), flags=re.S)
    test = json.loads(plain)["test"]
    words = ["--resolution", str(test["resolution"])] if "resolution" in test else []
    for name, value in test.get("set", {}).items():
        words += ["--set", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    return words


class Hashes(unittest.TestCase):
    def test_every_recipe_has_the_hashes_of_the_command_line(self):
        """All nodes those that are pinned, to which tests/recipe/golden_test.cpp holds the library, and the last one
        that of the program."""
        pinned = collections.defaultdict(dict)
        for line in (TREE / "tests/golden/recipes.txt").read_text().splitlines():
            place, text = line.split()
            path, node = place.split("#")
            pinned[path][node] = text
        self.assertEqual(set(pinned), {str(path.relative_to(TREE)) for path in (TREE / "recipes").rglob("*.json")})
        warnings.simplefilter("ignore", tp.TepuiWarning)
        for path, nodes in pinned.items():
            with self.subTest(path):
                recipe = tp.load(TREE / path, test_size=True)
                values = {name: recipe[name] for name in nodes}
                tp.compute(*values.values())
                self.assertEqual({name: value.hash for name, value in values.items()}, nodes)
                if not is_run(path):
                    continue
                last = list(recipe)[-1]
                command = [PROGRAM, "info", f"{path}#{last}", "--json", "--no-cache", *changes(TREE / path)]
                told = subprocess.run(command, capture_output=True, text=True, cwd=TREE)
                self.assertEqual(told.returncode, 0, told.stderr)
                self.assertEqual(json.loads(told.stdout)["hash"], nodes[last])


if __name__ == "__main__":
    unittest.main()
