"""What flows between operators. A value is immutable and cheap to copy; it is computed when it is looked at."""

import json
import keyword
import math
import numbers
import os

import numpy as np

from . import _native
from ._errors import RecipeError

kinds = {}  # the classes of values by what operators call them


class World:
    """The rectangle that generators fill, and the seed of what they draw.

    size : one length or two (west to east, south to north): metres, or text such as "8km"
    resolution : samples on the longer side
    seed : another number gives other land of the same kind
    origin : the south-west corner, metres
    sea_level : height of the sea, metres; None: no sea
    like : land whose samples the world has, instead of size, resolution and origin
    """

    __slots__ = ("_world",)

    def __init__(self, size=None, resolution=None, seed=0, *, origin=None, sea_level=None, like=None):
        given = {"size": size, "resolution": resolution, "origin": origin, "sea_level": sea_level}
        given = {name: value for name, value in given.items() if value is not None}
        if isinstance(given.get("size"), tuple):
            given["size"] = list(given["size"])
        if like is not None and given.keys() - {"sea_level"}:
            raise RecipeError("a world like a land has its samples", "leave out size, resolution and origin")
        self._world = _native.world(given, seed, None if like is None else node_of(like))

    @classmethod
    def _of(cls, world):
        self = cls.__new__(cls)
        self._world = world
        return self

    size = property(lambda self: self._world.dict()["size"], doc="Its sides, metres.")
    resolution = property(lambda self: self._world.dict()["resolution"], doc="Samples on the longer side.")
    origin = property(lambda self: self._world.dict()["origin"], doc="The south-west corner, metres.")
    seed = property(lambda self: self._world.dict()["seed"], doc="The seed of what is drawn in it.")
    sea_level = property(lambda self: self._world.dict()["sea_level"], doc="Height of the sea, metres, or None.")

    def __repr__(self):
        about = self._world.dict()
        if about.pop("like"):
            about = {"like": ..., "sea_level": about["sea_level"], "seed": about["seed"]}
        return f"World({', '.join(f'{name}={value!r}' for name, value in about.items())})"


def world_of(world):
    """What the module knows a world by; None: what the readers say."""
    if world is None:
        return None
    if isinstance(world, Value) and world._kind == "terrain":
        world = World(like=world)
    if not isinstance(world, World):
        raise RecipeError(f"a world is needed, not a {type(world).__name__}", "for example tp.World(size=8000)")
    return world._world


def as_numbers(what, given):
    """An array of real numbers in double precision; those that are masked are NaN."""
    try:
        array = np.asanyarray(given)
    except ValueError:  # rows of several lengths
        array = np.array(None)
    if array.dtype.kind not in "biuf":
        raise RecipeError(f"{what} must be an array of numbers, not of {array.dtype}")
    if isinstance(array, np.ma.MaskedArray):
        array = array.astype(np.float64).filled(np.nan)
    return np.asarray(array, dtype=np.float64)


def pair_of(what, given):
    """Two numbers; a single one stands for both."""
    numbers = as_numbers(what, given).ravel()
    if len(numbers) not in (1, 2):
        raise RecipeError(f"{what} is one number or two, not {len(numbers)}")
    return float(numbers[0]), float(numbers[-1])


def node_of(value):
    """What holds a value in the graph."""
    if not isinstance(value, Value):
        raise RecipeError(f"a value of Tepui is needed, not a {type(value).__name__}")
    return value._node


def crs_text(crs):
    """A reference system as text: from text, the number that EPSG has for it, or an object of pyproj or rasterio."""
    if crs is None or isinstance(crs, str):
        return crs or ""
    if isinstance(crs, numbers.Integral) and not isinstance(crs, bool):
        return f"EPSG:{int(crs)}"
    if hasattr(crs, "to_wkt"):
        code = crs.to_epsg(100) if hasattr(crs, "to_epsg") else None  # where it is that one for sure
        return f"EPSG:{code}" if code else crs.to_wkt()
    raise RecipeError(f"a reference system cannot be a {type(crs).__name__}", 'for example "EPSG:32611"')


def plain_names(options):
    """Options whose names Python keeps for itself: `from_` is `from`."""
    return {name[:-1] if keyword.iskeyword(name[:-1]) else name: value for name, value in options.items()}


class Value:
    """What all values have in common."""

    __slots__ = ("_node", "_computed", "__weakref__")
    _kind = ""

    def __init_subclass__(cls):
        kinds[cls._kind] = cls

    @classmethod
    def _of(cls, node):
        self = cls.__new__(cls)
        self._node, self._computed = node, None
        return self

    @classmethod
    def _holding(cls, value, world=None):
        self = cls._of(_native.constant(value, world))
        self._computed = value
        return self

    @property
    def _value(self):
        if self._computed is None:
            self._computed = _native.compute([self._node])[0]
        return self._computed

    @property
    def known(self):
        """Whether it has been computed."""
        return self._node.known

    @property
    def hash(self):
        """Of all that it holds: the hash that the program tells of it."""
        return self._value.hash

    @property
    def bytes(self):
        """That it holds in memory."""
        return self._value.bytes

    @property
    def world(self):
        """The world that it was made in, or None."""
        return None if self._node.world is None else World._of(self._node.world)

    @property
    def stages(self):
        """{age: value} of what `every` divides it into, itself the last; empty without one."""
        *before, end = [*self._node.stages] or [None]
        stages = {age: type(self)._of(node) for age, node in before}
        return {**stages, end[0]: self} if end else stages

    def info(self):
        """What `tepui info --json` tells of it."""
        return {**json.loads(self._value.info()), "hash": self.hash}

    def save(self, path, *, layers=(), sea_level=None, rock=None, **options):
        """Write it to a file, whose ending says how, with the options of outputs; gives what was written.

        layers : of land, those to write; its height alone, if none are named
        sea_level, rock : what the look of its ground is made with, where the file has one
        """
        around = self._around(sea_level=sea_level, rock=rock)
        return _native.save(self._value, os.fspath(path), list(layers), plain_names(options), around)

    def render(self, *, sea_level=None, rock=None, rivers=None, along=None, scatter=(), **look):
        """Draw a picture in sun and sky, with the parameters of `tepui explain render`: camera, size, samples, ..."""
        scatter = [scatter] if isinstance(scatter, Value) else scatter
        around = self._around(sea_level=sea_level, rock=rock, rivers=rivers, along=along, scatter=scatter)
        return Image._holding(_native.draw(self._value, plain_names(look), around))

    def figure(self, kind=None, *, sea_level=None, rock=None, rivers=None, **options):
        """Draw a figure, with the parameters of `tepui explain figure`; None: the kind that is usual for it."""
        kind = _native.figures(self._value)[0] if kind is None else kind
        around = self._around(sea_level=sea_level, rock=rock, rivers=rivers)
        return Image._holding(_native.figure(self._value, {"kind": kind, **plain_names(options)}, around))

    def _around(self, *, scatter=(), sea_level=None, **others):
        around = {name: value._value for name, value in others.items() if value is not None}
        if scatter:
            around["scatter"] = [points._value for points in scatter]
        world = self._node.world
        if world is not None:
            around["world"] = world
            sea_level = world.dict()["sea_level"] if sea_level is None else sea_level
        if sea_level is not None:
            around["sea_level"] = sea_level
        return around

    def _picture(self):
        """What a notebook shows."""
        return self.render(size=(640, 400), samples=8)

    def _repr_png_(self):
        return _native.png(self._picture()._value)

    def __reduce__(self):
        return restored, self._value.dumped()

    def __repr__(self):
        name = type(self).__name__
        if not self.known:
            return f"<{name} of {self._node.name}, not computed yet>"
        return f"<{name}: {self._value.text().strip().splitlines()[0]}>"


def compute(*values):
    """Compute several values together: what they share is computed once, and what is independent side by side."""
    for value, computed in zip(values, _native.compute([node_of(value) for value in values])):
        if value._computed is None:
            value._computed = computed
    return values


class Image(Value):
    """A picture: rows from the top, sRGB."""

    __slots__ = ()
    _kind = "image"

    def __new__(cls, pixels=None):
        return super().__new__(cls)

    def __init__(self, pixels):
        """An image from an array of rows, columns and 1, 3 or 4 channels of 8 bits."""
        pixels = np.asarray(pixels)
        if pixels.dtype.kind not in "iu" or (pixels.size and not 0 <= pixels.min() <= pixels.max() <= 255):
            raise RecipeError("pixels must be an array of whole numbers from 0 to 255", "for example dtype=np.uint8")
        value = _native.make_image(np.ascontiguousarray(pixels, dtype=np.uint8))
        self._node, self._computed = _native.constant(value, None), value

    @property
    def pixels(self):
        """Rows, columns, channels; 8 bits."""
        return _native.image_pixels(self._value)

    @property
    def light(self):
        """The linear light that it was made of (red, green, blue, opacity), or None."""
        return _native.image_light(self._value)

    def __array__(self, dtype=None):
        return np.asarray(self.pixels, dtype=dtype)

    def _picture(self):
        return self


def restored(kind, outline, parts):
    """A value that was pickled."""
    return kinds[kind]._holding(_native.restored(kind, outline, parts))


def open(path, **how):
    """The value that a file holds, whatever its kind; `how` says what the file does not, as for tp.read."""
    value = _native.open(os.fspath(path), {name: text_of(option) for name, option in how.items()})
    return kinds[value.kind]._holding(value)


def text_of(option):
    """An option as the command line has it."""
    if isinstance(option, bool):
        return str(option).lower()
    if isinstance(option, (list, tuple)):
        return json.dumps(list(option))
    if isinstance(option, float) and math.isfinite(option):
        return repr(option)
    return str(option)
