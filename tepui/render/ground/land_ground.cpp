#include "tepui/render/ground/land_ground.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

constexpr int64_t most_reduced = 512;

struct Extent {
  float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
};

Extent extent_of(const Grid<float>& grid, const Context& context) {
  return parallel_reduce(
      grid.height(), 64, context, Extent{},
      [&](int64_t begin, int64_t end) {
        Extent e;
        for (int64_t y = begin; y < end; ++y)
          for (const float *v = grid.row(y), *last = v + grid.width(); v < last; ++v) {
            e.low = *v < e.low ? *v : e.low;
            e.high = *v > e.high ? *v : e.high;
          }
        return e;
      },
      [](Extent a, Extent b) {
        return Extent{std::min(a.low, b.low), std::max(a.high, b.high)};
      });
}

/// Means of blocks of `step` x `step` samples.
Grid<float> block_means(const Grid<float>& in, int64_t step, const Context& context) {
  Grid<float> out((in.width() + step - 1) / step, (in.height() + step - 1) / step);
  parallel_chunks(out.height(), 4, context, [&](int64_t begin, int64_t end) {
    for (int64_t by = begin; by < end; ++by)
      for (int64_t bx = 0; bx < out.width(); ++bx) {
        const int64_t x1 = std::min(in.width(), (bx + 1) * step), y1 = std::min(in.height(), (by + 1) * step);
        double sum = 0;
        for (int64_t y = by * step; y < y1; ++y)
          for (int64_t x = bx * step; x < x1; ++x) sum += static_cast<double>(in.row(y)[x]);
        out(bx, by) = static_cast<float>(sum / static_cast<double>((x1 - bx * step) * (y1 - by * step)));
      }
  });
  return out;
}

/// The mean of the square window of `reach` samples to each side, cut at the border.
Grid<float> window_mean(const Grid<float>& z, int64_t reach, const Context& context) {
  const int64_t w = z.width(), h = z.height();
  Grid<float> rows(w, h), out(w, h);
  const auto slide = [reach](const float* in, float* result, int64_t count, int64_t stride) {
    double sum = 0;
    int64_t have = std::min(reach, count);
    for (int64_t i = 0; i < have; ++i) sum += static_cast<double>(in[i * stride]);
    for (int64_t i = 0; i < count; ++i) {
      if (i + reach < count) sum += static_cast<double>(in[(i + reach) * stride]), ++have;
      if (i - reach - 1 >= 0) sum -= static_cast<double>(in[(i - reach - 1) * stride]), --have;
      result[i * stride] = static_cast<float>(sum / static_cast<double>(have));
    }
  };
  parallel_chunks(h, 16, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) slide(z.row(y), rows.row(y), w, 1);
  });
  parallel_chunks(w, 16, context, [&](int64_t begin, int64_t end) {
    for (int64_t x = begin; x < end; ++x) slide(rows.data() + x, out.data() + x, h, w);
  });
  return out;
}

}  // namespace

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

LandGround::LandGround(const Terrain& land, Palette palette, std::optional<double> sea_level, const Context& context)
    : land_(land),
      covers_(land),
      sediment_(covers_.index_of("sediment")),
      sea_(sea_level),
      water_(land, context),
      ground_(palette, 1, 1) {
  if (const Layer* height = land_.find("height")) heights_ = &height->grid();
  material_ = land_.find("material");
  if (material_ != nullptr && material_->kind != LayerKind::category) material_ = nullptr;
  hardness_ = land_.find("hardness");
  sand_ = land_.find("sand");
  soil_ = land_.find("soil");
  snow_ = land_.find("snow");
  survey(context);
  const Frame& frame = land_.frame();
  ground_ = Ground(palette, frame.longer_side(), span_);
}

void LandGround::survey(const Context& context) {
  if (heights_ != nullptr && !heights_->empty()) {
    const Extent range = extent_of(*heights_, context.stage("heights", 0, 0.3));
    low_ = static_cast<double>(range.low);
    high_ = static_cast<double>(range.high);
    const int64_t longer = std::max(heights_->width(), heights_->height());
    step_ = (longer + most_reduced - 1) / most_reduced;
    const Grid<float> blocks = block_means(*heights_, step_, context.stage("surroundings", 0.3, 0.8));
    const int64_t reach = std::max<int64_t>(2, std::max(blocks.width(), blocks.height()) / 40);
    surroundings_ = window_mean(blocks, reach, context.stage("surroundings", 0.8, 1));
  }
  // Shares of a range need one, also on level land.
  const double top = high_ > low_ ? high_ : low_ + std::max(1.0, 1e-3 * std::abs(low_));
  base_ = sea_ ? std::min(std::max(low_, *sea_), top - 0.01 * (top - low_)) : low_;
  span_ = top - base_;
  if (material_ != nullptr)
    highest_class_ = material_->classes > 0 ? static_cast<float>(material_->classes - 1)
                                            : extent_of(material_->grid(), context).high;
}

double LandGround::height_at(double u, double v) const {
  return heights_ == nullptr ? 0 : between(*heights_, sight(u, v, heights_->width(), heights_->height()));
}

float LandGround::level(double z) const { return static_cast<float>((z - base_) / span_); }

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
  p.level = level(at.z);
  p.rise = 0;
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
  p.level = level(z);
  if (!surroundings_.empty()) {
    const double middle = static_cast<double>(step_ - 1) / 2, step = static_cast<double>(step_);
    const Sight around = sight((u - middle) / step, (v - middle) / step, surroundings_.width(), surroundings_.height());
    p.rise = static_cast<float>((z - between(surroundings_, around)) / span_);
  }
  if (!water_.empty() || sea_) p.above_water = above_water(u, v, z);
  if (material_ != nullptr && highest_class_ > 0) p.material = clamp01(read(material_, at) / highest_class_);
  if (hardness_ != nullptr) p.hardness = clamp01(read(hardness_, at));
  p.sand = read(sand_, at);
  p.soil = read(soil_, at);
  p.snow = read(snow_, at);
  if (has_sediment()) p.sediment = covers_.seen(u, v, normal)[sediment_];
  p.footprint = static_cast<float>(footprint);
  return p;
}

GroundLook LandGround::look(double u, double v, Vec3 normal, double footprint) const {
  return ground_.look(point(u, v, normal, footprint));
}

Rgb LandGround::cut(Vec3 at, double footprint) const {
  const Frame& frame = land_.frame();
  GroundPoint p;
  p.at = {at.x + static_cast<double>(frame.first_x) * frame.cell.x,
          at.y + static_cast<double>(frame.first_y) * frame.cell.y, at.z};
  p.level = level(at.z);
  p.footprint = static_cast<float>(footprint);
  if (has_sediment()) {
    const double u = at.x / frame.cell.x, v = at.y / frame.cell.y;
    p.depth = static_cast<float>(height_at(u, v) - at.z);
    p.sediment = 0;
    for (const float metres : covers_.lying(u, v)) p.sediment += metres;
  }
  return ground_.cut(p);
}

}  // namespace tepui
