#include "tepui/render/ground/volume_ground.h"

#include <algorithm>
#include <cmath>

#include "tepui/render/ground/biome_look.h"

namespace tepui {

namespace {

double side_of(Vec3 size) { return std::max({size.x, size.y, 0.05 * size.z, 1e-30}); }

Ground ground_of(const SkinParams& skin, const std::array<Vec3, 2>& box, const VolumeRock& rock) {
  const double side = side_of(box[1] - box[0]);
  GroundSetting setting{.biome = skin.biome.value_or(Biome::desert),
                        .side = side,
                        .relief = {box[0].z, std::max(box[1].z, box[0].z + 1e-9 * side)},
                        .season = skin.season,
                        .snow_line = skin.snow_line,
                        .colours = skin.colours};
  if (rock.geology)
    for (const NamedRock& named : rock.geology->root().names()) setting.rocks.push_back(named.name);
  return Ground(setting);
}

}  // namespace

VolumeGround::VolumeGround(const SkinParams& skin, const std::array<Vec3, 2>& box, VolumeRock rock)
    : low_(box[0]), high_(box[1]), rock_(std::move(rock)), ground_(ground_of(skin, box, rock_)) {}

GroundPoint VolumeGround::point(Vec3 at, Vec3 normal, double footprint) const {
  GroundPoint point;
  point.at = {at.x - low_.x, at.y - low_.y, at.z};
  point.normal = normal;
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
  point.rock = which;
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
