#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tepui/core/parallel.h"
#include "tepui/volume/primitives.h"
#include "tepui/volume/space_order.h"

// How a heap is put in order: in parallel, with the same bits for any number of threads.

namespace tepui {

namespace {

/// Points farther than this from a heap's origin become records; room is left for sums in 32 bits.
constexpr int64_t heap_reach = int64_t{1} << 30;
constexpr int64_t grain = 1 << 13;
static_assert(grain % 512 == 0, "whole nodes of the lowest two levels");

/// Downwards or upwards to a float.
float below(double x) {
  const auto f = static_cast<float>(x);
  return static_cast<double>(f) > x ? std::nextafterf(f, -std::numeric_limits<float>::infinity()) : f;
}
float above(double x) { return -below(-x); }

template <class Act>
void for_chunks(size_t count, const Act& act) {
  parallel_chunks(static_cast<int64_t>(count), grain, Context(),
                  [&](int64_t begin, int64_t end) { act(static_cast<size_t>(begin), static_cast<size_t>(end)); });
}

/// primitive_hash() of points, of whose bytes only a few differ.
class PointHasher {
 public:
  PointHasher() {
    put('i', static_cast<uint64_t>(PrimitiveShape::point));
    put('i', 1);
    for (size_t i = 0; i < 3; ++i) put('d', 0);
    const Primitive plain;
    for (const double number : {plain.radius, plain.end_radius, plain.half.x, plain.half.y, plain.half.z, plain.turn,
                                plain.falloff, plain.energy, plain.noise, plain.noise_scale})
      put(number);
    put('u', plain.noise_key);
  }

  Hash operator()(const FieldPoint& p) {
    set(2, p.at.x), set(3, p.at.y), set(4, p.at.z);
    set(11, p.falloff), set(12, p.energy);
    return hash_bytes(bytes_, sizeof bytes_);
  }

 private:
  static constexpr size_t words = 16;

  void put(char type, uint64_t value) {
    bytes_[9 * count_] = type;
    set_bits(count_++, value);
  }
  void put(double number) {
    bytes_[9 * count_] = 'd';
    set(count_++, number);
  }
  void set(size_t word, double number) {
    if (number == 0) number = 0;
    uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    set_bits(word, bits);
  }
  void set_bits(size_t word, uint64_t bits) {
    for (size_t i = 0; i < 8; ++i) bytes_[9 * word + 1 + i] = static_cast<char>(bits >> (8 * i) & 255);
  }

  size_t count_ = 0;
  char bytes_[9 * words];
};

Primitive as_primitive(const FieldPoint& point) {
  Primitive p;
  p.skeleton = {point.at};
  p.falloff = point.falloff;
  p.energy = point.energy;
  return p;
}

struct PlaceExtent {
  static constexpr int64_t far = std::numeric_limits<int64_t>::max();
  std::array<int64_t, 3> low{far, far, far}, high{-far, -far, -far};

  void add(int64_t x, int64_t y, int64_t z) {
    const int64_t at[] = {x, y, z};
    for (size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], at[k]), high[k] = std::max(high[k], at[k]);
  }
};

PlaceExtent extent_of(const std::vector<PlacedPoint>& points) {
  const auto measure = [&](int64_t begin, int64_t end) {
    PlaceExtent e;
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
      e.add(points[i].x, points[i].y, points[i].z);
    return e;
  };
  return parallel_reduce(static_cast<int64_t>(points.size()), grain, Context(), PlaceExtent(), measure,
                         [](PlaceExtent a, const PlaceExtent& b) {
                           a.add(b.low[0], b.low[1], b.low[2]);
                           a.add(b.high[0], b.high[1], b.high[2]);
                           return a;
                         });
}

}  // namespace

Primitives::Primitives(const std::vector<Primitive>& primitives) {
  std::vector<PlacedPoint> points;
  for (const Primitive& p : primitives) {
    const Hash hash = primitive_hash(p);
    hashes_[0] += hash.low;
    hashes_[1] += hash.high;
    if (is_plain_point(p))
      points.push_back(placed(p));
    else
      records_.push_back(std::make_shared<const ShapeRecord>(p));
  }
  pack(std::move(points));
}

Primitives::Primitives(std::span<const FieldPoint> points) {
  std::vector<PlacedPoint> all(points.size());
  const auto place = [&](int64_t begin, int64_t end) {
    std::array<uint64_t, 2> sums{};
    PointHasher hasher;
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      const Hash hash = hasher(points[i]);
      sums[0] += hash.low;
      sums[1] += hash.high;
      if (is_plain_point(points[i])) all[i] = placed(points[i]);
    }
    return sums;
  };
  hashes_ = parallel_reduce(static_cast<int64_t>(points.size()), grain, Context(), std::array<uint64_t, 2>{}, place,
                            [](std::array<uint64_t, 2> a, const std::array<uint64_t, 2>& b) {
                              return std::array<uint64_t, 2>{a[0] + b[0], a[1] + b[1]};
                            });
  size_t kept = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    if (is_plain_point(points[i]))
      all[kept++] = all[i];
    else
      records_.push_back(std::make_shared<const ShapeRecord>(as_primitive(points[i])));
  }
  all.resize(kept);
  pack(std::move(all));
}

Primitives::Primitives(const Primitives& a, const Primitives& b) : records_(a.records_) {
  records_.insert(records_.end(), b.records_.begin(), b.records_.end());
  for (size_t k = 0; k < 2; ++k) hashes_[k] = a.hashes_[k] + b.hashes_[k];
  std::vector<PlacedPoint> points = a.unpack();
  const std::vector<PlacedPoint> more = b.unpack();
  points.insert(points.end(), more.begin(), more.end());
  pack(std::move(points));
}

std::vector<PlacedPoint> Primitives::unpack() const {
  std::vector<PlacedPoint> points(count_);
  for_chunks(count_, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) points[i] = point(i);
  });
  return points;
}

void Primitives::pack(std::vector<PlacedPoint> points) {
  if (!points.empty()) {
    const auto [low, high] = extent_of(points);
    bool fits = true;
    for (size_t k = 0; k < 3; ++k) fits = fits && high[k] - low[k] < heap_reach;
    for (size_t k = 0; k < 3; ++k)
      origin_[k] = fits ? low[k] + (high[k] - low[k]) / 2 : (k == 0 ? points[0].x : k == 1 ? points[0].y : points[0].z);
    const auto is_far = [&](const PlacedPoint& p) {
      return std::abs(p.x - origin_[0]) >= heap_reach || std::abs(p.y - origin_[1]) >= heap_reach ||
             std::abs(p.z - origin_[2]) >= heap_reach;
    };
    if (!fits) {
      for (const PlacedPoint& p : points)
        if (is_far(p)) records_.push_back(std::make_shared<const ShapeRecord>(p));
      std::erase_if(points, is_far);
    }
  }
  sort(points);
  store(points);
  build_tree();
  finish();
}

/// Along a Morton curve; points of one cell in the order in which they came.
void Primitives::sort(std::vector<PlacedPoint>& points) const {
  if (points.empty()) return;
  const PlaceExtent extent = extent_of(points);
  uint64_t widest = 1;
  for (size_t k = 0; k < 3; ++k) widest = std::max(widest, static_cast<uint64_t>(extent.high[k] - extent.low[k]));
  int shift = 0;
  while (widest >> shift > 0x1fffff) ++shift;
  std::vector<std::pair<uint64_t, uint32_t>> keys(points.size());
  for_chunks(points.size(), [&](size_t begin, size_t end) {
    const auto cell = [&](int64_t from) { return spread_bits(static_cast<uint64_t>(from) >> shift); };
    for (size_t i = begin; i < end; ++i) {
      const PlacedPoint& p = points[i];
      keys[i] = {cell(p.x - extent.low[0]) | cell(p.y - extent.low[1]) << 1 | cell(p.z - extent.low[2]) << 2,
                 static_cast<uint32_t>(i)};
    }
  });
  // No two are equal, so that there is one order.
  tbb::parallel_sort(keys.begin(), keys.end());
  std::vector<PlacedPoint> sorted(points.size());
  for_chunks(points.size(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) sorted[i] = points[keys[i].second];
  });
  points = std::move(sorted);
}

void Primitives::store(const std::vector<PlacedPoint>& points) {
  count_ = points.size();
  const size_t padded = (count_ + 7) / 8 * 8;
  x_.assign(padded, 0), y_.assign(padded, 0), z_.assign(padded, 0);
  radius_.assign(padded, 0), root_.assign(padded, 0);
  struct Most {
    float radius = 0, energy = 0;
  };
  const auto put = [&](int64_t begin, int64_t end) {
    Most most;
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      const PlacedPoint& p = points[i];
      x_[i] = static_cast<int32_t>(p.x - origin_[0]);
      y_[i] = static_cast<int32_t>(p.y - origin_[1]);
      z_[i] = static_cast<int32_t>(p.z - origin_[2]);
      radius_[i] = p.radius;
      root_[i] = p.root;
      most.radius = std::max(most.radius, p.radius);
      most.energy = std::max(most.energy, static_cast<float>(std::abs(p.energy()) / primitive_quantum));
    }
    return most;
  };
  const Most most = parallel_reduce(static_cast<int64_t>(count_), grain, Context(), Most(), put, [](Most a, Most b) {
    return Most{std::max(a.radius, b.radius), std::max(a.energy, b.energy)};
  });
  widest_ = most.radius;
  strongest_ = most.energy;
}

namespace {

Primitives::Level new_level(int64_t nodes) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  Primitives::Level level;
  level.nodes = nodes;
  level.boxes.resize(static_cast<size_t>((nodes + 7) / 8 * 48));
  for (size_t i = 0; i < level.boxes.size(); ++i) level.boxes[i] = i % 48 < 24 ? inf : -inf;
  return level;
}

void widen_node(Primitives::Level& level, int64_t node, size_t axis, float low, float high) {
  float* box = level.boxes.data() + node / 8 * 48 + node % 8 + static_cast<int64_t>(axis) * 8;
  box[0] = std::min(box[0], low);
  box[24] = std::max(box[24], high);
}

}  // namespace

void Primitives::build_tree() {
  if (count_ == 0) return;
  Level leaves = new_level(static_cast<int64_t>((count_ + 7) / 8));
  std::vector<EnergySums> sums(static_cast<size_t>(leaves.nodes));
  for_chunks(count_, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const int32_t at[] = {x_[i], y_[i], z_[i]};
      const auto r = static_cast<double>(radius_[i]);
      for (size_t k = 0; k < 3; ++k)
        widen_node(leaves, static_cast<int64_t>(i / 8), k, below(at[k] - r), above(at[k] + r));
      (root_[i] < 0 ? sums[i / 8].negative : sums[i / 8].positive) += point(i).energy();
    }
  });
  levels_.push_back(std::move(leaves));
  while (levels_.back().nodes > 8) {
    const Level& fine = levels_.back();
    Level level = new_level((fine.nodes + 7) / 8);
    level.negative.resize(static_cast<size_t>(level.nodes));
    level.positive.resize(static_cast<size_t>(level.nodes));
    for (int64_t n = 0; n < fine.nodes; ++n)
      for (size_t k = 0; k < 3; ++k) {
        const float* box = fine.boxes.data() + n / 8 * 48 + n % 8 + static_cast<int64_t>(k) * 8;
        widen_node(level, n / 8, k, box[0], box[24]);
      }
    sums = sum_energies(sums, level);
    levels_.push_back(std::move(level));
  }
}

std::vector<Primitives::EnergySums> Primitives::sum_energies(const std::vector<EnergySums>& fine, Level& level) {
  std::vector<EnergySums> sums(static_cast<size_t>(level.nodes));
  for (size_t n = 0; n < fine.size(); ++n) {
    sums[n / 8].negative += fine[n].negative;
    sums[n / 8].positive += fine[n].positive;
  }
  for (size_t n = 0; n < sums.size(); ++n) {
    level.negative[n] = below(sums[n].negative);
    level.positive[n] = above(sums[n].positive);
  }
  return sums;
}

void Primitives::finish() {
  points_box_ = parallel_reduce(
      static_cast<int64_t>(count_), grain, Context(), Box3(),
      [&](int64_t begin, int64_t end) {
        Box3 box;
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) box = box.with(point(i).box());
        return box;
      },
      [](const Box3& a, const Box3& b) { return a.with(b); });
  box_ = points_box_;
  if (records_.empty()) return;
  for (size_t i = 0; i < records_.size(); ++i) {
    box_ = box_.with(records_[i]->box());
    records_[i]->list_boxes(record_boxes_);
    box_owners_.resize(record_boxes_.size(), static_cast<uint32_t>(i));
  }
  record_boxes_.shrink_to_fit();
  box_owners_.shrink_to_fit();
  record_tree_ = BoxTree(record_boxes_);
  std::vector<double> sides;
  for (const Box3& box : record_boxes_) sides.push_back(box.longest_side());
  const auto middle = sides.begin() + static_cast<std::ptrdiff_t>(sides.size() / 2);
  std::nth_element(sides.begin(), middle, sides.end());
  usual_side_ = *middle;
}

}  // namespace tepui
