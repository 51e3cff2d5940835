"""Points, lines and polygons."""

from . import _native
from ._values import Value


class Lines(Value):
    """Points, lines and polygons with names and attributes, in columns.

    `vertices` is an array of n x 3, metres of the world; part i is vertices[part_starts[i]:part_starts[i + 1]], and
    feature i is the parts feature_starts[i] to feature_starts[i + 1].
    """

    __slots__ = ("_lists",)
    _kind = "lines"
    shape_names = ("Point", "LineString", "Polygon")

    def __new__(cls, features=(), **options):
        return super().__new__(cls)

    def __init__(self, features=(), *, crs=None):
        """Lines from dicts: {"points": n x 2 or n x 3, or a list of such parts, "name": ..., "closed": ...,
        "shape": "line" | "point" | "polygon", and other keys: a number or text of the feature, or an array with a number
        for each of its points}."""
        from ._exchange import columns_of

        value = _native.make_lines(columns_of(features, crs))
        self._node, self._computed, self._lists = _native.constant(value, None), value, None

    @property
    def columns(self):
        """All of it by name, as arrays that are not copied."""
        if getattr(self, "_lists", None) is None:
            self._lists = _native.lines_columns(self._value)
        return self._lists

    vertices = property(lambda self: self.columns["vertices"], doc="n x 3, metres of the world.")
    part_starts = property(lambda self: self.columns["part_starts"], doc="Where parts begin among the vertices.")
    feature_starts = property(lambda self: self.columns["feature_starts"], doc="Where features begin among the parts.")
    names = property(lambda self: self.columns["names"], doc="Of the features.")

    def __len__(self):
        return len(self.columns["shapes"])

    def __getitem__(self, name):
        """An attribute as an array: a number for each vertex, or for each feature; of texts a list."""
        for table in ("vertex_numbers", "numbers"):
            for column in self.columns[table]:
                if column[0] == name:
                    return column[2]
        for column, values, present in self.columns["texts"]:
            if column == name:
                return [text if there else None for text, there in zip(values, present)]
        raise KeyError(name)

    @property
    def attributes(self):
        """The names of its attributes."""
        tables = (self.columns[table] for table in ("vertex_numbers", "numbers", "texts"))
        return [column[0] for table in tables for column in table]

    def parts(self, feature):
        """The vertices of a feature's parts, as arrays."""
        columns = self.columns
        first, end = map(int, columns["feature_starts"][feature : feature + 2])
        starts = columns["part_starts"][first : end + 1]
        return [columns["vertices"][a:b] for a, b in zip(starts[:-1], starts[1:])]

    @property
    def __geo_interface__(self):
        from ._exchange import feature_collection

        return feature_collection(self)

    def to_geodataframe(self):
        """A geopandas.GeoDataFrame, a row for each feature."""
        from ._exchange import to_geodataframe

        return to_geodataframe(self)

    def _picture(self):
        return self.figure("map")
