#pragma once

#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tepui/graph/land_windows.h"
#include "tepui/output/output_kind.h"
#include "tepui/output/plan.h"
#include "tepui/output/window_bounds.h"

namespace tepui {

/// What a PNG of a recipe's value carries as text.
PngText png_text(const Recipe& recipe, const Hash& value, const Kind& kind);

/// Land that leaves in windows: how it is computed, and the part of it that is wanted; all of it where none is given.
struct LandCut {
  LandChain chain;
  std::optional<WindowBounds> bounds{};
};

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

  // The same for files of land that is computed window by window. Such land has no hash, so that the keys of these
  // nodes are made from what the windows follow from. A writer tells what a manifest says of the land.
  void add_check(const Output& output, const LandCut& cut);
  int add(const Output& output, const LandCut& cut);
  /// Adds a node that gives the land without its layers: where it lies, and its relief.
  int add_outline(const Output& output, const LandCut& cut);
  /// What the nodes that were computed by windows did, by name.
  const std::map<std::string, NodeReport>& window_reports() const { return reports_; }

  /// Adds a node that gives what a manifest says of a land: "low", "high", "voids". Returns it; -1 for other kinds.
  int add_measure(const Reference& land);

  const Graph& graph() const { return graph_; }

 private:
  struct Drawn;

  using CutWork = std::function<Value(LandWindows& land, const OperatorCall& call, const Context& context)>;
  /// Of a node that is given windows: the ports after that of the sources, and whether what it wrote is still there.
  struct CutPorts {
    std::vector<std::vector<Reference>> inputs{};
    std::function<bool(const Value& written)> stands{};
  };
  int add_cut_node(const char* name, const Kind& kind, const LandCut& cut, const Hash& described, CutWork work,
                   const Position& at, CutPorts ports);
  int add_cut_measure(const Output& output, const LandCut& cut);
  std::vector<FileRecord> write_tiles(LandWindows& land, const Output& output, const LandCut& cut,
                                      const OperatorCall& call, const Context& context) const;
  std::vector<FileRecord> write_window(LandWindows& land, const Output& output, const LandCut& cut,
                                       const Context& context) const;
  void add_reports(const LandWindows& land);
  PngText window_text() const;
  void prepare_places(const std::vector<std::string>& names) const;
  bool is_there(const FileRecord& record) const;

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
  PictureParams look_of(const Output& output) const;
  std::vector<Reference> volume_of(Reference from) const;

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
  std::mutex reports_mutex_;
  std::map<std::string, NodeReport> reports_;
};

}  // namespace tepui
