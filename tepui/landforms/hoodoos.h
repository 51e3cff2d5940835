#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/landforms/where.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

enum class HoodooForm { natural, paper };
enum class HoodooRules { hoodoos, goblins, chimneys, pinnacles };

struct HoodoosParams : WhereParams {
  HoodooForm form = HoodooForm::natural;
  HoodooRules rules = HoodooRules::hoodoos;
  std::optional<FilePath> file{};
  std::optional<Length> spacing{};
  std::optional<LengthInterval> height{};
  std::optional<Interval> slope{};
  std::optional<double> plateau{};
  double ridges = 0.6;
  double drainage = 60;
  double width = 1;
  Seed seed;
};
void describe(Fields<HoodoosParams>& f);

/// Pillars of rock that grow by rules from the ground of a volume (Paris et al. 2019, section 6.3): places are drawn by
/// slope, drainage and mask; at each a feature grows upwards by an open grammar, which reads the resistance of the rock
/// at every step. The rules come with Tepui (shipped_rules.h) or from a file (rule_set.h).
///
/// Where we differ. The paper stacks clusters of spheres, which read as beads. Here a feature is slices of 0.3 m whose
/// radius follows the rock, so that necks of neighbours lie at one height; its top is on a hard bed, and below the
/// plateau that was: no higher than its level, `plateau`, and than the land `before` where that is given.
/// `form=paper` grows by the printed rules instead, to whatever height these reach.
///
/// Places are samples of the surface keyed by cells of the world (surface_samples.h), and a feature depends on its own
/// alone: neither on the others nor on any mesh. `water` is land with the layer `drainage` (`flow`), which keeps
/// features out of gullies; without it `ridges` does, by the shape of the land. None stands within half the spacing of
/// the land's sides, which would cut it.
Volume hoodoos(const Frame& world, const Volume& in, const Geology* rock, const Terrain* before, const Terrain* water,
               const Terrain* mask, const Lines* region, const HoodoosParams& params, const Context& context);

}  // namespace tepui
