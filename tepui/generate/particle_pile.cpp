#include "tepui/generate/particle_pile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/math.h"

namespace tepui {

namespace {

constexpr double most_nodes = 0x1p28;
constexpr int64_t particles_per_check = 1024;
constexpr int64_t steps_per_check = 1 << 16;
/// Of the walk, for each node that it may reach: enough to leave few gaps, too few to fill all alike.
constexpr int64_t walk_steps = 6;
/// Of the spread: how far from its line a ridge's particles are dropped.
constexpr double ridge_width = 0.4;
/// Seconds from which on a run is announced.
constexpr double long_run = 10;

/// The set bits of a byte.
struct Bits {
  uint32_t count = 0;
  std::array<uint8_t, 8> which{};
};
constexpr Bits bits_of(unsigned mask) {
  Bits bits;
  for (unsigned bit = 0; bit < 8; ++bit)
    if (mask >> bit & 1) bits.which[bits.count++] = static_cast<uint8_t>(bit);
  return bits;
}

/// For each set of lower neighbours: how many there are, and how far on in memory each lies.
struct Rolls {
  uint32_t count = 0;
  std::array<int32_t, 8> offset{};
};

/// Counts, and for each node which of its neighbours are lower, so that a particle's way costs a look at one byte a
/// step. A border of nodes higher than any pile keeps particles in.
class Pile {
 public:
  explicit Pile(const GrainLattice& lattice)
      : lattice_(lattice),
        stride_(lattice.width + 2),
        counts_(stride_, lattice.height + 2, std::numeric_limits<int32_t>::max()),
        lower_(stride_, lattice.height + 2, uint8_t{0}) {
    for (int64_t y = 0; y < lattice.height; ++y) std::fill_n(counts_.row(y + 1) + 1, lattice.width, 0);
    for (size_t n = 0; n < 8; ++n) offset_[n] = neighbour_y[n] * stride_ + neighbour_x[n];
    for (unsigned mask = 0; mask < 256; ++mask) {
      const Bits bits = bits_of(mask);
      rolls_[mask].count = bits.count;
      for (size_t n = 0; n < bits.count; ++n) rolls_[mask].offset[n] = static_cast<int32_t>(offset_[bits.which[n]]);
    }
  }

  void drop(ParticleDrops::Node node, ParticleWay way, uint64_t threshold) {
    int64_t at = (node.y + 1) * stride_ + node.x + 1;
    for (unsigned lower = lower_.data()[at]; lower != 0; lower = lower_.data()[at]) {
      way.next();
      const Rolls& rolls = rolls_[lower];
      const int64_t next = at + rolls.offset[way.choose(rolls.count)];
      if (way.sticks(threshold) && counts_.data()[at] - counts_.data()[next] < steep) break;
      at = next;
    }
    raise(at);
  }

  Grid<int32_t> counts() const {
    Grid<int32_t> inner(lattice_.width, lattice_.height);
    for (int64_t y = 0; y < lattice_.height; ++y) std::copy_n(counts_.row(y + 1) + 1, lattice_.width, inner.row(y));
    return inner;
  }

 private:
  void raise(int64_t at) {
    int32_t* count = counts_.data() + at;
    uint8_t* lower = lower_.data() + at;
    const int32_t now = ++*count;
    unsigned mask = 0;
    for (size_t n = 0; n < 8; ++n) {
      const int32_t other = count[offset_[n]];
      mask |= static_cast<unsigned>(other < now) << n;
      // The opposite of neighbour n is 7 - n. It was lower than `other` until now; it may have become as high.
      lower[offset_[n]] &= static_cast<uint8_t>(~(static_cast<unsigned>(other == now) << (7 - n)));
    }
    *lower = static_cast<uint8_t>(mask);
  }

  GrainLattice lattice_;
  int64_t stride_;
  Grid<int32_t> counts_;
  Grid<uint8_t> lower_;
  std::array<int64_t, 8> offset_{};
  std::array<Rolls, 256> rolls_{};
};

/// Tells how long a long run will take, once it can be known.
class Announcement {
 public:
  void look(int64_t done, int64_t all, const Context& context) {
    if (made_) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (seconds < 1) return;
    made_ = true;
    const double whole = seconds * static_cast<double>(all) / static_cast<double>(done);
    if (whole > long_run)
      context.warn(fmt::format("{} particles will take {:.0f} s or more; use fewer, or a coarser 'grain'", all, whole));
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool made_ = false;
};

double nodes_along(double side, double grain) { return std::ceil(side / grain * (1 - 0x1p-40)) + 1; }

/// A grain of which a world holds just few enough nodes, and as well when it is written with six digits.
double finest_grain(Vec2 size) {
  // Less is too fine: a side has a node more than steps, thus two or more. Twice as much is coarse enough.
  double grain = std::max(std::sqrt(size.x * size.y / most_nodes), std::max(size.x, size.y) / (most_nodes / 2));
  for (int step = 0; step < 1000 && nodes_along(size.x, grain) * nodes_along(size.y, grain) > most_nodes; ++step)
    grain *= 1.001;
  return 1.0001 * grain;
}

/// A whole number from [0, count).
int64_t draw_whole(const Stream& stream, int64_t index, uint64_t channel, int64_t count) {
  const auto whole =
      static_cast<int64_t>(stream.uniform(static_cast<uint64_t>(index), channel) * static_cast<double>(count));
  return std::min(whole, count - 1);
}

}  // namespace

GrainLattice grain_lattice(const Frame& world, const ParticleDepositionParams& params) {
  const double grain = params.grain.in(world);
  const double x = nodes_along(world.size.x, grain), y = nodes_along(world.size.y, grain);
  if (!(x * y <= most_nodes))
    refuse(
        fmt::format("a 'grain' of {:g} m is too fine for a world of {:g} x {:g} m", grain, world.size.x, world.size.y),
        fmt::format("use at least {:g} m", finest_grain(world.size)));
  return {grain, static_cast<int64_t>(x), static_cast<int64_t>(y)};
}

uint64_t stick_threshold(double stickiness) { return static_cast<uint64_t>(std::floor(stickiness * 0x1p32)); }

ParticleDrops::ParticleDrops(const Frame& world, const ParticleDepositionParams& params, const Context& context)
    : stream_(params.seed.stream("particle_deposition")),
      lattice_(grain_lattice(world, params)),
      start_(params.start),
      particles_(params.particles),
      middle_(world.size * (0.5 / lattice_.grain)),
      context_(context) {
  const double spread = params.spread.in(world) / lattice_.grain;
  reach_ = {std::min(spread, middle_.x), std::min(spread, middle_.y)};
  const auto node = [](double v, int64_t count) {
    return std::clamp<int64_t>(static_cast<int64_t>(std::floor(v + 0.5)), 0, count - 1);
  };
  at_ = {node(middle_.x, lattice_.width), node(middle_.y, lattice_.height)};
  low_ = {node(middle_.x - reach_.x, lattice_.width), node(middle_.y - reach_.y, lattice_.height)};
  high_ = {node(middle_.x + reach_.x, lattice_.width), node(middle_.y + reach_.y, lattice_.height)};
  // The distance that a walk covers grows with the root of its steps, so this is as wide a part for every grain.
  steps_ = 1 + walk_steps * std::max<int64_t>(high_.x - low_.x, 1) * std::max<int64_t>(high_.y - low_.y, 1);
}

void ParticleDrops::walk_to(int64_t step) {
  for (; step_ < step; ++step_) {
    if (step_ % steps_per_check == 0) context_.check();
    const uint64_t way = stream_.bits(static_cast<uint64_t>(step_), 5) >> 61;
    const int64_t dx = neighbour_x[way], dy = neighbour_y[way];
    if (at_.x + dx >= low_.x && at_.x + dx <= high_.x) at_.x += dx;
    if (at_.y + dy >= low_.y && at_.y + dy <= high_.y) at_.y += dy;
  }
}

ParticleDrops::Node ParticleDrops::drop(int64_t particle) {
  const auto index = static_cast<uint64_t>(particle);
  const auto near = [&](double u, double v) {
    return Node{std::clamp<int64_t>(static_cast<int64_t>(std::floor(middle_.x + u + 0.5)), 0, lattice_.width - 1),
                std::clamp<int64_t>(static_cast<int64_t>(std::floor(middle_.y + v + 0.5)), 0, lattice_.height - 1)};
  };
  switch (start_) {
    case DepositionStart::walk:
      walk_to(static_cast<int64_t>(static_cast<double>(particle) / static_cast<double>(particles_) *
                                   static_cast<double>(steps_)));
      return at_;
    case DepositionStart::point:
      return near(0, 0);
    case DepositionStart::disc: {
      const double r = std::sqrt(stream_.uniform(index, 2)), angle = 2 * math::pi * stream_.uniform(index, 3);
      return near(reach_.x * r * math::cos(angle), reach_.y * r * math::sin(angle));
    }
    case DepositionStart::ridge: {
      const double across = stream_.uniform(index, 3) + stream_.uniform(index, 4) - 1;
      return near(stream_.uniform(index, 2, -reach_.x, reach_.x), ridge_width * reach_.y * across);
    }
    case DepositionStart::everywhere:
      break;
  }
  return {draw_whole(stream_, particle, 2, lattice_.width), draw_whole(stream_, particle, 3, lattice_.height)};
}

Grid<int32_t> pile_particles(const Frame& world, const ParticleDepositionParams& params, const Context& context) {
  ParticleDrops drops(world, params, context);
  Pile pile(grain_lattice(world, params));
  const Stream stream = params.seed.stream("particle_deposition");
  const uint64_t threshold = stick_threshold(params.stickiness);
  Announcement announcement;
  for (int64_t first = 0; first < params.particles; first += particles_per_check) {
    context.check();
    const int64_t end = std::min(first + particles_per_check, params.particles);
    for (int64_t particle = first; particle < end; ++particle)
      pile.drop(drops.drop(particle), ParticleWay(stream, particle), threshold);
    if (first / particles_per_check % 64 == 0) {
      context.progress(static_cast<double>(end) / static_cast<double>(params.particles));
      announcement.look(end, params.particles, context);
    }
  }
  return pile.counts();
}

}  // namespace tepui
