#include "tepui/cover/scatter_params.h"

#include <algorithm>
#include <array>

namespace tepui {

namespace {

struct Usual {
  std::string_view name;
  SpeciesHabit habit;
};

constexpr std::array<Usual, 10> usual_species{{
    {"conifer", {"conifer", 400, {6, 24}, 0.14, 1, 0.25, 48, 0.08, 2}},
    {"pine", {"conifer", 280, {5, 20}, 0.17, 1, 0.25, 50, 0.1, 3}},
    {"larch", {"conifer", 300, {6, 22}, 0.15, 1, 0.3, 48, 0.15, 3}},
    {"broadleaf", {"broadleaf", 140, {5, 18}, 0.28, 1, 0.4, 42, 0.15, 3}},
    {"birch", {"broadleaf", 350, {4, 15}, 0.18, 1, 0.35, 45, 0.2, 4}},
    {"acacia", {"broadleaf", 60, {3, 9}, 0.5, 1, 0.5, 35, 0.1, 4}},
    {"shrub", {"shrub", 300, {0.5, 2.5}, 0.55, 1.5, 0.4, 50, 0.3, 4}},
    {"grass", {"grass", 60, {0.25, 0.8}, 0.5, 1.5, 0.6, 55, 0.3, 6}},
    {"rock", {debris_layer, 250, {0.4, 3}, 0.6, 4, 1, 42, 0.7, 15}},
    {"dead", {"conifer", 8, {4, 16}, 0.06, 1, 0.4, 48, 0.15, 6}},
}};

}  // namespace

SpeciesHabit habit_of(const ScatterSpecies& s) {
  const auto* known = std::ranges::find(usual_species, s.species, &Usual::name);
  const SpeciesHabit usual = known != usual_species.end() ? known->habit : usual_species.front().habit;
  return {s.layer ? std::string_view(*s.layer) : usual.layer,
          s.density.value_or(usual.density),
          s.height.value_or(usual.height),
          s.crown.value_or(usual.crown),
          s.skew.value_or(usual.skew),
          s.poor.value_or(usual.poor),
          s.steepest.value_or(usual.steepest),
          s.lean.value_or(usual.lean),
          s.sway.value_or(usual.sway)};
}

void describe(Fields<ScatterSpecies>& f) {
  using S = ScatterSpecies;
  f("species", &S::species,
    "conifer, pine, larch, broadleaf, birch, acacia, shrub, grass, rock, dead, or a name of your own; auto below is "
    "what is usual for it");
  f("layer", &S::layer,
    "layer that says where: a share, or metres of which half a metre is plenty; debris: talus, and sediment on slopes; "
    "everywhere");
  f("density", &S::density, Range{0, 1e6}, "how many a hectare where the layer is 1 and nothing else takes the room");
  f("height", &S::height, Range{0.01, 200}, "from the lowest to the tallest").unit("m");
  f("crown", &S::crown, open_range(0, 10), "radius of the crown as a share of the height");
  f("skew", &S::skew, Range{1, 20}, "1: all heights as often; more: many small and few tall");
  f("poor", &S::poor, Range{0.05, 1}, "height on bare rock and above the tree line as a share of that on good ground");
  f("steepest", &S::steepest, Range{0, 90}, "steepest slope that it stands on").unit("deg");
  f("lean", &S::lean, Range{0, 1}, "how far it leans downhill, as a share of the slope");
  f("sway", &S::sway, Range{0, 60}, "how far it leans at random").unit("deg");
  f("forms", &S::forms, Range{1, 1000}, "how many models there are to choose from");
}

void describe(Fields<ScatterParams>& f) {
  using P = ScatterParams;
  f.about("Set trees, shrubs, tufts and rocks on the land, as points that keep the distance of their crowns");
  f.example("noise height=300m | {} species=conifer:everywhere,shrub:everywhere density=0.3");
  f("species", &P::species, Range{1, 100}, "what is set on the land, and where");
  f("density", &P::density, Range{0, 1000}, "times the densities of all species")
      .slider(0, 4)
      .sweep("0.02", "0.2", "2");
  f("spacing", &P::spacing, Range{0, 10}, "least distance of two points as a share of the sum of their crowns' radii")
      .slider(0, 2);
  f("clumps", &P::clumps, Range{0, 1}, "how unevenly they stand: 0 even, 1 dense groves and open glades");
  f("clump_size", &P::clump_size, open_range(0, 1e7), "about how far it is from one clump to the next");
  f("snow", &P::snow, Range{0, 1e6}, "what snow covers to more than this share of its height is left out").slider(0, 1);
  f("sea_level", &P::sea_level, Range{-1e7, 1e7}, "land at or below it is sea; auto: the world's sea, if it has one")
      .unit("m")
      .slider(0, 1000)
      .sea_level();
  f.seed(&P::seed);
}

}  // namespace tepui
