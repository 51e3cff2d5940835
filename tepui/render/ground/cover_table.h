#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// The one table of what lies on the rock: pictures, sections, legends, bakes, weight maps and meshes read it.

namespace tepui {

/// Kinds of ground from below, as the weight maps of an engine blend them.
enum class GroundKind { rock, scree, soil, mud, gravel, sand, grass, shrub, conifer, broadleaf, ice, snow };
inline constexpr size_t ground_kinds = 12;
/// Of the kinds in their order.
using GroundShares = std::array<float, ground_kinds>;
std::string_view ground_kind_name(GroundKind kind);

/// What a layer of a cover tells.
enum class LaidBy {
  nothing,  ///< no layer lays it
  depth,    ///< metres, a part of the land's height
  water,    ///< metres over the ground
  share,    ///< of the ground, 0 to 1
};

/// A cover: a kind of ground, or what several kinds follow from.
struct CoverRow {
  const char* name;
  std::optional<GroundKind> kind;  ///< none: debris of any kind, water
  const char* layer;               ///< empty where none lays it
  LaidBy by;
  float hides;      ///< metres of it that hide all below, on land of enough relief
  float uneven;     ///< how far its edge follows the small relief
  float smooth;     ///< what it shows of the small relief: swells,
  float rough;      ///< humps and stones,
  float ripples;    ///< crests across the wind
  float roughness;  ///< perceptual, as glTF means it
  uint32_t rgb;     ///< in diagrams
};

inline constexpr size_t cover_row_count = 14;
/// From below: the last one lies on top of all.
std::span<const CoverRow, cover_row_count> cover_rows();
/// The row of a kind of ground.
const CoverRow& row_of(GroundKind kind);
/// Plants of whatever kind, trees among them.
bool is_plant(GroundKind kind);
bool is_tree(GroundKind kind);

/// How many metres of a cover hide what is below: half a metre, less on land of little relief (metres).
float hiding_thickness(double relief);

}  // namespace tepui
