#pragma once

#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"

namespace tepui {

/// A layer of one rock.
struct Bed {
  std::string rock = "sandstone";
  Length thickness = percent(3);
  double resistance = 0.5;
};
void describe(Fields<Bed>& f);

/// The order in which a column of beds is listed.
enum class BedOrder { up, down };

struct StrataParams {
  std::vector<Bed> beds{{"mudstone", percent(3), 0.1},    {"shale", percent(2), 0.3},
                        {"siltstone", percent(2.5), 0.4}, {"limestone", percent(1.5), 0.7},
                        {"marl", percent(1.5), 0.65},     {"sandstone", percent(4), 1}};
  Length elevation = metres(0);
  BedOrder order = BedOrder::up;
  Angle dip{0};
  Angle direction{90};
};
void describe(Fields<StrataParams>& f);

/// Beds of rock one upon the other, like pages of a book that may be tilted. `elevation` is where the first bed begins,
/// at the world's centre, and the beds go `up` or `down` from there. What lies beyond the first and the last bed is
/// their rock, without end.
///
/// With the centre (cx, cy), dip d and azimuth a of its direction, clockwise from north, a point lies
///
///   t = (z - elevation) cos d + ((x - cx) sin a + (y - cy) cos a) sin d
///
/// above the plane through the elevation; `thickness` is measured along t, at right angles to the beds, as geologists
/// do. A bed holds its floor, not its ceiling. The dip is where water on a bed would run. All of it is exact for level
/// beds: t = z - elevation.
///
/// Beds of no thickness are refused.
Geology strata(const Frame& world, const StrataParams& params, const Context& context);

}  // namespace tepui
