#include "tepui/landforms/cave_ground.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

constexpr float nowhere = std::numeric_limits<float>::quiet_NaN();

}  // namespace

CaveGround::CaveGround(const Volume& volume, const Geology* rock, const Where* where, double margin,
                       std::optional<double> base)
    : volume_(volume), rock_(rock != nullptr ? *rock : volume.rock()), where_(where), sketch_(volume.root().sketch()) {
  whole_ = volume.support();
  within_ = whole_;
  if (sketch_.sheet != nullptr && !sketch_.ground.empty()) {
    // The sides of land are no cliffs: the world goes on there.
    whole_ = sketch_.ground;
    within_ = whole_;
    within_.low = within_.low + Vec3{margin, margin, 0};
    within_.high = within_.high - Vec3{margin, margin, 0};
    within_.high.z = std::max(within_.high.z, volume.support().high.z);
  }
  if (const std::optional<double> floor = volume.floor()) within_.low.z = std::max(within_.low.z, *floor + margin);
  if (base) within_.low.z = std::max(within_.low.z, *base);
}

void CaveGround::ask(std::span<const Vec3> at, std::span<float> field, std::span<float> resistance) const {
  constexpr size_t most = 128;
  std::array<double, most> x, y, z;
  std::array<float, most> v, rho;
  std::array<size_t, most> which;
  for (size_t first = 0; first < at.size(); first += most) {
    int64_t count = 0;
    for (size_t i = first; i < std::min(first + most, at.size()); ++i) {
      field[i] = nowhere;
      resistance[i] = 1;
      if (!within_.holds(at[i]) || (where_ != nullptr && !(where_->weight(at[i]) >= 0.5))) continue;
      const auto n = static_cast<size_t>(count++);
      which[n] = i;
      x[n] = at[i].x;
      y[n] = at[i].y;
      z[n] = at[i].z;
    }
    if (count == 0) continue;
    volume_.root().values({x.data(), y.data(), z.data(), count, box_around(x.data(), y.data(), z.data(), count)},
                          v.data());
    rock_.resistance({x.data(), y.data(), z.data(), count}, rho.data());
    for (size_t n = 0; n < static_cast<size_t>(count); ++n) {
      field[which[n]] = v[n];
      resistance[which[n]] = rho[n];
    }
  }
}

std::vector<double> CaveGround::heights(std::span<const Vec3> at) const {
  std::vector<double> h(at.size(), whole_.low.z);
  std::vector<double> x, y;
  for (const Vec3& p : at) {
    x.push_back(std::clamp(p.x, whole_.low.x, whole_.high.x));
    y.push_back(std::clamp(p.y, whole_.low.y, whole_.high.y));
  }
  if (sketch_.sheet != nullptr) {
    sketch_.sheet->heights(x.data(), y.data(), static_cast<int64_t>(at.size()), h.data());
    return h;
  }
  const double high = whole_.high.z - whole_.low.z;
  if (whole_.empty() || !(high > 0)) return h;
  std::vector<Vec3> from, down(at.size(), {0, 0, -1});
  for (size_t i = 0; i < at.size(); ++i) from.push_back({x[i], y[i], whole_.high.z + high * 1e-3});
  std::vector<std::optional<double>> hits(at.size());
  volume_.casts(from, down, high * 1.002, high / 500, hits, {});
  for (size_t i = 0; i < at.size(); ++i)
    if (hits[i]) h[i] = from[i].z - *hits[i];
  return h;
}

void CaveGround::sheet_heights(const Frame& frame, Grid<float>& height, const Context& context) const {
  std::vector<double> x(static_cast<size_t>(frame.width));
  for (int64_t i = 0; i < frame.width; ++i)
    x[static_cast<size_t>(i)] = std::clamp(frame.x(i), whole_.low.x, whole_.high.x);
  parallel_chunks(frame.height, 16, context, [&](int64_t begin, int64_t end) {
    std::array<double, FieldPoints::most> h;
    for (int64_t row = begin; row < end; ++row) {
      const double y = std::clamp(frame.y(row), whole_.low.y, whole_.high.y);
      for (int64_t first = 0; first < frame.width; first += FieldPoints::most) {
        const int64_t count = std::min<int64_t>(FieldPoints::most, frame.width - first);
        sketch_.sheet->lattice(x.data() + first, count, &y, 1, h.data());
        for (int64_t i = 0; i < count; ++i) height(first + i, row) = static_cast<float>(h[static_cast<size_t>(i)]);
      }
    }
  });
}

Terrain CaveGround::land(double cell, const Context& context) const {
  constexpr double most = 2048;
  const Vec2 size{whole_.high.x - whole_.low.x, whole_.high.y - whole_.low.y};
  const double longer = std::max(size.x, size.y);
  const auto resolution = static_cast<int64_t>(std::clamp(std::round(longer / cell), 2.0, most)) + 1;
  const Frame frame = make_world(size, resolution, {whole_.low.x, whole_.low.y});
  Grid<float> height(frame.width, frame.height);
  if (sketch_.sheet != nullptr) {
    sheet_heights(frame, height, context);
    return Terrain(frame, {whole_.low.z, std::max(whole_.high.z, whole_.low.z + 1)}, std::move(height));
  }
  parallel_chunks(frame.height, 16, context, [&](int64_t begin, int64_t end) {
    std::vector<Vec3> row(static_cast<size_t>(frame.width));
    for (int64_t y = begin; y < end; ++y) {
      for (int64_t i = 0; i < frame.width; ++i) row[static_cast<size_t>(i)] = {frame.x(i), frame.y(y), 0};
      const std::vector<double> h = heights(row);
      for (int64_t i = 0; i < frame.width; ++i) height(i, y) = static_cast<float>(h[static_cast<size_t>(i)]);
    }
  });
  return Terrain(frame, {whole_.low.z, std::max(whole_.high.z, whole_.low.z + 1)}, std::move(height));
}

}  // namespace tepui
