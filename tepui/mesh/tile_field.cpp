#include "tepui/mesh/tile_field.h"

#include <algorithm>
#include <limits>

namespace tepui {

TileField::TileField(const Solid& solid, const SurfaceFeatures& features, const SurfaceTiling& tiling, bool full)
    : solid_(&solid), features_(&features), tiling_(&tiling), full_(full) {}

void TileField::fill(int64_t tile) {
  x_ = tiling_->all_x(tile);
  y_ = tiling_->all_y(tile);
  points_ = all_points(tiling_->lattice).within({x_, y_, {0, std::numeric_limits<int32_t>::max()}});
  find_heights();
  mark_features(tile);
  choose_words();
  raise_sheet();
  if (!bricks_.empty()) ask();
  plain_ = bricks_.empty() && points_ == features_->ground().within(points_);
}

void TileField::find_heights() {
  const SurfaceLattice& lattice = tiling_->lattice;
  const auto columns = static_cast<size_t>(across()) * static_cast<size_t>(along());
  height_.assign(columns, -std::numeric_limits<double>::infinity());
  below_.assign(columns, 0);
  const IndexBox ground = features_->ground().within(points_);
  if (features_->sheet() == nullptr || ground.empty()) return;
  const int32_t width = ground.x.high - ground.x.low + 1, rows = ground.y.high - ground.y.low + 1;
  double x[SurfaceTiling::side + 1], y[SurfaceTiling::side + 1];
  for (int32_t i = 0; i < width; ++i) x[i] = lattice.x(ground.x.low + i);
  for (int32_t j = 0; j < rows; ++j) y[j] = lattice.y(ground.y.low + j);
  found_.resize(static_cast<size_t>(width) * static_cast<size_t>(rows));
  features_->sheet()->lattice(x, width, y, rows, found_.data());
  for (int32_t j = 0; j < rows; ++j)
    for (int32_t i = 0; i < width; ++i) {
      const auto column = static_cast<size_t>((ground.y.low + j - y_.low) * across() + ground.x.low + i - x_.low);
      height_[column] = found_[static_cast<size_t>(j * width + i)];
      below_[column] = points_below(lattice, height_[column]);
    }
}

void TileField::mark_features(int64_t tile) {
  bricks_.clear();
  values_.clear();
  lowest_feature_ = std::numeric_limits<int32_t>::max();
  highest_feature_ = -1;
  const std::span<const IndexBox> boxes = features_->boxes(tile);
  const bool banded = std::ranges::any_of(
      features_->bands(), [&](const SurfaceFeatures::Band& band) { return !band.where.within(points_).empty(); });
  if (points_.empty() || (!full_ && boxes.empty() && !banded)) return;
  brick_x_ = {points_.x.low >> 3, points_.x.high >> 3};
  brick_y_ = {points_.y.low >> 3, points_.y.high >> 3};
  bricks_across_ = brick_x_.high - brick_x_.low + 1;
  bricks_up_ = (points_.z.high >> 3) + 1;
  bricks_.assign(static_cast<size_t>(bricks_across_) * static_cast<size_t>(brick_y_.high - brick_y_.low + 1) *
                     static_cast<size_t>(bricks_up_),
                 Brick());
  for (const IndexBox& box : boxes) mark(box.within(points_));
  if (banded) mark_bands();
}

void TileField::mark(const IndexBox& box) {
  if (box.empty()) return;
  lowest_feature_ = std::min(lowest_feature_, box.z.low);
  highest_feature_ = std::max(highest_feature_, box.z.high);
  const LatticeRange ranges[3] = {box.x, box.y, box.z};
  for (int32_t by = box.y.low >> 3; by <= box.y.high >> 3; ++by)
    for (int32_t bx = box.x.low >> 3; bx <= box.x.high >> 3; ++bx)
      for (int32_t bz = box.z.low >> 3; bz <= box.z.high >> 3; ++bz) {
        Brick& one = brick(bx, by, bz);
        const int32_t start[3] = {bx << 3, by << 3, bz << 3};
        for (size_t a = 0; a < 3; ++a) {
          one.low[a] = std::min(one.low[a], static_cast<uint8_t>(std::max(ranges[a].low - start[a], 0)));
          one.high[a] = std::max(one.high[a], static_cast<uint8_t>(std::min(ranges[a].high - start[a], 7)));
        }
      }
}

/// A band is told by the lowest and highest land over the columns of a brick, whichever tile they lie in.
void TileField::mark_bands() {
  const SurfaceLattice& lattice = tiling_->lattice;
  const IndexBox all = all_points(lattice);
  for (const SurfaceFeatures::Band& band : features_->bands()) {
    const IndexBox where = band.where.within(points_);
    if (where.empty()) continue;
    for (int32_t by = where.y.low >> 3; by <= where.y.high >> 3; ++by)
      for (int32_t bx = where.x.low >> 3; bx <= where.x.high >> 3; ++bx) {
        const IndexBox columns{{bx << 3, (bx << 3) + 7}, {by << 3, (by << 3) + 7}, all.z};
        const IndexBox whole = band.where.within(columns);
        const double spread = band.band.spread;
        const HeightSheet::Range range =
            features_->sheet()->range({lattice.x(whole.x.low) - spread, lattice.y(whole.y.low) - spread},
                                      {lattice.x(whole.x.high) + spread, lattice.y(whole.y.high) + spread});
        Box3 levels = band.band.where;
        levels.low.z = std::max(levels.low.z, range.low - band.band.below);
        levels.high.z = std::min(levels.high.z, range.high + band.band.above);
        mark(points_in(lattice, levels).within(where).within(columns));
      }
  }
}

/// Columns are looked at from below their lowest surface to above their highest.
void TileField::choose_words() {
  const int32_t margin = tiling_->margin(), floor = features_->ground().z.low;
  const auto words = static_cast<int32_t>((tiling_->depth() + 63) / 64);
  first_ = 0;
  last_ = words;
  if (full_) return;
  const auto [lowest, highest] = std::ranges::minmax(below_);
  const int32_t top = std::max(highest, highest_feature_ + 1) + margin;
  last_ = std::clamp((top >> 6) + 1, 1, words);
  // Where there is no margin and no land ends, all columns are rock down to the lattice's lowest point.
  const bool whole = features_->sheet() != nullptr && floor == 0 && margin == 0 && lowest > 0;
  if (whole || features_->sheet() == nullptr) {
    const int32_t low = features_->sheet() == nullptr ? lowest_feature_ : std::min(lowest, lowest_feature_);
    first_ = std::clamp((low - 1 + margin) >> 6, 0, last_ - 1);
  }
}

void TileField::raise_sheet() {
  rock_.assign(static_cast<size_t>(across()) * static_cast<size_t>(along()) * static_cast<size_t>(last_ - first_), 0);
  if (features_->sheet() == nullptr) return;
  const IndexBox ground = features_->ground().within(points_);
  for (int32_t j = ground.y.low; j <= ground.y.high; ++j)
    for (int32_t i = ground.x.low; i <= ground.x.high; ++i)
      set_bits(i, j, ground.z.low, below_[static_cast<size_t>((j - y_.low) * across() + i - x_.low)], true);
}

/// The points from `from` to before `to` of a column.
void TileField::set_bits(int32_t i, int32_t j, int32_t from, int32_t to, bool rock) {
  const int32_t words = last_ - first_, start = first_ * 64;
  from = std::max(from + tiling_->margin() - start, 0);
  to = std::min(to + tiling_->margin() - start, words * 64);
  uint64_t* bits = rock_.data() + int64_t{(j - y_.low) * across() + i - x_.low} * words;
  while (from < to) {
    const int32_t word = from >> 6, end = std::min(to - word * 64, 64), begin = from & 63;
    const uint64_t upper = end == 64 ? ~uint64_t{0} : (uint64_t{1} << end) - 1;
    const uint64_t mask = upper & ~((uint64_t{1} << begin) - 1);
    bits[word] = rock ? bits[word] | mask : bits[word] & ~mask;
    from = (word + 1) * 64;
  }
}

/// A few points of a column, the lowest as bit 0.
void TileField::put_bits(int32_t i, int32_t j, LatticeRange z, uint64_t rock) {
  const int32_t words = last_ - first_, from = z.low + tiling_->margin() - first_ * 64, shift = from & 63;
  const uint64_t mask = (uint64_t{1} << (z.high - z.low + 1)) - 1;
  uint64_t* bits = rock_.data() + int64_t{(j - y_.low) * across() + i - x_.low} * words + (from >> 6);
  *bits = (*bits & ~(mask << shift)) | rock << shift;
  if (const int32_t over = 64 - shift; over < z.high - z.low + 1) bits[1] = (bits[1] & ~(mask >> over)) | rock >> over;
}

IndexBox TileField::points_of(int32_t bx, int32_t by, int32_t bz, const Brick& brick) const {
  const auto range = [&](int32_t b, size_t axis) {
    if (full_) return LatticeRange{b << 3, (b << 3) + 7};
    return LatticeRange{(b << 3) + brick.low[axis], (b << 3) + brick.high[axis]};
  };
  return IndexBox{range(bx, 0), range(by, 1), range(bz, 2)}.within(points_);
}

void TileField::ask() {
  const SurfaceLattice& lattice = tiling_->lattice;
  for (int32_t by = brick_y_.low; by <= brick_y_.high; ++by)
    for (int32_t bx = brick_x_.low; bx <= brick_x_.high; ++bx)
      for (int32_t bz = 0; bz < bricks_up_; ++bz) {
        Brick& one = brick(bx, by, bz);
        if (!full_ && !one.featured()) continue;
        const IndexBox points = points_of(bx, by, bz, one);
        if (points.empty()) continue;
        if (!full_) {
          const FieldRange range = solid_->range({lattice.at(points.x.low, points.y.low, points.z.low),
                                                  lattice.at(points.x.high, points.y.high, points.z.high)});
          if (range.low > 0 || range.high <= 0) {
            settle(points, range.low > 0);
            continue;
          }
        }
        ask(one, points);
      }
}

void TileField::settle(const IndexBox& points, bool rock) {
  for (int32_t j = points.y.low; j <= points.y.high; ++j)
    for (int32_t i = points.x.low; i <= points.x.high; ++i) set_bits(i, j, points.z.low, points.z.high + 1, rock);
}

void TileField::ask(Brick& brick, const IndexBox& points) {
  const SurfaceLattice& lattice = tiling_->lattice;
  double x[8], y[8], z[8], all_x[512], all_y[512], all_z[512];
  float v[512];
  const int32_t nx = points.x.high - points.x.low + 1, ny = points.y.high - points.y.low + 1,
                nz = points.z.high - points.z.low + 1;
  for (int32_t i = 0; i < nx; ++i) x[i] = lattice.x(points.x.low + i);
  for (int32_t j = 0; j < ny; ++j) y[j] = lattice.y(points.y.low + j);
  for (int32_t k = 0; k < nz; ++k) z[k] = lattice.z(points.z.low + k);
  int32_t n = 0;
  for (int32_t k = 0; k < nz; ++k)
    for (int32_t j = 0; j < ny; ++j)
      for (int32_t i = 0; i < nx; ++i, ++n) all_x[n] = x[i], all_y[n] = y[j], all_z[n] = z[k];
  const FieldLattice ordered{x, y, z, nx, ny, nz};
  solid_->values({all_x, all_y, all_z, n, {{x[0], y[0], z[0]}, {x[nx - 1], y[ny - 1], z[nz - 1]}}, &ordered}, v);
  asked_ += n;
  brick.slot = static_cast<int32_t>(values_.size() / 512);
  values_.resize(values_.size() + 512);
  float* kept = values_.data() + int64_t{brick.slot} * 512;
  for (int32_t j = 0; j < ny; ++j)
    for (int32_t i = 0; i < nx; ++i) {
      const int32_t column = ((points.y.low + j) & 7) * 8 + ((points.x.low + i) & 7);
      uint64_t rock = 0;
      for (int32_t k = 0; k < nz; ++k) {
        const float one = v[(k * ny + j) * nx + i];
        kept[((points.z.low + k) & 7) * 64 + column] = one;
        rock |= uint64_t{one > 0} << k;
      }
      put_bits(points.x.low + i, points.y.low + j, points.z, rock);
    }
}

bool TileField::is_on_sheet(int32_t i, int32_t j, int32_t k) const {
  if (!features_->ground().holds(i, j, k)) return false;
  const Brick* one = brick_at(i, j, k);
  if (one == nullptr || !one->featured()) return true;
  const int32_t at[3] = {i & 7, j & 7, k & 7};
  for (size_t a = 0; a < 3; ++a)
    if (at[a] < one->low[a] || at[a] > one->high[a]) return true;
  return false;
}

const float* TileField::value(int32_t i, int32_t j, int32_t k) const {
  const Brick* one = brick_at(i, j, k);
  if (one == nullptr || one->slot < 0) return nullptr;
  const int32_t at[3] = {i & 7, j & 7, k & 7};
  if (!full_)
    for (size_t a = 0; a < 3; ++a)
      if (at[a] < one->low[a] || at[a] > one->high[a]) return nullptr;
  return values_.data() + int64_t{one->slot} * 512 + at[2] * 64 + at[1] * 8 + at[0];
}

}  // namespace tepui
