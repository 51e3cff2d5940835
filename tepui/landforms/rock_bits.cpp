#include "tepui/landforms/rock_bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/landforms/field_blocks.h"
#include "tepui/landforms/surface_kernels.h"

namespace tepui {

namespace {

/// Two unit vectors across a unit vector.
std::pair<Vec3, Vec3> across(Vec3 n) {
  const Vec3 other = std::abs(n.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
  Vec3 a = cross(other, n);
  a = a * (1 / length(a));
  return {a, cross(n, a)};
}

}  // namespace

RayFan::RayFan(int rays) {
  if (rays < 1 || rays > 4096) refuse(fmt::format("{} rays", rays), "use 1 to 4096");
  const double golden = math::pi * (3 - std::sqrt(5.0));
  for (int i = 0; i < rays; ++i) {
    const double z = (i + 0.5) / rays, r = std::sqrt(1 - z * z);
    directions_.push_back({r * math::cos(golden * i), r * math::sin(golden * i), z});
  }
  for (int i = 0; i < 64; ++i) turns_.push_back({math::cos(math::pi * i / 32), math::sin(math::pi * i / 32)});
}

std::array<Vec3, 3> RayFan::around(Vec3 normal, uint64_t turn) const {
  const auto [a, b] = across(normal);
  const Vec2 t = turns_[turn % turns_.size()];
  return {a * t.x + b * t.y, b * t.x - a * t.y, normal};
}

Vec3 RayFan::direction(size_t ray, const std::array<Vec3, 3>& around) const {
  const Vec3 d = directions_[ray];
  return around[0] * d.x + around[1] * d.y + around[2] * d.z;
}

const RockBits::Clearance RockBits::wide_open = [] {
  Clearance clear;
  clear.fill(most_clear);
  return clear;
}();
const RockBits::Clearance RockBits::unknown = [] {
  Clearance clear;
  clear.fill(1);
  return clear;
}();
const RockBits::Clearance RockBits::blocked{};
const RockBits::Words RockBits::no_rock{};
const RockBits::Words RockBits::all_rock = [] {
  Words words;
  words.fill(~uint64_t{0});
  return words;
}();

RockBits::RockBits(const Volume& volume, const Box3& box, double cell, const Context& context) : cell_(cell) {
  lay_out(box.within(volume.support()));
  fill(volume, std::vector<Parts>(bricks_.size(), ~Parts{0}), context);
}

RockBits::RockBits(const Volume& volume, std::span<const Vec3> places, double reach, double cell,
                   const Context& context)
    : cell_(cell) {
  Box3 box;
  for (const Vec3 at : places) box = box.with(at);
  if (!box.empty()) box = box.grown(reach);
  lay_out(box.within(volume.support()));
  std::vector<Parts> wanted(bricks_.size(), 0);
  for (const Vec3 at : places) want_around(at, reach, wanted);
  fill(volume, wanted, context);
}

void RockBits::want_around(Vec3 place, double reach, std::vector<Parts>& wanted) const {
  constexpr int64_t parts = brick_side / part_side;
  const double side = cell_ * part_side, at[] = {place.x, place.y, place.z};
  int64_t low[3], high[3];
  for (size_t k = 0; k < 3; ++k) {
    const auto index = [&](double v) { return static_cast<int64_t>(std::floor(v / side)) - first_[k] * parts; };
    low[k] = std::max<int64_t>(index(at[k] - reach), 0);
    high[k] = std::min<int64_t>(index(at[k] + reach), count_[k] * parts - 1);
  }
  for (int64_t z = low[2]; z <= high[2]; ++z)
    for (int64_t y = low[1]; y <= high[1]; ++y)
      for (int64_t x = low[0]; x <= high[0]; ++x)
        wanted[static_cast<size_t>((z / parts * count_[1] + y / parts) * count_[0] + x / parts)] |=
            Parts{1} << (x % parts + parts * (y % parts + parts * (z % parts)));
}

void RockBits::lay_out(const Box3& box) {
  if (!(cell_ > 0)) refuse("rock bits need a cell above 0 m");
  if (box.empty()) return;
  const double side = cell_ * brick_side;
  const double low[] = {box.low.x, box.low.y, box.low.z}, high[] = {box.high.x, box.high.y, box.high.z};
  double all = 1;
  for (size_t k = 0; k < 3; ++k) {
    const double first = std::floor(low[k] / side), last = std::floor(high[k] / side);
    all *= last - first + 1;
    if (!(std::abs(first) < 1e12 && std::abs(last) < 1e12) || !(all < 1.3e8))
      refuse(fmt::format("a cell of {:.3g} m is too fine for so large a volume", cell_), "use larger cells");
    first_[k] = static_cast<int64_t>(first);
    count_[k] = static_cast<int64_t>(last - first) + 1;
  }
  bricks_.assign(static_cast<size_t>(all), {&no_rock, &wide_open});
}

void RockBits::fill(const Volume& volume, const std::vector<Parts>& wanted, const Context& context) {
  own_.resize(bricks_.size());
  std::atomic<int64_t> mixed = 0;
  parallel_chunks(static_cast<int64_t>(bricks_.size()), 4, context.stage("", 0, 0.95), [&](int64_t begin, int64_t end) {
    std::vector<float> v(static_cast<size_t>(brick_side * brick_side * brick_side));
    std::array<uint64_t, brick_side * brick_side> rows;
    for (int64_t b = begin; b < end; ++b) {
      if (wanted[static_cast<size_t>(b)] == 0) continue;
      const std::array<int64_t, 3> first{(first_[0] + b % count_[0]) * brick_side,
                                         (first_[1] + b / count_[0] % count_[1]) * brick_side,
                                         (first_[2] + b / count_[0] / count_[1]) * brick_side};
      const Parts parts = wanted[static_cast<size_t>(b)];
      const auto wants = [&](const Box3& box) {
        const auto part = [&](double at, size_t axis) {
          const auto index = static_cast<int64_t>(std::floor(at / cell_)) - first[axis];
          return std::clamp<int64_t>(index, 0, brick_side - 1) >> part_bits;
        };
        // Along x and y it is one part; along z it may begin in one and end in the next.
        const int64_t row = part(box.low.x, 0) + 4 * part(box.low.y, 1);
        return ((parts >> (row + 16 * part(box.low.z, 2)) | parts >> (row + 16 * part(box.high.z, 2))) & 1) != 0;
      };
      const BlockRock some = fill_cube(volume.root(), {first, cell_, 0.5, brick_side}, 0, v.data(), wants);
      const Words*& brick = bricks_[static_cast<size_t>(b)].words;
      if (some != BlockRock::some) {
        brick = some == BlockRock::all ? &all_rock : &no_rock;
        continue;
      }
      if (++mixed > 125'000)
        refuse(fmt::format("a cell of {:.3g} m is too fine for so large a surface", cell_), "use larger cells");
      auto words = std::make_unique<Words>();
      words->fill(0);
      sign_bits(v.data(), brick_side * brick_side, brick_side, rows.data());
      for (uint64_t row = 0; row < rows.size(); ++row) {
        const uint64_t y = row & 31, z = row >> 5, shift = (y & 3) << 2 | (z & 3) << 4;
        uint64_t* along = words->data() + ((y >> 2) << 3 | (z >> 2) << 6);
        for (uint64_t x = 0; x < 8; ++x) along[x] |= (rows[row] >> 4 * x & 15) << shift;
      }
      brick = words.get();
      own_[static_cast<size_t>(b)] = std::move(words);
    }
  });
  find_clearance(wanted, context.stage("", 0.95, 1));
}

/// Words with rock are spread by one word in all directions, again and again.
void RockBits::find_clearance(const std::vector<Parts>& wanted, const Context& context) {
  own_clearance_.resize(bricks_.size());
  parallel_chunks(static_cast<int64_t>(bricks_.size()), 4, context, [&](int64_t begin, int64_t end) {
    constexpr size_t width = 24;
    std::array<uint32_t, width * width> rock, along;
    for (int64_t b = begin; b < end; ++b) {
      // What was not asked for counts as air, but is left one word at a time: there may be rock beyond.
      if (wanted[static_cast<size_t>(b)] == 0) {
        bricks_[static_cast<size_t>(b)].clear = &unknown;
        continue;
      }
      const int64_t at[] = {b % count_[0], b / count_[0] % count_[1], b / count_[0] / count_[1]};
      bool any = false;
      rock.fill(0);
      for (int64_t n = 0; n < 27; ++n) {
        const int64_t x = at[0] + n % 3 - 1, y = at[1] + n / 3 % 3 - 1, z = at[2] + n / 9 - 1;
        if (x < 0 || y < 0 || z < 0 || x >= count_[0] || y >= count_[1] || z >= count_[2]) continue;
        const Words& words = *bricks_[static_cast<size_t>((z * count_[1] + y) * count_[0] + x)].words;
        if (&words == &no_rock) continue;
        any = true;
        for (size_t i = 0; i < words.size(); ++i)
          if (words[i] != 0)
            rock[(i >> 6) * width + (i >> 3 & 7) + static_cast<size_t>(n / 9) * 8 * width +
                 static_cast<size_t>(n / 3 % 3) * 8] |= 1u << ((i & 7) + static_cast<size_t>(n % 3) * 8);
      }
      Brick& brick = bricks_[static_cast<size_t>(b)];
      if (!any || brick.words == &all_rock) {
        brick.clear = any ? &blocked : &wide_open;
        continue;
      }
      auto clear = std::make_unique<Clearance>();
      clear->fill(most_clear);
      for (uint8_t distance = 0; distance < most_clear; ++distance) {
        for (size_t i = 0; i < clear->size(); ++i)
          if (rock[((i >> 6) + 8) * width + (i >> 3 & 7) + 8] >> ((i & 7) + 8) & 1)
            (*clear)[i] = std::min((*clear)[i], distance);
        for (size_t i = 0; i < rock.size(); ++i) {
          const uint32_t up = i % width > 0 ? rock[i - 1] : 0, down = i % width + 1 < width ? rock[i + 1] : 0;
          const uint32_t row = rock[i] | up | down;
          along[i] = row | row << 1 | row >> 1;
        }
        for (size_t i = 0; i < rock.size(); ++i)
          rock[i] = along[i] | (i >= width ? along[i - width] : 0) | (i + width < rock.size() ? along[i + width] : 0);
      }
      brick.clear = clear.get();
      own_clearance_[static_cast<size_t>(b)] = std::move(clear);
    }
  });
}

bool RockBits::rock(Vec3 at) const { return to_rock(at, {0, 0, 1}, cell_ * 1e-9) == 0; }

/// A ray in cells, from the corner of the cell where it begins: the same bits whatever the box is.
struct RockBits::Ray {
  // Steps end a little beyond a border, so that the next cell is sure.
  static constexpr double beyond = 1e-6;

  double p[3], d[3], inverse[3], q[3], t = 0;
  int64_t base[3], at[3], ahead[3];
  bool somewhere = true;

  Ray(const RockBits& bits, Vec3 from, Vec3 direction) : d{direction.x, direction.y, direction.z} {
    const double begin[] = {from.x / bits.cell_, from.y / bits.cell_, from.z / bits.cell_};
    for (size_t k = 0; k < 3; ++k) {
      const double whole = std::floor(begin[k]);
      if (!(std::abs(whole) < 1e15)) {
        somewhere = false;
        return;
      }
      p[k] = begin[k] - whole;
      base[k] = static_cast<int64_t>(whole) - bits.first_[k] * brick_side;
      // An axis that it does not follow is one that it never leaves, not even from a place on the border of two cells.
      ahead[k] = d[k] > -1e-9 ? 1 : 0;
      inverse[k] = std::abs(d[k]) > 1e-9 ? 1 / d[k] : 1e30;
    }
  }
  void look() {
    for (int k = 0; k < 3; ++k) {
      q[k] = p[k] + d[k] * t;
      at[k] = base[k] + static_cast<int64_t>(q[k]) - (q[k] < 0);
    }
  }
  /// The words of the brick that it is in; nullptr outside of all.
  const Brick* brick(const RockBits& bits) const {
    const int64_t x = at[0] >> brick_bits, y = at[1] >> brick_bits, z = at[2] >> brick_bits;
    const bool inside = (static_cast<uint64_t>(x) < static_cast<uint64_t>(bits.count_[0])) &
                        (static_cast<uint64_t>(y) < static_cast<uint64_t>(bits.count_[1])) &
                        (static_cast<uint64_t>(z) < static_cast<uint64_t>(bits.count_[2]));
    return inside ? &bits.bricks_[static_cast<size_t>((z * bits.count_[1] + y) * bits.count_[0] + x)] : nullptr;
  }
  size_t word() const { return static_cast<size_t>((at[0] >> 2 & 7) | (at[1] >> 2 & 7) << 3 | (at[2] >> 2 & 7) << 6); }
  bool bit(uint64_t of) const { return of >> ((at[0] & 3) | (at[1] & 3) << 2 | (at[2] & 3) << 4) & 1; }
  /// On to where it leaves its cube of 2^shift cells a side, or that and as many more on every side.
  void leave(int shift, int64_t more = 0) {
    double step = 1e30;
    for (int k = 0; k < 3; ++k) {
      const int64_t cube = (at[k] >> shift) + (ahead[k] != 0 ? 1 + more : -more);
      const double to = (static_cast<double>((cube << shift) - base[k]) - q[k]) * inverse[k];
      step = std::min(step, std::abs(to));
    }
    t += step + beyond;
  }
};

double RockBits::to_rock(Vec3 from, Vec3 direction, double far) const {
  Ray ray(*this, from, direction);
  if (bricks_.empty() || !ray.somewhere) return far;
  for (const double end = far / cell_; ray.t < end;) {
    ray.look();
    const Brick* brick = ray.brick(*this);
    if (brick == nullptr) {
      ray.leave(brick_bits);
      continue;
    }
    const size_t word = ray.word();
    if (const uint8_t clear = (*brick->clear)[word]; clear != 0) {
      ray.leave(2, clear - 1);
      continue;
    }
    if (ray.bit((*brick->words)[word])) return ray.t * cell_;
    ray.leave(0);
  }
  return far;
}

double RockBits::to_air(Vec3 from, Vec3 direction, double far) const {
  Ray ray(*this, from, direction);
  if (bricks_.empty() || !ray.somewhere) return 0;
  for (const double end = far / cell_; ray.t < end;) {
    ray.look();
    const Brick* brick = ray.brick(*this);
    if (brick == nullptr || !ray.bit((*brick->words)[ray.word()])) return ray.t * cell_;
    ray.leave(brick->words == &all_rock ? brick_bits : (*brick->words)[ray.word()] == ~uint64_t{0} ? 2 : 0);
  }
  return far;
}

/// Rays side by side, because each waits for memory most of the time. In fractions of a cell, from the corner of the
/// brick where they begin.
struct RockBits::RayGroup {
  static constexpr int lanes = 4, fraction = 12;
  static constexpr double unit = 1 << fraction;

  const Brick* bricks;
  int32_t p[3], brick[3], steps;
  uint32_t count[3];

  RayGroup(const RockBits& all, Vec3 from, double length)
      : bricks(all.bricks_.data()), steps(static_cast<int32_t>(std::ceil(length / all.cell_))) {
    const double at[] = {from.x / all.cell_, from.y / all.cell_, from.z / all.cell_};
    for (size_t k = 0; k < 3; ++k) {
      const double whole = std::floor(at[k] / brick_side);
      p[k] = static_cast<int32_t>(std::floor((at[k] - whole * brick_side) * unit));
      // So far outside that no ray gets there counts as just outside.
      brick[k] = static_cast<int32_t>(std::clamp(whole - static_cast<double>(all.first_[k]), -1e9, 1e9));
      count[k] = static_cast<uint32_t>(all.count_[k]);
    }
  }

  struct Lane {
    int32_t x, y, z, steps_a_word, i = 0;
    bool met = false;

    explicit Lane(Vec3 direction) {
      const auto round = [](double along) { return static_cast<int32_t>(std::floor(along * unit + 0.5)); };
      x = round(direction.x), y = round(direction.y), z = round(direction.z);
      // Of the ray, rounded down.
      steps_a_word = (4 << 2 * fraction) / std::max({std::abs(x), std::abs(y), std::abs(z), 1});
    }
  };

  /// One look at a cell, and on to the next that may be rock.
  void step(Lane& lane) const {
    const int32_t x = (p[0] + lane.x * lane.i) >> fraction, y = (p[1] + lane.y * lane.i) >> fraction,
                  z = (p[2] + lane.z * lane.i) >> fraction;
    const int32_t bx = brick[0] + (x >> brick_bits), by = brick[1] + (y >> brick_bits),
                  bz = brick[2] + (z >> brick_bits);
    const bool inside = (static_cast<uint32_t>(bx) < count[0]) & (static_cast<uint32_t>(by) < count[1]) &
                        (static_cast<uint32_t>(bz) < count[2]);
    if (!inside) {
      // A ray that leads away from all bricks meets none.
      const bool away = (bx < 0 && lane.x <= 0) || (by < 0 && lane.y <= 0) || (bz < 0 && lane.z <= 0) ||
                        (bx >= static_cast<int32_t>(count[0]) && lane.x >= 0) ||
                        (by >= static_cast<int32_t>(count[1]) && lane.y >= 0) ||
                        (bz >= static_cast<int32_t>(count[2]) && lane.z >= 0);
      lane.i = away ? steps : lane.i + 1;
      return;
    }
    const auto b = static_cast<size_t>((static_cast<uint32_t>(bz) * count[1] + static_cast<uint32_t>(by)) * count[0] +
                                       static_cast<uint32_t>(bx));
    const auto word = static_cast<size_t>((x >> 2 & 7) | (y >> 2 & 7) << 3 | (z >> 2 & 7) << 6);
    const int32_t clear = (*bricks[b].clear)[word];
    if (clear == 0) {
      const uint64_t bit = (*bricks[b].words)[word] >> ((x & 3) | (y & 3) << 2 | (z & 3) << 4) & 1;
      lane.met = bit != 0;
      lane.i = lane.met ? steps : lane.i + 1;
    } else {
      lane.i += 1 + ((clear - 1) * lane.steps_a_word >> fraction);
    }
  }

  /// How many of the rays meet no rock.
  int count_open(const Vec3* direction, int some) const {
    Lane a(direction[0]), b(direction[1]), c(direction[2]), d(direction[3]);
    if (some < 4) d.i = steps;
    if (some < 3) c.i = steps;
    if (some < 2) b.i = steps;
    while (((a.i < steps) | (b.i < steps) | (c.i < steps) | (d.i < steps)) != 0) {
      if (a.i < steps) step(a);
      if (b.i < steps) step(b);
      if (c.i < steps) step(c);
      if (d.i < steps) step(d);
    }
    return some - a.met - b.met - c.met - d.met;
  }
};

double RockBits::open_share(Vec3 point, Vec3 normal, const RayFan& fan, double length) const {
  const Vec3 from = point + normal * (1.25 * cell_);
  const bool somewhere =
      std::abs(from.x) < 1e15 * cell_ && std::abs(from.y) < 1e15 * cell_ && std::abs(from.z) < 1e15 * cell_;
  if (bricks_.empty() || !somewhere || !(length > 0)) return 1;
  if (!(length / cell_ < 1e5)) refuse("rays may be at most 100000 cells long", "use larger cells");
  const auto whole = [&](double x) { return static_cast<uint64_t>(static_cast<int64_t>(std::floor(x / cell_))); };
  const uint64_t turn = mix_bits(whole(point.x) + mix_bits(whole(point.y) + mix_bits(whole(point.z))));
  const std::array<Vec3, 3> around = fan.around(normal, turn);
  const RayGroup group(*this, from, length);
  int open = 0;
  const auto rays = static_cast<int>(fan.rays());
  for (int i = 0; i < rays; i += RayGroup::lanes) {
    Vec3 directions[RayGroup::lanes];
    const int some = std::min(RayGroup::lanes, rays - i);
    for (int n = 0; n < some; ++n) directions[n] = fan.direction(static_cast<size_t>(i + n), around);
    open += group.count_open(directions, some);
  }
  return static_cast<double>(open) / rays;
}

std::vector<float> RockBits::open_shares(std::span<const Vec3> points, std::span<const Vec3> normals, const RayFan& fan,
                                         double length, const Context& context) const {
  if (points.size() != normals.size()) refuse("a batch needs as many normals as points");
  std::vector<float> shares(points.size());
  parallel_chunks(static_cast<int64_t>(points.size()), 256, context, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
      shares[i] = static_cast<float>(open_share(points[i], normals[i], fan, length));
  });
  return shares;
}

double RockBits::thickness(Vec3 point, Vec3 direction, double far) const {
  const double near = 2 * cell_, begins = to_rock(point, direction, near);
  if (begins >= near) return 0;
  const double inside = begins + 1e-6 * cell_;
  return to_air(point + direction * inside, direction, far);
}

double RockBits::free_air(Vec3 point, Vec3 direction, double far) const {
  const double lift = 1.25 * cell_;
  return std::min(lift + to_rock(point + direction * lift, direction, far), far);
}

size_t RockBits::bytes() const {
  size_t bytes = sizeof *this + bricks_.size() * (sizeof(Brick) + 2 * sizeof own_[0]);
  for (const auto& words : own_) bytes += words != nullptr ? sizeof(Words) : 0;
  for (const auto& clear : own_clearance_) bytes += clear != nullptr ? sizeof(Clearance) : 0;
  return bytes;
}

}  // namespace tepui
