// The graph: worlds, nodes, operators of Python's own.
#include <algorithm>

#include "python/native/bind.h"
#include "python/native/convert.h"
#include "python/native/job.h"
#include "tepui/core/error.h"
#include "tepui/output/schema.h"
#include "tepui/recipe/meaning.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/param_json.h"
#include "tepui/recipe/recipe.h"

namespace tepui::python {

namespace py = pybind11;

namespace {

using OperatorHolder = std::shared_ptr<const Operator>;

/// An operator as Python holds it.
struct OperatorHandle {
  OperatorHolder op;
};

/// The world and seed of a recipe that says no more.
WorldHandle make_world(const py::dict& given, const py::object& seed, const std::optional<NodeHandle>& like) {
  Json document = json_object({});
  document.members.push_back({"tepui", {}, json_integer(1)});
  if (!seed.is_none()) document.members.push_back({"seed", {}, json_of(seed, "seed")});
  document.members.push_back({"world", {}, json_of(given, "world")});
  document.members.push_back({"nodes", {}, json_object({})});
  const Recipe recipe = build_recipe(std::move(document), {}, {});
  auto world = std::make_shared<DeferredWorld>();
  world->world = recipe.world;
  world->seed = recipe.seed;
  if (like) {
    if (like->node->op->output->frame == nullptr) refuse("a world can only be like land");
    world->from = like->node;
  }
  return {world};
}

py::dict world_dict(const WorldHandle& handle) {
  const World& world = handle.world->world;
  py::dict dict;
  dict["size"] = py::make_tuple(world.size.x, world.size.y);
  dict["resolution"] = world.resolution;
  dict["origin"] = py::make_tuple(world.origin.x, world.origin.y);
  dict["sea_level"] = world.sea_level ? py::object(py::float_(*world.sea_level)) : py::none();
  dict["seed"] = handle.world->seed;
  dict["like"] = static_cast<bool>(handle.world->from);
  return dict;
}

OperatorHandle named_operator(const std::string& name) { return {{std::shared_ptr<void>(), &require_operator(name)}}; }

NodeHandle make_node(const OperatorHandle& op, const py::dict& params,
                     const std::vector<std::pair<std::string, NodeHandle>>& inputs,
                     const std::optional<WorldHandle>& world) {
  Json given = json_object({});
  for (const auto& [key, value] : params) {
    const std::string name = py::str(key);
    try {
      given.members.push_back({name, {}, json_of(value, name)});
    } catch (const Error& error) {
      throw error.concerning(op.op->name, name);
    }
  }
  std::vector<DeferredInput> links;
  for (const auto& [port, node] : inputs) links.push_back({port, {node.node, node.layer}});
  return {deferred_node(op.op, given, links, world ? world->world : nullptr), {}};
}

/// Whatever thread lets go of it last.
std::shared_ptr<py::object> shared(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            if (Py_IsInitialized() == 0) return;
            const py::gil_scoped_acquire lock;
            delete held;
          }};
}

double bound(const py::dict& field, const char* name, double otherwise) {
  const py::object value = field.attr("get")(name);
  return value.is_none() ? otherwise : value.cast<double>();
}

/// A parameter as @operator declares it.
Field field_of(const py::dict& given) {
  Field field;
  field.name = py::str(given["name"]);
  field.doc = py::str(given["doc"]);
  field.unit = py::str(given["unit"]);
  const std::string type = py::str(given["type"]);
  for (const ParamType known : {ParamType::boolean, ParamType::integer, ParamType::number, ParamType::length,
                                ParamType::choice, ParamType::text, ParamType::seed})
    if (param_type_name(known) == type) field.type = known;
  field.range = {bound(given, "min", field.range.low), bound(given, "max", field.range.high)};
  field.slider = field.range;
  for (const py::handle choice : given["choices"]) field.choices.push_back(py::str(choice));
  field.fallback = param_from_json(field, json_of(given["default"], field.name));
  return field;
}

Value call_python(const Operator& op, py::object& function, const OperatorCall& call, const Context& context) {
  const py::gil_scoped_acquire lock;
  const PythonCall interruptible(context);
  py::list inputs;
  for (const std::vector<Value>& port : call.inputs) inputs.append(py::cast(port));
  py::dict params;
  for (size_t i = 0; i < call.params.size(); ++i) {
    const Field& field = op.params.fields[i];
    // A stream of random numbers follows from the recipe's seed and the node's.
    if (const Seed* seed = std::get_if<Seed>(&call.params[i]))
      params[py::str(field.name)] = seed->stream(op.name).bits(0);
    else if (const Length* length = std::get_if<Length>(&call.params[i]); length != nullptr && length->percent)
      params[py::str(field.name)] = py::str(param_text(field, *length));
    else
      params[py::str(field.name)] = python_of(param_to_json(field, call.params[i]));
  }
  return function(inputs, params).cast<Value>();
}

/// `about`: {"name", "version", "doc", "output", "ports": [(name, kind, optional, list)], "params": [field]}. What the
/// function is made of enters its nodes' keys.
OperatorHandle custom_operator(const py::dict& about, const std::string& source, py::object function) {
  auto op = std::make_shared<Operator>();
  op->name = py::str(about["name"]);
  op->output = &kind_named(about["output"].cast<std::string>());
  op->params.about = py::str(about["doc"]);
  for (const py::handle port : about["ports"]) {
    const auto [name, kind, optional, list] = port.cast<std::tuple<std::string, std::string, bool, bool>>();
    op->inputs.push_back({name, &kind_named(kind), optional, list});
  }
  for (const py::handle field : about["params"])
    op->params.fields.push_back(field_of(py::reinterpret_borrow<py::dict>(field)));
  op->outside = [hash = Hasher().add("python").add(source).finish()](const std::vector<ParamValue>&) { return hash; };
  op->run = [self = op.get(), held = shared(std::move(function))](const OperatorCall& call, const Context& context) {
    return call_python(*self, *held, call, context);
  };
  return {op};
}

py::list compute_all(const std::vector<NodeHandle>& nodes) {
  std::vector<DeferredPointer> unknown;
  for (const NodeHandle& node : nodes)
    if (node.node->value().empty()) unknown.push_back(node.node);
  if (!unknown.empty()) {
    const std::shared_ptr<ValueCache> store = cache();
    work([&](const Context& context) { compute(unknown, *store, context); });
  }
  py::list values;
  for (const NodeHandle& node : nodes) values.append(py::cast(node.value()));
  return values;
}

/// [(port, node)] of what it reads.
py::list inputs_of(const NodeHandle& node) {
  py::list list;
  for (size_t port = 0; port < node.node->inputs.size(); ++port)
    for (const DeferredReference& from : node.node->inputs[port])
      list.append(py::make_tuple(node.node->op->inputs[port].name, NodeHandle{from.node, from.layer}));
  return list;
}

/// [(age, node)] of what "every" divides it into, itself the last.
py::list stages_of(const NodeHandle& node) {
  py::list list;
  for (const auto& [age, stage] : node.node->stages) list.append(py::make_tuple(age, NodeHandle{stage, node.layer}));
  if (node.node->last || !node.node->stages.empty()) list.append(py::make_tuple(node.node->age, node));
  return list;
}

py::object name_of_kind(const Operator& op) { return py::str(op.output->name); }

}  // namespace

Value NodeHandle::part_of(const Value& whole) const {
  return layer.empty() ? whole : select(whole, Reference{0, layer, {}});
}

void bind_graph(py::module_& module) {
  py::class_<WorldHandle>(module, "World").def("__getstate__", &world_dict).def("dict", &world_dict);
  py::class_<OperatorHandle>(module, "Operator").def_property_readonly("name", [](const OperatorHandle& handle) {
    return handle.op->name;
  });
  py::class_<NodeHandle>(module, "Node")
      .def_property_readonly("op", [](const NodeHandle& node) { return node.node->op->name; })
      .def_property_readonly("name", [](const NodeHandle& node) { return node.node->name; })
      .def_property_readonly("id", [](const NodeHandle& node) { return reinterpret_cast<uintptr_t>(node.node.get()); })
      .def_readonly("layer_name", &NodeHandle::layer)
      .def_property_readonly("kind", [](const NodeHandle& node) { return name_of_kind(*node.node->op); })
      .def_property_readonly("known", [](const NodeHandle& node) { return !node.node->value().empty(); })
      .def_property_readonly("given", [](const NodeHandle& node) { return python_of(node.node->given); })
      .def_property_readonly("inputs", &inputs_of)
      .def_property_readonly("stages", &stages_of)
      .def_property_readonly("world",
                             [](const NodeHandle& node) -> std::optional<WorldHandle> {
                               if (!node.node->world) return std::nullopt;
                               return WorldHandle{node.node->world};
                             })
      .def("layer", [](const NodeHandle& node, const std::string& layer) {
        if (!node.layer.empty() && node.layer != layer) refuse("this land has only the layer '" + node.layer + "'");
        if (!node.node->op->output->has_layers())
          refuse("'" + node.node->name + "' gives " + node.node->op->output->name + ", which has no layers");
        return NodeHandle{node.node, layer};
      });
  module.def("operators_json", [] { return operators_json(); });
  module.def("operator", &named_operator);
  module.def("custom_operator", &custom_operator);
  module.def("world", &make_world, py::arg("given"), py::arg("seed"), py::arg("like"));
  module.def("node", &make_node);
  module.def(
      "constant",
      [](const Value& value, const std::optional<WorldHandle>& world) {
        return NodeHandle{deferred_value(value, world ? world->world : nullptr), {}};
      },
      py::arg("value"), py::arg("world") = py::none());
  module.def("compute", &compute_all);
}

}  // namespace tepui::python
