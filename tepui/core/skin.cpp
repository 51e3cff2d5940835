#include "tepui/core/skin.h"

namespace tepui {

std::vector<std::string> biome_names() {
  return {"desert", "alpine", "coast", "karst", "temperate", "boreal", "savanna", "volcanic", "ice", "tundra"};
}

void describe(Fields<OwnColour>& f) {
  f.about("A colour of one's own");
  f("of", &OwnColour::of,
    "the name of a rock's bed, \"material 2\", or rock, scree, soil, mud, gravel, sand, grass, shrub, conifer, "
    "broadleaf, ice or snow");
  f("colour", &OwnColour::colour, "as \"#rrggbb\"");
}

const std::vector<std::string>& skin_fields() {
  static const std::vector<std::string> names = {"biome", "season", "snow_line", "colours"};
  return names;
}

}  // namespace tepui
