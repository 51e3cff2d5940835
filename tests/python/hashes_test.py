"""Every shipped recipe has the same hashes in Python as on the command line."""

import collections
import unittest

import tepui as tp
from support import TREE

# Those that take long are the command line's own to test.
MOST_NODES = 40


class Hashes(unittest.TestCase):
    def test_every_recipe_has_the_hashes_that_are_pinned(self):
        """tests/recipe/golden_test.cpp holds the program to these."""
        pinned = collections.defaultdict(dict)
        for line in (TREE / "tests/golden/recipes.txt").read_text().splitlines():
            place, text = line.split()
            path, node = place.split("#")
            pinned[path][node] = text
        self.assertGreater(len(pinned), 50)
        for path, nodes in pinned.items():
            with self.subTest(path):
                recipe = tp.load(TREE / path, test_size=True)
                values = {name: recipe[name] for name in nodes}
                tp.compute(*values.values())
                self.assertEqual({name: value.hash for name, value in values.items()}, nodes)


if __name__ == "__main__":
    unittest.main()
