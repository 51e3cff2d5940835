#include "python/native/convert.h"

#include <limits>

#include "tepui/core/error.h"

namespace tepui::python {

namespace py = pybind11;

namespace {

Json number_json(double value) {
  Json json;
  json.type = Json::Type::number;
  json.number = value;
  return json;
}

Json integer_json(py::handle object) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow == 0) return json_integer(value);
  // Beyond any range, as the range's own message will say.
  return number_json(overflow > 0 ? 0x1p63 : -0x1p63);
}

Json list_json(py::handle object, const std::string& name) {
  Json json = json_list({});
  for (const py::handle item : object) json.items.push_back(json_of(item, name));
  return json;
}

Json object_json(const py::dict& dict, const std::string& name) {
  Json json = json_object({});
  for (const auto& [key, value] : dict) json.members.push_back({py::str(key), {}, json_of(value, name)});
  return json;
}

}  // namespace

Json json_of(py::handle object, const std::string& name) {
  if (object.is_none()) return json_string("auto", {});
  if (PyBool_Check(object.ptr())) return json_boolean(object.cast<bool>());
  if (PyLong_Check(object.ptr())) return integer_json(object);
  if (PyFloat_Check(object.ptr())) return number_json(object.cast<double>());
  if (py::isinstance<py::str>(object)) return json_string(object.cast<std::string>(), {});
  if (py::isinstance<py::dict>(object)) return object_json(py::reinterpret_borrow<py::dict>(object), name);
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) return list_json(object, name);
  if (py::hasattr(object, "tolist")) return json_of(object.attr("tolist")(), name);
  if (py::hasattr(object, "__fspath__")) return json_of(object.attr("__fspath__")(), name);
  if (PyIndex_Check(object.ptr()))
    return json_of(py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr())), name);
  if (py::hasattr(object, "__float__") && !PyComplex_Check(object.ptr()))
    return number_json(py::float_(py::reinterpret_borrow<py::object>(object)));
  const std::string type = py::str(object.get_type().attr("__name__"));
  throw Error(ErrorKind::request, "'" + name + "' cannot be a " + type, "give numbers, text, lists or dicts of them");
}

py::object python_of(const Json& value) {
  switch (value.type) {
    case Json::Type::null:
      return py::none();
    case Json::Type::boolean:
      return py::bool_(value.boolean);
    case Json::Type::integer:
      return py::int_(value.integer);
    case Json::Type::number:
      return py::float_(value.number);
    case Json::Type::string:
      return py::str(value.text);
    case Json::Type::array: {
      py::list list;
      for (const Json& item : value.items) list.append(python_of(item));
      return list;
    }
    case Json::Type::object: {
      py::dict dict;
      for (const JsonMember& member : value.members) dict[py::str(member.key)] = python_of(member.value);
      return dict;
    }
  }
  return py::none();
}

PlaceColumns::PlaceColumns(const Packed<double>& points) {
  if (points.ndim() != 2 || points.shape(1) != 3)
    throw Error(ErrorKind::request, "points must be an array of n x 3 numbers: x, y, z in metres of the world",
                "for example [[100, 200, 50]]");
  const auto count = static_cast<size_t>(points.shape(0));
  const double* data = points.data();
  x.resize(count), y.resize(count), z.resize(count);
  for (size_t i = 0; i < count; ++i) x[i] = data[3 * i], y[i] = data[3 * i + 1], z[i] = data[3 * i + 2];
}

}  // namespace tepui::python
