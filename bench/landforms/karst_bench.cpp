// The karst of Table 1 of Paris et al. 2019: 5.2 km, 165,773 primitives, which took 6.2 s to generate there.
#include <fmt/format.h>

#include <memory>

#include "bench/bench.h"
#include "bench/volume/scenes.h"
#include "reference/percolation.h"
#include "tepui/geology/strata.h"
#include "tepui/landforms/galleries.h"
#include "tepui/landforms/karst.h"

namespace tepui::bench {

namespace {

constexpr double paper_seconds = 6.2;

/// Beds of limestone and marl through the whole mountain.
Geology limestone(const Frame& world) {
  StrataParams params;
  params.elevation = metres(0);
  params.dip = {3};
  params.beds.clear();
  for (int i = 0; i < 60; ++i)
    params.beds.push_back(i % 2 == 0 ? Bed{"limestone", metres(19), 0.5} : Bed{"marl", metres(6), 0.12});
  return strata(world, params, {});
}

struct Caves {
  Volume volume;
  Lines network;
  int64_t points = 0;
};

Row karst_row(KarstForm form) {
  const VolumeScene made = karst_scene();
  const auto rock = std::make_shared<const Geology>(limestone(made.land.frame()));
  const auto bare = std::make_shared<const Volume>(made.bare.share(), made.bare.threshold(), *rock);
  const Frame world = made.land.frame();
  KarstParams find;
  find.form = form;
  find.most_sinks = 300;
  find.pit_depth = metres(1);
  GalleriesParams carve;
  if (form == KarstForm::paper) {
    find.limit = 13'000;
    carve.form = GalleryForm::paper;
  } else {
    find.limit = 40'000;
    find.step = metres(8);
    find.width = metres(3);
  }
  const auto out = std::make_shared<Caves>();
  Row row;
  row.size = "5.2 km";
  row.item = "primitives";
  row.paper_seconds = paper_seconds;
  row.fast = [=] {
    out->network = karst(world, *bare, nullptr, nullptr, nullptr, nullptr, nullptr, find, {});
    out->volume = galleries(world, *bare, out->network, nullptr, carve, {});
    out->points = primitives_in(out->volume.root());
  };
  row.fast();
  row.items = static_cast<double>(out->points);
  row.hash = [=] { return out->volume.hash(); };
  row.tells = [=] {
    return fmt::format(
        "{} primitives, {:.0f} km of passages, {:.1f} bytes a primitive", out->points,
        extent_of(out->network).length / 1000,
        static_cast<double>(out->volume.root().bytes() - bare->root().bytes()) / static_cast<double>(out->points));
  };
  return row;
}

/// Points in a block of beds, beside the plain twin on a part of them.
Row percolation_row() {
  const AskRock ask = [](std::span<const Vec3> at, std::span<float> field, std::span<float> resistance) {
    for (size_t i = 0; i < at.size(); ++i) {
      const double z = at[i].z / 25;
      field[i] = 1;
      resistance[i] = z - static_cast<double>(static_cast<int64_t>(z)) < 0.75 ? 0.5f : 0.1f;
    }
  };
  const auto starts = std::make_shared<const std::vector<PercolationStart>>(
      std::vector<PercolationStart>{{{0, 0, 1000}}, {{200, 0, 1000}}, {{0, 200, 1000}}});
  PercolationRule rule;
  rule.most = 40'000;
  PercolationRule part = rule;
  part.most = 1'000;
  const auto out = std::make_shared<Percolation>();
  Row row;
  row.size = "40000";
  row.item = "points";
  row.items = static_cast<double>(rule.most);
  // The twin looks through all points at every turn: its time grows with the square.
  row.reference_part = static_cast<double>(part.most) / static_cast<double>(rule.most);
  row.fast = [=] { *out = percolate(*starts, rule, Stream(1), ask, {}); };
  row.reference = [=] { reference::percolate(*starts, part, Stream(1), ask); };
  row.hash = [=] {
    Hasher hasher;
    for (const PercolationPoint& p : out->points) hasher.add(p.at.x).add(p.at.y).add(p.at.z);
    return hasher.finish();
  };
  return row;
}

[[maybe_unused]] const bool listed = [] {
  Registrar("paper-003/karst/generation", [] { return karst_row(KarstForm::natural); });
  Registrar("paper-003/karst/generation, printed rule", [] { return karst_row(KarstForm::paper); });
  Registrar("landforms/percolation/40000", percolation_row);
  return true;
}();

}  // namespace

}  // namespace tepui::bench
