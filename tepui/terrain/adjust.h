#pragma once

#include <string>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class AdjustClamp { off, relief, between };
enum class AdjustRelief { keep, set, stretch };

/// Steps in the order in which they are taken. The defaults change nothing.
struct AdjustParams {
  double scale = 1;                                // of heights above the base
  Length offset;                                   // added to heights
  Curve curve;                                     // from share of relief to share of relief; none: unchanged
  int terraces = 0;                                // steps from base to top; 0: none
  double sharpness = 0.7;                          // of the terraces: 0 leaves the slope, 1 makes flat treads
  AdjustClamp clamp = AdjustClamp::off;            // cut to the relief, or to `between`
  LengthInterval between{metres(0), percent(15)};  // heights kept by clamp = between
  AdjustRelief relief = AdjustRelief::keep;        // set the relief to `to`, or stretch the land with it
  LengthInterval to{metres(0), percent(15)};       // base and top for relief = set or stretch
  std::string layer = "height";
};
void describe(Fields<AdjustParams>&);

/// Changes heights one by one, in this order: scale about the base, offset, curve, terraces, clamp, relief; then a mask
/// blends between the land as it was (0) and as it became (1).
///
/// Scale and offset carry the relief with them, so that shares of relief G stay what they were (a scale of 0 keeps its
/// span); with a mask the relief
/// spans the old and the new. The curve and the terraces act on G within [0, 1]; ground beyond base or top moves along
/// with that end. A terrace n is level around G = n/terraces over the share `sharpness` of its step and steep in
/// between. `relief = set` gives the land another [base, top] without moving the ground; `stretch` moves the ground so
/// that G stays.
///
/// On another layer than height, base is 0, top is 1, lengths are plain numbers, and there is no relief to set.
Terrain adjust(const Terrain& in, const Terrain* mask, const AdjustParams& params, const Context& context);

}  // namespace tepui
