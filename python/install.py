#!/usr/bin/env python3
"""Installs a wheel: install.py WHEEL FOLDER. FOLDER becomes a virtual environment that sees the system's packages. pip is
not asked: without a network it could fetch nothing, and there is nothing to fetch."""

import pathlib
import shutil
import sys
import sysconfig
import venv
import zipfile


def main(wheel, folder):
    if not (folder / "pyvenv.cfg").exists():
        venv.EnvBuilder(system_site_packages=True, symlinks=True).create(folder)
    packages = pathlib.Path(sysconfig.get_path("platlib", "venv", {"base": str(folder), "platbase": str(folder)}))
    for old in [packages / "tepui", *packages.glob("tepui-*.dist-info")]:
        shutil.rmtree(old, ignore_errors=True)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    print(f"Tepui for Python is installed in {folder}: {folder}/bin/python -c 'import tepui'")


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).absolute())
