"""The notebooks of examples/python run from their first cell to their last; what they claim is asserted in them."""

import os
import pathlib
import unittest
import warnings

import tepui as tp
from support import TREE, Scratch

BOOKS = sorted((TREE / "examples/python").glob("*.ipynb"))

try:
    import nbclient
    import nbformat
except ImportError:
    nbclient = None


@unittest.skipIf(nbclient is None, "there is no nbclient")
class Notebooks(Scratch):
    def test_every_notebook_runs(self):
        self.assertGreaterEqual(len(BOOKS), 8)
        os.environ.update(
            PYTHONPATH=str(pathlib.Path(tp.__file__).parents[1]), XDG_CACHE_HOME=str(self.folder / "cache"),
            JUPYTER_PLATFORM_DIRS="1", IPYTHONDIR=str(self.folder / "ipython"),
            PYDEVD_DISABLE_FILE_VALIDATION="1",
        )
        warnings.simplefilter("ignore")
        for path in BOOKS:
            with self.subTest(path.name):
                book = nbformat.read(path, as_version=4)
                self.assertTrue(all(not cell.get("outputs") for cell in book.cells), "outputs are not kept")
                nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
                shown = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
                self.assertTrue(any("image/png" in output.get("data", {}) for output in shown), "it shows nothing")
                self.assertFalse([output for output in shown if output.output_type == "error"])


if __name__ == "__main__":
    unittest.main()
