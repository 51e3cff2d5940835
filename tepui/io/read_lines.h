#pragma once

#include <optional>
#include <string>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Lines from a file: GeoJSON or GeoPackage (io/table/lines_read.h says what happens to features and coordinates).
struct ReadLinesParams {
  FilePath file;
  std::optional<std::string> layer{};  ///< Which of several.
  std::optional<std::string> crs{};    ///< The system of its coordinates.
};
void describe(Fields<ReadLinesParams>& f);

/// With `land`, the lines are brought to the land's world, whatever the two reference systems are.
Lines read_lines(const Terrain* land, const ReadLinesParams& params, const Context& context);

}  // namespace tepui
