"""Values as other packages have them. None of those is needed until it is asked for."""

import numpy as np

from ._errors import RecipeError
from ._terrain import Terrain

_shapes = {"point": 0, "line": 1, "polygon": 2}


def to_xarray(land):
    import xarray

    x, y = land.coordinates
    layers = {}
    for name in land.layers:
        unit, kind, classes = land.layer_info(name)
        layers[name] = (("y", "x"), land[name], {"units": unit, "kind": kind, "classes": classes})
    attributes = {"crs": land.crs or "", "relief": land.relief}
    return xarray.Dataset(layers, coords={"x": x, "y": y}, attrs=attributes)


def evenly(name, values):
    """The first and the step of coordinates that rise or fall evenly."""
    values = np.asarray(values, dtype=np.float64)
    if len(values) < 2:
        return float(values[0]), 1.0
    step = (values[-1] - values[0]) / (len(values) - 1)
    if step == 0 or np.abs(np.diff(values) - step).max() > 1e-3 * abs(step):
        raise RecipeError(f"the coordinates '{name}' are not evenly spaced", "resample them first")
    return float(values[0]), float(step)


def from_xarray(data, **options):
    arrays = {name: data[name] for name in data.data_vars} if hasattr(data, "data_vars") else {"height": data}
    if "height" not in arrays:
        raise RecipeError(f"there is no 'height' among {', '.join(arrays)}", "give the DataArray of the heights")
    height = arrays["height"].transpose("y", "x")
    (x, dx), (y, dy) = (evenly(axis, height.coords[axis]) for axis in ("x", "y"))

    def turned(array):
        array = np.asarray(array.transpose("y", "x"))
        return array[:: 1 if dy > 0 else -1, :: 1 if dx > 0 else -1]

    crs = options.pop("crs", None) or data.attrs.get("crs") or None
    if crs is None and hasattr(data, "rio") and data.rio.crs is not None:
        crs = data.rio.crs.to_wkt()
    origin = (min(x, x + dx * (height.shape[1] - 1)), min(y, y + dy * (height.shape[0] - 1)))
    layers = {}
    for name, array in arrays.items():
        if name not in ("height", "void"):
            attributes = array.attrs
            layers[name] = (turned(array), attributes.get("units", ""), attributes.get("kind", "continuous"))
    options.setdefault("relief", data.attrs.get("relief"))
    cell = (abs(dx), abs(dy))
    return Terrain(turned(height), origin=origin, cell=cell, crs=crs, layers=layers, **options)


def columns_of(features, crs):
    """The columns of lines from dicts, one a feature."""
    vertices, part_starts, part_closed, feature_starts = [], [0], [], [0]
    shapes, names, numbers, texts, of_vertices = [], [], {}, {}, {}
    total = 0
    for index, feature in enumerate(features):
        shape = feature.get("shape", "line")
        if shape not in _shapes:
            raise RecipeError(f"a feature is a point, a line or a polygon, not '{shape}'")
        points = feature["points"]
        several = len(points) > 0 and np.ndim(points[0]) == 2
        count = 0
        for part in points if several else [points]:
            part = np.atleast_2d(np.asarray(part, dtype=np.float64))
            if part.shape[1] not in (2, 3):
                raise RecipeError("points must be an array of n x 2 or n x 3 numbers")
            part = part if part.shape[1] == 3 else np.column_stack([part, np.zeros(len(part))])
            vertices.append(part)
            count += len(part)
            part_starts.append(total + count)
            part_closed.append(shape == "polygon" or bool(feature.get("closed", False)))
        feature_starts.append(len(part_closed))
        shapes.append(_shapes[shape])
        names.append(str(feature.get("name", "")))
        for key, value in feature.items():
            if key in ("shape", "points", "name", "closed") or value is None:
                continue
            if isinstance(value, str):
                texts.setdefault(key, {})[index] = value
            elif np.ndim(value) == 0:
                numbers.setdefault(key, {})[index] = float(value)
            elif len(value) != count:
                raise RecipeError(f"'{key}' has {len(value)} numbers for {count} points")
            else:
                of_vertices.setdefault(key, []).append((total, np.asarray(value, dtype=np.float64)))
        total += count

    def column(found):
        return np.array([found.get(i, np.nan) for i in range(len(shapes))])

    def vertex_column(pieces):
        values = np.full(total, np.nan)
        for start, piece in pieces:
            values[start : start + len(piece)] = piece
        return values

    return {
        "vertices": np.concatenate(vertices) if vertices else np.zeros((0, 3)),
        "part_starts": part_starts, "part_closed": part_closed, "feature_starts": feature_starts, "shapes": shapes,
        "names": names, "numbers": [(name, "", column(found)) for name, found in numbers.items()],
        "vertex_numbers": [(name, "", vertex_column(pieces)) for name, pieces in of_vertices.items()],
        "texts": [
            (name, [found.get(i, "") for i in range(len(shapes))], [i in found for i in range(len(shapes))])
            for name, found in texts.items()
        ],
        "geo": None if crs is None else (crs, (0.0, 0.0), (1.0, 1.0)),
    }


def feature_collection(lines):
    """GeoJSON of lines, in the coordinates of their reference system; metres of the world where they have none."""
    columns = lines.columns
    vertices = columns["vertices"]
    if columns["geo"]:
        _, origin, step = columns["geo"]
        vertices = vertices * [*step, 1.0] + [*origin, 0.0]
    features = []
    for i, shape in enumerate(columns["shapes"]):
        first, end = map(int, columns["feature_starts"][i : i + 2])
        starts, closed = columns["part_starts"][first : end + 1], columns["part_closed"][first:end]
        parts = [vertices[a:b].tolist() for a, b in zip(starts[:-1], starts[1:])]
        parts = [part + part[:1] if ring and part else part for part, ring in zip(parts, closed)]
        if shape == 0:
            points = parts[0]
            geometry = ("Point", points[0]) if len(points) == 1 else ("MultiPoint", points)
        elif shape == 1:
            geometry = ("LineString", parts[0]) if len(parts) == 1 else ("MultiLineString", parts)
        else:
            geometry = ("Polygon", parts)
        properties = {"name": columns["names"][i]} if columns["names"][i] else {}
        for name, _, values in columns["numbers"]:
            properties[name] = None if np.isnan(values[i]) else float(values[i])
        for name, values, present in columns["texts"]:
            properties[name] = values[i] if present[i] else None
        features.append(
            {
                "type": "Feature", "properties": properties,
                "geometry": {"type": geometry[0], "coordinates": geometry[1]},
            }
        )
    return {"type": "FeatureCollection", "features": features}


def to_geodataframe(lines):
    import geopandas

    geo = lines.columns["geo"]
    return geopandas.GeoDataFrame.from_features(lines, crs=geo[0] if geo and geo[0] else None)
