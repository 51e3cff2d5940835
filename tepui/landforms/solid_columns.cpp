#include "tepui/landforms/solid_columns.h"

#include <algorithm>
#include <bit>

#include "tepui/core/parallel.h"
#include "tepui/mesh/sets.h"
#include "tepui/mesh/tile_field.h"

namespace tepui {

SolidColumns::SolidColumns(const Volume& volume, const SurfaceLattice& lattice, const Context& context)
    : lattice_(lattice) {
  static_assert(side == SurfaceTiling::side);
  const SurfaceTiling tiling{lattice, false};
  across_ = tiling.across();
  tiles_.resize(static_cast<size_t>(tiling.tiles()));
  const SurfaceFeatures features(volume.root(), tiling);
  parallel_chunks(tiling.tiles(), 4, context, [&](int64_t begin, int64_t end) {
    TileField field(volume.root(), features, tiling, false);
    for (int64_t t = begin; t < end; ++t) {
      field.fill(t);
      Tile& tile = tiles_[static_cast<size_t>(t)];
      tile.first = field.first();
      tile.last = field.last();
      tile.below = features.sheet() != nullptr && tile.first > 0;
      const int32_t words = tile.last - tile.first;
      tile.bits.assign(static_cast<size_t>(side * side * words), 0);
      const LatticeRange x = tiling.own_x(t), y = tiling.own_y(t);
      for (int32_t j = y.low; j <= y.high; ++j)
        for (int32_t i = x.low; i <= x.high; ++i)
          std::copy_n(field.rock((j - field.columns_y().low) * field.across() + i - field.columns_x().low), words,
                      tile.bits.begin() + column(tile, i, j));
    }
  });
}

uint64_t SolidColumns::word(int32_t i, int32_t j, int32_t w) const {
  if (i < 0 || j < 0 || i >= width() || j >= height() || w < 0) return 0;
  const Tile& one = tile(i, j);
  if (w < one.first) return one.below ? ~uint64_t{0} : 0;
  return w < one.last ? one.bits[static_cast<size_t>(column(one, i, j) + w - one.first)] : 0;
}

void SolidColumns::set_word(int32_t i, int32_t j, int32_t w, uint64_t bits) {
  Tile& one = tiles_[static_cast<size_t>(int64_t{j / side} * across_ + i / side)];
  if (w >= one.first && w < one.last) one.bits[static_cast<size_t>(column(one, i, j) + w - one.first)] = bits;
}

SolidColumns SolidColumns::swept(int32_t count, int32_t dx, int32_t dy, bool all, const Context& context) const {
  SolidColumns result = *this;
  parallel_chunks(height(), 8, context, [&](int64_t begin, int64_t end) {
    for (auto j = static_cast<int32_t>(begin); j < static_cast<int32_t>(end); ++j)
      for (int32_t i = 0; i < width(); ++i)
        for (int32_t w = first(i, j); w < last(i, j); ++w) {
          uint64_t bits = all ? ~uint64_t{0} : 0;
          for (int32_t n = 0; n < count; ++n) {
            const uint64_t other =
                word(std::clamp(i + n * dx, 0, width() - 1), std::clamp(j + n * dy, 0, height() - 1), w);
            bits = all ? bits & other : bits | other;
          }
          result.set_word(i, j, w, bits);
        }
  });
  return result;
}

SolidColumns SolidColumns::opened(int32_t points, const Context& context) const {
  return swept(points, 1, 0, true, context)
      .swept(points, 0, 1, true, context)
      .swept(points, -1, 0, false, context)
      .swept(points, 0, -1, false, context);
}

SolidColumns SolidColumns::without(const SolidColumns& other) const {
  SolidColumns result = *this;
  for (size_t t = 0; t < tiles_.size(); ++t) {
    result.tiles_[t].below = tiles_[t].below && !other.tiles_[t].below;
    for (size_t w = 0; w < tiles_[t].bits.size(); ++w) result.tiles_[t].bits[w] &= ~other.tiles_[t].bits[w];
  }
  return result;
}

namespace {

/// The stretches of one column, from the lowest up.
template <class Add>
void for_runs(const SolidColumns& columns, int32_t i, int32_t j, const Add& add) {
  int32_t low = -1;
  const int32_t words = std::min(columns.words(), columns.last(i, j));
  const auto end = static_cast<int32_t>(columns.lattice().nz);
  // Below the first word that is kept, all are the same.
  int32_t w = columns.first(i, j);
  if (w > 0 && columns.word(i, j, w - 1) != 0) low = 0;
  for (; w < words; ++w) {
    const uint64_t bits = columns.word(i, j, w);
    if (bits == (low >= 0 ? ~uint64_t{0} : 0)) continue;
    for (int32_t k = 0; k < 64;) {
      const uint64_t rest = (low >= 0 ? ~bits : bits) >> k;
      if (rest == 0) break;
      k += std::countr_zero(rest);
      if (low < 0) {
        low = w * 64 + k;
      } else {
        add(SolidRun{low, w * 64 + k - 1});
        low = -1;
      }
      ++k;
    }
  }
  if (low >= 0) add(SolidRun{low, std::min(words * 64, end) - 1});
}

void join_columns(const RockRuns& all, size_t a, size_t b, Sets& pieces) {
  uint32_t m = all.first[a], n = all.first[b];
  while (m < all.first[a + 1] && n < all.first[b + 1]) {
    const SolidRun one = all.runs[m], other = all.runs[n];
    if (one.low <= other.high && other.low <= one.high) pieces.join(m, n);
    one.high < other.high ? ++m : ++n;
  }
}

}  // namespace

RockRuns rock_runs(const SolidColumns& columns, const Context& context) {
  RockRuns all;
  const auto width = static_cast<size_t>(columns.width()), height = static_cast<size_t>(columns.height());
  all.first.assign(width * height + 1, 0);
  std::vector<std::vector<SolidRun>> rows(height);
  parallel_chunks(columns.height(), 8, context, [&](int64_t begin, int64_t end) {
    for (auto j = static_cast<size_t>(begin); j < static_cast<size_t>(end); ++j)
      for (size_t i = 0; i < width; ++i) {
        const size_t before = rows[j].size();
        for_runs(columns, static_cast<int32_t>(i), static_cast<int32_t>(j),
                 [&](SolidRun run) { rows[j].push_back(run); });
        all.first[j * width + i + 1] = static_cast<uint32_t>(rows[j].size() - before);
      }
  });
  for (size_t c = 0; c < width * height; ++c) all.first[c + 1] += all.first[c];
  for (std::vector<SolidRun>& row : rows) {
    all.runs.insert(all.runs.end(), row.begin(), row.end());
    row = {};
  }
  context.check();
  Sets pieces(all.runs.size());
  for (size_t j = 0; j < height; ++j)
    for (size_t i = 0; i < width; ++i) {
      if (i + 1 < width) join_columns(all, j * width + i, j * width + i + 1, pieces);
      if (j + 1 < height) join_columns(all, j * width + i, (j + 1) * width + i, pieces);
    }
  context.check();
  all.piece.resize(all.runs.size());
  for (uint32_t n = 0; n < all.piece.size(); ++n) all.piece[n] = pieces.find(n);
  return all;
}

}  // namespace tepui
