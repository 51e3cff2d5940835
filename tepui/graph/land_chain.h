#pragma once

#include <vector>

#include "tepui/graph/graph.h"

namespace tepui {

/// What windows of a node's land are computed from: the nodes that can be computed window by window, and the sources,
/// nodes that are computed whole. A node that cannot be computed by windows is its own only source.
class LandChain {
 public:
  /// Of a graph that outlasts it. `whole` marks nodes that are computed whole in any case, since something else needs
  /// all of them; it may be shorter than the list of nodes.
  LandChain(const Graph& graph, int node, const std::vector<bool>& whole = {});

  /// For land on samples of the reader's own: all of it by windows and anywhere in the world, or the node as a whole.
  static LandChain on_any_lattice(const Graph& graph, int node);

  /// A node that is computed window by window.
  struct Step {
    int node = -1;
    std::vector<ParamValue> params;  ///< completed by what the world says
    /// Of a port whose land the operator wants on samples of its own: what each of its lands is computed from.
    std::vector<std::vector<LandChain>> apart;
  };

  bool is_by_windows() const { return !steps_.empty(); }
  /// Whether the land can be computed on any samples of the world: no part of it has a place of its own.
  bool fits_any_lattice() const;
  /// Each after those that it reads, the node itself the last.
  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<int>& sources() const { return sources_; }
  /// Whether the world's frame is needed.
  bool takes_world() const { return takes_world_; }
  /// Its place among the steps, or among the sources; -1 where it is none of them.
  int step_of(int node) const;
  int source_of(int node) const;
  const Graph& graph() const { return *graph_; }

  /// Of all that windows follow from but the values of the sources and the world's frame. Looks at the files that
  /// operators read.
  Hash hash() const;

 private:
  void visit(int node, const std::vector<bool>& whole);
  void visit_port(Step& step, size_t port, const std::vector<bool>& whole);
  void add_source(int node);

  const Graph* graph_;
  std::vector<Step> steps_;
  std::vector<int> sources_;
  bool takes_world_ = false;
};

/// Whether the land is wanted on samples of the operator's own.
bool is_on_own_lattice(const Operator& op, size_t port);

}  // namespace tepui
