#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "python/native/deferred.h"
#include "tepui/graph/node_report.h"

// The parts of the module, each in the file of its name.

namespace tepui {
class Error;
}

namespace tepui::python {

/// A node, or a layer of one, as Python holds it.
struct NodeHandle {
  DeferredPointer node;
  std::string layer{};

  /// Of one whose value is known.
  Value value() const { return part_of(node->value()); }
  /// What it means of the node's value.
  Value part_of(const Value& whole) const;
};

/// A world as Python holds it.
struct WorldHandle {
  WorldPointer world;
};

/// An error as Python has it: of the class by whose fault it is, with message, hint and place.
pybind11::object error_object(const Error& error);

void bind_graph(pybind11::module_& module);
void bind_values(pybind11::module_& module);
void bind_land(pybind11::module_& module);
void bind_results(pybind11::module_& module);

}  // namespace tepui::python
