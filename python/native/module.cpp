// The module tepui._native: what tepui/*.py is made from.
#include <new>

#include "python/native/bind.h"
#include "python/native/job.h"
#include "python/native/live.h"
#include "tepui/core/error.h"
#include "tepui/core/version.h"

namespace tepui::python {

namespace py = pybind11;

py::object error_object(const Error& error) {
  const Place& place = error.place();
  const py::module_ errors = py::module_::import("tepui._errors");
  const py::object where = errors.attr("Place")(place.file, place.line, place.column, place.end_line, place.end_column,
                                                place.node, place.field);
  const char* name = error.kind() == ErrorKind::request ? "RecipeError" : "WorkError";
  return errors.attr(name)(error.message(), error.hint(), where, error.where());
}

namespace {

void raise(const Error& error) {
  if (error.kind() == ErrorKind::cancelled) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    return;
  }
  try {
    const py::object object = error_object(error);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())), object.ptr());
  } catch (py::error_already_set& other) {
    other.restore();
  }
}

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    raise(error);
  } catch (const std::bad_alloc&) {
    PyErr_SetString(PyExc_MemoryError, "out of memory; lower the resolution");
  }
}

}  // namespace

}  // namespace tepui::python

PYBIND11_MODULE(_native, module) {
  using namespace tepui::python;
  py::register_exception_translator(&translate);
  module.attr("version") = tepui::version;
  bind_values(module);
  bind_graph(module);
  bind_land(module);
  bind_results(module);
  bind_job(module);
  bind_live(module);
}
