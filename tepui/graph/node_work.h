#pragma once  // internal

#include <functional>
#include <vector>

#include "tepui/graph/land_chain.h"
#include "tepui/graph/node_report.h"

// The work on one node, which evaluate() and Session share: what it reads, its key, and its value.

namespace tepui {

/// What a node reads.
struct NodeInputs {
  std::vector<int> values;                    ///< nodes whose values computing it takes, one for each use
  std::vector<int> sources;                   ///< nodes whose content its key takes: these, and that of the world
  std::vector<std::vector<LandChain>> apart;  ///< by port: lands that it wants on samples of its own
};
NodeInputs node_inputs(const Graph& graph, int node);

/// What is known of the nodes that a node reads.
struct KnownNodes {
  std::function<const NodeFacts&(int node)> facts;
  std::function<const Value&(int node)> value;  ///< not for a key
  std::function<Frame()> world;                 ///< the world's frame
};

/// Of what a node reads beside its inputs. What changed between the key and the reading would be kept under the wrong
/// key.
Hash outside_of(const Node& node);

/// Of all that the node's value follows from; `outside` is outside_of the node.
Hash node_key(const Graph& graph, int node, const NodeInputs& inputs, const Hash& outside, const KnownNodes& known);

/// Whether files that the facts of a node tell of are still there.
bool still_stands(const Node& node, const NodeFacts& facts);

struct Computed {
  Value value;
  NodeFacts facts;
};
/// How an operator is run; plainly, unless something else is said.
using RunOperator = std::function<Value(const Operator& op, const OperatorCall& call, const Context& context)>;
/// Runs the node's operator. The facts' cost is that of the node and of the inputs that are not kept.
Computed compute_node(const Graph& graph, int node, const NodeInputs& inputs, const Hash& outside,
                      const KnownNodes& known, const Context& context, const RunOperator& run = {});

/// A warning that the node's facts keep, with the names of files that the node has now.
std::string warning_now(const std::string& kept, const Node& node);

}  // namespace tepui
