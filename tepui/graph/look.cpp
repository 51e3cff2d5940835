#include "tepui/graph/look.h"

#include <algorithm>
#include <deque>

#include "tepui/graph/land_windows.h"

namespace tepui {

namespace {

/// A graph with nodes at its end for the looks at some samples of a land.
struct FramedGraph {
  SharedGraph base;
  Graph graph;
  std::deque<Operator> operators;
};

Operator framing_operator(const LandChain& chain, const Frame& frame, const Kind& kind) {
  Operator op;
  op.name = "look";
  op.output = &kind;
  op.takes_world = chain.takes_world();
  op.outside = [chain, frame](const std::vector<ParamValue>&) {
    return Hasher().add(chain.hash()).add(frame.hash()).finish();
  };
  op.run = [chain, frame](const OperatorCall& call, const Context& context) {
    return LandWindows(chain, call.inputs.front(), call.world).at(frame, context);
  };
  return op;
}

}  // namespace

SharedGraph with_looks(const SharedGraph& base, const std::vector<Look>& looks, std::vector<int>& targets) {
  targets.clear();
  for (const Look& look : looks) targets.push_back(look.node);
  if (std::ranges::none_of(looks, [](const Look& look) { return look.frame.has_value(); })) return base;
  const auto framed = std::make_shared<FramedGraph>();
  framed->base = base;
  framed->graph = *base;
  for (size_t i = 0; i < looks.size(); ++i) {
    if (!looks[i].frame) continue;
    const Node& of = base->node(looks[i].node);
    const LandChain chain(*base, looks[i].node);
    Node node;
    node.name = of.name;
    node.at = of.at;
    node.op = &framed->operators.emplace_back(framing_operator(chain, *looks[i].frame, *of.op->output));
    node.inputs.emplace_back();
    for (const int source : chain.sources()) node.inputs.front().push_back({source, "", of.at});
    targets[i] = static_cast<int>(framed->graph.nodes.size());
    framed->graph.nodes.push_back(std::move(node));
  }
  return {framed, &framed->graph};
}

}  // namespace tepui
