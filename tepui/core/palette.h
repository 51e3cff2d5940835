#pragma once

#include <string>
#include <vector>

namespace tepui {

/// The biomes that natural colours know.
enum class Palette {
  desert,  ///< red beds under buff caprock, pale talus, dusty plains with sage
  alpine,  ///< grey rock, scree, turf on gentle ground, snow high up where it can lie
  coast,   ///< pale rock and turf, a sand beach at the water
  karst,   ///< white limestone, woods and red earth in the hollows
};

/// Of the values in their order, as a field's choices.
inline std::vector<std::string> palette_names() { return {"desert", "alpine", "coast", "karst"}; }

}  // namespace tepui
