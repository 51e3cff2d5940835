#pragma once

#include <memory>
#include <optional>
#include <string>

#include "apps/tepui/commands.h"
#include "tepui/graph/disk_cache.h"
#include "tepui/io/raster/png.h"
#include "tepui/io/read.h"
#include "tepui/output/output_kind.h"
#include "tepui/output/plan.h"
#include "tepui/terrain/terrain.h"

namespace tepui::app {

/// A recipe from a file or, where there is no such file, from the presets.
Plan load_recipe_or_preset(const std::string& name, const Overrides& overrides = {});
/// The same; if there are problems, what comes back is of no use.
Plan load_recipe_or_preset(const std::string& name, const Overrides& overrides, Problems& problems);

/// The recipe as it is written, valid or not yet; nothing where there is none that can be read.
std::optional<Json> recipe_document(const std::string& name);

/// "node", "node.layer" or "node@age.layer" of a recipe; refuses a layer of what has none.
Reference named_node(const Recipe& recipe, const std::string& text);

/// The disk cache that was asked for, if any.
std::unique_ptr<DiskCache> open_cache(const CacheOptions& options);

/// The same changes, as a recipe takes them.
Overrides overrides_of(const RecipeChanges& changes);

/// The kind of value that FILE or RECIPE#node means, without making it.
const Kind& kind_of_file(const LandFile& file);

/// The look of the pictures of RECIPE#node; null of a file.
Json look_of_file(const LandFile& file);

/// Refuses changes of a recipe where the file is none.
void require_unchanged(const LandFile& file);

/// The value that FILE or RECIPE#node[.layer] means, with what a picture of it should know.
struct LoadedValue {
  Value value;
  Setting around;  ///< the recipe's; the world only of what needs it
  PngText text;    ///< recipe, seed and version
};
LoadedValue load_value(const LandFile& file, const Invocation& call);

/// Lines that an option names beside the file or node that is shown.
struct NamedLines {
  std::string name;    ///< FILE, RECIPE#node, or #node of the same recipe; empty where none are
  std::string option;  ///< "--rivers"
  std::string beside;  ///< what is shown
};
/// None where none are named; `changes` are for those of a recipe.
std::optional<Lines> lines_of(const NamedLines& named, const RecipeChanges& changes, const Invocation& call);

/// The land that FILE or RECIPE#node[.layer] means.
Terrain load_land(const LandFile& file, const Invocation& call);

/// The same with what a picture of it should know.
struct LoadedLand {
  Terrain land;
  std::optional<double> sea_level;  ///< of its recipe
  PngText text;
};
LoadedLand load_land_and_facts(const LandFile& file, const Invocation& call);

/// Refuses what is no land, with the commands that show it.
const Terrain& land_of(const Value& value, const std::string& spec);

/// Whether it is a recipe's file.
bool is_recipe(const std::string& spec);

/// Whether it is RECIPE#node.
bool is_node_spec(const std::string& spec);

}  // namespace tepui::app
