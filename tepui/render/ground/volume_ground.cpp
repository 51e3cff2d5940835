#include "tepui/render/ground/volume_ground.h"

#include <algorithm>
#include <cmath>

namespace tepui {

namespace {

/// Where a rock belongs in a biome's sequence of beds.
float bed_of_rock(float resistance, int32_t which) {
  const float apart = which < 0 ? 0 : 0.05f * (static_cast<float>((which * 7) % 5) - 2) / 2;
  return std::clamp(0.1f + 0.8f * resistance + apart, 0.0f, 1.0f);
}

double side_of(Vec3 size) { return std::max({size.x, size.y, 0.05 * size.z, 1e-30}); }

}  // namespace

VolumeGround::VolumeGround(Palette palette, const std::array<Vec3, 2>& box, VolumeRock rock)
    : low_(box[0]),
      high_(box[1]),
      rock_(std::move(rock)),
      ground_(palette, side_of(box[1] - box[0]), box[1].z - box[0].z) {}

GroundPoint VolumeGround::point(Vec3 at, Vec3 normal, double footprint) const {
  const double range = std::max(high_.z - low_.z, 1e-9 * side_of(high_ - low_));
  GroundPoint point;
  point.at = {at.x - low_.x, at.y - low_.y, at.z};
  point.normal = normal;
  point.level = static_cast<float>((at.z - low_.z) / range);
  if (water_) point.above_water = static_cast<float>(at.z - *water_);
  point.footprint = static_cast<float>(footprint);
  know_rock(point, at);
  return point;
}

void VolumeGround::know_rock(GroundPoint& point, Vec3 at) const {
  if (!rock_.geology) return;
  const RockPoints points{&at.x, &at.y, &at.z, 1};
  int32_t which = -1;
  rock_.geology->resistance(points, &point.hardness);
  rock_.geology->root().rocks(points, &which);
  // Rocks of one resistance are yet several.
  point.bed = bed_of_rock(point.hardness, which);
}

GroundLook VolumeGround::look(Vec3 at, Vec3 normal, double footprint, float shelter) const {
  GroundPoint ground = point(at, normal, footprint);
  ground.shelter = shelter;
  return ground_.look(ground);
}

Rgb VolumeGround::cut(Vec3 at, Vec3 normal, double footprint) const {
  return ground_.cut(point(at, normal, footprint));
}

bool VolumeGround::is_cut(Vec3 at, Vec3 facet) const {
  if (!(rock_.tolerance > 0)) return false;
  if (!(std::abs(rock_.cut.distance(at)) <= rock_.tolerance)) return false;
  return dot(facet, rock_.cut.outwards(at)) > 0.99 * length(facet);
}

}  // namespace tepui
