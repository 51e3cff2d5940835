"""The wheel, installed into a virtual environment as `make python` does."""

import pathlib
import subprocess
import sys
import unittest
import zipfile

import tepui as tp
from support import TREE, Scratch


class Installed(Scratch):
    def test_the_wheel_installs_and_works(self):
        module = pathlib.Path(tp.__file__).parents[1]
        build = [sys.executable, str(TREE / "python/wheel.py"), str(module), tp.__version__, str(self.folder)]
        wheel = pathlib.Path(subprocess.run(build, capture_output=True, text=True, check=True).stdout.strip())
        again = self.folder / "again"
        again.mkdir()
        subprocess.run(build[:-1] + [str(again)], capture_output=True, check=True)
        self.assertEqual(wheel.read_bytes(), (again / wheel.name).read_bytes())
        self.assertIn("tepui/__init__.pyi", zipfile.ZipFile(wheel).namelist())

        environment = self.folder / "venv"
        subprocess.run([sys.executable, str(TREE / "python/install.py"), str(wheel), str(environment)], check=True,
                       capture_output=True)
        code = "import tepui as tp; print(tp.__file__, tp.noise(tp.World(resolution=33)).shape)"
        told = subprocess.run([str(environment / "bin/python"), "-I", "-c", code], capture_output=True, text=True)
        self.assertIn("(33, 33)", told.stdout, told.stderr)
        self.assertTrue(told.stdout.startswith(str(environment)), told.stdout)

    def test_it_links_only_what_the_program_links(self):
        from support import PROGRAM

        def libraries(path):
            told = subprocess.run(["readelf", "-d", str(path)], capture_output=True, text=True, check=True).stdout
            return {line.split("[")[1].rstrip("]") for line in told.splitlines() if "(NEEDED)" in line}

        extension = next(pathlib.Path(tp.__file__).parent.glob("_native*.so"))
        self.assertLessEqual(libraries(extension), libraries(PROGRAM) | {"ld-linux-x86-64.so.2"})


if __name__ == "__main__":
    unittest.main()
