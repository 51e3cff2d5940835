#include "tepui/core/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"

namespace tepui {

namespace {

constexpr int64_t measuring_samples = 257;
/// Metres.
constexpr double shortest_side = 1e-3, longest_side = 1e9;

}  // namespace

Frame Frame::window(int64_t x0, int64_t y0, int64_t w, int64_t h) const {
  if (x0 < 0 || y0 < 0 || w < 1 || h < 1 || w > width - x0 || h > height - y0)
    refuse(fmt::format("the window of {} x {} samples at ({}, {}) is not inside the land of {} x {}", w, h, x0, y0,
                       width, height));
  Frame tile = *this;
  tile.first_x += x0;
  tile.first_y += y0;
  tile.width = w;
  tile.height = h;
  return tile;
}

Frame Frame::measuring_lattice() const { return make_world(size, measuring_samples, origin); }

Hash Frame::hash() const {
  Hasher hasher;
  hasher.add(origin.x).add(origin.y).add(size.x).add(size.y).add(cell.x).add(cell.y);
  hasher.add(first_x).add(first_y).add(width).add(height);
  if (geo) hasher.add(geo->crs).add(geo->origin.x).add(geo->origin.y).add(geo->step.x).add(geo->step.y);
  return hasher.finish();
}

Frame make_world(Vec2 size, int64_t resolution, Vec2 origin) {
  if (!(size.x > 0) || !(size.y > 0) || !std::isfinite(size.x) || !std::isfinite(size.y))
    refuse(fmt::format("a world of {} x {} m has no area", size.x, size.y), "give two positive lengths");
  if (std::min(size.x, size.y) < shortest_side || std::max(size.x, size.y) > longest_side)
    refuse(fmt::format("a world of {:g} x {:g} m is too {}", size.x, size.y,
                       std::min(size.x, size.y) < shortest_side ? "small" : "large"),
           fmt::format("sides may be from {:g} m to {:g} m", shortest_side, longest_side));
  if (resolution < 1) refuse(fmt::format("the resolution must be at least 1 sample, not {}", resolution));
  Frame frame;
  frame.origin = origin;
  frame.size = size;
  const double longer = frame.longer_side();
  const double cell = resolution > 1 ? longer / static_cast<double>(resolution - 1) : longer;
  // A shorter side of a whole number of cells keeps its last sample, however the division is rounded.
  const double steps = frame.shorter_side() * static_cast<double>(resolution - 1) / longer;
  const auto shorter = static_cast<int64_t>(std::floor(steps * (1 + 0x1p-40))) + 1;
  frame.cell = {cell, cell};
  frame.width = size.x >= size.y ? resolution : shorter;
  frame.height = size.x >= size.y ? shorter : resolution;
  if (size.x == size.y) frame.height = frame.width;
  return frame;
}

std::string frame_text(const Frame& frame) {
  return frame.cell.x == frame.cell.y
             ? fmt::format("{} x {} samples of {:g} m", frame.width, frame.height, frame.cell.x)
             : fmt::format("{} x {} samples of {:g} x {:g} m", frame.width, frame.height, frame.cell.x, frame.cell.y);
}

void require_same_frame(const Frame& a, const char* name_a, const Frame& b, const char* name_b) {
  if (a == b) return;
  refuse(
      fmt::format("'{}' ({}) and '{}' ({}) are not on the same samples", name_a, frame_text(a), name_b, frame_text(b)),
      "use 'resample' to bring one onto the other's grid");
}

}  // namespace tepui
