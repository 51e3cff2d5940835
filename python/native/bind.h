#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "python/native/deferred.h"
#include "tepui/graph/node_report.h"

// The parts of the module, each in the file of its name.

namespace tepui::python {

/// A node, or a layer of one, as Python holds it.
struct NodeHandle {
  DeferredPointer node;
  std::string layer{};

  /// Of one whose value is known.
  Value value() const;
};

/// A world as Python holds it.
struct WorldHandle {
  WorldPointer world;
};

void bind_graph(pybind11::module_& module);
void bind_values(pybind11::module_& module);
void bind_land(pybind11::module_& module);
void bind_results(pybind11::module_& module);

}  // namespace tepui::python
