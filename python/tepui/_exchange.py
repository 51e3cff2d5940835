"""Values as other packages have them. None of those is needed until it is asked for."""

from importlib import import_module  # so that checkers of types need not read those packages

import numpy as np

from ._errors import RecipeError
from ._terrain import Terrain
from ._values import as_numbers, crs_text

_shapes = {"point": 0, "line": 1, "polygon": 2}
axes = (("x", "y"), ("lon", "lat"), ("longitude", "latitude"), ("easting", "northing"))  # of arrays of xarray


def to_xarray(land):
    xarray = import_module("xarray")

    x, y = land.coordinates
    layers, coordinates = {}, {"x": x, "y": y}
    place = {}
    if land.crs:
        # As CF, GDAL and rioxarray have it.
        coordinates["spatial_ref"] = ((), 0, {"crs_wkt": land.crs, "spatial_ref": land.crs})
        place = {"grid_mapping": "spatial_ref"}
    for name in land.layers:
        unit, kind, classes = land.layer_info(name)
        layers[name] = (("y", "x"), land[name], {"units": unit, "kind": kind, "classes": classes, **place})
    return xarray.Dataset(layers, coords=coordinates, attrs={"relief": land.relief})


def evenly(name, coordinate):
    """The first and the step of coordinates that rise or fall evenly; the step of a single one is not known."""
    values = np.asarray(coordinate)
    if values.dtype.kind not in "iuf":
        raise RecipeError(f"the coordinates '{name}' are no numbers", "give metres, or degrees with a crs")
    values = values.astype(np.float64)
    if len(values) < 2:
        return float(values[0]), None
    step = (values[-1] - values[0]) / (len(values) - 1)
    if step == 0 or not np.abs(np.diff(values) - step).max() <= 1e-3 * abs(step):
        raise RecipeError(f"the coordinates '{name}' are not evenly spaced", "resample them first")
    return float(values[0]), float(step)


def without(array, missing):
    """The array with the cells masked that hold this number, which stands for none."""
    array = np.asanyarray(array)
    if missing is None or np.isnan(missing) or array.dtype.kind not in "iuf":
        return array
    with np.errstate(over="ignore"):
        same = array == (array.dtype.type(missing) if array.dtype.kind == "f" else missing)
    return np.ma.masked_where(same, array) if same.any() else array


def sides(array):
    """The names of the axes of an array of xarray, from west to east and from south to north or back."""
    for pair in axes:
        if set(pair) <= set(array.dims):
            return pair
    raise RecipeError(f"the heights lie over {', '.join(map(str, array.dims))}, not over x and y",
                      "name them so: data.rename(...)")  # fmt: skip


def crs_of(data, pair):
    if data.attrs.get("crs"):
        return data.attrs["crs"]
    for coordinate in data.coords.values():
        text = coordinate.attrs.get("crs_wkt") or coordinate.attrs.get("spatial_ref")
        if text:
            return text
    return "EPSG:4326" if pair in axes[1:3] else None


def from_xarray(data, **options):
    arrays = {name: array for name, array in data.data_vars.items() if array.ndim} if hasattr(data, "data_vars") else {}
    arrays = arrays or {"height": data}
    if "height" not in arrays and len(arrays) > 1:
        raise RecipeError(f"there is no 'height' among {', '.join(map(str, arrays))}", "give the DataArray of the heights")
    if "height" not in arrays:
        arrays = {"height": next(iter(arrays.values()))}
    pair = sides(arrays["height"])

    def flat(name, array):
        others = [axis for axis in array.dims if axis not in pair]
        for axis in others:
            if array.sizes[axis] != 1:
                raise RecipeError(f"'{name}' has {array.sizes[axis]} of '{axis}'", f"choose one: data.isel({axis}=0)")
        return array.isel({axis: 0 for axis in others}).transpose(pair[1], pair[0])

    height = flat("height", arrays["height"])
    unit = height.attrs.get("units", "m") or "m"
    if unit not in ("m", "metre", "metres", "meter", "meters"):
        raise RecipeError(f"the heights are in '{unit}', not in metres", "multiply them, and set their units to 'm'")
    for axis in pair:
        if axis not in height.coords:
            raise RecipeError(f"the heights have no coordinates '{axis}'", "give their array: tp.Terrain(array, cell=...)")
    (x, dx), (y, dy) = (evenly(axis, height.coords[axis]) for axis in pair)
    # Cells of a single row or column are square; of a single sample they are a metre.
    dx, dy = dx or abs(dy or 1), dy or abs(dx or 1)

    def cells(name, array):
        about = array.attrs
        cells = without(flat(name, array).values, about.get("_FillValue", about.get("missing_value")))
        scale, offset = about.get("scale_factor", 1), about.get("add_offset", 0)
        if (scale, offset) != (1, 0) and cells.dtype.kind in "iuf":
            cells = cells * np.float64(scale) + offset
        return cells[:: 1 if dy > 0 else -1, :: 1 if dx > 0 else -1]

    layers = {}
    for name, array in arrays.items():
        if name != "height":
            about = array.attrs
            layer = (about.get("units", ""), about.get("kind", "continuous"), int(about.get("classes", 0)))
            layers[name] = (cells(name, array), *layer)
    options.setdefault("relief", data.attrs.get("relief"))
    options.setdefault("crs", crs_of(data, pair))
    origin = (min(x, x + dx * (height.shape[1] - 1)), min(y, y + dy * (height.shape[0] - 1)))
    return Terrain(cells("height", height), origin=origin, cell=(abs(dx), abs(dy)), layers=layers, **options)


def affine(transform):
    """The six numbers a to f of x = a column + b row + c, y = d column + e row + f."""
    given = [getattr(transform, name) for name in "abcdef"] if hasattr(transform, "a") else transform
    try:
        numbers = [float(number) for number in given]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) not in (6, 9) or not np.isfinite(numbers).all():
        raise RecipeError("a transform is six numbers, a to f", "for example (30, 0, 390000, 0, -30, 3800000)")
    return numbers[:6]


def from_rasterio(heights, profile, layers=None, **options):
    about = profile.get if hasattr(profile, "get") else lambda name: getattr(profile, name, None)
    if about("transform") is None:
        raise RecipeError("the profile has no 'transform'", "give src.profile, or the dataset itself")
    a, b, c, d, e, f = affine(about("transform"))
    if b or d or not a or not e:
        hint = "give a to f as rasterio has them, not in GDAL's order; reproject an array that is turned"
        raise RecipeError("the transform turns the array, or flattens it", hint)
    for name, plain in (("scales", 1), ("offsets", 0)):
        if any(number != plain for number in about(name) or ()):
            raise RecipeError(f"the dataset has {name}", "tp.read(file=...) reads what they mean")

    def cells(name, array):
        array = np.asanyarray(array)
        if array.ndim == 3 and len(array) != 1:
            raise RecipeError(f"'{name}' has {len(array)} bands", "give one: src.read(1)")
        array = without(array[0] if array.ndim == 3 else array, about("nodata"))
        for size, axis in (("height", -2), ("width", -1)):
            if array.ndim == 2 and about(size) not in (None, array.shape[axis]):
                raise RecipeError(f"'{name}' is {array.shape[axis]} in {size}, the profile {about(size)}")
        return array[:, ::-1] if a < 0 and array.ndim == 2 else array

    heights = cells("height", heights)
    rows, columns = heights.shape if heights.ndim == 2 else (0, 0)
    # The transform is that of corners, of cells whose middles the samples are.
    origin = (c + a * (0.5 if a > 0 else columns - 0.5), f + e * (0.5 if e > 0 else rows - 0.5))
    given = {}
    for name, layer in (layers or {}).items():
        array, *how = layer if isinstance(layer, tuple) else (layer,)
        given[name] = (cells(name, array), *how) if how else cells(name, array)
    place = {"origin": origin, "cell": (abs(a), abs(e)), "crs": about("crs"), "north_first": e < 0, **options}
    return Terrain(heights, layers=given, **place)


def profile_of(land):
    x, y = land.coordinates
    rows, columns = land.shape
    dx, dy = (land._frame["geo"] or (None, None, land.cell))[2]
    return {
        "driver": "GTiff", "dtype": "float32", "count": 1, "width": columns, "height": rows, "nodata": None,
        "crs": land.crs, "transform": (dx, 0.0, x[0] - dx / 2, 0.0, -dy, y[-1] + dy / 2),
    }  # fmt: skip


def columns_of(features, crs):
    """The columns of lines from dicts, one a feature."""
    vertices, part_starts, part_closed, feature_starts = [], [0], [], [0]
    shapes, names, numbers, texts, of_vertices = [], [], {}, {}, {}
    total = 0
    for index, feature in enumerate(features):
        if not isinstance(feature, dict) or "points" not in feature:
            raise RecipeError("a feature is a dict with 'points'", 'for example {"points": [[0, 0], [10, 5]], "name": "way"}')
        shape = feature.get("shape", "line")
        if shape not in _shapes:
            raise RecipeError(f"a feature is a point, a line or a polygon, not '{shape}'")
        points = feature["points"]
        several = len(points) > 0 and np.ndim(points[0]) == 2
        count = 0
        for part in points if several else [points]:
            part = np.atleast_2d(as_numbers("points", part))
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
        "geo": None if crs is None else (crs_text(crs), (0.0, 0.0), (1.0, 1.0)),
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
        properties = {"name": columns["names"][i] or None} if any(columns["names"]) else {}
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
    geopandas = import_module("geopandas")

    geo = lines.columns["geo"]
    crs = geo[0] if geo and geo[0] else None
    if not len(lines):
        return geopandas.GeoDataFrame({"geometry": []}, crs=crs)
    return geopandas.GeoDataFrame.from_features(lines, crs=crs)
