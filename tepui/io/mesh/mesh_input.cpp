#include "tepui/io/mesh/mesh_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"

namespace tepui {

namespace {

constexpr double furthest = 1e30;

Vec3 middle_of(const std::vector<Vec3>& points, double& size) {
  Vec3 low = points.front(), high = low;
  for (const Vec3& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  size = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  return (low + high) * 0.5;
}

/// A whole number, so that single-precision positions stay what they are.
Vec3 centre_of(const std::vector<Vec3>& points) {
  if (points.empty()) return {};
  double size = 0;
  const Vec3 middle = middle_of(points, size);
  if (std::max({std::abs(middle.x), std::abs(middle.y), std::abs(middle.z)}) <= 8 * size) return {};
  return {std::rint(middle.x), std::rint(middle.y), std::rint(middle.z)};
}

}  // namespace

void MeshInput::broken(std::string_view reason) const {
  refuse(fmt::format("cannot read '{}' as {}: {}", path_, format_, reason));
}

void MeshInput::reserve(uint64_t points, uint64_t triangles) {
  // At least double, so that many small requests do not copy all each time.
  const auto grow = [](auto& list, uint64_t more) {
    const size_t wanted = list.size() + static_cast<size_t>(more);
    if (wanted > list.capacity()) list.reserve(std::max(wanted, 2 * list.capacity()));
  };
  grow(points_, points);
  grow(triangles_, triangles);
}

void MeshInput::add_point(Vec3 p) {
  count();
  // Written so that NaN fails.
  if (!(std::abs(p.x) <= furthest && std::abs(p.y) <= furthest && std::abs(p.z) <= furthest))
    broken(fmt::format("position {} is not finite, or beyond 1e30", points_.size()));
  if (points_.size() >= UINT32_MAX) broken("it has more than 2^32 vertices");
  points_.push_back(p);
}

void MeshInput::add_triangle(uint64_t a, uint64_t b, uint64_t c) {
  count();
  if (std::max({a, b, c}) > UINT32_MAX)
    broken(fmt::format("a corner names vertex {}, more than there can be", std::max({a, b, c})));
  triangles_.push_back({static_cast<uint32_t>(a), static_cast<uint32_t>(b), static_cast<uint32_t>(c)});
}

void MeshInput::add_polygon(const std::vector<uint64_t>& corners) {
  for (size_t i = 2; i < corners.size(); ++i) add_triangle(corners[0], corners[i - 1], corners[i]);
}

Mesh MeshInput::finish(bool from_y_up) && {
  for (size_t i = 0; i < triangles_.size(); ++i)
    for (const uint32_t corner : triangles_[i])
      if (corner >= points_.size())
        broken(fmt::format("triangle {} names vertex {} of {} (from 0)", i, corner, points_.size()));
  MeshData data;
  const size_t count = points_.size();
  if (from_y_up) {
    for (Vec3& p : points_) p = {p.x, -p.z, p.y};
    for (MeshPoint& n : normals) n = {n[0], -n[2], n[1]};
  }
  data.centre = centre_of(points_);
  data.positions.reserve(count);
  for (const Vec3& point : points_) {
    const Vec3 p = point - data.centre;
    data.positions.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
  }
  points_ = {};
  data.triangles = std::move(triangles_);
  if (normals.size() == count) data.normals = std::move(normals);
  if (coordinates.size() == count) data.coordinates = std::move(coordinates);
  if (colours.size() == count) data.colours = std::move(colours);
  for (MeshAttribute& attribute : attributes)
    if (attribute.values.size() == count) data.attributes.push_back(std::move(attribute));
  return Mesh(std::move(data));
}

uint8_t colour_byte(double value) {
  return value > 0 ? static_cast<uint8_t>(std::min(value, 1.0) * 255 + 0.5) : uint8_t{0};
}

}  // namespace tepui
