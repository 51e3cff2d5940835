#!/usr/bin/env python3
"""Runs the tests of a preset that have changed since they last passed, for `make check`.

  run_changed.py PRESET BUILD [ctest option...]

What a test answers follows from what it is made of; it runs again when any of that differs from its last pass:

- its command, its properties, the machine's packages, and this script;
- the bytes of every file and folder its command names, its own program first. A test program is linked only with what it
  uses, so that an edit changes few of them;
- if it looks at the tree: the tree's files. A test with the label `house` looks at all of them; one that runs in the
  root of the tree, at all but the insides of C++ and Markdown, which no program reads. A test that runs elsewhere sees
  none of them: the paths that tests use start at the root.

BUILD/passed/NAME holds the digests of the latest passes, so that what is edited back has passed. One is added after ctest's own report says that the test ran and passed,
and only if the digest has not changed while it ran. `make test` and the continuous check do not use any of this.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = (".cpp", ".h", ".md")
KEPT_PASSES = 20
# What would make a test something else than the one that the preset describes.
STEERS_TESTS = ("GTEST_", "RC_", "TEPUI_", "CTEST_", "UBSAN_", "ASAN_")


def digest_of(path):
    """Of a file's bytes, or of the names and bytes of all files in a folder; None if there is nothing to read."""
    if path.is_dir():
        hasher = hashlib.sha256()
        for file in sorted(p for p in path.rglob("*") if p.is_file()):
            hasher.update(f"{file.relative_to(path)}\0{digest_of(file)}\n".encode())
        return hasher.hexdigest()
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def tree_files():
    """The files that git tracks, and new ones that it does not ignore."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True)
    if listed.returncode == 0 and listed.stdout:
        names = {os.fsdecode(name) for name in listed.stdout.split(b"\0") if name}
    else:
        names = {p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*") if p.is_file()}
        names = {name for name in names if not name.startswith(("build", "out/", ".git/"))}
    return sorted(names)


class Tree:
    """Digests of files, each file read once."""

    def __init__(self, build):
        self.build = build
        self.known = {}
        files = [(name, digest_of(ROOT / name)) for name in tree_files()]
        self.all = self.digest(files)
        self.data = self.digest([(name, None if name.endswith(SOURCES) else bytes_) for name, bytes_ in files])
        self.machine = (digest_of(pathlib.Path("/var/lib/dpkg/status")), digest_of(pathlib.Path(__file__)))

    @staticmethod
    def digest(value):
        return hashlib.sha256(json.dumps(value).encode()).hexdigest()

    def named(self, word):
        path = pathlib.Path(word)
        if not path.is_absolute() or not path.exists():
            return None
        if path == ROOT:
            return self.all
        if path == self.build:  # what the tests of the manual and of completion use of it
            return [self.named(str(path / name)) for name in ("tepui", "share")]
        if word not in self.known:
            self.known[word] = digest_of(path)
        return self.known[word]

    def of(self, test):
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        seen = None
        if "house" in properties.get("LABELS", []):
            seen = self.all
        elif pathlib.Path(properties.get("WORKING_DIRECTORY", "/")).resolve() == ROOT:
            seen = self.data
        command = test.get("command", [])
        return self.digest([command, [self.named(word) for word in command], sorted(properties.items()), seen, self.machine])


def digests(preset, build):
    """The digest of every test of the preset."""
    told = subprocess.run(["ctest", "--preset", preset, "--show-only=json-v1"], cwd=ROOT, check=True, capture_output=True)
    tree = Tree(build)
    return {test["name"]: tree.of(test) for test in json.loads(told.stdout)["tests"]}


def passed_by(report):
    """The names of the tests that ran and passed, as ctest tells in a JUnit file."""
    try:
        cases = xml.etree.ElementTree.parse(report).getroot().iter("testcase")
    except (OSError, xml.etree.ElementTree.ParseError):
        return []
    return [case.get("name") for case in cases if case.get("status") == "run" and case.find("failure") is None]


def main(preset, build, options):
    build = pathlib.Path(build).resolve()
    stamps = build / "passed"
    stamps.mkdir(exist_ok=True)
    before = digests(preset, build)

    def passes(name):
        try:
            return (stamps / name).read_text().split()
        except OSError:
            return []

    changed = [name for name, digest in before.items() if digest not in passes(name)]
    kept = [name for name in before if name not in changed]
    if kept:
        print(f"Unchanged since they passed: {', '.join(sorted(kept))}")
    if not changed:
        return 0
    environment = {name: value for name, value in os.environ.items() if not name.startswith(STEERS_TESTS)}
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.xml"
        chosen = "^(" + "|".join(changed) + ")$"
        code = subprocess.run(["ctest", "--preset", preset, "-R", chosen, "--output-junit", report, *options], cwd=ROOT,
                              env=environment).returncode
        passed = passed_by(report)
    after = digests(preset, build)
    for name in changed:
        if name in passed and after.get(name) == before[name]:
            (stamps / name).write_text("\n".join([before[name], *passes(name)][:KEPT_PASSES]))
    return code


sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
