#include "tepui/render/picture/mesh_subject.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tepui/mesh/checks.h"
#include "tepui/render/page/layer_scale.h"

namespace tepui {

namespace {

/// A cut through rock of which nothing is known, where colours mean something else.
const Rgb section_rock = from_hex(0xb08d6a);

double side_of(const Mesh& mesh) {
  const Vec3 low = to_vec(mesh.bounds().low), high = to_vec(mesh.bounds().high);
  return std::max({high.x - low.x, high.y - low.y, 0.05 * (high.z - low.z), 1e-30});
}

/// Points that all of a mesh lies between, to about a hundredth of its side: all of them, or the lowest and the highest
/// over each of many squares.
std::vector<Vec3> outermost(const MeshModel& model) {
  std::vector<Vec3> points;
  if (model.positions.size() <= 20'000) {
    for (const MeshPoint& p : model.positions) points.push_back(to_vec(p));
    return points;
  }
  constexpr int side = 96;
  const auto square = [](double v, double low, double high) {
    return std::clamp(static_cast<int>((v - low) / std::max(high - low, 1e-30) * side), 0, side - 1);
  };
  std::vector<std::optional<std::pair<Vec3, Vec3>>> spans(side * side);
  for (const MeshPoint& position : model.positions) {
    const Vec3 p = to_vec(position);
    auto& span = spans[static_cast<size_t>(square(p.x, model.low.x, model.high.x) * side +
                                           square(p.y, model.low.y, model.high.y))];
    if (!span) span = {p, p};
    if (p.z < span->first.z) span->first = p;
    if (p.z > span->second.z) span->second = p;
  }
  for (const auto& span : spans)
    if (span) points.insert(points.end(), {span->first, span->second});
  return points;
}

VolumeRock spaced(VolumeRock rock, const Mesh& mesh) {
  if (rock.land) rock.spacing = spacing_of(mesh);
  return rock;
}

float decoded(uint8_t byte) {
  static const auto table = [] {
    std::array<float, 256> values{};
    for (size_t i = 0; i < 256; ++i) values[i] = srgb_decode(static_cast<float>(i) / 255);
    return values;
  }();
  return table[byte];
}

}  // namespace

MeshSubject::MeshSubject(const Mesh& mesh, const PictureParams& params, Base base, std::optional<double> sea_level,
                         const Context& context, MeshRock rock)
    : colour_(params.colour),
      model_(make_model(mesh, params.exaggeration, context)),
      ground_(params, mesh.world_bounds(), sea_level, spaced(rock, mesh), context),
      own_rock_(mesh),
      planet_(mesh),
      season_(params.season),
      rock_(std::move(rock)),
      scale_(rock_scale(params.colour_map)) {
  low = model_.low;
  high = model_.high;
  metres = side_of(mesh);
  lift = params.exaggeration;
  room = rock_.room / metres;
  const auto box = mesh.world_bounds();
  centre = (box[0] + box[1]) * 0.5;
  floor = base == Base::block ? model_.floor : model_.low.z;
  bounded = base == Base::horizon && rock_.plain;
  if (bounded) floor = (*rock_.plain - centre.z) / metres * lift;
  bottomless = rock_.floats && params.base != Base::plate;
  // The view of a planet ends at its own horizon, and is large beside what is seen of it.
  if (planet_.known()) {
    bottomless = bottomless || base == Base::horizon;
    lift_off_ = 1e-6;
  }
  // Triangles are held in single precision; a centimetre is seen from inside.
  within_ = params.camera == Camera::inside;
  if (within_) lift_off_ = std::clamp(0.004 / metres, 1e-6, 1e-5);
  if (params.water_level) pool_ = (*params.water_level - centre.z) / metres * lift;
  // Without ground below, a sea far below it is seen only where it goes on to the horizon.
  if (bottomless && base != Base::horizon && sea_level && (*sea_level - centre.z) / metres * lift < low.z)
    sea_level.reset();
  if (sea_level) {
    sea = (*sea_level - centre.z) / metres * lift;
    const double wide = base == Base::horizon ? 1e6 : 0;
    sea_left = low.x - wide, sea_right = high.x + wide, sea_front = low.y - wide, sea_back = high.y + wide;
    if (*sea > low.z) high.z = std::max(high.z, *sea);
  }
  ground_.set_water(pool_ && within_ ? params.water_level : sea ? sea_level : std::nullopt);
  if (colour_ == PictureColour::natural && model_.colours.empty() && !model_.sheet && !planet_.known())
    ground_.set_surface(mesh, context);
  const auto placed_height = [&](double z) { return (z - centre.z) / metres * lift; };
  lowest_tint_ = model_.low.z, highest_tint_ = model_.high.z;
  if (params.range)
    lowest_tint_ = placed_height(params.range->low), highest_tint_ = placed_height(params.range->high);
  else if (sea)
    lowest_tint_ = std::min(std::max(lowest_tint_, *sea), highest_tint_ - 0.01 * (highest_tint_ - lowest_tint_));
  outline = outermost(model_);
  for (const double x : {low.x, high.x})
    for (const double y : {low.y, high.y}) {
      if (model_.sheet) outline.push_back({x, y, floor});
      if (sea && *sea > low.z) outline.push_back({x, y, *sea});
    }
  // Only the free camera may get inside, and to know takes a while.
  if (params.camera == Camera::free)
    closed_ = model_.sheet || boundary_edges(mesh, weld(mesh, context), context).empty();
}

PictureLegend MeshSubject::legend() const {
  PictureLegend legend;
  if (colour_ == PictureColour::rock) legend.scale = scale_;
  if (colour_ != PictureColour::height || !(highest_tint_ > lowest_tint_)) return legend;
  const auto metres_of = [&](double z) { return z / lift * metres + centre.z; };
  legend.scale = ColourScale{ColourMap::relief, metres_of(lowest_tint_), metres_of(highest_tint_), "height", "m"};
  return legend;
}

void MeshSubject::add_to(RayScene& scene) {
  scene.add(model_.positions, model_.triangles);
  rays_ = &scene;
}

std::optional<double> MeshSubject::ground_at(Vec2 at) const {
  if (rays_ == nullptr) return std::nullopt;
  const double above = model_.high.z + 1;
  const auto hit = rays_->hit({at.x, at.y, above}, {0, 0, -1});
  return hit ? std::optional(above - hit->distance) : std::nullopt;
}

/// Whether there is an odd number of surfaces on the way.
bool MeshSubject::meets_odd(Vec3 from, Vec3 direction) const {
  bool odd = false;
  // Far more than any mesh has, but an end.
  for (int i = 0; i < 100'000; ++i) {
    const auto hit = rays_->hit(from, direction);
    if (!hit) return odd;
    odd = !odd;
    from = from + direction * (hit->distance + lift_off_);
  }
  return false;
}

bool MeshSubject::roofed(Vec3 at) const { return rays_ != nullptr && rays_->blocked(at, {0, 0, 1}); }

std::optional<WaterEntry> MeshSubject::enter_inland_water(Vec3 from, Vec3 direction, double far) const {
  if (!pool_ || !(direction.z < 0) || !(from.z > *pool_)) return std::nullopt;
  const double distance = (*pool_ - from.z) / direction.z;
  const Vec3 at = from + direction * distance;
  // Beyond its caves a level means nothing.
  if (!(distance < far) || at.x < low.x || at.x > high.x || at.y < low.y || at.y > high.y || !roofed(at))
    return std::nullopt;
  return WaterEntry{distance, true, *pool_, true};
}

std::optional<double> MeshSubject::inland_water_at(Vec2) const { return within_ ? pool_ : std::nullopt; }

bool MeshSubject::inside(Vec3 at) const {
  const bool over = bounded && at.x > low.x && at.x < high.x && at.y > low.y && at.y < high.y;
  if (!over && !bottomless && at.z <= floor) return true;
  if (!closed_ || rays_ == nullptr) return false;
  // Upwards, for the floor closes a sheet; several ways, for one may graze an edge.
  int odd = 0;
  for (const Vec3 direction : {Vec3{0.11, 0.23, 0.97}, Vec3{-0.31, 0.17, 0.94}, Vec3{0.19, -0.37, 0.91}})
    odd += meets_odd(at, direction) ? 1 : 0;
  return odd >= 2;
}

/// Smooth over gentle folds only: a vertex of a sharp edge has no normal of its own.
Vec3 MeshSubject::corner_normal(uint32_t triangle, uint32_t vertex, Vec3 facet) const {
  if (triangle >= model_.own_triangles) return facet;
  const Vec3 normal = to_vec(model_.normals[vertex]);
  const double across = dot(normal, facet);
  // The normals of a file may point to the other side of its facets.
  if (std::abs(across) < model_.sharpest) return facet;
  return across < 0 ? normal * -1 : normal;
}

SurfacePoint MeshSubject::surface(const RayHit& hit, Vec3 direction) const {
  const MeshTriangle& t = model_.triangles[hit.triangle];
  const Vec3 corners[3] = {to_vec(model_.positions[t[0]]), to_vec(model_.positions[t[1]]),
                           to_vec(model_.positions[t[2]])};
  const double weights[3] = {1 - hit.u - hit.v, hit.u, hit.v};
  SurfacePoint point;
  point.at = corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2];
  Vec3 facet = cross(corners[1] - corners[0], corners[2] - corners[0]);
  facet = facet * (1 / std::max(length(facet), 1e-300));
  const double side = dot(facet, direction) > 0 ? -1 : 1;
  point.facet = facet * side;
  for (size_t k = 0; k < 3; ++k) {
    const Vec3 normal = corner_normal(hit.triangle, t[k], facet) * side;
    point.normal = point.normal + normal * weights[k];
    // Rays start on the smooth surface that the normals tell of, not on the facet under it, lest facets shade
    // themselves (Hanika 2021).
    const double below = std::min(0.0, dot(point.at - corners[k], normal));
    point.start = point.start + (point.at - normal * below) * weights[k];
  }
  const double size = length(point.normal);
  point.normal = size > 1e-12 ? point.normal * (1 / size) : point.facet;
  point.start = point.start + point.facet * lift_off_;
  return point;
}

Vec3 MeshSubject::normal_in_world(Vec3 normal) const {
  if (!(lift > 0)) return normal;
  const Vec3 n{normal.x / lift, normal.y / lift, normal.z};
  return n * (1 / length(n));
}

Vec3 MeshSubject::normal_in_picture(Vec3 normal) const {
  const Vec3 n{normal.x * lift, normal.y * lift, normal.z};
  const double size = length(n);
  return size > 1e-12 ? n * (1 / size) : normal;
}

Vec3 MeshSubject::in_world(Vec3 at) const { return centre + Vec3{at.x, at.y, lift > 0 ? at.z / lift : 0} * metres; }

/// Whether the surface is a face of the cut rather than the rock's own.
bool MeshSubject::is_cut(const SurfacePoint& point) const {
  return ground_.is_cut(in_world(point.at), {point.facet.x, point.facet.y, point.facet.z * lift});
}

/// A point of the picture as a place in the world.
SurfacePlace MeshSubject::place_of(const RayHit* hit, const SurfacePoint& point, double footprint) const {
  SurfacePlace place{in_world(point.at), normal_in_world(point.normal), footprint * metres};
  if (hit != nullptr && hit->triangle < model_.own_triangles)
    own_rock_.tell(model_.triangles[hit->triangle], {1 - hit->u - hit->v, hit->u, hit->v}, place);
  return place;
}

Rgb MeshSubject::cut_colour(const SurfacePoint& point, double footprint) const {
  if (colour_ == PictureColour::natural) return ground_.cut(place_of(nullptr, point, footprint));
  return rock_colour(point.at);
}

/// As sections show it.
Rgb MeshSubject::rock_colour(Vec3 at) const {
  if (!rock_.geology) return section_rock;
  return from_hex(scale_.colour(static_cast<double>(rock_.geology->resistance(in_world(at)))));
}

Rgb MeshSubject::vertex_colour(const RayHit& hit) const {
  const MeshTriangle& t = model_.triangles[hit.triangle];
  const double weights[3] = {1 - hit.u - hit.v, hit.u, hit.v};
  Rgb sum;
  for (size_t k = 0; k < 3; ++k) {
    const MeshColour& c = model_.colours[t[k]];
    sum = sum + Rgb{decoded(c[0]), decoded(c[1]), decoded(c[2])} * static_cast<float>(weights[k]);
  }
  return sum;
}

Rgb MeshSubject::wall_colour(const SurfacePoint& point) const {
  if (colour_ != PictureColour::natural || !model_.colours.empty()) return {0.45f, 0.44f, 0.42f};
  return ground_.cut(place_of(nullptr, point, 0));
}

SurfacePoint MeshSubject::seen(const RayHit& hit, Vec3, Vec3 direction, double footprint) const {
  static const Rgb grey{0.46f, 0.46f, 0.46f}, clay = from_hex(0xc9c3b9);
  SurfacePoint point = surface(hit, direction);
  if (is_cut(point)) {
    point.normal = point.facet;
    point.albedo = cut_colour(point, footprint);
  } else if (hit.triangle >= model_.own_triangles) {
    point.albedo = wall_colour(point);
  } else if (colour_ == PictureColour::natural && model_.colours.empty() && planet_.known()) {
    const std::array<double, 3> shares{1 - hit.u - hit.v, hit.u, hit.v};
    point.albedo =
        planet_.albedo(model_.triangles[hit.triangle], shares, in_world(point.at), footprint * metres, season_);
  } else if (colour_ == PictureColour::natural && model_.colours.empty()) {
    const GroundLook look = ground_.look(place_of(&hit, point, footprint));
    point.albedo = look.albedo;
    point.normal = normal_in_picture(look.normal);
  } else if (colour_ == PictureColour::natural) {
    point.albedo = vertex_colour(hit);
  } else if (colour_ == PictureColour::rock) {
    point.albedo = rock_colour(point.at);
  } else if (colour_ == PictureColour::height) {
    point.albedo = from_hex(
        colour_at(ColourMap::relief, (point.at.z - lowest_tint_) / std::max(highest_tint_ - lowest_tint_, 1e-9)));
  } else {
    point.albedo = colour_ == PictureColour::hillshade ? grey : clay;
  }
  return point;
}

SurfacePoint MeshSubject::met(const RayHit& hit, Vec3 from, Vec3 direction) const {
  // Detail as coarse as the whole of it.
  return seen(hit, from, direction, 0.02);
}

Rgb MeshSubject::plain(Vec2 at, double footprint) const {
  if (colour_ != PictureColour::natural || !model_.colours.empty()) return {0.45f, 0.44f, 0.42f};
  return ground_.look({in_world({at.x, at.y, low.z}), {0, 0, 1}, footprint * metres}).albedo;
}

}  // namespace tepui
