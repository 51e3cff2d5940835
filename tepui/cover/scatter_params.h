#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/params.h"

namespace tepui {

/// What `scatter` sets on the land, as users write it: what is left out is usual for the species.
struct ScatterSpecies {
  std::string species = "conifer";
  std::optional<std::string> layer{};
  std::optional<double> density{};   // a hectare
  std::optional<Interval> height{};  // metres
  std::optional<double> crown{};     // radius over height
  std::optional<double> skew{};
  std::optional<double> poor{};      // of the height
  std::optional<double> steepest{};  // degrees
  std::optional<double> lean{};      // of the slope
  std::optional<double> sway{};      // degrees
  int forms = 6;
};
void describe(Fields<ScatterSpecies>& f);

struct ScatterParams {
  std::vector<ScatterSpecies> species{{"conifer"}, {"broadleaf"}, {"dead"}, {"shrub"}, {"grass"}, {"rock"}};
  double density = 1;
  double spacing = 0.8;
  double clumps = 0.6;
  Length clump_size = metres(45);
  double snow = 0.8;
  std::optional<double> sea_level{};
  Seed seed;
};
void describe(Fields<ScatterParams>& f);

/// What a species needs, all of it.
struct SpeciesHabit {
  std::string_view layer;  ///< that says where
  double density;          ///< a hectare, where the layer is 1
  Interval height;         ///< metres
  double crown;            ///< radius, as a share of the height
  double skew;             ///< 1: every height as often; more: many small, few tall
  double poor;             ///< height on the poorest ground, as a share
  double steepest;         ///< slope that it stands on, degrees
  double lean;             ///< downhill, as a share of the slope
  double sway;             ///< at random, degrees
};

/// The habit of a species: as the user says, else as is usual for its name; for a name that is unknown, as of conifers.
/// It lives as long as the species.
SpeciesHabit habit_of(const ScatterSpecies& species);

/// Layers that mean something of their own: all of the land, and loose blocks (`talus`, and `sediment` on slopes).
inline constexpr std::string_view everywhere_layer = "everywhere", debris_layer = "debris";

}  // namespace tepui
