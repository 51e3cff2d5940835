#include "tepui/render/ground/volume_ground.h"

#include <algorithm>
#include <cmath>

#include "tepui/render/ground/biome_look.h"
#include "tepui/render/ground/rock_columns.h"
#include "tepui/volume/loose_ground.h"

namespace tepui {

namespace {

/// Metres of debris: so deep that no rock shows.
constexpr float much_debris = 100;

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

SkinParams skin_of_volume(SkinParams skin, const std::array<Vec3, 2>& box, std::optional<double> sea_level) {
  if (!skin.biome) skin.biome = sea_level && *sea_level > box[0].z ? Biome::coast : Biome::desert;
  return skin;
}

VolumeGround::VolumeGround(const SkinParams& skin, const std::array<Vec3, 2>& box, VolumeRock rock)
    : low_(box[0]), rock_(std::move(rock)), ground_(ground_of(skin, box, rock_)) {
  if (!rock_.geology) return;
  const std::vector<NamedRock> names = rock_.geology->root().names();
  const auto loose = std::ranges::find(names, loose_ground_name, &NamedRock::name);
  if (loose != names.end()) loose_ = static_cast<int32_t>(loose - names.begin());
}

void VolumeGround::set_surface(const Mesh& mesh, const Context& context) {
  columns_ = std::make_shared<RockColumns>(mesh, context);
}

GroundPoint VolumeGround::point(const SurfacePlace& place) const {
  GroundPoint point;
  point.at = {place.at.x - low_.x, place.at.y - low_.y, place.at.z};
  point.normal = place.normal;
  if (water_) point.above_water = static_cast<float>(place.at.z - *water_);
  point.footprint = static_cast<float>(place.footprint);
  if (columns_ != nullptr) point.shelter = columns_->shelter(place.at, place.normal);
  know_rock(point, place);
  return point;
}

void VolumeGround::know_rock(GroundPoint& point, const SurfacePlace& place) const {
  int32_t which = place.stratum;
  if (rock_.geology) {
    const RockPoints points{&place.at.x, &place.at.y, &place.at.z, 1};
    which = -1;
    rock_.geology->resistance(points, &point.hardness);
    rock_.geology->root().rocks(points, &which);
  } else if (place.resistance >= 0) {
    point.hardness = place.resistance;
  } else {
    return;
  }
  if (which >= 0 && which == loose_) {
    point.sediment = much_debris;
    return;
  }
  // Rocks of one resistance are yet several.
  point.bed = bed_of_rock(point.hardness, which);
  point.rock = which;
}

GroundLook VolumeGround::look(const SurfacePlace& place) const { return ground_.look(point(place)); }

float VolumeGround::openness(Vec3 at, Vec3 normal) const {
  return columns_ != nullptr ? columns_->openness(at, normal) : 1;
}

Rgb VolumeGround::cut(const SurfacePlace& place) const { return ground_.cut(point(place)); }

bool VolumeGround::is_cut(Vec3 at, Vec3 facet) const {
  if (!(rock_.tolerance > 0)) return false;
  if (!(std::abs(rock_.cut.distance(at)) <= rock_.tolerance)) return false;
  return dot(facet, rock_.cut.outwards(at)) > 0.99 * length(facet);
}

RockOfMesh::RockOfMesh(const Mesh& mesh)
    : mesh_(mesh), resistance_(mesh_.attribute("resistance")), strata_(mesh_.attribute("strata")) {}

void RockOfMesh::tell(const MeshTriangle& triangle, const std::array<double, 3>& shares, SurfacePlace& place) const {
  if (resistance_ == nullptr) return;
  double sum = 0;
  size_t nearest = 0;
  for (size_t k = 0; k < 3; ++k) {
    sum += shares[k] * static_cast<double>(resistance_->values[triangle[k]]);
    if (shares[k] > shares[nearest]) nearest = k;
  }
  // A file of somebody else's may mean anything by it.
  place.resistance = static_cast<float>(std::clamp(sum, 0.0, 1.0));
  if (strata_ != nullptr)
    place.stratum = static_cast<int32_t>(std::clamp(strata_->values[triangle[nearest]], -1.0f, 1e6f));
}

}  // namespace tepui
