"""Operators written in Python."""

import functools
import hashlib
import inspect
import types
import typing
import uuid

import numpy as np

from . import _native
from ._errors import RecipeError
from ._operators import links, sorted_arguments
from ._terrain import Terrain
from ._values import Value, kinds, world_of


class Param:
    """What a parameter of an operator takes: `amount: Annotated[float, Param(0, 100, unit="m", doc="...")] = 5`."""

    def __init__(self, low=None, high=None, *, unit="", doc="", choices=(), type=None):
        self.low, self.high, self.unit, self.doc, self.choices, self.type = low, high, unit, doc, tuple(choices), type


Seed = typing.Annotated[int, Param(type="seed", doc="chooses another draw of the same kind")]
"""A parameter of this type is a seed: the function gets a number that follows from it and from the world's seed."""

_types = {bool: "boolean", int: "integer", float: "number", str: "text"}


def _state(value, seen, found):
    """Adds to `found` what a function's result may depend on; False where that cannot be told."""
    if isinstance(value, types.FunctionType):
        if id(value) in seen:
            return True
        seen.add(id(value))
        return _function_state(value, seen, found)
    if isinstance(value, types.CodeType):
        found.append(value.co_code.hex())
        found.append(repr(value.co_names + value.co_varnames))
        return all([_state(constant, seen, found) for constant in value.co_consts])
    if isinstance(value, types.ModuleType):
        found.append(f"module {value.__name__} {getattr(value, '__version__', '')}")
        return True
    if isinstance(value, np.ndarray) and value.dtype != object:
        found.append(f"array {value.dtype} {value.shape} {hashlib.sha256(np.ascontiguousarray(value)).hexdigest()}")
        return True
    if value is None or value is Ellipsis or isinstance(value, (bool, int, float, complex, str, bytes, np.generic)):
        found.append(f"{type(value).__name__} {value!r}")
        return True
    if isinstance(value, (tuple, list, frozenset, set)):
        items = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
        found.append(f"{type(value).__name__} {len(value)}")
        return all([_state(item, seen, found) for item in items])
    if isinstance(value, dict):
        found.append(f"dict {len(value)}")
        return all([_state(key, seen, found) and _state(item, seen, found) for key, item in value.items()])
    if isinstance(value, (type, types.BuiltinFunctionType, np.ufunc)):
        module = getattr(value, "__module__", "") or ""
        found.append(f"{module}.{getattr(value, '__qualname__', value.__name__)}")
        return not isinstance(value, type) or module.split(".")[0] not in ("__main__", "__mp_main__")
    return False


def _function_state(function, seen, found):
    """Its code, and what it takes from around it: defaults, closures, globals by name, in nested functions too."""
    known = _state(function.__code__, seen, found)
    known &= _state(function.__defaults__, seen, found) and _state(function.__kwdefaults__, seen, found)
    for cell in function.__closure__ or ():
        known &= _state(cell.cell_contents, seen, found)
    codes = [function.__code__]
    for code in codes:
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
        for name in code.co_names:
            if name in function.__globals__:
                found.append(name)
                known &= _state(function.__globals__[name], seen, found)
    return known


def fingerprint(function):
    """The same for the same code with the same surroundings; where those cannot be told, never the same again."""
    found = []
    if not _state(function, set(), found):
        found.append(uuid.uuid4().hex)
    return hashlib.sha256("\n".join(found).encode()).hexdigest()


def _port(name, annotation, default):
    """(name, kind, optional, list) where the annotation is that of a value."""
    if annotation is np.ndarray:
        annotation = Terrain
    optional = default is None
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        inner = [one for one in typing.get_args(annotation) if one is not type(None)]
        annotation = inner[0] if len(inner) == 1 else None
    several = typing.get_origin(annotation) is list
    if several:
        annotation = typing.get_args(annotation)[0]
    if isinstance(annotation, type) and issubclass(annotation, Value) and annotation._kind:
        return name, annotation._kind, optional, several
    return None


def _field(name, annotation, default):
    about, plain = Param(), annotation
    if typing.get_origin(annotation) is typing.Annotated:
        plain, *extra = typing.get_args(annotation)
        about = next((one for one in extra if isinstance(one, Param)), about)
    kind = about.type or ("choice" if about.choices else _types.get(plain) or _types.get(type(default)))
    if kind is None:
        raise TypeError(f"parameter '{name}' is of no type that operators have: annotate it, for example as float")
    if default is inspect.Parameter.empty:
        raise TypeError(f"parameter '{name}' needs a default")
    return {
        "name": name, "type": kind, "default": default, "min": about.low, "max": about.high, "unit": about.unit,
        "doc": about.doc, "choices": list(about.choices),
    }


def _land(result, inputs, name):
    """A function's result as a value."""
    if isinstance(result, Value):
        return result._value
    first = next((one for port in inputs for one in port if isinstance(one, Terrain)), None)
    if isinstance(result, dict) and first is not None:
        land = first
        for layer, array in result.items():
            land = land.with_layer(layer, array, unit="m" if layer == "height" else "")
        return land._value
    if isinstance(result, np.ndarray) and first is not None:
        return first.with_height(result)._value
    raise RecipeError(
        f"operator '{name}' returned a {type(result).__name__}", "return an array, a dict of layers, or a value"
    )


def _runner(function, name, ports, arrays, listed):
    def run(inputs, params):
        given = [[kinds[value.kind]._holding(value) for value in port] for port in inputs]
        arguments = {}
        for (port, _, _, several), values in zip(ports, given):
            if port in arrays:
                values = [value[value.layers[0]] if "height" not in value else value.height for value in values]
            arguments[port] = list(values) if several else values[0] if values else None
        return _land(function(**arguments, **params), given, name)

    return run


def operator(function=None, *, name=None):
    """Make an operator of a function: a call of it is a node, computed when it is looked at.

    Parameters that are annotated as Terrain, Lines, Geology, Volume, Mesh or Planet are its inputs; one annotated as
    np.ndarray is land of which the function gets the heights. The others are numbers, texts or choices, described by
    Param, and need defaults. The function returns heights as an array on the samples of the first land, a dict of
    layers, or a value. A result is kept as long as the function's code, and what it uses, stay the same.
    """
    if function is None:
        return functools.partial(operator, name=name)
    name = name or function.__name__
    hints = typing.get_type_hints(function, include_extras=True)
    output = hints.pop("return", Terrain)
    output = output if isinstance(output, type) and issubclass(output, Value) else Terrain
    ports, fields, arrays = [], [], set()
    for parameter in inspect.signature(function).parameters.values():
        annotation = hints.get(parameter.name)
        port = _port(parameter.name, annotation, parameter.default)
        if port is None:
            fields.append(_field(parameter.name, annotation, parameter.default))
        else:
            ports.append(port)
            arrays |= {parameter.name} if annotation is np.ndarray else set()
    about = {
        "name": name, "doc": inspect.getdoc(function) or "", "output": output._kind, "ports": ports, "params": fields,
    }
    native = _native.custom_operator(about, fingerprint(function), _runner(function, name, ports, arrays, None))
    described = {
        "name": name, "world": True, "inputs": [{"name": p[0], "type": p[1], "optional": p[2], "list": p[3]} for p in ports],
    }

    @functools.wraps(function)
    def make(*args, **kwargs):
        if not (args and not isinstance(args[0], Value)):
            args = (None, *args)
        world, given, params = sorted_arguments(described, args, kwargs)
        return kinds[output._kind]._of(_native.node(native, params, links(described, given), world_of(world)))

    make.function = function
    return make
