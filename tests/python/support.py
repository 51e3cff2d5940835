"""What the tests of the Python module share."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TREE = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TEPUI_PROGRAM", str(TREE / "build/tepui"))

import tepui as tp

# Results are neither taken from nor left in the user's cache.
tp.cache("", memory=256 << 20)
tp.progress(False)


def small(**options):
    return tp.World(**{"size": 2000, "resolution": 65, "seed": 7, **options})


def program(*words, code=0):
    """What the command line prints on standard output."""
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=TREE)
    if done.returncode != code:
        raise AssertionError(f"tepui {' '.join(words)} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def python(code, *words, timeout=60):
    """Runs a program of its own."""
    command = [sys.executable, "-c", "import sys; sys.path[:0] = sys.argv[1].split(':')\n" + code]
    path = ":".join(sys.path[:1] + [str(pathlib.Path(tp.__file__).parents[1]), str(TREE / "tests/python")])
    return subprocess.run([*command, path, *words], capture_output=True, text=True, timeout=timeout, cwd=TREE)


class Scratch(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
