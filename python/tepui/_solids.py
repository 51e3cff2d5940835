"""Rock, volumes, meshes, planets."""

from importlib import import_module

import numpy as np

from . import _native
from ._errors import RecipeError
from ._values import Value, as_numbers


class Geology(Value):
    """Rock in space: its resistance to erosion, from 0 to 1, anywhere."""

    __slots__ = ()
    _kind = "geology"

    def resistance(self, points):
        """At points, n x 3: metres of the world."""
        return _native.rock_resistance(self._value, as_numbers("points", points))

    def rocks(self, points):
        """The names of the rocks at points; None where none has a name."""
        which, names = _native.rock_names(self._value, as_numbers("points", points))
        return [names[i][0] if i >= 0 else None for i in which]

    def _picture(self):
        return self.figure("section")


class Volume(Value):
    """A solid: rock where its field is above 0, and what that rock is."""

    __slots__ = ()
    _kind = "volume"

    def field(self, points):
        """Above 0 inside, below 0 outside, at points, n x 3: metres of the world."""
        return _native.volume_field(self._value, as_numbers("points", points))

    def inside(self, points):
        """Whether there is rock at points."""
        return _native.volume_inside(self._value, as_numbers("points", points)).view(np.bool_)

    def gradient(self, points):
        """Of the field, n x 3; the way out of the rock is against it."""
        return _native.volume_gradient(self._value, as_numbers("points", points))

    def resistance(self, points):
        """Of its rock to erosion, at points."""
        return _native.volume_resistance(self._value, as_numbers("points", points))

    @property
    def bounds(self):
        """The lower and upper corner of the box outside of which there is no rock."""
        about = _native.volume_about(self._value)
        return about["low"], about["high"]


class Mesh(Value):
    """Triangles, metres, z up."""

    __slots__ = ("_lists",)
    _kind = "mesh"

    def __new__(cls, vertices=None, triangles=None, **options):
        return super().__new__(cls)

    def __init__(self, vertices, triangles, *, attributes=None):
        """A mesh from arrays: n x 3 metres and m x 3 indices, counter-clockwise from outside."""
        vertices, triangles = as_numbers("vertices", vertices), np.asarray(triangles)
        if vertices.ndim != 2 or vertices.shape[1] != 3 or not len(vertices) or not np.isfinite(vertices).all():
            raise RecipeError("vertices must be an array of n x 3 finite numbers")
        if triangles.dtype.kind not in "iu" or triangles.size % 3 or (triangles.size and not 0 <= triangles.min() <= triangles.max() < len(vertices)):
            raise RecipeError("triangles must be an array of m x 3 indices of vertices")
        centre = (vertices.min(axis=0) + vertices.max(axis=0)) / 2
        numbers = {name: as_numbers(f"'{name}'", values) for name, values in (attributes or {}).items()}
        value = _native.make_mesh(tuple(centre), vertices - centre, triangles.reshape(-1, 3), numbers)
        self._node, self._computed, self._lists = _native.constant(value, None), value, None

    @property
    def columns(self):
        """All of it by name, as arrays that are not copied; `positions` are relative to `centre`."""
        if getattr(self, "_lists", None) is None:
            self._lists = _native.mesh_columns(self._value)
        return self._lists

    @property
    def vertices(self):
        """n x 3 in metres of the world, in double precision: a copy."""
        return self.columns["positions"] + np.asarray(self.columns["centre"])

    triangles = property(lambda self: self.columns["triangles"], doc="m x 3 indices, counter-clockwise from outside.")
    normals = property(lambda self: self.columns["normals"], doc="Of the vertices; empty where it has none.")
    attributes = property(lambda self: self.columns["attributes"], doc="Numbers of the vertices, by name.")

    def to_trimesh(self):
        """A trimesh.Trimesh."""
        trimesh = import_module("trimesh")

        attributes = {name: np.asarray(values) for name, values in self.attributes.items()}
        return trimesh.Trimesh(self.vertices, self.triangles, process=False, vertex_attributes=attributes)

    def to_blender(self, name="tepui"):
        """A bpy.types.Mesh with the numbers of the vertices as attributes, in Blender, around the mesh's centre."""
        bpy = import_module("bpy")

        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(self.columns["positions"].tolist(), [], self.triangles.tolist())
        for attribute, values in self.attributes.items():
            mesh.attributes.new(attribute, "FLOAT", "POINT").data.foreach_set("value", values)
        mesh.update()
        return mesh


class Planet(Value):
    """A whole planet; tp.planet_map, tp.planet_patch and others read it."""

    __slots__ = ("_lists", "_places")
    _kind = "planet"

    @property
    def columns(self):
        """What is known of its vertices, by name, as arrays that are not copied: directions, height, rain, ..."""
        if getattr(self, "_lists", None) is None:
            self._lists = _native.planet_columns(self._value)
        return self._lists

    @property
    def radius(self):
        """Of the sphere at sea level, metres."""
        return self.columns["radius"]

    def heights(self, latitude, longitude, *, spacing=1000.0):
        """Metres above the sea at places in degrees: arrays of any shapes that fit together.

        spacing : metres between the places at which land is known exactly; a finer planet takes longer
        """
        latitude, longitude = as_numbers("latitudes", latitude), as_numbers("longitudes", longitude)
        try:
            latitude, longitude = np.broadcast_arrays(latitude, longitude)
        except ValueError:
            message = f"latitudes of {latitude.shape} and longitudes of {longitude.shape} do not fit together"
            raise RecipeError(message, "give a place for each, or one that stands for all") from None
        spacing = float(as_numbers("'spacing'", spacing))
        if getattr(self, "_places", None) is None:
            self._places = _native.PlanetPlaces(self._value)
        return self._places.heights(latitude.ravel(), longitude.ravel(), spacing).reshape(latitude.shape)

    def _picture(self):
        return self.render(size=(480, 480), samples=4)
