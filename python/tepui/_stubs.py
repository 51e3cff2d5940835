"""Writes the types of the module's operators, for editors and mypy: python3 -m tepui._stubs FILE."""

import json
import sys

from . import _operators
from ._values import kinds

HEAD = '''"""Made from the registry."""

from typing import Any, Literal, Sequence, Union

from ._custom import Param as Param, Seed as Seed, operator as operator
from ._errors import (
    Error as Error, Place as Place, RecipeError as RecipeError, TepuiWarning as TepuiWarning, WorkError as WorkError,
)
from ._progress import progress as progress
from ._recipes import (
    Recipe as Recipe, Run as Run, load as load, make as make, presets as presets, save_recipe as save_recipe,
    sweep_table as sweep_table,
)
from ._settings import cache as cache, threads as threads
from ._lines import Lines as Lines
from ._live import Event as Event, Live as Live
from ._solids import Geology as Geology, Mesh as Mesh, Planet as Planet, Volume as Volume
from ._terrain import Terrain as Terrain
from ._values import Image as Image, Value as Value, World as World, compute as compute, open as open

import os

__version__: str

_Number = Union[float, str]
_Interval = Union[float, str, Sequence[_Number]]
'''

_types = {
    "number or list": "_Number | Sequence[_Number]", "boolean": "bool | str", "integer": "int | str", "number": "_Number", "length": "_Number", "angle": "_Number",
    "interval": "_Interval", "length_interval": "_Interval", "text": "str | float", "vec2": "str | Sequence[_Number]",
    "vec3": "str | Sequence[_Number]", "list": "_Number | Sequence[_Number]", "curve": "Sequence[Sequence[float]]",
    "colour": "str", "file": "str | os.PathLike[str]", "seed": "int", "records": "str | Sequence[Any]",
}


def type_of(param):
    if "choices" in param:
        words = ", ".join(json.dumps(choice) for choice in param["choices"])
        plain = f"Literal[{words}]"
    else:
        plain = _types.get(param["type"], "Any")
    return f"{plain} | None" if param.get("automatic") else plain


def function_stub(op):
    name = _operators.python_name(op["name"])
    first, rest = [], []
    if op["world"]:
        first.append("world: World | Terrain | None = ...")
    for port in op["inputs"]:
        kind = kinds[port["type"]].__name__
        kind = f"Sequence[{kind}]" if port["list"] else kind
        if port["optional"]:
            rest.append(f"{_operators.python_name(port['name'])}: {kind} | None = ...")
        else:
            default = " = ..." if op["world"] else ""
            first.append(f"{_operators.python_name(port['name'])}: {kind}{default}")
    if _operators.is_seeded(op) and not op["world"]:
        rest.append("world: World | None = ...")
    rest += [f"{_operators.python_name(param['name'])}: {type_of(param)} = ..." for param in _operators.params_of(op)]
    words = first + (["*"] + rest if rest else [])
    body = "".join(f"    {word},\n" for word in words)
    doc = _operators.docstring(op).replace("\\", "\\\\").replace('"""', "'''")
    doc = "\n".join("    " + line if line else "" for line in doc.splitlines())
    return f'def {name}(\n{body}) -> {kinds[op["output"]].__name__}:\n    """\n{doc}\n    """\n    ...\n'


def text():
    return HEAD + "\n\n" + "\n".join(function_stub(op) for op in _operators.registry().values())


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(text())
