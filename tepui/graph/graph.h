#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/position.h"
#include "tepui/graph/operator.h"

// Nodes and what links them: what a recipe's text becomes, and what the evaluator computes.

namespace tepui {

/// "node" or "node.layer"; a stage is a node, too.
struct Reference {
  int node = -1;
  std::string layer;  ///< empty: all of it
  Position at;
};

struct Node {
  std::string name;
  const Operator* op = nullptr;
  std::vector<std::vector<Reference>> inputs;  ///< per port
  std::vector<ParamValue> params;              ///< per field, after defaults
  Position at;
  std::vector<int> stages{};  ///< of a node that "every" divides: its stages in order, itself the last
  double age = 0;             ///< of a stage: that at which it ends
  int whole = -1;             ///< of a stage but the last: the node that it is a part of
  bool kept = false;          ///< whether its value is worth keeping whatever it cost

  bool is_stage() const { return whole >= 0 || !stages.empty(); }
};

/// The rectangle that generators fill: its own numbers, or the frame of a node.
struct World {
  Vec2 size{2048, 2048};
  int64_t resolution = 1025;
  Vec2 origin;
  int from = -1;  ///< index of the node whose frame it is
  std::optional<double> sea_level;

  Frame frame() const { return make_world(size, resolution, origin); }
};

struct Graph {
  uint64_t seed = 0;
  World world;
  std::vector<Node> nodes;

  const Node& node(int index) const { return nodes[static_cast<size_t>(index)]; }
  const Node& node(const Reference& reference) const { return node(reference.node); }
  /// -1 if there is none of that name.
  int find_node(std::string_view node_name) const;
  /// The nodes that this one waits for: those on its ports, and the one whose frame is the world.
  std::vector<int> needs(int node) const;
  /// The node's parameters, with what the world says where it leaves them open.
  std::vector<ParamValue> completed_params(const Node& node) const;
};

/// A graph that several hold, with all that it needs to be there.
using SharedGraph = std::shared_ptr<const Graph>;

}  // namespace tepui
