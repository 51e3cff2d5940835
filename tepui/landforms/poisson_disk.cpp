#include "tepui/landforms/poisson_disk.h"

#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/landforms/poisson_grid.h"

namespace tepui {

namespace {

/// How many blocks a key tells apart along an axis.
constexpr int64_t most_blocks = int64_t{1} << 21;

/// 21 bits an axis, lower blocks first, counted from a block below all others: land may lie millions of metres from the
/// origin.
uint64_t key_of(const PoissonBlock& b, const PoissonBlock& lowest) {
  const auto part = [](int64_t v) { return static_cast<uint64_t>(v); };
  return part(b.z - lowest.z) << 42 | part(b.y - lowest.y) << 21 | part(b.x - lowest.x);
}

/// One block below the lowest of the candidates.
PoissonBlock lowest_block(std::span<const Vec3> at, double spacing) {
  Vec3 low = at.empty() ? Vec3{} : at.front(), high = low;
  for (const Vec3 p : at) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const PoissonBlock first = poisson_block(low, spacing), last = poisson_block(high, spacing);
  // With a block more at either end.
  if (std::max({last.x - first.x, last.y - first.y, last.z - first.z}) > most_blocks - 4)
    refuse("candidates lie more than a few million spacings apart", "use a wider spacing");
  return {first.x - 1, first.y - 1, first.z - 1};
}

struct Entry {
  uint64_t block, priority;
  uint32_t index;
  bool operator<(const Entry& other) const {
    return std::tie(block, priority, index) < std::tie(other.block, other.priority, other.index);
  }
};

struct Block {
  uint64_t key;
  PoissonBlock at;
  uint32_t begin, end;  ///< of the entries
  uint32_t kept = 0;    ///< those that are kept come first
};

class Poisson {
 public:
  Poisson(std::span<const Vec3> at, std::span<const uint64_t> priority, double spacing, const Context& context)
      : at_(at), spacing_(spacing), lowest_(lowest_block(at, spacing)), entries_(at.size()) {
    parallel_chunks(static_cast<int64_t>(at.size()), 1 << 14, context, [&](int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
        entries_[i] = {key_of(poisson_block(at[i], spacing), lowest_), priority[i], static_cast<uint32_t>(i)};
    });
    tbb::parallel_sort(entries_.begin(), entries_.end());
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (i == 0 || entries_[i].block != entries_[i - 1].block)
        blocks_.push_back({entries_[i].block, poisson_block(at[entries_[i].index], spacing), static_cast<uint32_t>(i),
                           static_cast<uint32_t>(i)});
      ++blocks_.back().end;
    }
  }

  void decide(const Context& context) {
    std::array<std::vector<uint32_t>, 8> colours;
    for (uint32_t b = 0; b < blocks_.size(); ++b) colours[static_cast<size_t>(blocks_[b].at.colour())].push_back(b);
    for (const std::vector<uint32_t>& colour : colours)
      parallel_chunks(static_cast<int64_t>(colour.size()), 8, context, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) decide(blocks_[colour[static_cast<size_t>(i)]]);
      });
  }

  std::vector<uint32_t> kept() const {
    std::vector<uint32_t> all;
    for (const Block& b : blocks_)
      for (uint32_t i = b.begin; i < b.begin + b.kept; ++i) all.push_back(entries_[i].index);
    std::ranges::sort(all);
    return all;
  }

 private:
  void decide(Block& block) {
    const double size = PoissonGrid::side * poisson_cell(spacing_);
    PoissonGrid grid(
        Vec3{static_cast<double>(block.at.x), static_cast<double>(block.at.y), static_cast<double>(block.at.z)} * size,
        spacing_);
    for (int64_t z = -1; z <= 1; ++z)
      for (int64_t y = -1; y <= 1; ++y) {
        // Neighbours along x follow each other.
        const uint64_t first = key_of({block.at.x - 1, block.at.y + y, block.at.z + z}, lowest_);
        auto near = std::ranges::lower_bound(blocks_, first, {}, &Block::key);
        for (; near != blocks_.end() && near->key <= first + 2; ++near)
          for (uint32_t i = near->begin; i < near->begin + near->kept; ++i) grid.add(at_[entries_[i].index]);
      }
    for (uint32_t i = block.begin; i < block.end; ++i) {
      const Vec3 p = at_[entries_[i].index];
      if (!grid.is_free(p)) continue;
      grid.add(p);
      std::swap(entries_[i], entries_[block.begin + block.kept++]);
    }
  }

  std::span<const Vec3> at_;
  double spacing_;
  PoissonBlock lowest_;
  std::vector<Entry> entries_;
  std::vector<Block> blocks_;
};

}  // namespace

PoissonBlock poisson_block(Vec3 at, double spacing) {
  const double size = PoissonGrid::side * poisson_cell(spacing);
  const auto whole = [&](double x) { return static_cast<int64_t>(std::floor(x / size)); };
  return {whole(at.x), whole(at.y), whole(at.z)};
}

std::vector<uint32_t> poisson_disk(std::span<const Vec3> candidates, std::span<const uint64_t> priority, double spacing,
                                   const Context& context) {
  if (!(spacing > 0) || !std::isfinite(spacing)) refuse("points need a spacing above 0 m");
  if (candidates.size() != priority.size()) refuse("candidates need as many priorities");
  for (const Vec3 at : candidates)
    if (!(std::abs(at.x) / spacing < 1e9 && std::abs(at.y) / spacing < 1e9 && std::abs(at.z) / spacing < 1e9))
      refuse("a candidate lies more than a billion spacings from the origin", "use a wider spacing");
  Poisson poisson(candidates, priority, spacing, context);
  poisson.decide(context);
  return poisson.kept();
}

}  // namespace tepui
