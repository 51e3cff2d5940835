"""Terrain from operators over numpy: every one of `tepui ops`, as a function.

    import tepui as tp
    world = tp.World(size="8km", resolution=1025, seed=7)
    land = tp.stream_power(tp.noise(world, height="1.2km"), age=0.8)
    land.height, land["drainage"]    # read-only numpy arrays, row 0 in the south
    land.save("land.tif")

A call makes a node; values are computed when they are looked at, and kept where the program keeps them.
"""

from . import _lines, _native, _solids, _terrain  # the kinds of values, before what reads them
from . import _operators
from ._custom import Param, Seed, operator
from ._errors import Error, Place, RecipeError, TepuiWarning, WorkError
from ._lines import Lines
from ._live import Event, Live
from ._progress import progress
from ._recipes import Recipe, Run, load, make, presets, save_recipe, sweep_table
from ._settings import cache, threads
from ._solids import Geology, Mesh, Planet, Volume
from ._terrain import Terrain
from ._values import Image, Value, World, compute, open

__version__ = _native.version

globals().update(_operators.functions())
__all__ = [name for name in list(globals()) if not name.startswith("_")]
