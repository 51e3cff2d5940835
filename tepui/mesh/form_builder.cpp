#include "tepui/mesh/form_builder.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/srgb.h"

namespace tepui {

namespace {

const Tint fallen_snow{0.82, 0.85, 0.90};

MeshPoint single(Vec3 v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

uint8_t byte_of(double linear) {
  return static_cast<uint8_t>(std::floor(srgb_from_linear(std::clamp(linear, 0.0, 1.0)) * 255 + 0.5));
}

/// Two directions at right angles to one and to each other.
std::pair<Vec3, Vec3> beside(Vec3 along) {
  const Vec3 other = std::abs(along.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
  const Vec3 right = unit_or_up(cross(along, other));
  return {right, cross(right, along)};
}

}  // namespace

Vec3 Draws::direction() {
  const double z = (*this)(-1, 1), angle = (*this)(0, 2 * math::pi), r = std::sqrt(std::max(0.0, 1 - z * z));
  return {r * math::cos(angle), r * math::sin(angle), z};
}

uint32_t FormBuilder::add(const FormPoint& point) {
  points_.push_back(point);
  return static_cast<uint32_t>(points_.size() - 1);
}

void FormBuilder::tube(const std::vector<Ring>& rings, int sides) {
  std::vector<uint32_t> last, next;
  for (size_t i = 0; i < rings.size(); ++i) {
    const Vec3 along = unit_or_up(rings[std::min(i + 1, rings.size() - 1)].at - rings[i > 0 ? i - 1 : 0].at);
    const auto [right, up] = beside(along);
    next.clear();
    const bool point = rings[i].radius <= 0;
    for (int k = 0; k < (point ? 1 : sides); ++k) {
      const double angle = 2 * math::pi * k / sides;
      const Vec3 out = right * math::cos(angle) + up * math::sin(angle);
      next.push_back(add({rings[i].at + out * rings[i].radius, point ? along : out, rings[i].tint, 0.5}));
    }
    for (size_t k = 0; i > 0 && k < static_cast<size_t>(sides); ++k) {
      const size_t l = (k + 1) % static_cast<size_t>(sides);
      if (last.size() > 1) triangle(last[k], next[point ? 0 : k], last[l]);
      if (!point) triangle(last[last.size() > 1 ? l : 0], next[k], next[l]);
    }
    std::swap(last, next);
  }
}

void FormBuilder::card(const Card& c) {
  const Vec3 middle = c.foot + c.along * 0.45, fold = unit_or_up(cross(c.along, c.across)) * (0.25 * length(c.across));
  const Tint tint = blend(c.foot_tint, c.tip_tint, 0.55);
  const Vec3 aside = unit_or_up(c.across) * 0.35;
  const uint32_t foot = add({c.foot, unit_or_up(c.soft), c.foot_tint, c.holds});
  const uint32_t tip = add({c.foot + c.along, unit_or_up(c.soft + unit_or_up(c.along) * 0.3), c.tip_tint, c.holds});
  const uint32_t left = add({middle - c.across - fold, unit_or_up(c.soft - aside), tint, 0.8 * c.holds});
  const uint32_t right = add({middle + c.across - fold, unit_or_up(c.soft + aside), tint, 0.8 * c.holds});
  triangle(foot, right, tip);
  triangle(foot, tip, left);
}

void FormBuilder::spray(const Card& c) {
  const Vec3 up = unit_or_up(cross(c.along, c.across)) * (0.3 * length(c.across));
  const Vec3 aside = unit_or_up(c.across) * 0.35;
  for (const int k : {-1, 0, 1}) {
    const double share = k == 0 ? 1 : 0.8;
    // The outer ones stand off by about 55 degrees and hang.
    const Vec3 way = k == 0 ? c.along : c.along * 0.46 + c.across * (0.9 * k) - up;
    const Vec3 flank = (k == 0 ? c.across : c.across * 0.5 - c.along * (0.42 * k)) * (0.42 * share);
    const Vec3 soft = unit_or_up(c.soft + aside * k), root = c.foot + way * 0.16;
    const uint32_t left = add({root - flank, soft, c.foot_tint, c.holds}),
                   right = add({root + flank, soft, c.foot_tint, c.holds});
    triangle(left, right, add({c.foot + way * share, soft, c.tip_tint, 0.8 * c.holds}));
  }
}

void FormBuilder::core(Vec3 centre, Vec3 radii, Tint tint) {
  std::array<uint32_t, 6> corner{};
  const std::array<Vec3, 6> ways{Vec3{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (size_t i = 0; i < 6; ++i)
    corner[i] = add({centre + Vec3{ways[i].x * radii.x, ways[i].y * radii.y, ways[i].z * radii.z}, ways[i], tint, 0.3});
  for (size_t k = 0; k < 4; ++k) {
    triangle(corner[k], corner[(k + 1) % 4], corner[4]);
    triangle(corner[(k + 1) % 4], corner[k], corner[5]);
  }
}

Mesh FormBuilder::finish(double snow) const {
  double top = 1e-6;
  for (const FormPoint& p : points_) top = std::max(top, p.at.z);
  MeshData data;
  data.triangles = triangles_;
  for (const FormPoint& p : points_) {
    data.positions.push_back(single(p.at * (1 / top)));
    data.normals.push_back(single(p.normal));
    const Tint tint =
        blend(p.tint, fallen_snow, std::clamp(snow, 0.0, 1.0) * p.holds * math::smoothstep(-0.1, 0.6, p.normal.z));
    data.colours.push_back({byte_of(tint.r), byte_of(tint.g), byte_of(tint.b), 255});
  }
  return Mesh(std::move(data));
}

}  // namespace tepui
