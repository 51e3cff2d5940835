// The hoodoos of Table 1 of Paris et al. 2019: 350 m, 55,619 primitives, generated there in 2.1 s.
#include "tepui/landforms/hoodoos.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "bench/bench.h"
#include "tepui/core/math.h"
#include "tepui/geology/strata.h"
#include "tepui/volume/implicitize.h"
#include "tepui/volume/primitive.h"

namespace tepui::bench {

namespace {

/// A slope of fins, a dozen metres from one to the next, from a plateau down to a valley; thin beds.
struct Slope {
  Frame world = make_world({350, 350}, 701);
  Volume volume;

  Slope() {
    Grid<float> height(world.width, world.height);
    for (int64_t y = 0; y < world.height; ++y)
      for (int64_t x = 0; x < world.width; ++x) {
        const double t = std::clamp((world.y(y) - 60) / 230, 0.0, 1.0), s = t * t * (3 - 2 * t);
        const double bay = math::sin(0.05 * world.x(x)) + math::sin(0.031 * world.x(x) + 2);
        const double gully = 1 + math::cos(2 * math::pi * world.x(x) / 13 + 2 * bay);
        height(x, y) = static_cast<float>(10 + 110 * s - 14 * 4 * s * (1 - s) * 0.5 * gully);
      }
    StrataParams beds;
    beds.beds.clear();
    for (int i = 0; i < 80; ++i)
      beds.beds.push_back({"bed", metres(i % 2 == 0 ? 1.4 : 2.2), i % 2 == 0 ? 0.15 : 0.6 + 0.05 * (i % 5)});
    const Geology rock = strata(world, beds, {});
    volume = implicitize(Terrain(world, {0, 130}, std::move(height)), nullptr, &rock, {}, {});
  }
};

Row hoodoo_row(HoodooForm form) {
  const auto slope = std::make_shared<const Slope>();
  const auto out = std::make_shared<Volume>();
  HoodoosParams params;
  params.form = form;
  params.spacing = metres(form == HoodooForm::paper ? 4.5 : 5);
  params.ridges = 0.8;
  if (form == HoodooForm::natural) params.height = LengthInterval{metres(3), metres(6)};
  Row row;
  row.fast = [=] {
    *out = hoodoos(slope->world, slope->volume, nullptr, nullptr, nullptr, nullptr, nullptr, params, {});
  };
  row.fast();
  row.hash = [=] { return out->hash(); };
  row.items = static_cast<double>(primitives_in(out->root()));
  row.item = "primitives";
  row.size = fmt::format("{:.0f} primitives", row.items);
  row.paper_seconds = 2.1;
  row.tells = [=] {
    return fmt::format("{} features, {:.1f} bytes a primitive", out->made().back().numbers.back().value,
                       static_cast<double>(out->root().bytes() - slope->volume.root().bytes()) /
                           static_cast<double>(primitives_in(out->root())));
  };
  return row;
}

[[maybe_unused]] const bool listed = [] {
  Registrar("paper-003/hoodoo/generation", [] { return hoodoo_row(HoodooForm::natural); });
  Registrar("paper-003/hoodoo/generation, printed rules", [] { return hoodoo_row(HoodooForm::paper); });
  return true;
}();

}  // namespace

}  // namespace tepui::bench
