#!/usr/bin/env python3
"""Makes the wheel of what the build put together: wheel.py FOLDER VERSION OUT. FOLDER holds tepui/."""

import base64
import hashlib
import pathlib
import sysconfig
import sys
import zipfile

EARLIEST = (1980, 1, 1, 0, 0, 0)  # no time of day: the same build is the same wheel


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main(folder, version, out):
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    about = f"tepui-{version}.dist-info"
    files = {}
    for path in sorted((folder / "tepui").iterdir()):
        if path.is_file() and path.suffix in (".py", ".pyi", ".so", ".typed"):
            files[f"tepui/{path.name}"] = path.read_bytes()
    files[f"{about}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: tepui\nVersion: {version}\n"
        "Summary: Terrain from operators over numpy\nRequires-Dist: numpy\n"
    ).encode()
    files[f"{about}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tepui\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{about}/RECORD"] = (record + f"{about}/RECORD,,\n").encode()
    for old in out.glob("tepui-*.whl"):
        old.unlink()
    wheel = out / f"tepui-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    print(wheel)


main(pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]))
