#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tepui/recipe/edit.h"

// Where in a recipe strokes go: its text with the nodes that they need.

namespace tepui::studio {

/// Where a stroke goes.
struct StrokePlace {
  std::string text;   ///< of the recipe, with what had to be added
  std::string node;   ///< whose port takes the strokes
  std::string lines;  ///< the node that reads them
  std::string file;   ///< of a node that was added; empty where it was there
  bool made = false;  ///< `node` was added
};

/// The name for a new file of strokes of a node; nobody else has it.
using NewFile = std::function<std::string(const std::string& node)>;

/// To the strokes that feed a port of a node; where nothing does, a node that reads a new file. Refuses ports that take
/// no lines, or take them from something else.
StrokePlace place_onto(const Source& source, const std::string& node, const std::string& port, const NewFile& new_file);

/// To the brush `after`, if it is one of this operator; else to a new one, which all take who took `after`. Of a
/// rock_body: to the one before the rock that `after` is made of.
StrokePlace place_after(const Source& source, const std::string& after, const std::string& op, const NewFile& new_file);

/// Whether a node was made by a brush: its text says so, for the next stroke to go on with it.
bool is_brush(const Json& node);

}  // namespace tepui::studio
