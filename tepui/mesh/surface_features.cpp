#include "tepui/mesh/surface_features.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace tepui {

namespace {

double count(const LatticeRange& r) { return r.empty() ? 0 : static_cast<double>(r.high) - r.low + 1; }
double count(const IndexBox& box) { return count(box.x) * count(box.y) * count(box.z); }

/// Which tiles see a range of points: their own and the first of the next.
LatticeRange tiles_of(LatticeRange points, int32_t margin) {
  return {std::max(points.low + margin - 1, 0) / SurfaceTiling::side, (points.high + margin) / SurfaceTiling::side};
}

template <class Act>
void for_each_tile(const SurfaceTiling& tiling, const IndexBox& box, const Act& act) {
  const LatticeRange tx = tiles_of(box.x, tiling.margin()), ty = tiles_of(box.y, tiling.margin());
  for (int64_t y = ty.low; y <= ty.high; ++y)
    for (int64_t x = tx.low; x <= tx.high; ++x) act(static_cast<size_t>(y * tiling.across() + x));
}

bool same(const SurfaceSketch::Band& a, const SurfaceSketch::Band& b) {
  return a.where == b.where && a.below == b.below && a.above == b.above && a.spread == b.spread;
}

bool before(const Box3& a, const Box3& b) {
  const auto numbers = [](const Box3& box) {
    return std::array{box.low.x, box.low.y, box.low.z, box.high.x, box.high.y, box.high.z};
  };
  return numbers(a) < numbers(b);
}

}  // namespace

SurfaceFeatures::SurfaceFeatures(const Solid& solid, const SurfaceTiling& tiling)
    : tiling_(tiling), sketch_(solid.sketch()) {
  const IndexBox all = all_points(tiling.lattice);
  if (sketch_.sheet != nullptr) {
    ground_ = points_in(tiling.lattice, sketch_.ground);
    ground_.z.high = all.z.high;
  }
  boxes_.reserve(sketch_.boxes.size() + 6);
  for (const Box3& box : sketch_.boxes)
    if (const IndexBox points = points_in(tiling.lattice, box); !points.empty()) boxes_.push_back(points);
  if (sketch_.sheet != nullptr) add_surroundings(solid.support());
  for (const SurfaceSketch::Band& band : sketch_.bands)
    if (const IndexBox points = points_in(tiling.lattice, band.where); !points.empty())
      bands_.push_back({points, band});
  sort_boxes();
}

/// What lies within the support and outside the ground is not known.
void SurfaceFeatures::add_surroundings(const Box3& support) {
  const IndexBox all = points_in(tiling_.lattice, support);
  const auto add = [&](IndexBox box) {
    if (!box.empty()) surroundings_.push_back(box);
  };
  if (ground_.empty()) return add(all);
  const auto before = [](LatticeRange r, LatticeRange g) { return LatticeRange{r.low, std::min(r.high, g.low - 1)}; };
  const auto after = [](LatticeRange r, LatticeRange g) { return LatticeRange{std::max(r.low, g.high + 1), r.high}; };
  const LatticeRange x = all.x.within(ground_.x), y = all.y.within(ground_.y);
  add({before(all.x, ground_.x), all.y, all.z});
  add({after(all.x, ground_.x), all.y, all.z});
  add({x, before(all.y, ground_.y), all.z});
  add({x, after(all.y, ground_.y), all.z});
  add({x, y, before(all.z, ground_.z)});
}

void SurfaceFeatures::sort_boxes() {
  // One place further on, so that filling moves each start to where the next list begins.
  first_.assign(static_cast<size_t>(tiling_.tiles()) + 2, 0);
  const auto each = [&](const auto& act) {
    for (const std::vector<IndexBox>* boxes : {&boxes_, &surroundings_})
      for (const IndexBox& box : *boxes) for_each_tile(tiling_, box, [&](size_t tile) { act(tile, box); });
  };
  each([&](size_t tile, const IndexBox&) { ++first_[tile + 2]; });
  for (size_t t = 2; t < first_.size(); ++t) first_[t] += first_[t - 1];
  sorted_.resize(first_.back());
  each([&](size_t tile, const IndexBox& box) { sorted_[first_[tile + 1]++] = box; });
  first_.pop_back();
}

std::span<const IndexBox> SurfaceFeatures::boxes(int64_t tile) const {
  const uint64_t first = first_[static_cast<size_t>(tile)];
  return {sorted_.data() + first, static_cast<size_t>(first_[static_cast<size_t>(tile) + 1] - first)};
}

double SurfaceFeatures::points() const {
  double sum = 0;
  for (const IndexBox& box : boxes_) sum += count(box);
  for (const IndexBox& box : surroundings_) sum += count(box);
  for (const Band& band : bands_) sum += count(band.where);
  return sum;
}

Box3 SurfaceFeatures::difference_from(const SurfaceFeatures& other) const {
  const SurfaceSketch &a = sketch_, &b = other.sketch_;
  const bool same_sheet =
      a.sheet == b.sheet || (a.sheet != nullptr && b.sheet != nullptr && a.sheet->is_same(*b.sheet));
  const bool same_land = same_sheet && ground_ == other.ground_ && surroundings_ == other.surroundings_ &&
                         std::ranges::equal(a.bands, b.bands, same);
  if (!same_land) return {{-Box3::far, -Box3::far, -Box3::far}, {Box3::far, Box3::far, Box3::far}};
  // Strokes come at the end of the list: what is before them need not be sorted.
  const auto [p, q] = std::ranges::mismatch(a.boxes, b.boxes);
  std::vector<Box3> here(p, a.boxes.end()), there(q, b.boxes.end()), either;
  std::ranges::sort(here, before);
  std::ranges::sort(there, before);
  std::ranges::set_symmetric_difference(here, there, std::back_inserter(either), before);
  Box3 box;
  for (const Box3& one : either) box = box.with(one);
  return box;
}

}  // namespace tepui
