#include "tepui/landforms/island_outline.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/noise.h"
#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// Air around the island, as a share of its width, in which its underside can rise above its top.
constexpr double margin = 0.12;

Frame frame_around(Vec2 low, Vec2 high) {
  const Vec2 size = high - low;
  const double around = margin * std::max(size.x, size.y);
  return make_world({size.x + 2 * around, size.y + 2 * around}, island_samples, low - Vec2{around, around});
}

/// Squared distances in samples along one line from what they are across it: the lower envelope of parabolas
/// (Felzenszwalb and Huttenlocher 2012).
void envelope(const std::vector<double>& across, std::vector<double>& out, std::vector<int64_t>& place,
              std::vector<double>& from) {
  const auto count = static_cast<int64_t>(across.size());
  int64_t last = -1;
  for (int64_t q = 0; q < count; ++q) {
    const double here = across[static_cast<size_t>(q)];
    if (here == std::numeric_limits<double>::infinity()) continue;
    double meet = -std::numeric_limits<double>::infinity();
    while (last >= 0) {
      const int64_t p = place[static_cast<size_t>(last)];
      meet = (here + static_cast<double>(q * q) - across[static_cast<size_t>(p)] - static_cast<double>(p * p)) /
             static_cast<double>(2 * (q - p));
      if (meet > from[static_cast<size_t>(last)]) break;
      --last;
    }
    ++last;
    place[static_cast<size_t>(last)] = q;
    from[static_cast<size_t>(last)] = last == 0 ? -std::numeric_limits<double>::infinity() : meet;
  }
  int64_t n = 0;
  for (int64_t q = 0; q < count; ++q) {
    if (last < 0) {
      out[static_cast<size_t>(q)] = std::numeric_limits<double>::infinity();
      continue;
    }
    while (n < last && from[static_cast<size_t>(n + 1)] <= static_cast<double>(q)) ++n;
    const int64_t p = place[static_cast<size_t>(n)];
    out[static_cast<size_t>(q)] = across[static_cast<size_t>(p)] + static_cast<double>((q - p) * (q - p));
  }
}

/// Metres from every sample to the nearest that is `wanted`.
Grid<float> distances(const Grid<uint8_t>& land, uint8_t wanted, double cell) {
  const int64_t width = land.width(), height = land.height();
  Grid<double> square(width, height);
  std::vector<double> line(static_cast<size_t>(height)), out(line.size()), from(line.size());
  std::vector<int64_t> place(line.size());
  for (int64_t x = 0; x < width; ++x) {
    for (int64_t y = 0; y < height; ++y)
      line[static_cast<size_t>(y)] = land(x, y) == wanted ? 0 : std::numeric_limits<double>::infinity();
    envelope(line, out, place, from);
    for (int64_t y = 0; y < height; ++y) square(x, y) = out[static_cast<size_t>(y)];
  }
  line.resize(static_cast<size_t>(width));
  out.resize(line.size());
  from.resize(line.size());
  place.resize(line.size());
  Grid<float> result(width, height);
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) line[static_cast<size_t>(x)] = square(x, y);
    envelope(line, out, place, from);
    for (int64_t x = 0; x < width; ++x)
      result(x, y) = static_cast<float>(std::sqrt(out[static_cast<size_t>(x)]) * cell);
  }
  return result;
}

/// One, two, one, along both axes: takes the steps of samples from the shore.
Grid<float> eased(const Grid<float>& in) {
  Grid<float> out(in.width(), in.height());
  const auto at = [&](int64_t x, int64_t y) {
    return in(std::clamp<int64_t>(x, 0, in.width() - 1), std::clamp<int64_t>(y, 0, in.height() - 1));
  };
  for (int64_t y = 0; y < in.height(); ++y)
    for (int64_t x = 0; x < in.width(); ++x) {
      float sum = 0;
      for (int64_t dy = -1; dy <= 1; ++dy)
        for (int64_t dx = -1; dx <= 1; ++dx)
          sum += static_cast<float>((2 - std::abs(dx)) * (2 - std::abs(dy))) * at(x + dx, y + dy);
      out(x, y) = sum / 16;
    }
  return out;
}

IslandOutline measured(const Frame& frame, const Grid<uint8_t>& land, const Context& context) {
  IslandOutline outline{frame, Grid<float>(frame.width, frame.height), 0, 0};
  int64_t low_x = frame.width, high_x = -1, low_y = frame.height, high_y = -1;
  for (int64_t y = 0; y < frame.height; ++y)
    for (int64_t x = 0; x < frame.width; ++x)
      if (land(x, y) != 0) {
        low_x = std::min(low_x, x), high_x = std::max(high_x, x);
        low_y = std::min(low_y, y), high_y = std::max(high_y, y);
      }
  if (high_x < low_x) refuse("the outline of the island encloses nothing", "give a larger one");
  const Grid<float> to_air = distances(land, 0, frame.cell.x), to_land = distances(land, 1, frame.cell.x);
  context.check();
  const auto half = static_cast<float>(0.5 * frame.cell.x);
  for (int64_t y = 0; y < frame.height; ++y)
    for (int64_t x = 0; x < frame.width; ++x)
      outline.inside(x, y) = land(x, y) != 0 ? to_air(x, y) - half : half - to_land(x, y);
  outline.inside = eased(eased(outline.inside));
  for (const float d : outline.inside.cells()) outline.deepest = std::max(outline.deepest, static_cast<double>(d));
  outline.width = static_cast<double>(std::max(high_x - low_x, high_y - low_y) + 1) * frame.cell.x;
  outline.deepest = std::max(outline.deepest, 1e-3 * outline.width);
  return outline;
}

/// Only what hangs together with the sample nearest to the middle.
void keep_middle(Grid<uint8_t>& land) {
  const int64_t width = land.width(), height = land.height();
  int64_t nearest = -1, best = std::numeric_limits<int64_t>::max();
  for (int64_t n = 0; n < width * height; ++n) {
    const int64_t x = n % width - width / 2, y = n / width - height / 2;
    if (land(n % width, n / width) != 0 && x * x + y * y < best) best = x * x + y * y, nearest = n;
  }
  if (nearest < 0) return;
  std::vector<int64_t> open{nearest};
  land(nearest % width, nearest / width) = 2;
  while (!open.empty()) {
    const int64_t x = open.back() % width, y = open.back() / width;
    open.pop_back();
    constexpr int64_t beside[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (const auto& [dx, dy] : beside) {
      const int64_t a = x + dx, b = y + dy;
      if (a < 0 || b < 0 || a >= width || b >= height || land(a, b) != 1) continue;
      land(a, b) = 2;
      open.push_back(b * width + a);
    }
  }
  for (uint8_t& one : land.cells()) one = one == 2 ? 1 : 0;
}

}  // namespace

IslandOutline outline_of_rings(const IslandRings& rings, const Context& context) {
  Vec2 low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}, high = low * -1.0;
  for (const std::vector<Vec2>& ring : rings)
    for (const Vec2 p : ring) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  if (!(high.x > low.x && high.y > low.y)) refuse("the outline of the island encloses nothing", "give a larger one");
  const Frame frame = frame_around(low, high);
  Grid<uint8_t> land(frame.width, frame.height);
  for (int64_t y = 0; y < frame.height; ++y) {
    const double north = frame.y(y);
    std::vector<double> crossings;
    for (const std::vector<Vec2>& ring : rings)
      for (size_t i = 0; i < ring.size(); ++i) {
        const Vec2 a = ring[i], b = ring[(i + 1) % ring.size()];
        if ((a.y > north) != (b.y > north)) crossings.push_back(a.x + (b.x - a.x) * (north - a.y) / (b.y - a.y));
      }
    std::ranges::sort(crossings);
    for (int64_t x = 0; x < frame.width; ++x) {
      const auto before = std::ranges::upper_bound(crossings, frame.x(x)) - crossings.begin();
      land(x, y) = static_cast<uint8_t>(before % 2);
    }
  }
  return measured(frame, land, context);
}

IslandOutline outline_of_mask(const Frame& frame, const Grid<float>& mask, const Context& context) {
  Vec2 low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}, high = low * -1.0;
  for (int64_t y = 0; y < frame.height; ++y)
    for (int64_t x = 0; x < frame.width; ++x)
      if (mask(x, y) > 0.5f) {
        low = {std::min(low.x, frame.x(x)), std::min(low.y, frame.y(y))};
        high = {std::max(high.x, frame.x(x)), std::max(high.y, frame.y(y))};
      }
  if (!(high.x > low.x && high.y > low.y))
    refuse("the mask of the island is nowhere above one half", "give a mask with a region in it");
  const Frame around = frame_around(low, high);
  Grid<uint8_t> land(around.width, around.height);
  const auto sample = [&](int64_t x, int64_t y) {
    return x < 0 || y < 0 || x >= frame.width || y >= frame.height ? 0.0 : static_cast<double>(mask(x, y));
  };
  for (int64_t y = 0; y < around.height; ++y)
    for (int64_t x = 0; x < around.width; ++x) {
      const double u = (around.x(x) - frame.x(0)) / frame.cell.x, v = (around.y(y) - frame.y(0)) / frame.cell.y;
      const auto i = static_cast<int64_t>(std::floor(u)), j = static_cast<int64_t>(std::floor(v));
      const double s = u - std::floor(u), t = v - std::floor(v);
      const double south = sample(i, j) * (1 - s) + sample(i + 1, j) * s,
                   north = sample(i, j + 1) * (1 - s) + sample(i + 1, j + 1) * s;
      land(x, y) = south * (1 - t) + north * t > 0.5 ? 1 : 0;
    }
  return measured(around, land, context);
}

IslandOutline noisy_disc(Vec2 centre, double width, double roughness, const Stream& stream, const Context& context) {
  const double radius = 0.46 * width, turn = stream.uniform(0, 0, 0, math::pi), longer = stream.uniform(0, 1, 1, 1.45);
  const double cosine = math::cos(turn), sine = math::sin(turn);
  const Noise lobes({.scale = 0.9 * radius, .octaves = 2, .gain = 0.5, .key = stream.bits(1)}),
      bays({.scale = 0.3 * radius, .octaves = 5, .gain = 0.5, .key = stream.bits(2)});
  const Vec2 half = Vec2{1, 1} * (0.62 * width);
  const Frame frame = frame_around(centre - half, centre + half);
  Grid<uint8_t> land(frame.width, frame.height);
  parallel_chunks(frame.height, 16, context, [&](int64_t begin, int64_t end) {
    const auto count = static_cast<size_t>(frame.width);
    std::vector<double> x(count);
    std::vector<float> large(count), small(count);
    for (size_t i = 0; i < count; ++i) x[i] = frame.x(static_cast<int64_t>(i));
    for (int64_t row = begin; row < end; ++row) {
      lobes.row(x, frame.y(row), large);
      bays.row(x, frame.y(row), small);
      for (size_t i = 0; i < count; ++i) {
        const Vec2 p{x[i] - centre.x, frame.y(row) - centre.y};
        const double along = (p.x * cosine + p.y * sine) / std::sqrt(longer),
                     across = (p.y * cosine - p.x * sine) * std::sqrt(longer);
        const double reach = radius * (1 + (0.3 + 0.25 * roughness) * static_cast<double>(large[i]) +
                                       0.22 * roughness * static_cast<double>(small[i]));
        const bool within = std::abs(p.x) < half.x && std::abs(p.y) < half.y;
        land(static_cast<int64_t>(i), row) = within && std::sqrt(along * along + across * across) < reach ? 1 : 0;
      }
    }
  });
  // A sample in the middle, whatever the noise is.
  land(frame.width / 2, frame.height / 2) = 1;
  keep_middle(land);
  return measured(frame, land, context);
}

}  // namespace tepui
