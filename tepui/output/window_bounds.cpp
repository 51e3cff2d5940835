#include "tepui/output/window_bounds.h"

#include <fmt/format.h>

#include <vector>

#include "tepui/core/error.h"
#include "tepui/terrain/crop.h"

namespace tepui {

namespace {

/// From the world's corner, in metres.
Length along(const Length& length, double side, double origin) {
  return metres(length.percent ? length.value * 0.01 * side : length.value - origin);
}

void require_inside(const char* axis, double low, double high, double first, double last, double cell, double origin) {
  const double slack = 1e-6 * cell;
  if (low >= first - slack && high <= last + slack) return;
  refuse(fmt::format("the window goes from {1:g} to {2:g} m along {0}, the land from {3:g} to {4:g} m", axis,
                     low + origin, high + origin, first + origin, last + origin),
         "give a window within the land");
}

}  // namespace

WindowBounds parse_window(const std::string& text) {
  std::vector<Length> ends;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    ends.push_back(parse_length(text.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  if (ends.size() != 4)
    refuse(fmt::format("'{}' is not a window", text), "write its west, south, east and north sides: 0,0,512,512");
  return {ends[0], ends[1], ends[2], ends[3]};
}

Frame frame_within(const Frame& land, const WindowBounds& bounds) {
  const CropParams part{
      {along(bounds.west, land.size.x, land.origin.x), along(bounds.east, land.size.x, land.origin.x)},
      {along(bounds.south, land.size.y, land.origin.y), along(bounds.north, land.size.y, land.origin.y)}};
  require_inside("x", part.x.low.value, part.x.high.value, land.x(0) - land.origin.x,
                 land.x(land.width - 1) - land.origin.x, land.cell.x, land.origin.x);
  require_inside("y", part.y.low.value, part.y.high.value, land.y(0) - land.origin.y,
                 land.y(land.height - 1) - land.origin.y, land.cell.y, land.origin.y);
  return crop_frame(land, part);
}

}  // namespace tepui
