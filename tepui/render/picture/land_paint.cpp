#include "tepui/render/picture/land_paint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/render/page/layer_scale.h"

namespace tepui {

namespace {

/// For bounced light; finer colours make no difference there.
constexpr int64_t rough_side = 512;

float nearest(const Grid<float>& grid, double u, double v) {
  return grid(std::clamp<int64_t>(std::lround(u), 0, grid.width() - 1),
              std::clamp<int64_t>(std::lround(v), 0, grid.height() - 1));
}

float between(const Grid<float>& grid, double u, double v) {
  u = std::clamp(u, 0.0, static_cast<double>(grid.width() - 1));
  v = std::clamp(v, 0.0, static_cast<double>(grid.height() - 1));
  const int64_t x = std::min(static_cast<int64_t>(u), std::max<int64_t>(grid.width() - 2, 0)),
                y = std::min(static_cast<int64_t>(v), std::max<int64_t>(grid.height() - 2, 0));
  const int64_t right = std::min(x + 1, grid.width() - 1), up = std::min(y + 1, grid.height() - 1);
  const float s = static_cast<float>(u - static_cast<double>(x)), t = static_cast<float>(v - static_cast<double>(y));
  const float a = grid(x, y) + s * (grid(right, y) - grid(x, y)), b = grid(x, up) + s * (grid(right, up) - grid(x, up));
  return a + t * (b - a);
}

std::pair<double, double> range_of(const Layer& layer) {
  if (layer.kind == LayerKind::mask) return {0, 1};
  const auto [low, high] = std::ranges::minmax_element(layer.grid().cells());
  return {static_cast<double>(*low), static_cast<double>(*high)};
}

}  // namespace

LandPaint::LandPaint() = default;
LandPaint::~LandPaint() = default;

LandPaint::LandPaint(const Terrain& land, const PictureParams& params, std::optional<double> sea,
                     const Context& context, const Geology* rock)
    : colour_(params.colour), land_(land) {
  if (colour_ == PictureColour::natural) {
    ground_ = std::make_unique<LandGround>(land, params, sea, context, rock);
  } else if (colour_ == PictureColour::layer) {
    if (!params.layer && land_.layers().size() != 1)
      refuse("'layer' is not given: which layer should give the colours?", "for example layer = \"material\"");
    layer_ = params.layer ? &land_.layer(*params.layer) : &land_.layers().front();
    set_scale(params.colour_map, params.range);
  } else if (colour_ == PictureColour::cover) {
    set_covers();
  } else if (colour_ == PictureColour::rock) {
    if (rock == nullptr)
      refuse("colour = rock needs a rock, and there is none", R"(in a recipe's output: "rock": "NODE")");
    rock_ = *rock;
    scale_ = rock_scale(params.colour_map);
    for (const uint32_t rgb : colour_table(scale_.map)) colours_.push_back(from_hex(rgb));
    set_covers();
  } else if (colour_ == PictureColour::height) {
    layer_ = &land_.layer("height");
    set_scale(ColourMap::relief, params.range);
    if (sea && !params.range)
      scale_.low = std::min(std::max(scale_.low, *sea), scale_.high - 0.01 * (scale_.high - scale_.low));
  }
  const bool told = colour_ == PictureColour::cover || rock_ || (layer_ != nullptr && tells_of_water(*layer_));
  if (!told) water_ = ground_ ? ground_->water() : InlandWater(land, context);
  const Frame& frame = land.frame();
  rough_ = Grid<Rgb>(std::min(frame.width, rough_side), std::min(frame.height, rough_side));
  rough_step_ = {
      rough_.width() > 1 ? static_cast<double>(frame.width - 1) / static_cast<double>(rough_.width() - 1) : 1,
      rough_.height() > 1 ? static_cast<double>(frame.height - 1) / static_cast<double>(rough_.height() - 1) : 1};
  const double footprint = 2 * std::max(rough_step_.x * frame.cell.x, rough_step_.y * frame.cell.y);
  parallel_chunks(rough_.height(), 8, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < rough_.width(); ++x) {
        const double u = static_cast<double>(x) * rough_step_.x, v = static_cast<double>(y) * rough_step_.y;
        const Vec3 normal = layer_ == nullptr ? slope_normal(u, v) : Vec3{0, 0, 1};
        rough_(x, y) = ground_ ? ground_->look(u, v, normal, footprint).albedo : plain_colour(u, v, normal);
      }
  });
}

void LandPaint::set_covers() {
  covers_ = Covers(land_);
  const auto [low, high] = range_of(land_.layer("height"));
  hiding_ = hiding_thickness(high - low);
  for (const Covers::Cover& cover : covers_.list()) cover_colours_.push_back(from_hex(cover.row->rgb));
}

void LandPaint::set_scale(ColourMap map, const std::optional<Interval>& range) {
  const auto [low, high] = range_of(*layer_);
  scale_ = scale_of(*layer_, map, range, {low, high});
  for (const uint32_t rgb : colour_table(scale_.map)) colours_.push_back(from_hex(rgb));
}

PictureLegend LandPaint::legend() const {
  PictureLegend legend;
  // As in the ground: what lies on top comes first.
  for (size_t i = covers_.list().size(); i-- > 0;)
    legend.classes.push_back({covers_.list()[i].row->rgb, covers_.list()[i].row->name});
  if (colour_ == PictureColour::cover) legend.classes.push_back({bare_rock_rgb, "rock"});
  if (rock_) legend.scale = scale_;
  if (layer_ == nullptr) return legend;
  if (layer_->kind != LayerKind::category) {
    legend.scale = scale_;
    return legend;
  }
  legend.classes_title = layer_->name;
  const int64_t classes = std::max<int64_t>(layer_->classes, std::lround(scale_.high) + 1);
  constexpr int64_t most = 256;
  for (int64_t i = 0; i < std::min(classes, most); ++i)
    legend.classes.push_back({to_hex(category_colour(i)), fmt::format("{}", i)});
  return legend;
}

Vec3 LandPaint::slope_normal(double u, double v) const {
  const Grid<float>& z = land_.height();
  const double w = static_cast<double>(z.width() - 1), h = static_cast<double>(z.height() - 1);
  const double left = std::max(u - 1, 0.0), right = std::min(u + 1, w), south = std::max(v - 1, 0.0),
               north = std::min(v + 1, h);
  const auto at = [&](double a, double b) { return static_cast<double>(between(z, a, b)); };
  const double dx = right > left ? (at(right, v) - at(left, v)) / ((right - left) * land_.frame().cell.x) : 0;
  const double dy = north > south ? (at(u, north) - at(u, south)) / ((north - south) * land_.frame().cell.y) : 0;
  const double size = 1 / std::sqrt(1 + dx * dx + dy * dy);
  return {-dx * size, -dy * size, size};
}

Rgb LandPaint::rock_colour(double u, double v, double z) const {
  const Frame& frame = land_.frame();
  const Vec3 at{frame.x(0) + u * frame.cell.x, frame.y(0) + v * frame.cell.y, z};
  return rock_ ? scaled_colour(static_cast<double>(rock_->resistance(at))) : from_hex(bare_rock_rgb);
}

Rgb LandPaint::cover_colour(Rgb rock, const Covers::Depths& depths) const {
  Rgb colour = rock;
  for (size_t i = 0; i < covers_.list().size(); ++i)
    colour = mix(colour, cover_colours_[i],
                 covers_.list()[i].row->by == LaidBy::share ? clamp01(depths[i]) : smooth_step(0, hiding_, depths[i]));
  return colour;
}

Rgb LandPaint::cover_cut(Rgb rock, double u, double v, double z, double footprint) const {
  const Covers::Depths depths = covers_.lying(u, v);
  const float soft = std::max(0.6f * static_cast<float>(footprint), 1e-3f * hiding_);
  auto over = static_cast<float>(z - static_cast<double>(between(land_.height(), u, v)));
  for (const float metres : depths) over += metres;
  Rgb colour = rock;
  for (size_t i = 0; i < covers_.list().size(); ++i) {
    const float there = clamp01(depths[i] / soft) * smooth_step(-soft, soft, over);
    colour = mix(colour, cover_colours_[i], there);
    over -= depths[i];
  }
  return colour;
}

Rgb LandPaint::scaled_colour(double value) const {
  const double share = scale_.high > scale_.low ? (value - scale_.low) / (scale_.high - scale_.low) : 0.5;
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(colours_.size() - 1);
  const size_t at = std::min(static_cast<size_t>(place), colours_.size() - 2);
  return mix(colours_[at], colours_[at + 1], static_cast<float>(place - static_cast<double>(at)));
}

Rgb LandPaint::plain_colour(double u, double v, Vec3 normal) const {
  if (colour_ == PictureColour::cover || rock_)
    return cover_colour(rock_colour(u, v, static_cast<double>(between(land_.height(), u, v))),
                        covers_.seen(u, v, normal));
  static const Rgb grey{0.46f, 0.46f, 0.46f}, clay = from_hex(0xc9c3b9);
  if (layer_ == nullptr) return colour_ == PictureColour::hillshade ? grey : clay;
  if (layer_->kind == LayerKind::category) return category_colour(std::lround(nearest(layer_->grid(), u, v)));
  if (wraps(*layer_)) return from_hex(scale_.colour(static_cast<double>(nearest(layer_->grid(), u, v))));
  return scaled_colour(static_cast<double>(between(layer_->grid(), u, v)));
}

GroundLook LandPaint::look(double u, double v, Vec3 normal, double footprint) const {
  if (ground_) return ground_->look(u, v, normal, footprint);
  GroundLook look;
  look.albedo = plain_colour(u, v, normal);
  look.normal = normal;
  return look;
}

Rgb LandPaint::rough(double u, double v) const {
  return rough_(std::clamp<int64_t>(std::lround(u / rough_step_.x), 0, rough_.width() - 1),
                std::clamp<int64_t>(std::lround(v / rough_step_.y), 0, rough_.height() - 1));
}

GroundLook LandPaint::beyond(Vec3 at, double u, double v, Vec3 normal, double footprint) const {
  return ground_ ? ground_->beyond(at, u, v, normal, footprint) : look(u, v, normal, footprint);
}

Rgb LandPaint::cut(double u, double v, Vec3 at, double footprint) const {
  if (ground_) return ground_->cut(at, footprint);
  if (colour_ == PictureColour::cover || rock_) return cover_cut(rock_colour(u, v, at.z), u, v, at.z, footprint);
  return mix(plain_colour(u, v, {0, 0, 1}), Rgb{0.45f, 0.44f, 0.42f}, 0.75f);
}

}  // namespace tepui
