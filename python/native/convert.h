#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <span>
#include <vector>

#include "tepui/core/json.h"
#include "tepui/core/vec.h"

namespace tepui::python {

/// What Python gives as a parameter, as a recipe would hold it: numbers of numpy, too, tuples, records. None is "auto".
Json json_of(pybind11::handle object, const std::string& name);
/// And back.
pybind11::object python_of(const Json& value);

/// An array over memory that `owner` keeps: not copied, and not to be written to.
template <class T>
pybind11::array_t<T> view(const T* data, std::vector<pybind11::ssize_t> shape, std::shared_ptr<const void> owner) {
  const pybind11::capsule base(new std::shared_ptr<const void>(std::move(owner)),
                               [](void* held) { delete static_cast<std::shared_ptr<const void>*>(held); });
  // Any place will do for no elements, but not none.
  static const T nothing{};
  pybind11::array_t<T> array(std::move(shape), data != nullptr ? data : &nothing, base);
  array.attr("setflags")(pybind11::arg("write") = false);
  return array;
}

/// Numbers that Python gives, one after the other in memory and where numbers of their size may lie; what is not so
/// gets copied there.
template <class T>
using Packed = pybind11::array_t<T, pybind11::array::c_style | pybind11::array::forcecast |
                                        pybind11::detail::npy_api::NPY_ARRAY_ALIGNED_>;

/// Points, one a row of three coordinates, as three lists.
struct PlaceColumns {
  explicit PlaceColumns(const Packed<double>& points);
  std::vector<double> x, y, z;
};

}  // namespace tepui::python
