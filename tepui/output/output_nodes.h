#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tepui/output/output_kind.h"
#include "tepui/output/plan.h"

namespace tepui {

/// What a PNG of a recipe's value carries as text.
PngText png_text(const Recipe& recipe, const Hash& value, const Kind& kind);

/// A recipe's graph with its outputs as nodes at its end: one that draws gives an image, one that polygonizes a mesh,
/// one that writes the list of its files. What several outputs need is one node. They have keys as all nodes do, so
/// that what is there already is not made again.
class OutputGraph {
 public:
  /// `path_of` says where a file of this name goes; with `keep`, files that are there with the right bytes stay.
  OutputGraph(const Plan& plan, std::function<std::string(const std::string& name)> path_of, bool keep);

  /// Adds a node that refuses what cannot be written, where that depends on the value; what is added later writes
  /// nothing before it has passed. Frames of stages, of which there may be many, are refused one by one.
  void add_check(const Output& output);

  /// Adds the nodes of an output. Returns the one that writes its files.
  int add(const Output& output);

  /// Adds a node that tells of a land what a manifest says: "low", "high", "voids". Returns it; -1 for other kinds.
  int add_measure(const Reference& land);

  const Graph& graph() const { return graph_; }

 private:
  struct Drawn;

  int add_node(Operator op, std::vector<std::vector<Reference>> inputs, const Position& at);
  int add_step(const WritingStep& step, const Reference& from, const Position& at);
  int add_picture(const Drawn& drawn);
  int add_writer(const Output& output, std::vector<std::vector<Reference>> inputs, Hash described,
                 std::function<std::vector<FileRecord>(const OperatorCall& call, const Context& context)> write);
  int write_images(const Output& output);
  int write_sheet(const Output& output);
  int write_turntable(const Output& output);
  int write_timelapse(const Output& output);
  int write_drawing(const Output& output);
  int write_data(const Output& output);
  ExportRequest request_of(const Output& output) const;

  Setting setting(const OperatorCall& call) const;
  void add_text(Hasher& described, const Kind& kind) const;
  PngText text_of_images(const std::vector<Value>& images, const Kind& kind) const;
  const Kind& kind_at(const Reference& reference) const { return *graph_.node(reference).op->output; }

  const Plan& plan_;
  std::function<std::string(const std::string& name)> path_of_;
  bool keep_;
  Graph graph_;
  std::deque<Operator> operators_;  ///< of the nodes that are not the recipe's
  std::map<Hash, int> known_;       ///< nodes by what they do
  std::vector<Reference> checks_;   ///< what has to pass before anything is written
};

}  // namespace tepui
