#include "tepui/render/ground/land_ground.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/render/ground/biome_choice.h"
#include "tepui/render/ground/biome_look.h"
#include "tepui/render/ground/solid_grain.h"

namespace tepui {

namespace {

/// What shares of heights are of: the land's own relief, or from the sea up.
Relief relief_of(const Terrain& land, std::optional<double> sea) {
  Relief relief = land.relief();
  if (!relief.has_shares()) relief.top = relief.base + std::max(1.0, 1e-3 * std::abs(relief.base));
  if (sea) relief.base = std::min(std::max(relief.base, *sea), relief.top - 0.01 * relief.span());
  return relief;
}

}  // namespace

GroundSetting setting_of(const Terrain& land, const SkinParams& skin, std::optional<double> sea, const Geology* rock,
                         const Context& context) {
  GroundSetting setting{.biome = biome_of(land, skin, sea, context),
                        .side = land.frame().longer_side(),
                        .relief = relief_of(land, sea),
                        .season = skin.season,
                        .snow_line = skin.snow_line,
                        .colours = skin.colours};
  if (rock != nullptr)
    for (const NamedRock& named : rock->root().names()) setting.rocks.push_back(named.name);
  return setting;
}

/// Two neighbours along each axis and the shares between them.
struct LandGround::Sight {
  int64_t x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  double s = 0, t = 0;
};

LandGround::Sight LandGround::sight(double u, double v, int64_t width, int64_t height) const {
  Sight at;
  u = std::clamp(u, 0.0, static_cast<double>(width - 1));
  v = std::clamp(v, 0.0, static_cast<double>(height - 1));
  at.x0 = static_cast<int64_t>(u);
  at.y0 = static_cast<int64_t>(v);
  at.x1 = std::min(at.x0 + 1, width - 1);
  at.y1 = std::min(at.y0 + 1, height - 1);
  at.s = u - static_cast<double>(at.x0);
  at.t = v - static_cast<double>(at.y0);
  return at;
}

double LandGround::between(const Grid<float>& grid, const Sight& at) {
  const float *south = grid.row(at.y0), *north = grid.row(at.y1);
  const auto along = [&](const float* row) {
    const double a = static_cast<double>(row[at.x0]);
    return a + at.s * (static_cast<double>(row[at.x1]) - a);
  };
  const double a = along(south);
  return a + at.t * (along(north) - a);
}

float LandGround::read(const Layer* layer, const Sight& at) const {
  if (layer == nullptr) return -1;
  const double value = layer->kind == LayerKind::category
                           ? static_cast<double>(layer->grid()(at.s < 0.5 ? at.x0 : at.x1, at.t < 0.5 ? at.y0 : at.y1))
                           : between(layer->grid(), at);
  return static_cast<float>(std::max(0.0, value));
}

float LandGround::snow(double u, double v, Vec3 at, double footprint) const {
  // Tongues and bays from four samples down to what the picture shows.
  const Vec2 size = cell();
  const double unit = 4 * std::sqrt(size.x * size.y);
  const auto bound = [unit](double metres) { return std::clamp(metres / unit, -1e9, 1e9); };
  const Vec3 place{bound(at.x), bound(at.y), 0};
  const SolidGrainRange range{.octaves = 5, .footprint = static_cast<float>(footprint / unit), .fall = 0.62f};
  const auto aside = [&](double z) {
    return 1.5 * static_cast<double>(solid_grain_value(place + Vec3{0, 0, z}, range));
  };
  return covers_.rounded_snow(u + aside(0.5), v + aside(31.5));
}

LandGround::LandGround(const Terrain& land, const SkinParams& skin, std::optional<double> sea_level,
                       const Context& context, const Geology* rock)
    : land_(land),
      covers_(land),
      sea_(sea_level),
      water_(land, context),
      ground_(setting_of(land, skin, sea_level, rock, context)) {
  if (const Layer* height = land_.find("height")) heights_ = &height->grid();
  const auto numbers = [this](std::string_view name) {
    const Layer* layer = land_.find(name);
    return layer != nullptr && layer->kind != LayerKind::category ? layer : nullptr;
  };
  material_ = land_.find("material");
  if (material_ != nullptr && material_->kind != LayerKind::category) material_ = nullptr;
  hardness_ = numbers("hardness");
  warmest_ = numbers("temperature_summer");
  if (rock != nullptr) rock_ = *rock;
  for (const CoverRow& row : cover_rows())
    if (row.by == LaidBy::depth && covers_.index_of(row.layer) == covers_.list().size())
      if (const Layer* layer = numbers(row.layer)) masks_.emplace_back(layer, &row);
}

double LandGround::height_at(double u, double v) const {
  return heights_ == nullptr ? 0 : between(*heights_, sight(u, v, heights_->width(), heights_->height()));
}

float LandGround::above_water(double u, double v, double z) const {
  const float over_sea = sea_ ? static_cast<float>(z - *sea_) : std::numeric_limits<float>::max();
  return water_.empty() ? over_sea : std::min(over_sea, static_cast<float>(-water_.over_ground(u, v)));
}

double LandGround::sample(int64_t x, int64_t y) const {
  const int64_t w = heights_->width(), h = heights_->height();
  if (w > 1 && x < 0) return 2 * sample(0, y) - sample(1, y);
  if (w > 1 && x >= w) return 2 * sample(w - 1, y) - sample(w - 2, y);
  if (h > 1 && y < 0) return 2 * sample(x, 0) - sample(x, 1);
  if (h > 1 && y >= h) return 2 * sample(x, h - 1) - sample(x, h - 2);
  return static_cast<double>((*heights_)(w > 1 ? x : 0, h > 1 ? y : 0));
}

Vec3 LandGround::normal_at(double u, double v) const {
  if (heights_ == nullptr) return {0, 0, 1};
  const int64_t w = heights_->width(), h = heights_->height();
  Sight at = sight(u, v, w, h);
  // The last sample has no patch beyond it.
  if (at.x0 == w - 1 && w > 1) at.x0 -= 1, at.s = 1;
  if (at.y0 == h - 1 && h > 1) at.y0 -= 1, at.t = 1;
  double z[4][4];
  const bool inside = at.x0 > 0 && at.y0 > 0 && at.x0 + 2 < w && at.y0 + 2 < h;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) {
      const int64_t x = at.x0 + i - 1, y = at.y0 + j - 1;
      z[j][i] = inside ? static_cast<double>(heights_->row(y)[x]) : sample(x, y);
    }
  const auto east = [&](int i, int j) {
    return (z[j - 1][i + 1] - z[j - 1][i - 1]) + 2 * (z[j][i + 1] - z[j][i - 1]) + (z[j + 1][i + 1] - z[j + 1][i - 1]);
  };
  const auto north = [&](int i, int j) {
    return (z[j + 1][i - 1] - z[j - 1][i - 1]) + 2 * (z[j + 1][i] - z[j - 1][i]) + (z[j + 1][i + 1] - z[j - 1][i + 1]);
  };
  const auto blend = [&](const auto& f) {
    const double south = f(1, 1) + at.s * (f(2, 1) - f(1, 1)), far = f(1, 2) + at.s * (f(2, 2) - f(1, 2));
    return (south + at.t * (far - south)) / 8;
  };
  const Vec3 upright{-blend(east) / cell().x, -blend(north) / cell().y, 1};
  // Slopes of any size: the longest part is 1 before squares are taken.
  const double largest = std::max({std::abs(upright.x), std::abs(upright.y), 1.0});
  const Vec3 scaled = upright * (1 / largest);
  return scaled * (1 / length(scaled));
}

GroundLook LandGround::beyond(Vec3 at, double u, double v, Vec3 normal, double footprint) const {
  const Frame& frame = land_.frame();
  GroundPoint p = point(u, v, normal, footprint);
  p.at = at +
         Vec3{static_cast<double>(frame.first_x) * frame.cell.x, static_cast<double>(frame.first_y) * frame.cell.y, 0};
  if (!water_.empty() || sea_) p.above_water = above_water(u, v, at.z);
  return ground_.look(p);
}

GroundPoint LandGround::point(double u, double v, Vec3 normal, double footprint) const {
  const Frame& frame = land_.frame();
  const Sight at = sight(u, v, frame.width, frame.height);
  GroundPoint p;
  const double z = heights_ == nullptr ? 0 : between(*heights_, at);
  p.at = {(static_cast<double>(frame.first_x) + static_cast<double>(at.x0) + at.s) * frame.cell.x,
          (static_cast<double>(frame.first_y) + static_cast<double>(at.y0) + at.t) * frame.cell.y, z};
  p.normal = normal;
  if (!water_.empty() || sea_) p.above_water = above_water(u, v, z);
  if (material_ != nullptr) {
    p.material_class = static_cast<int>(std::min(read(material_, at), 1e6f));
    const auto number = static_cast<float>(p.material_class);
    // Without a last class, one that every part of the land agrees on.
    p.material =
        material_->classes > 1 ? clamp01(number / static_cast<float>(material_->classes - 1)) : number / (number + 4);
  }
  if (hardness_ != nullptr) p.hardness = clamp01(read(hardness_, at));
  if (warmest_ != nullptr) p.warmest = static_cast<float>(between(warmest_->grid(), at));
  if (!covers_.list().empty()) {
    Covers::Depths seen = covers_.seen(u, v, normal);
    if (covers_.has_snow()) seen[covers_.snow()] = snow(u, v, p.at, footprint);
    for (size_t i = 0; i < covers_.list().size(); ++i) lay(p, *covers_.list()[i].row, seen[i]);
  }
  for (const auto& [layer, row] : masks_) lay(p, *row, read(layer, at));
  p.footprint = static_cast<float>(footprint);
  if (rock_) know_rock(p, {p.at.x, p.at.y, z});
  return p;
}

void LandGround::lay(GroundPoint& point, const CoverRow& row, float depth) {
  if (row.kind)
    point.of(*row.kind) = depth;
  else if (row.by == LaidBy::depth)
    point.sediment = depth;
}

void LandGround::know_rock(GroundPoint& point, Vec3 at) const {
  const Vec3 world = at + Vec3{land_.frame().origin.x, land_.frame().origin.y, 0};
  const RockPoints points{&world.x, &world.y, &world.z, 1};
  int32_t which = -1;
  rock_->resistance(points, &point.hardness);
  rock_->root().rocks(points, &which);
  point.bed = bed_of_rock(point.hardness, which);
  point.rock = which;
}

GroundLook LandGround::look(double u, double v, Vec3 normal, double footprint) const {
  return ground_.look(point(u, v, normal, footprint));
}

Rgb LandGround::cut(Vec3 at, double footprint) const {
  const Frame& frame = land_.frame();
  GroundPoint p;
  p.at = {at.x + static_cast<double>(frame.first_x) * frame.cell.x,
          at.y + static_cast<double>(frame.first_y) * frame.cell.y, at.z};
  p.footprint = static_cast<float>(footprint);
  if (rock_) know_rock(p, p.at);
  const double u = at.x / frame.cell.x, v = at.y / frame.cell.y;
  p.depth = static_cast<float>(height_at(u, v) - at.z);
  const Covers::Depths lying = covers_.lying(u, v);
  for (size_t i = 0; i < covers_.list().size(); ++i) lay(p, *covers_.list()[i].row, lying[i]);
  return ground_.cut(p);
}

}  // namespace tepui
