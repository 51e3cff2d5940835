#include "tepui/render/ground/volume_ground.h"

#include <algorithm>
#include <cmath>

#include "tepui/render/ground/biome_look.h"
#include "tepui/render/ground/land_cover.h"
#include "tepui/render/ground/rock_columns.h"
#include "tepui/volume/loose_ground.h"

namespace tepui {

namespace {

/// Metres of debris: so deep that no rock shows.
constexpr float much_debris = 100;
/// Metres: below debris, whatever rounding says.
constexpr double just_below = 0.01;

double side_of(Vec3 size) { return std::max({size.x, size.y, 0.05 * size.z, 1e-30}); }

bool is_covered(const VolumeRock& rock) { return rock.land && LandCover::tells(*rock.land); }

GroundSetting setting_of(SkinParams skin, const std::array<Vec3, 2>& box, std::optional<double> sea,
                         const VolumeRock& rock, const Context& context) {
  const Geology* geology = rock.geology ? &*rock.geology : nullptr;
  if (is_covered(rock)) return setting_of(*rock.land, skin, sea, geology, context);
  const double side = side_of(box[1] - box[0]);
  GroundSetting setting{.biome = skin.biome.value_or(sea && *sea > box[0].z ? Biome::coast : Biome::desert),
                        .side = side,
                        .relief = {box[0].z, std::max(box[1].z, box[0].z + 1e-9 * side)},
                        .season = skin.season,
                        .snow_line = skin.snow_line,
                        .colours = skin.colours};
  if (geology != nullptr)
    for (const NamedRock& named : geology->root().names()) setting.rocks.push_back(named.name);
  return setting;
}

}  // namespace

double spacing_of(const Mesh& mesh) {
  double area = 0;
  for (const MeshTriangle& t : mesh.triangles()) {
    const Vec3 a = to_vec(mesh.positions()[t[0]]);
    area += length(cross(to_vec(mesh.positions()[t[1]]) - a, to_vec(mesh.positions()[t[2]]) - a));
  }
  // Two triangles to a square.
  return mesh.triangles().empty() ? 0 : std::sqrt(area / static_cast<double>(mesh.triangles().size()));
}

VolumeGround::VolumeGround(const SkinParams& skin, const std::array<Vec3, 2>& box, std::optional<double> sea_level,
                           VolumeRock rock, const Context& context)
    : low_(box[0]), rock_(std::move(rock)), ground_(setting_of(skin, box, sea_level, rock_, context)) {
  if (is_covered(rock_)) {
    cover_ = std::make_shared<const LandCover>(*rock_.land, skin, context);
    // As in pictures of the land.
    const Vec2 corner = rock_.land->frame().origin;
    low_ = {corner.x, corner.y, box[0].z};
  }
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
  const float land = land_share(place);
  if (cover_ != nullptr) cover_->tell(point, place.at, land);
  // On the land the rock is that below what is loose.
  SurfacePlace below = place;
  if (land > 0 && point.sediment > 0) below.at.z -= static_cast<double>(point.sediment) + just_below;
  know_rock(point, below, land);
  return point;
}

float VolumeGround::land_share(const SurfacePlace& place) const {
  if (cover_ == nullptr) return 0;
  return cover_->share(place.at, place.normal, 0.5 * std::max(rock_.spacing, place.footprint));
}

/// `land`: how much the land tells of what is loose there.
void VolumeGround::know_rock(GroundPoint& point, const SurfacePlace& place, float land) const {
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
    point.sediment = point.sediment < 0 ? much_debris : point.sediment + (1 - land) * much_debris;
    return;
  }
  // Rocks of one resistance are yet several.
  point.bed = bed_of_rock(point.hardness, which);
  point.rock = which;
}

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
