#include "python/native/deferred.h"

#include <algorithm>
#include <functional>
#include <map>

#include "tepui/core/error.h"
#include "tepui/graph/graph_checks.h"
#include "tepui/recipe/compose.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/param_json.h"
#include "tepui/recipe/stages.h"

namespace tepui::python {

namespace {

constexpr const char* constant_name = "value";

/// Puts deferred nodes into a graph, each once, those that it reads first.
class Gatherer {
 public:
  /// `foreign` gives the value of a node that lies in another world; with none the node itself is taken. `known`:
  /// values that are there stand for what they were computed from.
  using Foreign = std::function<Value(const DeferredPointer& node)>;
  Gatherer(WorldPointer world, Foreign foreign, bool known)
      : world_(std::move(world)), foreign_(std::move(foreign)), known_(known) {
    if (!world_) world_ = std::make_shared<const DeferredWorld>();
    graph_.seed = world_->seed;
    graph_.world = world_->world;
    if (world_->from) graph_.world.from = add(world_->from);
  }

  int add(const DeferredPointer& node) {
    const auto found = index_.find(node.get());
    if (found != index_.end()) return found->second;
    const bool foreign = foreign_ && node->world && !(*node->world == *world_);
    const bool constant = known_ && !node->value().empty() && (node->world || is_constant(*node));
    int index = 0;
    if (foreign) {
      index = add_constant(node, constant ? node->constant() : constant_operator(foreign_(node)));
    } else if (constant) {
      index = add_constant(node, node->constant());
    } else if (known_ && node->last) {
      index = add(node->last);
    } else {
      std::vector<std::vector<Reference>> inputs;
      for (const std::vector<DeferredReference>& port : node->inputs) {
        inputs.emplace_back();
        for (const DeferredReference& from : port) inputs.back().push_back({add(from.node), from.layer, {}});
      }
      index = add_node(node, node->op, node->params, std::move(inputs));
    }
    index_[node.get()] = index;
    return index;
  }

  DeferredGraph take() && { return std::move(graph_); }

 private:
  static bool is_constant(const Deferred& node) { return node.op->name == constant_name && node.inputs.empty(); }

  int add_constant(const DeferredPointer& node, std::shared_ptr<const Operator> op) {
    return add_node(node, std::move(op), {}, {});
  }

  int add_node(const DeferredPointer& source, std::shared_ptr<const Operator> op, std::vector<ParamValue> params,
               std::vector<std::vector<Reference>> inputs) {
    for (ParamValue& value : params)
      if (Seed* seed = std::get_if<Seed>(&value)) seed->recipe = graph_.seed;
    const int before = count_[source->name]++;
    const std::string name = before == 0 ? source->name : source->name + "_" + std::to_string(before + 1);
    Node node{name, op.get(), std::move(inputs), std::move(params), {}};
    node.kept = source->kept;
    graph_.nodes.push_back(std::move(node));
    graph_.sources.push_back(source);
    graph_.held.push_back(std::move(op));
    return static_cast<int>(graph_.nodes.size()) - 1;
  }

  WorldPointer world_;
  Foreign foreign_;
  bool known_;
  DeferredGraph graph_;
  std::map<const Deferred*, int> index_;
  std::map<std::string, int> count_;
};

WorldPointer first_world(const std::vector<DeferredPointer>& nodes) {
  for (const DeferredPointer& node : nodes)
    if (node->world) return node->world;
  return nullptr;
}

[[noreturn]] void refuse_field(const Deferred& node, const std::string& field, const std::string& message) {
  throw Error(ErrorKind::request, message).concerning(node.name, field);
}

/// Refuses links to a port that check_graph would refuse in the whole graph.
void check_links(const Deferred& node, size_t port) {
  Graph graph;
  Node reader{node.name, node.op.get(), {}, node.params, {}};
  reader.inputs.resize(node.inputs.size());
  for (const DeferredReference& from : node.inputs[port]) {
    reader.inputs[port].push_back({static_cast<int>(graph.nodes.size()), from.layer, {}});
    graph.nodes.push_back({from.node->name, from.node->op.get(), {}, {}, {}});
  }
  graph.nodes.push_back(std::move(reader));
  Problems first;
  check_graph(graph, first, link_hint);
}

void connect(Deferred& node, const std::vector<DeferredInput>& inputs) {
  const std::vector<Port>& ports = node.op->inputs;
  node.inputs.resize(ports.size());
  for (const DeferredInput& input : inputs) {
    const auto port = std::ranges::find(ports, input.port, &Port::name);
    if (port == ports.end()) refuse_parameter(*node.op, input.port, {});
    std::vector<DeferredReference>& list = node.inputs[static_cast<size_t>(port - ports.begin())];
    if (!list.empty() && !port->list) refuse_field(node, port->name, "port '" + port->name + "' takes one value");
    list.push_back(input.from);
  }
  for (size_t i = 0; i < ports.size(); ++i) {
    const std::string& port = ports[i].name;
    if (node.inputs[i].empty() && !ports[i].optional)
      refuse_field(node, port, "node '" + node.name + "' needs an input on its port '" + port + "'");
    try {
      check_links(node, i);
    } catch (const Error& error) {
      throw error.concerning(node.name, port);
    }
  }
}

void set_params(Deferred& node, const Json& given) {
  const ParamTable& table = node.op->params;
  for (const Field& field : table.fields) node.params.push_back(field.fallback);
  node.given = json_object({});
  for (const JsonMember& member : given.members) {
    const int index = table.find(member.key);
    try {
      if (index < 0) refuse_parameter(*node.op, member.key, {});
      const Field& field = table.fields[static_cast<size_t>(index)];
      node.params[static_cast<size_t>(index)] = param_from_json(field, member.value);
    } catch (const Error& error) {
      throw error.concerning(node.name, member.key);
    }
    node.given.members.push_back(member);
  }
  for (size_t i = 0; i < table.fields.size(); ++i)
    if (const FilePath* file = std::get_if<FilePath>(&node.params[i]); file != nullptr && file->path.empty())
      refuse_field(node, table.fields[i].name,
                   "node '" + node.name + "' needs a value for '" + table.fields[i].name + "'");
}

/// Those that are not their defaults, as a recipe would hold them.
Json given_of(const Operator& op, const std::vector<ParamValue>& params) {
  Json given = json_object({});
  for (size_t i = 0; i < params.size(); ++i) {
    const Field& field = op.params.fields[i];
    const Json text = param_to_json(field, params[i]);
    if (json_text(text) != json_text(param_to_json(field, field.fallback)))
      given.members.push_back({field.name, {}, text});
  }
  return given;
}

/// The node in a graph of its own, divided; the nodes that it reads, in `sources`, come first.
Graph divided_graph(const Deferred& whole, const std::vector<double>& ages, std::vector<DeferredPointer>& sources) {
  Graph graph;
  Node node{whole.name, whole.op.get(), {}, whole.params, {}};
  for (const std::vector<DeferredReference>& port : whole.inputs) {
    node.inputs.emplace_back();
    for (const DeferredReference& from : port) {
      node.inputs.back().push_back({static_cast<int>(sources.size()), from.layer, {}});
      sources.push_back(from.node);
      graph.nodes.push_back({from.node->name, from.node->op.get(), {}, {}, {}});
    }
  }
  add_node(graph, whole.name, {}, ages);
  node.stages = graph.nodes.back().stages;
  node.age = graph.nodes.back().age;
  graph.nodes.back() = std::move(node);
  divide(graph, static_cast<int>(graph.nodes.size()) - 1);
  return graph;
}

/// Gives the node the stages that "every" says.
void set_stages(Deferred& whole, const Json& every) {
  Json all = whole.given;
  all.members.push_back({every_key, {}, every});
  std::vector<double> ages;
  try {
    ages = stage_ages(*whole.op, all, [](const Json& value) { return value; });
  } catch (const Error& error) {
    throw error.concerning(whole.name, every_key);
  }
  whole.given = std::move(all);
  std::vector<DeferredPointer> made;
  const Graph graph = divided_graph(whole, ages, made);
  for (size_t i = made.size(); i < graph.nodes.size(); ++i) {
    const Node& from = graph.nodes[i];
    auto step = std::make_shared<Deferred>();
    step->op = whole.op;
    step->name = from.name;
    step->params = from.params;
    step->given = given_of(*whole.op, from.params);
    step->world = whole.world;
    step->kept = true;
    for (const std::vector<Reference>& port : from.inputs) {
      step->inputs.emplace_back();
      for (const Reference& reference : port)
        step->inputs.back().push_back({made[static_cast<size_t>(reference.node)], reference.layer});
    }
    made.push_back(step);
    if (from.whole >= 0) whole.stages.emplace_back(from.age, step);
  }
  whole.age = graph.nodes.back().age;
  whole.last = made.back();
}

/// The parameters without "every", where the operator has no parameter of that name; what it says in `every`.
Json without_every(const Operator& op, Json params, std::optional<Json>& every) {
  if (op.params.find(every_key) >= 0) return params;
  const auto found = std::ranges::find(params.members, every_key, &JsonMember::key);
  if (found == params.members.end()) return params;
  every = found->value;
  params.members.erase(found);
  return params;
}

std::shared_ptr<const Operator> unowned(const Operator* op) { return {std::shared_ptr<void>(), op}; }

}  // namespace

Value Deferred::value() const {
  const std::lock_guard lock(mutex_);
  return value_;
}

void Deferred::keep(const Value& value) const {
  const std::lock_guard lock(mutex_);
  value_ = value;
}

std::shared_ptr<const Operator> Deferred::constant() const {
  const Value value = this->value();
  const std::lock_guard lock(mutex_);
  if (!constant_) constant_ = constant_operator(value);
  return constant_;
}

std::shared_ptr<const Operator> constant_operator(const Value& value) {
  auto op = std::make_shared<Operator>();
  op->name = constant_name;
  op->output = &value.kind();
  op->run = [value](const OperatorCall&, const Context&) { return value; };
  const auto hash = std::make_shared<std::optional<Hash>>();
  const auto once = std::make_shared<std::once_flag>();
  op->outside = [value, hash, once](const std::vector<ParamValue>&) {
    std::call_once(*once, [&] { *hash = value.hash(); });
    return **hash;
  };
  return op;
}

DeferredPointer deferred_value(const Value& value, WorldPointer world) {
  auto node = std::make_shared<Deferred>();
  node->op = constant_operator(value);
  node->name = value.kind().noun;
  node->world = std::move(world);
  node->keep(value);
  return node;
}

DeferredPointer deferred_node(std::shared_ptr<const Operator> op, const Json& params,
                              const std::vector<DeferredInput>& inputs, WorldPointer world) {
  auto node = std::make_shared<Deferred>();
  node->op = std::move(op);
  node->name = node->op->name;
  std::optional<Json> every;
  set_params(*node, without_every(*node->op, params, every));
  connect(*node, inputs);
  node->world = std::move(world);
  for (const std::vector<DeferredReference>& port : node->inputs)
    for (const DeferredReference& from : port)
      if (!node->world) node->world = from.node->world;
  if (every) set_stages(*node, *every);
  return node;
}

std::vector<DeferredPointer> deferred_nodes(const Graph& graph) {
  std::vector<std::shared_ptr<Deferred>> nodes(graph.nodes.size());
  const std::function<std::shared_ptr<Deferred>(int)> made = [&](int index) {
    std::shared_ptr<Deferred>& node = nodes[static_cast<size_t>(index)];
    if (node) return node;
    const Node& from = graph.node(index);
    node = std::make_shared<Deferred>();
    node->op = unowned(from.op);
    node->name = from.name;
    node->params = from.params;
    node->given = given_of(*from.op, from.params);
    node->kept = from.is_stage();
    node->age = from.age;
    for (const std::vector<Reference>& port : from.inputs) {
      node->inputs.emplace_back();
      for (const Reference& reference : port) node->inputs.back().push_back({made(reference.node), reference.layer});
    }
    return node;
  };
  auto world = std::make_shared<DeferredWorld>();
  world->world = graph.world;
  world->world.from = -1;
  world->seed = graph.seed;
  if (graph.world.from >= 0) world->from = made(graph.world.from);
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    for (const int stage : graph.nodes[i].stages)
      if (graph.node(stage).whole >= 0)
        made(static_cast<int>(i))->stages.emplace_back(graph.node(stage).age, made(stage));
  std::vector<DeferredPointer> list;
  for (size_t i = 0; i < graph.nodes.size(); ++i) list.push_back(made(static_cast<int>(i)));
  // What the world's samples are made from lies in no world.
  std::vector<const Deferred*> before;
  const std::function<void(const Deferred*)> walk = [&](const Deferred* node) {
    if (std::ranges::find(before, node) != before.end()) return;
    before.push_back(node);
    for (const auto& port : node->inputs)
      for (const DeferredReference& from : port) walk(from.node.get());
  };
  if (world->from) walk(world->from.get());
  for (const std::shared_ptr<Deferred>& node : nodes)
    if (std::ranges::find(before, node.get()) == before.end()) node->world = world;
  return list;
}

DeferredGraph graph_of(const std::vector<DeferredPointer>& targets) {
  Gatherer gatherer(first_world(targets), {}, false);
  std::vector<int> indices;
  for (const DeferredPointer& target : targets) indices.push_back(gatherer.add(target));
  DeferredGraph graph = std::move(gatherer).take();
  graph.targets = std::move(indices);
  return graph;
}

DeferredGraph computing_graph(const std::vector<DeferredPointer>& targets, ValueCache& cache, const Context& context) {
  const auto foreign = [&](const DeferredPointer& node) { return compute({node}, cache, context).values.front(); };
  Gatherer gatherer(first_world(targets), foreign, true);
  std::vector<int> wanted;
  for (const DeferredPointer& target : targets) wanted.push_back(gatherer.add(target));
  DeferredGraph graph = std::move(gatherer).take();
  graph.targets = std::move(wanted);
  return graph;
}

Evaluation compute(const std::vector<DeferredPointer>& targets, ValueCache& cache, const Context& context) {
  const DeferredGraph graph = computing_graph(targets, cache, context);
  Evaluation done = evaluate(graph, graph.targets, cache, context);
  for (size_t i = 0; i < targets.size(); ++i) targets[i]->keep(done.values[i]);
  return done;
}

}  // namespace tepui::python
