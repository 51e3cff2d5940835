// What any value tells, and the arrays of those that are no land.
#include <cmath>
#include <cstring>
#include <iterator>

#include "python/native/bind.h"
#include "python/native/convert.h"
#include "python/native/job.h"
#include "tepui/core/error.h"
#include "tepui/core/half.h"
#include "tepui/core/image.h"
#include "tepui/core/parallel.h"
#include "tepui/geology/geology.h"
#include "tepui/mesh/mesh.h"
#include "tepui/output/output_kind.h"
#include "tepui/planet/planet_places.h"
#include "tepui/planet/planet_value.h"
#include "tepui/terrain/lines.h"
#include "tepui/volume/volume.h"

namespace tepui::python {

namespace py = pybind11;

namespace {

/// Keeps the value while an array shows a part of it.
std::shared_ptr<const void> owner(const Value& value) { return std::make_shared<const Value>(value); }

template <class T>
py::array list_view(const std::vector<T>& list, const Value& value) {
  return view(list.data(), {static_cast<py::ssize_t>(list.size())}, owner(value));
}

/// Rows of `columns` numbers T, from records that consist of them.
template <class T, class Record>
py::array row_view(const Record* records, size_t count, const Value& value) {
  constexpr auto columns = static_cast<py::ssize_t>(sizeof(Record) / sizeof(T));
  return view(reinterpret_cast<const T*>(records), {static_cast<py::ssize_t>(count), columns}, owner(value));
}

py::list texts(const TextColumn& column) {
  py::list list;
  for (size_t i = 0; i < column.size(); ++i) list.append(py::str(std::string(column[i])));
  return list;
}

py::list columns_of(const std::vector<LineAttribute>& attributes, const Value& value) {
  py::list list;
  for (const LineAttribute& column : attributes)
    list.append(py::make_tuple(column.name, column.unit, list_view(column.values, value)));
  return list;
}

py::dict lines_columns(const Value& value) {
  const LinesColumns& columns = get<Lines>(value).columns();
  py::dict dict;
  dict["vertices"] = row_view<double>(columns.vertices.data(), columns.vertices.size(), value);
  dict["part_starts"] = list_view(columns.part_starts, value);
  dict["part_closed"] = list_view(columns.part_closed, value);
  dict["feature_starts"] = list_view(columns.feature_starts, value);
  dict["shapes"] = view(reinterpret_cast<const uint8_t*>(columns.shapes.data()),
                        {static_cast<py::ssize_t>(columns.shapes.size())}, owner(value));
  dict["names"] = texts(columns.names);
  dict["numbers"] = columns_of(columns.numbers, value);
  dict["vertex_numbers"] = columns_of(columns.vertex_numbers, value);
  py::list text;
  for (const LineTextAttribute& column : columns.texts)
    text.append(py::make_tuple(column.name, texts(column.values), list_view(column.present, value)));
  dict["texts"] = text;
  dict["geo"] = py::none();
  if (columns.geo)
    dict["geo"] = py::make_tuple(columns.geo->crs, py::make_tuple(columns.geo->origin.x, columns.geo->origin.y),
                                 py::make_tuple(columns.geo->step.x, columns.geo->step.y));
  return dict;
}

template <class T>
std::vector<T> list_of(const py::handle& object) {
  const auto array = py::reinterpret_borrow<py::object>(object).cast<Packed<T>>();
  return {array.data(), array.data() + array.size()};
}

template <class Record, class T>
std::vector<Record> records_of(const py::handle& object, const char* what) {
  const auto array = py::reinterpret_borrow<py::object>(object).cast<Packed<T>>();
  constexpr auto columns = static_cast<py::ssize_t>(sizeof(Record) / sizeof(T));
  if (array.size() != 0 && (array.ndim() != 2 || array.shape(1) != columns))
    refuse(std::string(what) + " must be an array of n x " + std::to_string(columns) + " numbers");
  std::vector<Record> list(static_cast<size_t>(array.size() / columns));
  if (!list.empty()) std::memcpy(static_cast<void*>(list.data()), array.data(), list.size() * sizeof(Record));
  return list;
}

std::vector<LineAttribute> attributes_of(const py::handle& list) {
  std::vector<LineAttribute> attributes;
  for (const py::handle item : list) {
    const auto column = py::reinterpret_borrow<py::tuple>(item);
    attributes.push_back({py::str(column[0]), py::str(column[1]), list_of<double>(column[2])});
  }
  return attributes;
}

/// From the columns that lines_columns gives.
Value make_lines(const py::dict& given) {
  LinesColumns columns;
  columns.vertices = records_of<Vec3, double>(given["vertices"], "vertices");
  columns.part_starts = list_of<uint64_t>(given["part_starts"]);
  columns.part_closed = list_of<uint8_t>(given["part_closed"]);
  columns.feature_starts = list_of<uint64_t>(given["feature_starts"]);
  for (const uint8_t shape : list_of<uint8_t>(given["shapes"])) {
    if (shape > 2) refuse("a feature is a point, a line or a polygon");
    columns.shapes.push_back(static_cast<FeatureShape>(shape));
  }
  for (const py::handle name : given["names"]) columns.names.add(std::string(py::str(name)));
  columns.numbers = attributes_of(given["numbers"]);
  columns.vertex_numbers = attributes_of(given["vertex_numbers"]);
  for (const py::handle item : given["texts"]) {
    const auto column = py::reinterpret_borrow<py::tuple>(item);
    LineTextAttribute& attribute = columns.texts.emplace_back();
    attribute.name = py::str(column[0]);
    for (const py::handle text : py::reinterpret_borrow<py::object>(column[1]))
      attribute.values.add(std::string(py::str(text)));
    attribute.present = list_of<uint8_t>(column[2]);
  }
  if (const py::object geo = given["geo"]; !geo.is_none()) {
    const auto [crs, origin, step] =
        geo.cast<std::tuple<std::string, std::pair<double, double>, std::pair<double, double>>>();
    columns.geo = Georeference{crs, {origin.first, origin.second}, {step.first, step.second}};
  }
  return Lines(std::move(columns));
}

py::dict mesh_columns(const Value& value) {
  const Mesh& mesh = get<Mesh>(value);
  py::dict dict, attributes;
  dict["centre"] = py::make_tuple(mesh.centre().x, mesh.centre().y, mesh.centre().z);
  dict["positions"] = row_view<float>(mesh.positions().data(), mesh.positions().size(), value);
  dict["triangles"] = row_view<uint32_t>(mesh.triangles().data(), mesh.triangles().size(), value);
  dict["normals"] = row_view<float>(mesh.normals().data(), mesh.normals().size(), value);
  dict["coordinates"] = row_view<float>(mesh.coordinates().data(), mesh.coordinates().size(), value);
  dict["colours"] = row_view<uint8_t>(mesh.colours().data(), mesh.colours().size(), value);
  for (const MeshAttribute& attribute : mesh.attributes())
    attributes[py::str(attribute.name)] = list_view(attribute.values, value);
  dict["attributes"] = attributes;
  return dict;
}

Value make_mesh(const std::tuple<double, double, double>& centre, const py::object& positions,
                const py::object& triangles, const py::dict& attributes) {
  MeshData data;
  data.centre = {std::get<0>(centre), std::get<1>(centre), std::get<2>(centre)};
  data.positions = records_of<MeshPoint, float>(positions, "vertices");
  data.triangles = records_of<MeshTriangle, uint32_t>(triangles, "triangles");
  for (const auto& [name, values] : attributes) data.attributes.push_back({py::str(name), "", list_of<float>(values)});
  return Mesh(std::move(data));
}

/// A number for each point.
template <class T, class Tell>
py::array_t<T> told_at(const Packed<double>& points, const Tell& tell) {
  const PlaceColumns at(points);
  py::array_t<T> result(static_cast<py::ssize_t>(at.x.size()));
  const std::span<T> numbers(result.mutable_data(), at.x.size());
  work([&](const Context& context) { tell(at, numbers, context); });
  return result;
}

py::array rock_resistance(const Value& value, const Packed<double>& points) {
  const Geology& rock = get<Geology>(value);
  return told_at<float>(points, [&](const PlaceColumns& at, std::span<float> rho, const Context& context) {
    parallel_chunks(std::ssize(at.x), 4096, context, [&](int64_t begin, int64_t end) {
      rock.resistance({&at.x[0] + begin, &at.y[0] + begin, &at.z[0] + begin, end - begin}, rho.data() + begin);
    });
  });
}

/// The index of the rock at each point, and the names.
py::tuple rock_names(const Value& value, const Packed<double>& points) {
  const Geology& rock = get<Geology>(value);
  py::list names;
  for (const NamedRock& named : rock.root().names()) names.append(py::make_tuple(named.name, named.resistance));
  py::array which = told_at<int32_t>(points, [&](const PlaceColumns& at, std::span<int32_t> index, const Context&) {
    rock.root().rocks({at.x.data(), at.y.data(), at.z.data(), static_cast<int64_t>(at.x.size())}, index.data());
  });
  return py::make_tuple(which, names);
}

py::array volume_field(const Value& value, const Packed<double>& points) {
  return told_at<float>(points, [&](const PlaceColumns& at, std::span<float> v, const Context& context) {
    get<Volume>(value).values(at.x, at.y, at.z, v, context);
  });
}

py::array volume_inside(const Value& value, const Packed<double>& points) {
  return told_at<uint8_t>(points, [&](const PlaceColumns& at, std::span<uint8_t> rock, const Context& context) {
    get<Volume>(value).inside(at.x, at.y, at.z, rock, context);
  });
}

py::array volume_resistance(const Value& value, const Packed<double>& points) {
  return told_at<float>(points, [&](const PlaceColumns& at, std::span<float> rho, const Context& context) {
    get<Volume>(value).resistances(at.x, at.y, at.z, rho, context);
  });
}

py::array volume_gradient(const Value& value, const Packed<double>& points) {
  const PlaceColumns at(points);
  std::vector<float> x(at.x.size()), y(x.size()), z(x.size());
  work([&](const Context& context) { get<Volume>(value).gradients(at.x, at.y, at.z, x, y, z, context); });
  py::array_t<float> result({static_cast<py::ssize_t>(x.size()), py::ssize_t{3}});
  float* to = result.mutable_data();
  for (size_t i = 0; i < x.size(); ++i) to[3 * i] = x[i], to[3 * i + 1] = y[i], to[3 * i + 2] = z[i];
  return result;
}

py::dict volume_about(const Value& value) {
  const Volume& volume = get<Volume>(value);
  const Box3 box = volume.support();
  py::dict dict;
  dict["threshold"] = volume.threshold();
  dict["low"] = py::make_tuple(box.low.x, box.low.y, box.low.z);
  dict["high"] = py::make_tuple(box.high.x, box.high.y, box.high.z);
  return dict;
}

/// The arrays of a planet by name, in the order of each_column.
constexpr const char* planet_names[] = {
    "directions", "triangles",   "height", "lake_depth", "receiver",    "discharge",  "runoff",   "steepness",
    "hardness",   "temperature", "season", "rain",       "summer_rain", "ice",        "ice_flow", "ice_flow_now",
    "snow_line",  "province",    "plate",  "stress",     "crust_age",   "plate_turns"};

struct PlanetColumns {
  const Value& value;
  py::dict& dict;
  size_t next = 0;

  template <class T>
  void operator()(const std::vector<T>& list) {
    if (next >= std::size(planet_names)) fail("a planet has an array that Python has no name for");
    const char* name = planet_names[next++];
    if constexpr (std::is_arithmetic_v<T>)
      dict[name] = list_view(list, value);
    else if constexpr (std::is_enum_v<T>)
      dict[name] = row_view<std::underlying_type_t<T>>(list.data(), list.size(), value).attr("ravel")();
    else if constexpr (std::is_same_v<T, Half>)
      dict[name] = row_view<uint16_t>(list.data(), list.size(), value).attr("ravel")().attr("view")("float16");
    else if constexpr (std::is_same_v<T, Direction>)
      dict[name] = row_view<float>(list.data(), list.size(), value);
    else if constexpr (std::is_same_v<T, Vec3>)
      dict[name] = row_view<double>(list.data(), list.size(), value);
    else
      dict[name] = row_view<std::decay_t<decltype(list[0][0])>>(list.data(), list.size(), value);
  }
};

py::dict planet_columns(const Value& value) {
  const Planet& planet = get<Planet>(value);
  py::dict dict;
  PlanetColumns columns{value, dict};
  each_column(planet.data(), [&](const auto& list) { columns(list); });
  dict["radius"] = planet.radius();
  return dict;
}

/// Metres above the sea at places in degrees. The places of a planet are prepared once and held by Python.
py::array planet_heights(const PlanetPlaces& places, const Packed<double>& latitude, const Packed<double>& longitude,
                         double spacing) {
  if (latitude.ndim() != 1 || longitude.ndim() != 1 || latitude.size() != longitude.size())
    refuse("latitudes and longitudes must be lists of as many numbers");
  for (py::ssize_t i = 0; i < latitude.size(); ++i)
    if (!(std::abs(latitude.at(i)) <= 90) || !std::isfinite(longitude.at(i)))
      refuse("a place is a latitude from -90 to 90 and a longitude, in degrees");
  if (!(spacing > 0)) refuse("'spacing' must be above 0 m", "for example 1000");
  const std::span<const double> lat(latitude.data(), static_cast<size_t>(latitude.size()));
  const std::span<const double> lon(longitude.data(), static_cast<size_t>(longitude.size()));
  std::vector<double> heights;
  work([&](const Context& context) { heights = places.heights(lat, lon, spacing, context); });
  return py::array_t<double>(static_cast<py::ssize_t>(heights.size()), heights.data());
}

py::array image_pixels(const Value& value) {
  const Image& image = get<Image>(value);
  return view(image.pixels.data(), {image.height, image.width, image.channels}, owner(value));
}

py::object image_light(const Value& value) {
  const Image& image = get<Image>(value);
  if (image.light.empty()) return py::none();
  return view(image.light.data(), {image.height, image.width, py::ssize_t{4}}, owner(value));
}

Value make_image(const Packed<uint8_t>& pixels) {
  if (pixels.ndim() != 3 || (pixels.shape(2) != 1 && pixels.shape(2) != 3 && pixels.shape(2) != 4) ||
      pixels.size() == 0 || pixels.size() > INT32_MAX)
    refuse("an image is an array of rows, columns and 1, 3 or 4 channels of 8 bits");
  Image image(static_cast<int>(pixels.shape(1)), static_cast<int>(pixels.shape(0)), static_cast<int>(pixels.shape(2)));
  std::memcpy(image.pixels.data(), pixels.data(), image.pixels.size());
  return image;
}

/// All of a value as bytes, as the cache has it: (kind, outline, [(hash, bytes of a part)]).
py::tuple dumped(const Value& value) {
  const Kind& kind = value.kind();
  if (!kind.is_kept()) throw py::type_error(kind.noun + " cannot be pickled; make it again where it is needed");
  const NodeFacts facts = facts_of(value);
  py::list parts;
  const std::vector<PartBytes> bytes = kind.parts(value);
  for (size_t i = 0; i < bytes.size(); ++i)
    parts.append(py::make_tuple(facts.parts[i].content.high, facts.parts[i].content.low,
                                py::bytes(bytes[i].data(), bytes[i].size())));
  return py::make_tuple(kind.name, py::bytes(facts.outline), parts);
}

/// And back.
Value restored(const std::string& kind, const py::bytes& outline, const py::list& given) {
  std::vector<Part> parts;
  std::vector<std::string_view> bytes;
  for (const py::handle item : given) {
    const auto part = py::reinterpret_borrow<py::tuple>(item);
    bytes.push_back(part[2].cast<std::string_view>());
    parts.push_back({{part[0].cast<uint64_t>(), part[1].cast<uint64_t>()}, bytes.back().size()});
  }
  const PartReader read = [&](size_t index, void* to, size_t size) {
    if (index >= bytes.size() || bytes[index].size() != size) return false;
    if (size > 0) std::memcpy(to, bytes[index].data(), size);
    return true;
  };
  const std::optional<Value> value = kind_named(kind).restore(outline.cast<std::string_view>(), parts, read);
  if (!value) refuse("these bytes are not those of a value");
  return *value;
}

std::string info_of(const Value& value) {
  std::string text;
  work([&](const Context& context) { text = output_kind(value).info(value, context); });
  return text;
}

std::string text_of(const Value& value) {
  std::string text;
  work([&](const Context& context) { text = output_kind(value).text(value, context); });
  return text;
}

std::string hash_of(const Value& value) {
  const py::gil_scoped_release released;
  return value.hash().text();
}

}  // namespace

void bind_values(py::module_& module) {
  py::class_<Value>(module, "Value")
      .def_property_readonly("kind", [](const Value& value) { return value.kind().name; })
      .def_property_readonly("bytes", &Value::bytes)
      .def_property_readonly("hash", &hash_of)
      .def("info", &info_of)
      .def("text", &text_of)
      .def("dumped", &dumped);
  module.def("restored", &restored);
  module.def("lines_columns", &lines_columns);
  module.def("make_lines", &make_lines);
  module.def("mesh_columns", &mesh_columns);
  module.def("make_mesh", &make_mesh);
  module.def("rock_resistance", &rock_resistance);
  module.def("rock_names", &rock_names);
  module.def("volume_field", &volume_field);
  module.def("volume_inside", &volume_inside);
  module.def("volume_resistance", &volume_resistance);
  module.def("volume_gradient", &volume_gradient);
  module.def("volume_about", &volume_about);
  module.def("planet_columns", &planet_columns);
  py::class_<PlanetPlaces>(module, "PlanetPlaces")
      .def(py::init([](const Value& value) { return PlanetPlaces(get<Planet>(value)); }))
      .def("heights", &planet_heights);
  module.def("image_pixels", &image_pixels);
  module.def("image_light", &image_light);
  module.def("make_image", &make_image);
}

}  // namespace tepui::python
