#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/core/params.h"
#include "tepui/core/season.h"

// What pictures, bakes and meshes are told of the land's natural look.

namespace tepui {

/// The kinds of country that natural colours know.
enum class Biome {
  desert,     ///< red beds under buff caprock, pale talus, dusty plains with sage
  alpine,     ///< grey rock, scree, woods and turf on gentle ground, snow high up where it can lie
  coast,      ///< pale rock and turf, a sand beach at the water
  karst,      ///< white limestone, woods and red earth in the hollows
  temperate,  ///< meadows and broad-leaved woods over grey and brown rock
  boreal,     ///< dark conifers, heath and moss over granite
  savanna,    ///< straw-coloured grass with scattered trees over red earth
  volcanic,   ///< black lava, grey and rusty ash, a little moss
  ice,        ///< snow and ice over all but the steepest dark rock
  tundra,     ///< brown and ochre heath, frost-shattered stones, patches of snow
};
inline constexpr size_t biome_count = 10;
/// Of the values in their order, as a field's choices.
std::vector<std::string> biome_names();

/// A colour of one's own: of a rock by the name of its bed or `material N`, of a kind of ground, or of `rock`.
struct OwnColour {
  std::string of;
  Colour colour{};
};
void describe(Fields<OwnColour>& f);

struct SkinParams {
  std::optional<Biome> biome{};  // not given: by the layers that are there
  Season season = Season::summer;
  std::optional<double> snow_line{};  // metres above the datum; not given: by the biome and the land's relief
  std::vector<OwnColour> colours{};
};

/// Adds the fields of a SkinParams to those of a struct that is derived from it, or has the same members.
template <class P>
void describe_skin(Fields<P>& f) {
  f("biome", static_cast<std::optional<Biome> P::*>(&P::biome), biome_names(),
    "kind of country that the natural colours are of; auto: by the layers that are there, such as plants, snow, "
    "temperature, water, and the sea; desert where nothing tells");
  f("season", static_cast<Season P::*>(&P::season), season_names(),
    "time of year, by which grass and leaves have their colours");
  f("snow_line", static_cast<std::optional<double> P::*>(&P::snow_line), Range{-1e6, 1e6},
    "height above which snow lies in natural colours where no layer says so; auto: by biome and relief")
      .unit("m");
  f("colours", static_cast<std::vector<OwnColour> P::*>(&P::colours), Range{0, 64},
    "colours of one's own: of a rock by its bed's name or as \"material 2\", or of a kind of ground");
}

/// The names of those fields.
const std::vector<std::string>& skin_fields();

}  // namespace tepui
