#include "tepui/render/picture/land_subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/render/picture/lens.h"

namespace tepui {

namespace {

constexpr double lift_off = 1e-6;  ///< of a ray's start over its surface
/// The country around has at most this many cells for one side of the land, and reaches one side beyond it.
constexpr int64_t country_cells = 512;

Vec3 unit(Vec3 v) { return v * (1 / length(v)); }

/// 0, 1, ... last, ... 1, 0, 1, ...
double mirrored(double v, double last) {
  v = std::fmod(std::abs(v), 2 * last);
  return v > last ? 2 * last - v : v;
}

/// At least 2 x 2: a single row or column is drawn one cell wide.
Grid<float> widened(const Grid<float>& z) {
  Grid<float> out(std::max<int64_t>(z.width(), 2), std::max<int64_t>(z.height(), 2));
  for (int64_t y = 0; y < out.height(); ++y)
    for (int64_t x = 0; x < out.width(); ++x) out(x, y) = z(std::min(x, z.width() - 1), std::min(y, z.height() - 1));
  return out;
}

std::pair<double, double> range_of(const Grid<float>& z, const Context& context) {
  using Pair = std::pair<float, float>;
  const Pair range = parallel_reduce(
      z.height(), 64, context, Pair{INFINITY, -INFINITY},
      [&](int64_t begin, int64_t end) {
        const auto [low, high] = std::minmax_element(z.row(begin), z.row(begin) + (end - begin) * z.width());
        return Pair{*low, *high};
      },
      [](Pair a, Pair b) {
        return Pair{std::min(a.first, b.first), std::max(a.second, b.second)};
      });
  return {static_cast<double>(range.first), static_cast<double>(range.second)};
}

/// Samples that all of the land lies below or between: the highest of each of so many blocks, and some of the border.
std::vector<std::pair<int64_t, int64_t>> outermost(const Grid<float>& z) {
  constexpr int64_t lattice = 96;
  const int64_t w = z.width(), h = z.height(), across = std::min(lattice, w), along = std::min(lattice, h);
  std::vector<std::pair<int64_t, int64_t>> samples;
  for (int64_t i = 0; i <= lattice; ++i) {
    const int64_t x = i * (w - 1) / lattice, y = i * (h - 1) / lattice;
    samples.insert(samples.end(), {{x, 0}, {x, h - 1}, {0, y}, {w - 1, y}});
  }
  const size_t border = samples.size();
  samples.resize(border + static_cast<size_t>(across * along));
  parallel_chunks(along, 1, Context(), [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j)
      for (int64_t i = 0; i < across; ++i) {
        auto& top = samples[border + static_cast<size_t>(j * across + i)];
        top = {i * w / across, j * h / along};
        for (int64_t y = j * h / along; y < (j + 1) * h / along; ++y)
          for (int64_t x = i * w / across; x < (i + 1) * w / across; ++x)
            if (z(x, y) > z(top.first, top.second)) top = {x, y};
      }
  });
  return samples;
}

/// The middle of the heights along the border.
double border_level(const Grid<float>& z) {
  std::vector<float> border;
  for (int64_t x = 0; x < z.width(); ++x) border.push_back(z(x, 0)), border.push_back(z(x, z.height() - 1));
  for (int64_t y = 0; y < z.height(); ++y) border.push_back(z(0, y)), border.push_back(z(z.width() - 1, y));
  std::nth_element(border.begin(), border.begin() + static_cast<int64_t>(border.size() / 2), border.end());
  return static_cast<double>(border[border.size() / 2]);
}

}  // namespace

LandSubject::LandSubject(const Terrain& land, const LandPaint& paint, Base base, const PictureParams& params,
                         std::optional<double> sea_level, const Context& context)
    : paint_(&paint), land_(land) {
  const Frame& frame = land.frame();
  heights_ = land.find("height") != nullptr ? &land.height() : nullptr;
  if (heights_ == nullptr)
    own_ = Grid<float>(std::max<int64_t>(frame.width, 2), std::max<int64_t>(frame.height, 2), 0.0f);
  else if (frame.width < 2 || frame.height < 2)
    own_ = widened(*heights_);
  if (!own_.empty()) heights_ = &own_;

  const Grid<float>& z = *heights_;
  const Vec2 extent{static_cast<double>(z.width() - 1) * frame.cell.x,
                    static_cast<double>(z.height() - 1) * frame.cell.y};
  metres = std::max(extent.x, extent.y);
  lift = params.exaggeration;
  wide_samples = true;
  cell_ = frame.cell * (1 / metres);
  raise_ = lift / metres;
  centre = {frame.x(0) + 0.5 * extent.x, frame.y(0) + 0.5 * extent.y, 0};
  const auto [lowest, highest] = range_of(z, context);
  if (!(highest - lowest < 1e9 * std::min(frame.cell.x, frame.cell.y)) || std::max(highest, -lowest) > 1e9 * metres)
    refuse(fmt::format("heights from {} to {} m are beyond what can be drawn", lowest, highest),
           "scale the land, or lower the exaggeration");
  low = {-0.5 * extent.x / metres, -0.5 * extent.y / metres, lowest * raise_};
  high = {0.5 * extent.x / metres, 0.5 * extent.y / metres, highest * raise_};
  field_.emplace(z, HeightPlacement{{low.x, low.y, 0}, cell_, raise_}, context);
  if (!paint.water().empty()) add_water(context);
  measure(base, params.frame, sea_level);
  if (base == Base::horizon) add_country(viewer_of(params), context);
  add_walls();
}

void LandSubject::measure(Base base, const std::optional<Interval>& frame, std::optional<double> sea_level) {
  const Grid<float>& z = *heights_;
  if (frame) {
    low.z = std::min(low.z, frame->low * raise_);
    high.z = std::max(high.z, frame->high * raise_);
  }
  if (sea_level) {
    sea = *sea_level * raise_;
    const double wide = base == Base::horizon ? 1e6 : 0;
    sea_left = low.x - wide, sea_right = high.x + wide, sea_front = low.y - wide, sea_back = high.y + wide;
    if (*sea > low.z) high.z = std::max(high.z, *sea);
  }
  if (levels_ != nullptr) high.z = std::max(high.z, range_of(*levels_, Context()).second * raise_);
  const double relief = high.z - low.z;
  if (base == Base::horizon)
    // Beyond a land in the sea is the sea.
    floor = sea && *sea > low.z ? std::min(border_level(z) * raise_, *sea - 0.03) : border_level(z) * raise_;
  else
    floor = low.z - (base == Base::plate ? 0.002 : std::max(0.035, 0.12 * relief));
  for (const double x : {low.x, high.x})
    for (const double y : {low.y, high.y})
      if (base != Base::horizon) outline.push_back({x, y, floor});
  if (frame) {
    // The same points for every land, or the views would differ.
    for (const double x : {low.x, high.x})
      for (const double y : {low.y, high.y})
        for (const double top : {frame->low, frame->high}) outline.push_back({x, y, top * raise_});
    return;
  }
  for (const auto& [x, y] : outermost(z)) {
    const double top = static_cast<double>(z(x, y)) * raise_;
    outline.push_back({low.x + static_cast<double>(x) * cell_.x, low.y + static_cast<double>(y) * cell_.y,
                       sea ? std::max(top, *sea) : top});
  }
}

/// Mirrors the land around it, ever lower, until it is the plain; sooner where it would stand before the land.
void LandSubject::add_country(Vec2 viewer, const Context& context) {
  const auto cells = [&](double side, int64_t own) {
    return std::clamp<int64_t>(std::llround(side * country_cells), 1, std::max<int64_t>(own, 16));
  };
  const double wide = high.x - low.x, tall = high.y - low.y;
  const int64_t across = cells(wide, heights_->width() - 1), along = cells(tall, heights_->height() - 1);
  const Vec2 cell{wide / static_cast<double>(across), tall / static_cast<double>(along)};
  const auto beyond_x = static_cast<int64_t>(std::ceil(1 / cell.x)),
             beyond_y = static_cast<int64_t>(std::ceil(1 / cell.y));
  const auto height = [&](const HeightField& of, int64_t x, int64_t y) {
    const double dx = std::max({-static_cast<double>(x), static_cast<double>(x - across), 0.0}) * cell.x;
    const double dy = std::max({-static_cast<double>(y), static_cast<double>(y - along), 0.0}) * cell.y;
    const Vec2 at{low.x + static_cast<double>(x) * cell.x, low.y + static_cast<double>(y) * cell.y};
    const double towards = std::max(0.0, (at.x * viewer.x + at.y * viewer.y) / std::max(1e-9, std::hypot(at.x, at.y)));
    const double away = std::min(1.0, std::sqrt(dx * dx + dy * dy) * (1 + 5 * towards));
    const double kept = (1 - away) * (1 - away) * (1 + 2 * away);
    const Vec2 sample = sample_at(at);
    return static_cast<float>(floor + (of.height_at(sample.x, sample.y) - floor) * kept);
  };
  // First and last lattice lines of each strip; those to the west and the east have the corners.
  const int64_t strips[4][4] = {{0, across, -beyond_y, 0},
                                {0, across, along, along + beyond_y},
                                {-beyond_x, 0, -beyond_y, along + beyond_y},
                                {across, across + beyond_x, -beyond_y, along + beyond_y}};
  apron = 1;
  country_heights_.reserve(4);
  country_levels_.reserve(4);
  for (const auto& [x0, x1, y0, y1] : strips) {
    const HeightPlacement place{
        {low.x + static_cast<double>(x0) * cell.x, low.y + static_cast<double>(y0) * cell.y, 0}, cell, 1};
    const auto fill = [&, x = x0, y = y0](Grid<float>& grid, const HeightField& of) {
      parallel_chunks(grid.height(), 16, context, [&](int64_t begin, int64_t end) {
        for (int64_t j = begin; j < end; ++j)
          for (int64_t i = 0; i < grid.width(); ++i) grid(i, j) = height(of, x + i, y + j);
      });
    };
    fill(country_heights_.emplace_back(x1 - x0 + 1, y1 - y0 + 1), *field_);
    country_.emplace_back(country_heights_.back(), place, context);
    if (levels_ == nullptr) continue;
    fill(country_levels_.emplace_back(x1 - x0 + 1, y1 - y0 + 1), waters_.front());
    waters_.emplace_back(country_levels_.back(), place, context);
  }
}

void LandSubject::add_water(const Context& context) {
  levels_ = &paint_->water().level();
  if (levels_->width() < 2 || levels_->height() < 2) {
    own_levels_ = widened(*levels_);
    levels_ = &own_levels_;
  }
  // Room for the country's, too, so that the first one stays where it is.
  waters_.reserve(5);
  waters_.emplace_back(*levels_, HeightPlacement{{low.x, low.y, 0}, cell_, raise_}, context);
}

/// Between the bed and the surface, where the land's border cuts through water.
void LandSubject::add_water_walls() {
  const Grid<float>&z = *heights_, &level = *levels_;
  const auto point = [&](double x, double y, double metres_high) {
    water_wall_points_.push_back({static_cast<float>(low.x + x * cell_.x), static_cast<float>(low.y + y * cell_.y),
                                  static_cast<float>(metres_high * raise_)});
  };
  const auto add_span = [&](int64_t x0, int64_t y0, int64_t x1, int64_t y1) {
    const double z0 = static_cast<double>(z(x0, y0)), z1 = static_cast<double>(z(x1, y1));
    const double over0 = static_cast<double>(level(x0, y0)) - z0, over1 = static_cast<double>(level(x1, y1)) - z1;
    if (over0 <= 0 && over1 <= 0) return;
    const auto first = static_cast<uint32_t>(water_wall_points_.size());
    // Where the water ends between two samples, its wall ends in a point.
    const double shore = over0 / (over0 - over1), from = over0 > 0 ? 0 : shore, to = over1 > 0 ? 1 : shore;
    for (const double t : {from, to}) {
      const double x = static_cast<double>(x0) + t * static_cast<double>(x1 - x0),
                   y = static_cast<double>(y0) + t * static_cast<double>(y1 - y0), bed = z0 + t * (z1 - z0);
      point(x, y, bed + std::max(0.0, over0 + t * (over1 - over0)));
      point(x, y, bed);
    }
    water_wall_triangles_.push_back({first, first + 1, first + 3});
    water_wall_triangles_.push_back({first, first + 3, first + 2});
  };
  for (int64_t x = 0; x + 1 < z.width(); ++x)
    for (const int64_t y : {int64_t{0}, z.height() - 1}) add_span(x, y, x + 1, y);
  for (int64_t y = 0; y + 1 < z.height(); ++y)
    for (const int64_t x : {int64_t{0}, z.width() - 1}) add_span(x, y, x, y + 1);
}

void LandSubject::add_walls() {
  const Grid<float>& z = *heights_;
  const double foot = country_.empty() ? floor : low.z - 0.05;
  const auto add_side = [&](int64_t count, const auto& sample) {
    const auto first = static_cast<uint32_t>(wall_points_.size());
    for (int64_t i = 0; i < count; ++i) {
      const auto [x, y] = sample(i);
      const auto px = static_cast<float>(low.x + static_cast<double>(x) * cell_.x),
                 py = static_cast<float>(low.y + static_cast<double>(y) * cell_.y);
      wall_points_.push_back({px, py, static_cast<float>(static_cast<double>(z(x, y)) * raise_)});
      wall_points_.push_back({px, py, static_cast<float>(foot)});
    }
    for (uint32_t i = 0; i + 1 < static_cast<uint32_t>(count); ++i) {
      const uint32_t a = first + 2 * i;
      wall_triangles_.push_back({a, a + 1, a + 3});
      wall_triangles_.push_back({a, a + 3, a + 2});
    }
  };
  using Sample = std::pair<int64_t, int64_t>;
  const int64_t w = z.width(), h = z.height();
  add_side(w, [&](int64_t i) { return Sample{i, 0}; });
  add_side(h, [&](int64_t i) { return Sample{w - 1, i}; });
  add_side(w, [&](int64_t i) { return Sample{w - 1 - i, h - 1}; });
  add_side(h, [&](int64_t i) { return Sample{0, h - 1 - i}; });
}

void LandSubject::add_to(RayScene& scene) {
  field_shape_ = scene.add(*field_);
  wall_shape_ = scene.add(wall_points_, wall_triangles_);
  country_shape_ = wall_shape_ + 1;
  for (const HeightField& strip : country_) scene.add(strip);
  if (levels_ == nullptr) return;
  if (country_.empty()) add_water_walls();
  water_rays_ = std::make_unique<RayScene>();
  for (const HeightField& water : waters_) water_rays_->add(water);
  water_rays_->add(water_wall_points_, water_wall_triangles_);
  water_rays_->commit(Context());
}

std::optional<WaterEntry> LandSubject::enter_inland_water(Vec3 from, Vec3 direction, double far) const {
  if (!water_rays_) return std::nullopt;
  const auto hit = water_rays_->hit(from, direction, far);
  if (!hit || hit->distance + lift_off >= far) return std::nullopt;
  if (hit->shape == waters_.size()) {
    const Vec3 at = from + direction * hit->distance;
    const Vec2 sample = sample_at({at.x, at.y});
    return WaterEntry{hit->distance, false, waters_.front().height_at(sample.x, sample.y), true};
  }
  const HeightField &water = waters_[hit->shape], &ground = hit->shape == 0 ? *field_ : country_[hit->shape - 1];
  const double level = water.height_at(hit->u, hit->v);
  // Less water than that is a wet shore.
  if (level - ground.height_at(hit->u, hit->v) <= 2 * lift_off) return std::nullopt;
  const Vec3 normal = true_normal(water.normal_at(hit->u, hit->v));
  return WaterEntry{hit->distance, true, level, true, std::sqrt(normal.x * normal.x + normal.y * normal.y) / normal.z};
}

std::optional<double> LandSubject::inland_water_at(Vec2 at) const {
  if (levels_ == nullptr || at.x < low.x || at.x > high.x || at.y < low.y || at.y > high.y) return std::nullopt;
  const Vec2 sample = sample_at(at);
  const double level = waters_.front().height_at(sample.x, sample.y);
  return level > field_->height_at(sample.x, sample.y) ? std::optional(level) : std::nullopt;
}

const HeightField& LandSubject::field_of(uint32_t shape) const {
  return shape == field_shape_ ? *field_ : country_[shape - country_shape_];
}

Vec2 LandSubject::sample_at(Vec2 at) const {
  return {mirrored((at.x - low.x) / cell_.x, static_cast<double>(heights_->width() - 1)),
          mirrored((at.y - low.y) / cell_.y, static_cast<double>(heights_->height() - 1))};
}

Vec3 LandSubject::true_normal(Vec3 n) const { return lift > 0 ? unit({n.x / lift, n.y / lift, n.z}) : Vec3{0, 0, 1}; }

SurfacePoint LandSubject::wall(const RayHit& hit, Vec3 direction, double footprint) const {
  const MeshTriangle& t = wall_triangles_[hit.triangle];
  const Vec3 a = to_vec(wall_points_[t[0]]), b = to_vec(wall_points_[t[1]]), c = to_vec(wall_points_[t[2]]);
  SurfacePoint point;
  // On the triangle itself: distances are in single precision, and might end behind it.
  point.at = a * (1 - hit.u - hit.v) + b * hit.u + c * hit.v;
  point.facet = unit(cross(b - a, c - a));
  if (dot(point.facet, direction) > 0) point.facet = point.facet * -1;
  point.normal = point.facet;
  point.start = point.at + point.facet * lift_off;
  const Vec2 sample = sample_at({point.at.x, point.at.y});
  if (!country_.empty()) {
    // A crack between the land and the coarser country: as the ground at its rim.
    point.facet = point.normal = field_->normal_at(sample.x, sample.y);
    // Above both, for from within the wall's plane a ray would meet the wall again.
    double top = field_->height_at(sample.x, sample.y);
    for (const HeightField& strip : country_) {
      const HeightPlacement& place = strip.placement();
      const double u = (point.at.x - place.origin.x) / place.cell.x, v = (point.at.y - place.origin.y) / place.cell.y;
      if (u > -0.5 && v > -0.5 && u < static_cast<double>(strip.heights().width()) - 0.5 &&
          v < static_cast<double>(strip.heights().height()) - 0.5)
        top = std::max(top, strip.height_at(u, v));
    }
    point.start = {point.at.x, point.at.y, top + 20 * lift_off};
    point.albedo = paint_->rough(sample.x, sample.y);
    return point;
  }
  point.albedo = paint_->cut(sample.x, sample.y, in_metres(point.at), footprint * metres);
  return point;
}

Vec3 LandSubject::in_metres(Vec3 at) const { return {(at.x - low.x) * metres, (at.y - low.y) * metres, at.z / raise_}; }

GroundLook LandSubject::look_at(const SurfacePoint& point, bool own, double footprint) const {
  const Vec2 sample = sample_at({point.at.x, point.at.y});
  const Vec3 normal = true_normal(point.normal);
  if (own) return paint_->look(sample.x, sample.y, normal, footprint * metres);
  return paint_->beyond(in_metres(point.at), sample.x, sample.y, normal, footprint * metres);
}

SurfacePoint LandSubject::finished(SurfacePoint point, bool own, Vec3 direction, double footprint) const {
  const GroundLook look = look_at(point, own, footprint);
  point.albedo = look.albedo;
  point.normal = unit({look.normal.x * lift, look.normal.y * lift, look.normal.z});
  point.start = point.at + point.facet * lift_off;
  // From below, which only happens under overhanging rounding, the surface is seen from its other side.
  if (dot(point.facet, direction) > 0) {
    point.facet = point.facet * -1;
    point.normal = point.normal * -1;
    point.start = point.at + point.facet * lift_off;
  }
  return point;
}

SurfacePoint LandSubject::seen(const RayHit& hit, Vec3 from, Vec3 direction, double footprint) const {
  if (hit.shape == wall_shape_) return wall(hit, direction, footprint);
  const HeightField& field = field_of(hit.shape);
  SurfacePoint point;
  point.at = from + direction * hit.distance;
  point.facet = field.facet_at(hit.u, hit.v);
  point.normal = field.normal_at(hit.u, hit.v);
  return finished(point, is_land(hit.shape), direction, footprint);
}

SurfacePoint LandSubject::met(const RayHit& hit, Vec3 from, Vec3 direction) const {
  if (hit.shape == wall_shape_) return wall(hit, direction, 0.02);
  const HeightField& field = field_of(hit.shape);
  SurfacePoint point;
  point.at = from + direction * hit.distance;
  point.facet = field.facet_at(hit.u, hit.v);
  if (dot(point.facet, direction) > 0) point.facet = point.facet * -1;
  point.normal = point.facet;
  point.start = point.at + point.facet * lift_off;
  const Vec2 sample = sample_at({point.at.x, point.at.y});
  point.albedo = paint_->rough(sample.x, sample.y);
  return point;
}

Rgb LandSubject::plain(Vec2 at, double footprint) const {
  SurfacePoint point;
  point.at = {at.x, at.y, floor};
  point.normal = {0, 0, 1};
  return look_at(point, false, footprint).albedo;
}

Rgb LandSubject::stone(Vec3 at) const {
  const Vec2 sample = sample_at({at.x, at.y});
  return paint_->cut(sample.x, sample.y, in_metres(at), metres);
}

std::optional<double> LandSubject::ground_at(Vec2 at) const {
  const auto over = [&](const HeightField& field) -> std::optional<double> {
    const HeightPlacement& place = field.placement();
    const double u = (at.x - place.origin.x) / place.cell.x, v = (at.y - place.origin.y) / place.cell.y;
    const Grid<float>& z = field.heights();
    if (u < 0 || v < 0 || u > static_cast<double>(z.width() - 1) || v > static_cast<double>(z.height() - 1)) return {};
    return field.height_at(u, v);
  };
  if (const auto height = over(*field_)) return height;
  for (const HeightField& strip : country_)
    if (const auto height = over(strip)) return height;
  return country_.empty() ? std::nullopt : std::optional(floor);
}

}  // namespace tepui
