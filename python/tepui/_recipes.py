"""Recipes: read, run, swept over; and graphs of Python's saved as such."""

import json
import os
from importlib import import_module
from itertools import count

from . import _native
from ._errors import RecipeError
from ._values import Value, kinds, text_of


class Recipe:
    """A recipe that was read. `recipe["node"]` is a node's value, `recipe["node.layer"]` one layer of it."""

    def __init__(self, path, changes=(), seed=None, resolution=None, test_size=False):
        self._given = path, list(changes), seed, resolution, test_size
        self._native = _native.load(path, seed, resolution, list(changes), test_size)

    def _again(self, changes, seed, resolution):
        path, before, first_seed, first_resolution, test_size = self._given
        seed = first_seed if seed is None else seed
        resolution = first_resolution if resolution is None else resolution
        return Recipe(path, before + changes, seed, resolution, test_size)

    def __getitem__(self, name):
        node = self._native.node(name)
        return kinds[node.kind]._of(node)

    def __iter__(self):
        return iter(self._native.names())

    def __len__(self):
        return len(self._native.names())

    def keys(self):
        """The names of its nodes."""
        return self._native.names()

    @property
    def about(self):
        """Its name, title, seed, hash, outputs and warnings."""
        return self._native.about()

    title = property(lambda self: self.about["title"], doc="What it is called.")
    outputs = property(lambda self: self.about["outputs"], doc="The names of its files.")
    warnings = property(lambda self: self.about["warnings"], doc="What is allowed but hardly meant.")

    def with_changes(self, *, vars=None, seed=None, resolution=None, set=None):
        """The same recipe with other values of variables, or of `set`: {"node.parameter": value}."""
        return self._again(words_of(vars) + words_of(set), seed, resolution)

    def run(self, folder="out", only=()):
        """Write its outputs, as `tepui run` does: the same files with the same bytes."""
        return Run(self._native.run(os.fspath(folder), [only] if isinstance(only, str) else list(only)))

    def sweep(self, *sweeps, measure=None, **values):
        """A table of runs with other values: text as the command line has it ("age=0..1:5"), or age=[0, 0.5, 1].

        measure : function of the recipe that gives {name: number}; without one, what `tepui info` tells of the last node
        A pandas.DataFrame where pandas is there, else a list of dicts.
        """
        texts = list(sweeps) + [f"{name}={','.join(map(text_of, list(given)))}" for name, given in values.items()]
        names, runs = _native.sweep(texts)
        rows = []
        for seed, resolution, changes, given, _ in runs:
            recipe = self._again(changes, seed, resolution)
            numbers = measure(recipe) if measure is not None else told(recipe)
            rows.append({**{name: plain(text) for name, text in zip(names, given)}, **numbers})
        return sweep_table(rows)

    def __repr__(self):
        return f"<Recipe {self.title or self.about['name']!r}: {', '.join(self)}>"


class Run:
    """What a run of a recipe did: `files` and `nodes` as `tepui run --json` tells them."""

    def __init__(self, done):
        self.seed, self.seconds, self.nodes, self.files = done["seed"], done["seconds"], done["nodes"], done["files"]

    def __repr__(self):
        return f"<Run: {len(self.nodes)} nodes, {len(self.files)} files, {self.seconds:.2f} s>"


def told(recipe):
    """The numbers that `tepui info` tells of a recipe's last node."""
    info = recipe[recipe.keys()[-1]].info()
    return {name: value for name, value in info.items() if isinstance(value, (int, float)) and not isinstance(value, bool)}


def plain(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def sweep_table(rows):
    """Rows as a pandas.DataFrame, where pandas is there."""
    try:
        pandas = import_module("pandas")
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def words_of(changes):
    return [f"{name}={text_of(value)}" for name, value in (changes or {}).items()]


def load(path, *, vars=None, seed=None, resolution=None, set=None, test_size=False):
    """A recipe from its file, or a preset by name; with `vars`, {variable: value}, and `set`, {"node.parameter": value},
    changed. `test_size`: as small as its tests have it."""
    return Recipe(os.fspath(path), words_of(vars) + words_of(set), seed, resolution, test_size)


def make(line, *, size="", resolution=None, seed=0):
    """The value of a line of operators, as `tepui make` has it: "noise | levelling radius=1%"."""
    native = _native.make(line, str(size), resolution, seed)
    node = native.node(native.names()[-1])
    return kinds[node.kind]._of(node)


def presets():
    """{name: title} of the recipes that come with Tepui."""
    return dict(_native.presets())


def save_recipe(path, nodes=None, *, outputs=None, title="", **named):
    """Write a graph as a recipe that `tepui run` makes the same values from.

    nodes : {name: value}, or a value; more by name
    outputs : {file: what it holds}: a value, a node's name, or a dict as in a recipe, whose "from" may be a value
    """
    given = dict(nodes) if isinstance(nodes, dict) else {} if nodes is None else {nodes._node.name: nodes}
    given.update(named)
    outputs = {file: dict(output) if isinstance(output, dict) else output for file, output in (outputs or {}).items()}
    names = {value._node.id: name for name, value in given.items()}
    if len(names) != len(given):
        raise RecipeError("a value can have only one name in a recipe")

    def name_of(value):
        if not isinstance(value, Value):
            return value
        node = value._node
        if node.id not in names:
            free = (f"{node.name}_{i}" if i else node.name for i in count())
            names[node.id] = next(name for name in free if name not in given)
            given[names[node.id]] = value
        return names[node.id] + (f".{node.layer_name}" if node.layer_name else "")

    for file, output in outputs.items():
        if isinstance(output, dict):
            outputs[file] = {key: name_of(value) for key, value in output.items()}
        else:
            outputs[file] = name_of(output)
    if not given:
        raise RecipeError("there is nothing to save", "tp.save_recipe('my.json', land=land)")
    path = os.fspath(path)
    pairs = [(name, value._node) for name, value in given.items()]
    text = _native.save_recipe(pairs, title, outputs or None, os.path.dirname(os.path.abspath(path)))
    _native.check_recipe(path, text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)

