#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/params.h"
#include "tepui/planet/planet_value.h"
#include "tepui/terrain/lines.h"

namespace tepui {

struct PlanetRiversParams {
  bool patch = false;
  double latitude = 0, longitude = 0;  // degrees
  std::optional<Length> size{};
  std::optional<int64_t> resolution{};
  std::optional<double> source{};  // cubic metres a second
  double width = 7.2;              // metres at 1 m3/s
  double depth = 0.27;             // metres at 1 m3/s
  int smoothing = 2;
};
void describe(Fields<PlanetRiversParams>& f);

/// The rivers of a whole planet as lines that run downstream, each from its head or a meeting to the next meeting or
/// its mouth. They lie on `planet_map` as rivers lie on land, and files have them in degrees. Or those of a `patch`
/// with its brooks, refined as `planet_patch` refines it: they lie on its land if they are given its place, size and
/// resolution. They end where ice covers them, and at the patch's border; what flows in there comes with all its water,
/// but its order counts from the border.
///
/// Attributes of a line: `order` (Strahler 1957), `length` (m), and at its lower end `discharge` (m3/s), `width` and
/// `depth` (m), which grow with its powers 0.5 and 0.4 (Leopold and Maddock 1953); `basin`, the number of the river
/// that reaches the sea, or leaves the patch. "River 1" carries most at its mouth. Vertices have `discharge`, `width`
/// and `depth` as well.
Lines planet_rivers(const Frame& world, const Planet& in, const PlanetRiversParams& params, const Context& context);

}  // namespace tepui
