#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tepui/io/tiles.h"
#include "tepui/recipe/frames.h"
#include "tepui/recipe/operator.h"
#include "tepui/recipe/sheet_json.h"
#include "tepui/render/picture/picture_file.h"

// A recipe after validation: names resolved, types and ranges checked, defaults filled in.

namespace tepui {

struct Node {
  std::string name;
  const Operator* op = nullptr;
  std::vector<std::vector<Reference>> inputs;  ///< per port
  std::vector<ParamValue> params;              ///< per field, after defaults
  Position at;
  std::vector<int> stages{};  ///< of a node that "every" divides: its stages in order, itself the last
  double age = 0;             ///< of a stage: that at which it ends
  int whole = -1;             ///< of a stage but the last: the node that it is a part of

  bool is_stage() const { return whole >= 0 || !stages.empty(); }
};

struct Output {
  std::string name;  ///< relative file name; of tiles, their pattern
  Reference from;    ///< of a sheet: its first panel's
  std::vector<std::string> layers;
  std::optional<Reference> rock{};  ///< what the land that it shows is made of
  std::optional<PictureParams> render;
  std::optional<ValueFigure> figure;
  std::optional<Sheet> sheet;
  std::optional<Timelapse> timelapse;
  std::string pattern{};          ///< of a frame: what the recipe calls all of them
  std::vector<Reference> view{};  ///< of a frame that shows its stage: the first and the last, for a view of them all
  OutputParams options;
  Position at;

  /// Whether it shows the value rather than holding it.
  bool is_shown() const { return render || figure || sheet || timelapse; }

  /// How many values it shows or holds: they come first among its sources.
  size_t shown() const { return timelapse ? timelapse->frames.size() : sheet ? sheet->panels.size() : 1; }

  /// All that it is made from: what it shows, the rocks of that in the same order, and the stages that a view is of.
  std::vector<Reference> sources() const {
    std::vector<Reference> list = timelapse ? timelapse->frames : std::vector<Reference>();
    if (!sheet && !timelapse) list.push_back(from);
    for (const Panel& panel : sheet ? sheet->panels : std::vector<Panel>()) list.push_back(panel.from);
    for (const Panel& panel : sheet ? sheet->panels : std::vector<Panel>())
      if (panel.rock) list.push_back(*panel.rock);
    if (rock) list.push_back(*rock);
    list.insert(list.end(), view.begin(), view.end());
    return list;
  }

  /// The names of the files it becomes.
  std::vector<std::string> files() const {
    if (render) return picture_files(name, *render);
    return is_shown() ? std::vector<std::string>{name} : tile_names(name, options.tiles);
  }
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

struct Recipe {
  std::string name;  ///< the file's name without folder and ending
  std::string title;
  uint64_t seed = 0;
  World world;
  std::vector<Node> nodes;
  std::vector<Output> outputs;
  std::vector<std::string> warnings;
  Hash hash;  ///< of the recipe as given, overrides included
  std::vector<std::shared_ptr<const Source>> sources;

  /// -1 if there is none of that name.
  int find_node(std::string_view node_name) const;
  /// The nodes that this one waits for: those on its ports, and the one whose frame is the world.
  std::vector<int> needs(int node) const;
  /// Parses "node", "node.layer" or "node@age.layer"; throws with a suggestion.
  Reference reference(const std::string& text, Position at = {}) const;
};

/// What the command line changes in a recipe.
struct Overrides {
  std::optional<uint64_t> seed = {};
  std::optional<int64_t> resolution = {};
  std::vector<std::string> set = {};  ///< "var=value" or "node.param=value"
  bool test_size = false;             ///< apply the recipe's own "test" block
};

Recipe load_recipe(const std::string& path, const Overrides& overrides = {});
Recipe parse_recipe(Source source, const Overrides& overrides = {});

/// The document, before validation: for `make`, which writes one itself.
Recipe build_recipe(Json document, std::vector<std::shared_ptr<const Source>> sources, const Overrides& overrides);

}  // namespace tepui
