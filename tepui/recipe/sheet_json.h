#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/recipe/figure_json.h"
#include "tepui/recipe/reference.h"
#include "tepui/render/page/sheet.h"

namespace tepui {

struct Recipe;

/// One picture of a sheet.
struct Panel {
  Reference from;
  std::string caption;
  std::optional<PictureParams> render;  ///< a picture, or
  std::optional<FigureParams> figure;   ///< a figure
  std::optional<Reference> rock{};      ///< what the land is made of
};

/// Pictures of several nodes in one.
struct Sheet {
  std::string title;
  int columns = 0;  ///< 0: as suits them
  std::vector<Panel> panels;
};

/// A sheet from the object that describes it, variables resolved; `name` is the file it becomes.
Sheet sheet_from_json(const Json& object, const std::string& name, const Recipe& recipe);

/// What the land of an output or a panel is made of, from its "rock"; none where it says nothing.
std::optional<Reference> rock_from_json(const Json& object, const Recipe& recipe, const Reference& shown);

void hash_sheet(Hasher& key, const Sheet& sheet);

}  // namespace tepui
