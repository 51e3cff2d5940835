// The module tepui._native: what tepui/*.py is made from.
#include <new>

#include "python/native/bind.h"
#include "python/native/job.h"
#include "tepui/core/error.h"
#include "tepui/core/version.h"

namespace tepui::python {

namespace py = pybind11;

namespace {

/// Errors as Python has them: the class by whose fault it is, with message, hint and place.
void raise(const Error& error) {
  const char* name = error.kind() == ErrorKind::request ? "RecipeError" : "WorkError";
  if (error.kind() == ErrorKind::cancelled) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    return;
  }
  const Place& place = error.place();
  try {
    const py::module_ errors = py::module_::import("tepui._errors");
    const py::object where = errors.attr("Place")(place.file, place.line, place.column, place.end_line,
                                                  place.end_column, place.node, place.field);
    const py::object type = errors.attr(name);
    PyErr_SetObject(type.ptr(), type(error.message(), error.hint(), where, error.where()).ptr());
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
}
