"""Where values are kept, and how many threads work."""

import os

from . import _native


def cache(folder=None, *, memory=None):
    """Keep values in this folder ("": in memory only; None: the user's, which the program shares) and this many bytes
    of them in memory (None: an eighth of the machine's)."""
    usual_memory, usual_folder = _native.default_cache()
    _native.set_cache(
        usual_memory if memory is None else int(memory), usual_folder if folder is None else os.fspath(folder)
    )


def threads(count=0):
    """Work with this many threads; 0: one for each core. Results do not depend on it."""
    _native.set_threads(int(count))
