"""Where values are kept, and how many threads work."""

import numbers
import os

from . import _native
from ._errors import RecipeError


def cache(folder=None, *, memory=None):
    """Keep values in this folder ("": in memory only; None: the user's, which the program has, too) and this many bytes
    of them in memory (None: an eighth of the machine's)."""
    if memory is not None and not memory >= 0:
        raise RecipeError("the memory is a number of bytes, 0 or more", "for example memory=4 << 30")
    usual_memory, usual_folder = _native.default_cache()
    _native.set_cache(
        usual_memory if memory is None else int(memory), usual_folder if folder is None else os.fspath(folder)
    )


def threads(count=0):
    """Work with this many threads; 0: one for each core. Results do not depend on it."""
    if not isinstance(count, numbers.Integral) or not 0 <= count <= 1024:
        raise RecipeError("threads are a whole number from 0 to 1024", "0: one for each core")
    _native.set_threads(int(count))
