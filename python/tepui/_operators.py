"""The operators as functions, made from the registry that the program itself goes by."""

import inspect
import json
import keyword
import os
from functools import lru_cache

from . import _native
from ._errors import Place, RecipeError
from ._values import Value, World, kinds, world_of


@lru_cache(maxsize=None)
def registry():
    """{name: what `tepui ops --json` tells of the operator}."""
    return {op["name"]: op for op in json.loads(_native.operators_json())["operators"]}


def python_name(name):
    """A port or parameter as Python can spell it: `in` is `in_`."""
    return name + "_" if keyword.iskeyword(name) else name


def range_text(param):
    low, high = param["min"], param["max"]
    if low is None and high is None:
        return ""
    return f"at least {low:g}" if high is None else f"at most {high:g}" if low is None else f"{low:g} to {high:g}"


def param_text(param):
    """One parameter as a docstring has it."""
    kind = " | ".join(map(repr, param["choices"])) if "choices" in param else param["type"]
    words = [kind] + ([param["unit"]] if param["unit"] else []) + ([range_text(param)] if range_text(param) else [])
    lines = [f"{python_name(param['name'])} : {', '.join(words)}", f"    {param['doc']}"]
    for column in param.get("record", []):
        unit = f" [{column['unit']}]" if column["unit"] else ""
        lines.append(f"    - {column['name']}: {column['doc']}{unit}")
    return lines


def is_seeded(op):
    """Whether it draws random numbers, which follow from the world's seed, though it may fill no world."""
    return any(param["type"] == "seed" for param in op.get("params", []))


EVERY = {
    "name": "every", "type": "number or list", "default": None, "min": None, "max": None, "unit": "", "automatic": True,
    "doc": "stages, each a value of `stages`: one each time the land has aged by this much, or at the ages of a list, in "
           "the unit of its end",
}  # fmt: skip


def params_of(op):
    """Its parameters, with what divides it into stages."""
    return op["params"] + ([EVERY] if op["stages"] else [])


def docstring(op):
    lines = [op["doc"] + ".", ""]
    if op["inputs"] or op["params"] or op["world"]:
        lines += ["Parameters", "----------"]
    if op["world"]:
        lines += ["world : World, optional", "    the rectangle that it fills; 2048 m with 1025 samples if left out"]
    for port in op["inputs"]:
        kind = kinds[port["type"]].__name__
        words = [f"list of {kind}" if port["list"] else kind] + (["optional"] if port["optional"] else [])
        lines += [f"{python_name(port['name'])} : {', '.join(words)}"]
    if is_seeded(op) and not op["world"]:
        lines += ["world : World, optional", "    the world whose seed it draws with; that of its inputs if left out"]
    for param in params_of(op):
        lines += param_text(param)
    lines += ["", "Returns", "-------", kinds[op["output"]].__name__, ""]
    lines += [f"Version {op['version']}. On the command line: tepui make '{op['example']}'"]
    if op["citation"]:
        lines += [f"After {op['citation']}."]
    return "\n".join(lines)


def signature(op):
    """Its world and the ports that must be connected by position, all else by name."""
    P = inspect.Parameter
    first = [P("world", P.POSITIONAL_OR_KEYWORD, default=None, annotation=World)] if op["world"] else []
    rest = []
    for port in op["inputs"]:
        kind = kinds[port["type"]]
        if not port["optional"]:
            # A world before it may be left out, so that this must look as if it could.
            default = None if first and first[0].name == "world" else P.empty
            first.append(P(python_name(port["name"]), P.POSITIONAL_OR_KEYWORD, default=default, annotation=kind))
        else:
            rest.append(P(python_name(port["name"]), P.KEYWORD_ONLY, default=None, annotation=kind))
    if is_seeded(op) and not op["world"]:
        rest.append(P("world", P.KEYWORD_ONLY, default=None, annotation=World))
    for param in params_of(op):
        # What has no default must be given: a file.
        default = P.empty if param["type"] == "file" and param["default"] == "" else param["default"]
        rest.append(P(python_name(param["name"]), P.KEYWORD_ONLY, default=default))
    return inspect.Signature(first + rest, return_annotation=kinds[op["output"]])


def node_of(value, op_name, port):
    if isinstance(value, Value):
        return value._node
    given = f"a {type(value).__name__}"
    hint = "make land of it: tp.Terrain(array, cell=...)" if hasattr(value, "__array__") else ""
    message = f"port '{port['name']}' takes {port['type']}, not {given}"
    raise RecipeError(message, hint, Place(node=op_name, field=port["name"]))


def links(op, given):
    """[(port, node)] of the values on its ports."""
    found = []
    for port in op["inputs"]:
        value = given.get(port["name"])
        if value is None:
            continue
        several = value if port["list"] and isinstance(value, (list, tuple)) else [value]
        found += [(port["name"], node_of(one, op["name"], port)) for one in several]
    return found


def sorted_arguments(op, args, kwargs):
    """(world, {port: value}, {parameter: value}) of a call."""
    positions = (["world"] if op["world"] else []) + [p["name"] for p in op["inputs"] if not p["optional"]]
    if op["world"] and args and isinstance(args[0], Value) and len(positions) > 1:
        positions = positions[1:]  # the world was left out
    if len(args) > len(positions):
        raise TypeError(f"{op['name']}() takes {len(positions)} positional arguments but {len(args)} were given")
    given = dict(zip(positions, args))
    for name, value in kwargs.items():
        name = name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name
        if name in given:
            raise TypeError(f"{op['name']}() got multiple values for argument '{name}'")
        given[name] = value
    world = given.pop("world", None) if op["world"] or is_seeded(op) else None
    names = {port["name"] for port in op["inputs"]}
    ports = {name: value for name, value in given.items() if name in names}
    return world, ports, {name: value for name, value in given.items() if name not in names}


def file_name(value):
    """Files are meant from where the program runs."""
    return os.path.abspath(os.fspath(value)) if isinstance(value, (str, os.PathLike)) and value else value


def make_function(op):
    operator = _native.operator(op["name"])
    files = {param["name"] for param in op["params"] if param["type"] == "file"}
    automatic = {param["name"] for param in params_of(op) if param.get("automatic")}

    def function(*args, **kwargs):
        world, ports, params = sorted_arguments(op, args, kwargs)
        if params.get("every", ...) is None and op["stages"]:
            del params["every"]
        for name, value in params.items():
            if name in files:
                params[name] = file_name(value)
            elif value is None and name not in automatic:
                message = f"'{name}' must have a value, not None"
                raise RecipeError(message, "leave it out for its default", Place(node=op["name"], field=name))
        node = _native.node(operator, params, links(op, ports), world_of(world))
        return kinds[op["output"]]._of(node)

    function.__name__ = function.__qualname__ = python_name(op["name"])
    function.__module__ = "tepui"
    function.__doc__ = docstring(op)
    function.__signature__ = signature(op)
    return function


def functions():
    """{name: function} of every operator."""
    return {python_name(name): make_function(op) for name, op in registry().items()}
