#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tepui {

/// How numbers become colours. In every map but `difference` and `compass` lightness (CIE L*) rises in equal steps, so
/// that equal differences look equal, a grey print keeps the order and so does an eye that lacks a kind of cone;
/// `difference` falls from its light middle to two ends of equal lightness.
enum class ColourMap {
  viridis,     ///< dark violet over green to yellow; hues after van der Walt and Smith 2015
  cividis,     ///< blue over grey to yellow, nearly the same for every eye; after Nuñez et al. 2018
  grey,        ///< black to white
  relief,      ///< hypsometric: valley green over buff to snow
  difference,  ///< blue over white to red; its middle is zero
  earth,       ///< dark brown over ochre to cream: soft and hard rock
  compass,     ///< all hues in a circle, its ends alike: directions; north-west is lightest, as in a hillshade
  by_layer,    ///< what suits the layer (layer_scale.h), earth of rock; viridis where there is none
};

/// "viridis", "cividis", ...: the names of the values in their order, as a field's choices.
const std::vector<std::string>& colour_map_names();

/// The colours of a map, 0xRRGGBB in sRGB, from its low end to its high one.
using ColourTable = std::array<uint32_t, 256>;
const ColourTable& colour_table(ColourMap map);

/// What has no direction, such as level ground, beside the colours of `compass`.
inline constexpr uint32_t no_direction_rgb = 0x8c8c8c;

/// The colour at t in [0, 1], which the ends hold beyond it.
uint32_t colour_at(ColourMap map, double t);

/// Of rock by its resistance, in sections, pictures and meshes alike: the `earth` of [0, 1].
inline uint32_t rock_colour(double resistance) { return colour_at(ColourMap::earth, resistance); }

/// Lightness and opponent colours of an sRGB colour: CIE 1976 L*a*b* under D65.
struct Lab {
  double l = 0, a = 0, b = 0;
};
Lab lab_from_srgb(uint32_t rgb);
/// With less colour where the screen has not so much of it: lightness and hue stay.
uint32_t srgb_from_lab(Lab colour);

}  // namespace tepui
