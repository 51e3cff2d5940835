#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tepui/core/json.h"
#include "tepui/graph/evaluate.h"

// A graph that grows call by call: what Python's values are before somebody looks at them.

namespace tepui::python {

class Deferred;
using DeferredPointer = std::shared_ptr<const Deferred>;

/// What a recipe says in "world" and "seed".
struct DeferredWorld {
  World world;           ///< its `from` is the next member
  DeferredPointer from;  ///< the node whose samples are the world's; none where the world has its own numbers
  uint64_t seed = 0;

  friend bool operator==(const DeferredWorld& a, const DeferredWorld& b) {
    return a.world.size == b.world.size && a.world.resolution == b.world.resolution &&
           a.world.origin == b.world.origin && a.world.sea_level == b.world.sea_level && a.from == b.from &&
           a.seed == b.seed;
  }
};
using WorldPointer = std::shared_ptr<const DeferredWorld>;

/// A deferred value, or one layer of it.
struct DeferredReference {
  DeferredPointer node;
  std::string layer{};
};

struct DeferredInput {
  std::string port;
  DeferredReference from;
};

/// A node before it is one of a graph: the operator, its parameters, and the nodes that it reads. Where it has a world,
/// its generators fill that; a node without one, such as rock, takes that of the node that reads it.
class Deferred {
 public:
  std::shared_ptr<const Operator> op;
  std::string name;  ///< for messages and recipes; several may have the same
  std::vector<ParamValue> params;
  std::vector<std::vector<DeferredReference>> inputs;  ///< per port
  WorldPointer world;
  Json given;  ///< the parameters that are not their defaults, as a recipe would hold them

  /// Of a node that "every" divides: its stages before the end, by their ages, then the end's age, and the step that
  /// goes there from the last of them; without one the node itself is that step.
  std::vector<std::pair<double, DeferredPointer>> stages;
  double age = 0;
  DeferredPointer last;
  bool kept = false;  ///< whether its value is worth keeping whatever it cost

  /// What it is, once that is known.
  Value value() const;
  void keep(const Value& value) const;
  /// The operator that gives its value, for graphs that read it.
  std::shared_ptr<const Operator> constant() const;

 private:
  mutable std::mutex mutex_;
  mutable Value value_;
  mutable std::shared_ptr<const Operator> constant_;
};

/// The operator without ports that gives this value. Its key is the value's hash.
std::shared_ptr<const Operator> constant_operator(const Value& value);

/// A node for a value that is there already.
DeferredPointer deferred_value(const Value& value, WorldPointer world = nullptr);

/// A node that computes the operator. Refuses what a recipe would be refused for, in the same words; the error's place
/// names the node and the field.
DeferredPointer deferred_node(std::shared_ptr<const Operator> op, const Json& params,
                              const std::vector<DeferredInput>& inputs, WorldPointer world);

/// A recipe's nodes, in their order, with its world and seed.
std::vector<DeferredPointer> deferred_nodes(const Graph& graph);

/// A graph of deferred nodes. Node i is `nodes[i]`, which keeps the operator that it points at.
struct DeferredGraph : Graph {
  std::vector<DeferredPointer> sources;
  std::vector<std::shared_ptr<const Operator>> held;
  std::vector<int> targets;
};

/// Computes them in one world, the first that they bring, and keeps their values.
Evaluation compute(const std::vector<DeferredPointer>& targets, ValueCache& cache, const Context& context);

/// The graph that computes them: values that are known stand for what they were made from, and those of other worlds
/// are computed first.
DeferredGraph computing_graph(const std::vector<DeferredPointer>& targets, ValueCache& cache, const Context& context);

/// The graph that leads to them, whatever is known of their values.
DeferredGraph graph_of(const std::vector<DeferredPointer>& targets);

}  // namespace tepui::python
