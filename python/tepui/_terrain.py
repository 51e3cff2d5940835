"""Land."""

import numpy as np

from . import _native
from ._errors import RecipeError
from ._values import Value, as_numbers, crs_text, pair_of


def as_cells(name, array):
    """An array of numbers as layers hold them; those that are masked are NaN."""
    if not isinstance(name, str) or not name:
        raise RecipeError(f"a layer's name is a text, not {name!r}")
    if isinstance(array, np.ma.MaskedArray):
        return as_cells(name, np.where(np.ma.getmaskarray(array), np.nan, array.astype(np.float64).data))
    array = np.asarray(array)
    if array.dtype.kind not in "biuf":
        raise RecipeError(f"layer '{name}' must hold numbers, not {array.dtype}", "give float32")
    if array.ndim != 2 or array.size == 0:
        shape = " x ".join(map(str, array.shape)) or "a single number"
        raise RecipeError(f"layer '{name}' must have rows and columns with at least one sample, not {shape}")
    if array.dtype.kind == "f" and array.dtype.itemsize > 4:
        finite = array[np.isfinite(array)]
        if finite.size and max(-finite.min(), finite.max()) > np.finfo(np.float32).max:
            raise RecipeError(f"layer '{name}' holds numbers beyond 3.4e38, which layers cannot")
    return np.ascontiguousarray(array, dtype=np.float32)


def computed_land(value):
    if not isinstance(value, Terrain):
        raise RecipeError(f"land is needed, not a {type(value).__name__}")
    return value._value


class Terrain(Value):
    """Land: layers over one grid of samples, `height` in metres among them.

    Arrays have rows from south to north: `land.height[0]` is the southern edge. They are views, read-only, and stay
    after the land is gone.
    """

    __slots__ = ("_arrays",)
    _kind = "terrain"

    def __new__(cls, height=None, **options):
        return super().__new__(cls)

    def __init__(
        self, height=None, *, cell=1.0, origin=(0.0, 0.0), crs=None, north_first=False, layers=None, relief=None,
        like=None,
    ):
        """Land from arrays of any type of numbers; cells that are NaN, infinite or masked are voids, which get filled.

        height : array of rows and columns, metres
        cell : metres between samples, or of both axes (x, y); with a `crs`, in its unit
        origin : of the south-west sample
        crs : reference system of origin and cell: "EPSG:32611", WKT, or an object of pyproj or rasterio
        north_first : the first row is the northern edge, as in files and pictures
        layers : {name: array} beside the height, or {name: (array, unit, kind)}, of a category also how many classes
        relief : (base, top), metres; the lowest and highest height, if left out
        like : land whose samples and place it has instead
        """
        if height is None and not layers:
            raise RecipeError("land needs at least one layer", "tp.Terrain(height, cell=10)")
        given = [] if height is None else [("height", "m", "continuous", 0, as_cells("height", height))]
        for name, layer in (layers or {}).items():
            array, unit, kind, classes = (*layer, 0)[:4] if isinstance(layer, tuple) else (layer, "", None, 0)
            boolean = getattr(array, "dtype", None) == np.bool_
            given.append((name, unit, kind or ("mask" if boolean else "continuous"), classes, as_cells(name, array)))
        place = {"origin": pair_of("the origin", origin), "cell": pair_of("the cell", cell), "crs": crs_text(crs)}
        other = None if like is None else computed_land(like)
        relief = None if relief is None else tuple(as_numbers("the relief", relief).ravel())
        if relief is not None and not (len(relief) == 2 and relief[0] <= relief[1]):
            raise RecipeError("the relief is the height of its base and that of its top", "for example relief=(0, 800)")
        value = _native.make_land(place, given, bool(north_first), other, relief)
        self._node, self._computed = _native.constant(value, None if like is None else like._node.world), value
        self._arrays = {}

    @classmethod
    def _of(cls, node):
        self = super()._of(node)
        self._arrays = {}
        return self

    def __getitem__(self, name):
        """A layer as an array."""
        if name not in self._arrays:
            self._arrays[name] = _native.layer(self._value, name)
        return self._arrays[name]

    @property
    def height(self):
        """Metres, rows from south to north."""
        return self["height"]

    def __array__(self, dtype=None):
        return np.asarray(self.height, dtype=dtype)

    def __contains__(self, name):
        return name in self.layers

    @property
    def layers(self):
        """The names of its layers."""
        return [layer[0] for layer in _native.layers(self._value)]

    def layer_info(self, name):
        """(unit, kind, number of classes) of a layer."""
        self[name]
        return next(layer[1:] for layer in _native.layers(self._value) if layer[0] == name)

    def only(self, name):
        """The land with this layer alone, for a port that takes a mask; not computed for that."""
        return Terrain._of(self._node.layer(name))

    def with_layer(self, name, array, *, unit="", kind="continuous", classes=0):
        """The same land with a layer added or replaced."""
        cells = as_cells(name, array)
        value = _native.with_layer(self._value, name, unit, kind, classes, cells)
        return Terrain._holding(value, self._node.world)

    def with_height(self, array):
        """The same land with other heights."""
        return self.with_layer("height", array, unit="m")

    @property
    def _frame(self):
        return _native.frame(self._value)

    @property
    def shape(self):
        """Rows and columns."""
        return self._frame["shape"]

    @property
    def cell(self):
        """Metres between samples, x and y."""
        return self._frame["cell"]

    @property
    def relief(self):
        """Base and top, metres."""
        return self._frame["relief"]

    @property
    def crs(self):
        """The reference system of its place on Earth as WKT, or None."""
        geo = self._frame["geo"]
        return geo[0] or None if geo else None

    def _axis(self, i):
        frame = self._frame
        return frame["origin"][i] + (frame["first"][i] + np.arange(frame["shape"][1 - i])) * frame["cell"][i]

    @property
    def x(self):
        """Metres of the world of its columns, from west to east."""
        return self._axis(0)

    @property
    def y(self):
        """Metres of the world of its rows, from south to north."""
        return self._axis(1)

    @property
    def coordinates(self):
        """(x, y) of columns and rows in its reference system; metres of the world where it has none."""
        geo, frame = self._frame["geo"], self._frame
        if not geo:
            return self.x, self.y
        return tuple(
            geo[1][i] + (frame["first"][i] + np.arange(frame["shape"][1 - i])) * geo[2][i] for i in (0, 1)
        )

    def _sea_level(self):
        return None if self._node.world is None else self._node.world.dict()["sea_level"]

    def statistics(self):
        """Numbers that characterise it, as `tepui info --stats`: percentiles, ksn, concavity, ..."""
        return _native.statistics(self._value, self._sea_level())

    def profiles(self, count=1, *, source=None):
        """Its largest rivers, each a dict of arrays from the mouth up: distance, height, drainage, chi.

        source : area that feeds a channel's head, m2; a five-hundredth of the land, if left out
        """
        names = ("distance", "height", "drainage", "chi")
        rivers = _native.profiles(self._value, count, source, self._sea_level())
        return [dict(zip(names, river.T)) for river in rivers]

    def slope_area(self, *, source=None):
        """Slopes of its channels by drainage area: {"area", "slope", "samples", "concavity", "steepness"}."""
        bins, concavity, steepness = _native.slope_area(self._value, source, self._sea_level())
        columns = np.array(bins, dtype=np.float64).reshape(-1, 3).T
        return {**dict(zip(("area", "slope", "samples"), columns)), "concavity": concavity, "steepness": steepness}

    def to_xarray(self):
        """An xarray.Dataset of its layers, which shares their memory."""
        from ._exchange import to_xarray

        return to_xarray(self)

    @classmethod
    def from_xarray(cls, data, **options):
        """Land from an xarray.DataArray of heights, or a Dataset with `height`, over coordinates x and y, or longitude
        and latitude. What its attributes say is used: units, _FillValue, scale_factor, the reference system. `options`
        are those of tp.Terrain."""
        from ._exchange import from_xarray

        return from_xarray(data, **options)

    @classmethod
    def from_rasterio(cls, height, profile, *, layers=None, **options):
        """Land from an array, as rasterio reads it, and what is known of it: a dataset, its profile, or a dict.

        profile : `transform` is an Affine or its six numbers, a to f; `crs`, `nodata`, `width` and `height` may be there
        layers : {name: array}, as of tp.Terrain; other options are, too
        """
        from ._exchange import from_rasterio

        return from_rasterio(height, profile, layers, **options)

    @property
    def profile(self):
        """What rasterio.open(path, "w", **land.profile) takes to write land.height[::-1]."""
        from ._exchange import profile_of

        return profile_of(self)

    def _picture(self):
        if "height" not in self:
            return self.figure("map", layer=self.layers[0])
        return self.figure("map", colour_map="relief", hillshade=1)
